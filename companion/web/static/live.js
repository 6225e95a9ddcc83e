// Keeps a page true: hears "look again", fetches the living part, sends deeds, and says when the table is gone.

import { remember } from "./steady.js";

const live = document.getElementById("live");
const banner = document.getElementById("banner");
const toast = document.getElementById("toast");
const say = document.body.dataset;
const KEPT = "companion-kept";
const SILENCE_MS = 25000; // the server speaks at least every 10 s
const GONE_MS = 5000; // a page that is still here by then was not left after all
const PATIENCE_MS = 1200; // a short hiccup needs no banner
const AGAIN_MS = 2000; // between two tries while the banner is there
const SENT_MS = 15000; // a network that went away may never say so; after this a tap is kept

document.documentElement.classList.add("js");

let address = location.pathname + location.search;
let shown = live.dataset.version;
let etag = "";
let etagOf = ""; // the address that the etag speaks of
let asked = 0; // fetches are numbered: an older answer never covers a newer one
let answered = 0;
let stream = null;
let heard = 0;
let lostTimer = 0;
let againTimer = 0;
let leaving = false; // a plain form is on its way to another page
const sent = new WeakSet(); // forms whose deed is the table's: what was typed there is not the person's any more
const sources = new Map();
for (const part of parts(live)) sources.set(part.dataset.part, part.outerHTML);

function parts(root) {
  return [...root.children].filter((child) => child.dataset && child.dataset.part);
}

function tell(sentence) {
  toast.textContent = sentence;
  toast.classList.add("shown");
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => toast.classList.remove("shown"), 4500);
}

function swap(html, version) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const next = parts(fresh.content);
  const names = next.map((part) => part.dataset.part);
  const old = parts(live);
  const focus = document.activeElement;
  const focusKey = focus && live.contains(focus) ? keyOf(focus) : "";
  const caret = [focus?.selectionStart, focus?.selectionEnd];
  const texts = new Map(next.map((part) => [part.dataset.part, part.outerHTML]));
  if (names.join() !== [...sources.keys()].join() || names.some((part) => sources.get(part) !== texts.get(part))) {
    remember();
  }
  for (const part of old) {
    const same = next.find((each) => each.dataset.part === part.dataset.part);
    if (same) carry(part, same);
  }
  if (names.join() === old.map((part) => part.dataset.part).join()) {
    old.forEach((part, n) => {
      if (sources.get(part.dataset.part) !== texts.get(part.dataset.part)) part.replaceWith(next[n]);
    });
  } else {
    live.replaceChildren(...next);
  }
  sources.clear();
  texts.forEach((text, name) => sources.set(name, text));
  if (version) shown = live.dataset.version = version;
  if (focusKey && !live.contains(document.activeElement)) {
    const again = [...live.querySelectorAll("a, button, input, select, [tabindex]")];
    const same = again.find((each) => keyOf(each) === focusKey);
    same?.focus({ preventScroll: true });
    if (caret[0] != null) same?.setSelectionRange?.(...caret);
  }
  document.dispatchEvent(new CustomEvent("live:swapped"));
}

function keyOf(element) {
  const { choice, tap, die, add, face } = element.dataset;
  return element.id || choice || tap || die || add || face || element.textContent.trim();
}

// What somebody has typed, chosen or unfolded goes along to the part that takes the place of this one.
function carry(from, to) {
  const there = new Map(things(to).map((thing) => [placeOf(thing), thing]));
  for (const thing of things(from)) {
    const next = there.get(placeOf(thing));
    if (!next) continue;
    if (thing.matches("details")) next.open = thing.open;
    else if (held(thing) !== given(thing) && !sent.has(thing.form)) hold(next, held(thing));
  }
}

// Folds and fields; options that are sent as soon as they are chosen are the table's to tell.
function things(part) {
  const what = "details, :not([data-auto]) > :is(input, select)";
  return [part, ...part.querySelectorAll(what)].filter((thing) => thing.matches(what));
}

// The same fold or field as before, begun with the same: seats are numbered anew when somebody leaves.
function placeOf(thing) {
  const fold = thing.closest("details");
  const name = fold?.dataset.of ?? fold?.querySelector("summary")?.textContent;
  return thing === fold ? name : [name, thing.form?.getAttribute("action"), thing.name, given(thing)].join();
}

function given(field) {
  if (!field.options) return field.defaultValue;
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.text;
}

function held(field) {
  return field.options ? field.selectedOptions[0]?.text : field.value;
}

function hold(field, value) {
  if (!field.options) field.value = value;
  for (const option of field.options ?? []) if (option.text === value) option.selected = true;
}

async function refresh(url = address) {
  if (leaving) return false;
  const number = ++asked;
  const headers = { "X-Fragment": "yes" };
  if (url === etagOf) headers["If-None-Match"] = etag;
  try {
    const answer = await fetch(url, { headers, cache: "no-store" });
    return await take(answer, url, number);
  } catch {
    lost();
    return false;
  }
}

function goTo(url) {
  address = url;
  return refresh();
}

async function take(answer, url, number) {
  found();
  if (leaving) return false;
  if (answer.redirected && new URL(answer.url).pathname !== new URL(url, location).pathname) {
    location.assign(answer.url);
    return false;
  }
  if (answer.status === 304) return true;
  if (!answer.ok) return false;
  const html = await answer.text();
  if (number < answered || url !== address) return true; // somebody has gone elsewhere meanwhile
  answered = number;
  etag = answer.headers.get("ETag") || "";
  etagOf = url;
  swap(html, answer.headers.get("X-Version"));
  return true;
}

