// Follows the game: when what this seat has to do changes and stands out of view, the page goes there; likewise
// when the dice of a roll are opened to be changed.

const live = document.getElementById("live");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const heading = () => live.querySelector(".now.mine h1");
const told = () => heading()?.textContent ?? "";
const edited = () => live.querySelector(".edit");
let before = told();
let editing = Boolean(edited());

function inView(thing) {
  const { top, bottom } = thing.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

function show(thing) {
  thing.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" });
}

function follow() {
  const [last, now, opened] = [before, told(), edited() && !editing];
  [before, editing] = [now, Boolean(edited())];
  if (opened && !inView(edited())) show(edited().closest(".roll"));
  if (!now || now === last || editing) return; // a roll being typed in is looked at
  const button = [...live.querySelectorAll(".roll .big, .choices .big")].find((each) => each.checkVisibility?.());
  if ([heading(), button].every((each) => !each || inView(each))) return;
  show(heading().closest(".now"));
}

document.addEventListener("live:swapped", follow);
