// Tap to narrow: anything with data-tap on the own sheet narrows the legal choices; a second tap takes the one left.

import { why } from "./why.js";

const live = document.getElementById("live");
const say = document.body.dataset;
const MOST_OFFERED = 4;

let choices = []; // {text, taps, count: word → how often, words}
let known = "";
let selected = []; // "word#n": the n-th thing on the sheet with that word
let last = "";

function tell(sentence) {
  document.dispatchEvent(new CustomEvent("live:tell", { detail: sentence }));
}

function things() {
  const seen = new Map();
  return [...live.querySelectorAll("[data-tap]")]
    .filter((element) => !element.closest('[data-sheet="other"]'))
    .map((element) => {
      const word = element.dataset.tap;
      const n = seen.get(word) ?? 0;
      seen.set(word, n + 1);
      return { element, word, key: `${word}#${n}` };
    });
}

function counted(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function read() {
  const dock = document.getElementById("dock");
  const source = document.getElementById("choices")?.textContent ?? "[]";
  const name = `${dock?.dataset.as} ${dock?.dataset.made} ${source}`;
  if (name === known) return;
  known = name;
  selected = [];
  choices = JSON.parse(source).map(([text, taps, words]) => ({
    text,
    words,
    count: counted((taps || text).split(/\s+/)),
  }));
}

function includes(choice, counts) {
  for (const [word, count] of counts) if ((choice.count.get(word) ?? 0) < count) return false;
  return true;
}

// How many things on the sheet a choice would have tapped in all.
function size(choice, there) {
  let total = 0;
  for (const [word, count] of choice.count) total += Math.min(count, there.get(word) ?? 0);
  return total;
}

// Things that only narrow (data-narrow, such as dice beside cells) may be left untapped.
const needed = (all) => all.filter(({ element }) => !("narrow" in element.dataset));

// How many things a choice uses up (data-dear, such as a joker): the cheapest is offered first.
function cost(choice, all) {
  const dear = new Set(all.filter(({ element }) => "dear" in element.dataset).map(({ word }) => word));
  return [...choice.count.keys()].filter((word) => dear.has(word)).length;
}

function paint() {
  read();
  const all = things();
  const there = counted(all.map((thing) => thing.word));
  const on = all.filter((thing) => selected.includes(thing.key));
  selected = on.map((thing) => thing.key);
  const counts = counted(on.map((thing) => thing.word));
  const left = choices.filter((choice) => includes(choice, counts));
  const open = new Map();
  for (const choice of left) {
    for (const [word, count] of choice.count) if (count > (counts.get(word) ?? 0)) open.set(word, true);
  }
  for (const { element, word, key } of all) {
    const isOn = selected.includes(key);
    const can = !isOn && open.has(word);
    element.classList.toggle("on", isOn);
    element.classList.toggle("can", can && choices.length > 0);
    element.classList.toggle("with", !isOn && !can && counts.has(word));
    element.classList.toggle("cannot", !isOn && !can && !counts.has(word) && choices.length > 0);
    if (choices.length && element.tagName !== "BUTTON") {
      element.setAttribute("role", "button");
      if (can || isOn) element.setAttribute("tabindex", "0");
      else element.removeAttribute("tabindex");
    }
    if (choices.length) element.setAttribute("aria-pressed", String(isOn));
  }
  const must = counted(needed(all).map((thing) => thing.word));
  const tapped = needed(on).length;
  const exact = left.filter((choice) => size(choice, must) === tapped);
  const few = on.length && (exact.length || left.length <= 1) && (tapped || exact.length <= MOST_OFFERED);
  const offers = (few ? (exact.length ? exact : left) : [])
    .map((choice) => ({ choice, cost: cost(choice, all) }))
    .sort((one, other) => one.cost - other.cost);
  offer(offers.slice(0, MOST_OFFERED).map(({ choice }) => choice), on.length, left.length);
  return { all, there, on, left, open, offers };
}

// Too many choices to carry their words: how many things are tapped, and pictures of those that narrow.
function label(button, choice) {
  const all = things();
  const sheet = live.querySelector("[data-offer]");
  if (!sheet) {
    button.textContent = choice.text;
    return;
  }
  const count = size(choice, counted(needed(all).map(({ word }) => word)));
  button.textContent = count === 1 ? sheet.dataset.offerOne : sheet.dataset.offer.replace("#", count);
  const shown = new Set();
  for (const { element, word } of all) {
    if (!("narrow" in element.dataset) || !choice.count.has(word) || shown.has(word)) continue;
    shown.add(word);
    const picture = element.querySelector(".die")?.cloneNode(true);
    if (picture) button.append(picture);
  }
}

function offer(offers, tapped, left) {
  const dock = document.getElementById("dock");
  const template = document.getElementById("offer");
  if (!dock) return;
  for (const old of dock.querySelectorAll(".offered")) old.remove();
  dock.classList.toggle("open", tapped > 0);
  if (!template || !tapped) return;
  for (const choice of offers) {
    const form = template.content.firstElementChild.cloneNode(true);
    const button = form.querySelector("button");
    form.classList.add("offered");
    form.elements.choice.value = choice.text;
    button.dataset.choice = choice.text;
    if (choice.words) button.innerHTML = choice.words;
    else label(button, choice);
    dock.append(form);
  }
  if (!offers.length) {
    const hint = document.createElement("p");
    hint.className = "offered hint";
    hint.textContent = say.sayMore.replace("#", left);
    dock.append(hint);
  }
  const clear = document.createElement("button");
  clear.className = "offered quiet";
  clear.textContent = dock.dataset.clear;
  clear.addEventListener("click", () => {
    selected = [];
    paint();
  });
  dock.append(clear);
}

function tapOn(element) {
  const now = paint();
  if (!choices.length) return tell(element.dataset.why || say.sayNotNow);
  const thing = now.all.find((each) => each.element === element);
  if (!thing) return undefined;
  const { word } = thing;
  let { key } = thing;
  // One of several alike stands for all of them, where only one may be tapped.
  const alike = now.on.find((each) => each.word === word);
  if (alike && !selected.includes(key) && !now.open.has(word)) key = alike.key;
  if (selected.includes(key)) {
    const [first, second] = now.offers;
    const clear = first && (!second || first.cost < second.cost);
    if (clear && key === last) return document.querySelector("#dock form.offered").requestSubmit();
    selected = selected.filter((each) => each !== key);
    last = "";
    return paint();
  }
  if (now.open.has(word)) {
    selected = [...selected, key];
    last = key;
    return paint();
  }
  // Where only one of a kind can be tapped, another tap moves there.
  const alone = choices.every((choice) => size(choice, now.there) <= 1);
  const group = element.dataset.one;
  const outside = now.on.filter((each) => !group || each.element.dataset.one !== group);
  const tries = [alone ? [] : outside];
  // What narrows is a fresh start: it gives way to nothing that was tapped before.
  if ("narrow" in element.dataset) tries.push(needed(now.on), []);
  const before = selected;
  for (const kept of tries) {
    if (kept.length === before.length) continue;
    selected = kept.map((each) => each.key);
    if (paint().open.has(word)) {
      selected = [...selected, key];
      last = key;
      return paint();
    }
  }
  selected = before;
  paint();
  return tell(why(element, word, now, choices) || (selected.length ? say.sayNotWith : say.sayNotThis));
}

live.addEventListener("click", (event) => {
  const element = event.target.closest("[data-tap]");
  if (element && !element.closest('[data-sheet="other"]')) tapOn(element);
});
live.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  const element = event.target.closest("[data-tap]");
  if (!element || element.tagName === "BUTTON") return;
  event.preventDefault();
  tapOn(element);
});
document.addEventListener("live:swapped", paint);
paint();