async function send(action, fields, form) {
  const number = ++asked;
  const answer = await fetch(action, {
    method: "POST",
    headers: { "X-Fragment": "yes" },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout?.(SENT_MS),
  });
  found();
  if (answer.status === 205 || (answer.redirected && !live.dataset.version)) return refresh();
  if (answer.redirected) {
    location.assign(answer.url);
    return true;
  }
  if (answer.ok) {
    address = location.pathname;
    const back = new URLSearchParams(fields).get("back");
    return back === address.slice(1) ? take(answer, address, number) : refresh();
  }
  const problem = await answer.json().catch(() => ({}));
  tell(problem.error || answer.statusText);
  sent.delete(form);
  return goTo(location.pathname);
}

async function deed(form) {
  if (form.getAttribute("aria-busy")) return;
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  form.setAttribute("aria-busy", "true");
  sent.add(form);
  try {
    await send(form.action, fields, form);
  } catch {
    keep(form.action, fields);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) || [];
  } catch {
    return [];
  }
}

// Taps that the table has not had yet; also stored, so that a page that is loaded anew still sends them.
let waiting = stored();
let sending = false;

function store(taps) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(taps));
  } catch {
    // without storage they are kept as long as the page is open
  }
}

function keep(action, fields) {
  waiting.push([action, fields]);
  store(waiting);
  lost(true);
}

async function sendKept() {
  if (sending) return;
  sending = true;
  try {
    while (waiting.length) {
      store(waiting.slice(1)); // first, so that a page that is left meanwhile does not send it twice
      await send(...waiting[0]);
      waiting.shift();
    }
  } catch {
    store(waiting);
    lost(true);
  } finally {
    sending = false;
  }
}

// A banner that is there speaks of a kept tap at once; one that is not waits a moment, however often it is asked.
function lost(now = false) {
  if (now || !banner.hidden) sayLost();
  else lostTimer ||= setTimeout(sayLost, PATIENCE_MS);
}

function sayLost() {
  clearTimeout(lostTimer);
  lostTimer = 0;
  const words = waiting.length ? say.sayKept : say.sayLost;
  if (banner.textContent !== words) banner.textContent = words;
  banner.hidden = false;
  againTimer ||= setTimeout(() => {
    againTimer = 0;
    refresh();
  }, AGAIN_MS);
}

function found() {
  clearTimeout(lostTimer);
  clearTimeout(againTimer);
  lostTimer = againTimer = 0;
  banner.hidden = true;
  sendKept();
}

function listen() {
  stream?.close();
  stream = new EventSource("/api/events");
  heard = Date.now();
  stream.onopen = () => {
    heard = Date.now();
    found();
  };
  stream.onmessage = (event) => {
    heard = Date.now();
    if (event.data !== shown) refresh();
  };
  stream.addEventListener("beat", () => (heard = Date.now()));
  stream.onerror = () => {
    lost();
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 1500);
  };
}

function lookAgain() {
  if (document.visibilityState === "hidden") return;
  if (!stream || stream.readyState !== EventSource.OPEN || Date.now() - heard > SILENCE_MS) listen();
  refresh();
}

document.addEventListener("visibilitychange", lookAgain);
addEventListener("online", lookAgain);
addEventListener("offline", () => lost(true));
addEventListener("pageshow", (event) => {
  leaving = false;
  if (event.persisted) lookAgain();
});
addEventListener("pagehide", () => stream?.close());
setInterval(() => {
  if (stream && Date.now() - heard > SILENCE_MS && document.visibilityState === "visible") {
    lost();
    listen();
  }
}, 5000);

document.addEventListener("live:tell", (event) => tell(event.detail));

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-live]")) {
    if (leaving) event.preventDefault(); // a double tap: the first one is on its way
    leaving = leaving || !event.defaultPrevented;
    setTimeout(() => (leaving = false), GONE_MS);
    return;
  }
  event.preventDefault();
  deed(form);
});

document.addEventListener("input", (event) => sent.delete(event.target.form));

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-auto]");
  if (form) deed(form);
});

// A roll being typed in: quick taps add up here, so that none is lost while the page is on its way.
let typed = null;
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-go]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const url = new URL(link.href);
  if (link.dataset.add) {
    const rolls = url.searchParams.get("rolls");
    const before = url.searchParams.get("d").split(",").slice(0, -1);
    if (!typed || typed.rolls !== rolls || before.length > typed.dice.length || !typed.busy) {
      typed = { rolls, dice: before, busy: 0 };
    }
    typed.dice = [...typed.dice, link.dataset.add];
    url.searchParams.set("d", typed.dice.join(","));
    typed.busy += 1;
    const mine = typed;
    goTo(url.pathname + url.search).finally(() => (mine.busy -= 1));
    return;
  }
  typed = null;
  goTo(url.pathname + url.search);
});

// The table screen: the space bar is the button, and the camera's picture is renewed.
document.addEventListener("keydown", (event) => {
  if (event.code !== "Space" || !document.body.classList.contains("screen")) return;
  if (event.target.closest("input, select, button, a")) return;
  const confirm = live.querySelector("[data-confirm]");
  if (!confirm) return;
  event.preventDefault();
  deed(confirm.form);
});
if (document.body.classList.contains("screen")) {
  let next = null; // the last good picture stays until this one is there, also while the table is away
  setInterval(() => {
    const picture = live.querySelector("[data-live-picture]");
    if (next || !picture?.complete || document.visibilityState !== "visible") return;
    if (!picture.naturalWidth) picture.hidden = true; // no icon of a broken picture
    next = picture.cloneNode();
    next.hidden = false;
    next.src = `/live.jpg?${Date.now()}`;
    next
      .decode()
      .then(() => picture.replaceWith(next))
      .catch(() => {})
      .finally(() => (next = null));
  }, 1000);
}

listen();
