// One's own turn: the screen stays awake where the browser allows it, and the phone buzzes if its owner wants.
// Browsers give the wake lock to secure contexts only, so on plain http to a numeric address there is none.

const BUZZ = "companion-buzz";
let lock = null;
let mine = false;

async function stayAwake() {
  if (!("wakeLock" in navigator) || document.visibilityState === "hidden") return;
  try {
    if (mine && !lock) {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => (lock = null));
    } else if (!mine && lock) {
      await lock.release();
    }
  } catch {
    lock = null; // a low battery, for one, may forbid it
  }
}

function look() {
  const now = Boolean(document.querySelector(".now.mine"));
  if (now && !mine && buzzes()) navigator.vibrate?.(120);
  mine = now;
  stayAwake();
  for (const button of document.querySelectorAll("[data-buzz]")) {
    button.hidden = !("vibrate" in navigator);
    button.setAttribute("aria-pressed", String(buzzes()));
  }
}

function buzzes() {
  try {
    return localStorage.getItem(BUZZ) === "on";
  } catch {
    return false;
  }
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-buzz]")) return;
  try {
    localStorage.setItem(BUZZ, buzzes() ? "off" : "on");
  } catch {
    return;
  }
  if (buzzes()) navigator.vibrate?.(60);
  look();
});
document.addEventListener("live:swapped", look);
document.addEventListener("visibilitychange", look);
look();
