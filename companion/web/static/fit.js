// The table screen cannot be scrolled from the sofa: a sheet too tall for it is drawn smaller until it fits.

const SMALLEST = 0.45; // below this nobody reads it any more
const STEP = 0.05;

function fit() {
  const sheet = document.querySelector(".screen .sheet");
  if (!sheet) return;
  sheet.style.removeProperty("--fit");
  if (innerWidth <= 800) return; // a phone scrolls
  const room = innerHeight - 12;
  for (let scale = 1; scale >= SMALLEST && sheet.getBoundingClientRect().bottom + scrollY > room; ) {
    scale -= STEP;
    sheet.style.setProperty("--fit", scale.toFixed(2));
  }
}

document.addEventListener("live:swapped", fit);
addEventListener("resize", fit);
addEventListener("load", fit);
fit();
