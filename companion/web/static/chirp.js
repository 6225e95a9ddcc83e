// Small sounds for those who want them, made on the spot: my turn, a roll that is read, points. Off by default.

const KEY = "companion-chirp";
const TURN = [[660, 0], [880, 0.12]];
const READ = [[520, 0]];
const POINTS = [[784, 0], [988, 0.08], [1319, 0.16]];
let audio = null;
let before = null;

function wanted() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

function wake() {
  if (!wanted() || !window.AudioContext) return;
  audio ??= new AudioContext(); // browsers let it sound only after a tap
  if (audio.state === "suspended") audio.resume();
}

function chirp(notes) {
  if (!wanted() || audio?.state !== "running") return;
  for (const [pitch, after] of notes) {
    const start = audio.currentTime + after;
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, start);
    loud.gain.exponentialRampToValueAtTime(0.2, start + 0.015);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + 0.2);
    tone.connect(loud).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.22);
  }
}

function look() {
  for (const button of document.querySelectorAll("[data-chirp]")) {
    button.hidden = !window.AudioContext;
    button.setAttribute("aria-pressed", String(wanted()));
  }
  const now = {
    mine: Boolean(document.querySelector(".now.mine")),
    read: Boolean(document.querySelector("[data-confirm], .doubt")),
    score: Number(document.querySelector(".player.own .score")?.textContent ?? 0),
  };
  if (before) {
    if (now.score > before.score) chirp(POINTS);
    else if (now.read && !before.read) chirp(READ);
    else if (now.mine && !before.mine) chirp(TURN);
  }
  before = now;
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-chirp]")) return;
  try {
    localStorage.setItem(KEY, wanted() ? "off" : "on");
  } catch {
    return; // a browser that keeps nothing keeps quiet
  }
  wake();
  audio?.resume().then(() => chirp(TURN));
  look();
});
document.addEventListener("pointerdown", wake);
document.addEventListener("live:swapped", look);
look();
