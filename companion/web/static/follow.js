// Follows the game: when what this seat has to do changes and stands out of view, the page goes there.

const live = document.getElementById("live");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const heading = () => live.querySelector(".now.mine h1");
const told = () => heading()?.textContent ?? "";
let before = told();

function inView(thing) {
  const { top, bottom } = thing.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

function follow() {
  const [last, now] = [before, told()];
  before = now;
  if (!now || now === last || live.querySelector(".edit")) return; // a roll being typed in is looked at
  const button = [...live.querySelectorAll(".roll .big, .choices .big")].find((each) => each.checkVisibility?.());
  if ([heading(), button].every((each) => !each || inView(each))) return;
  heading().closest(".now").scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" });
}

document.addEventListener("live:swapped", follow);
