// The setup page: the picture and the verdict are renewed, and four corners can be tapped.

let points = null;

setInterval(async () => {
  if (document.visibilityState === "hidden") return;
  const now = document.querySelector("[data-now]");
  const image = document.querySelector("[data-view] image");
  if (image && !points) image.setAttribute("href", `/live.jpg?${Date.now()}`);
  if (!now) return;
  try {
    const answer = await fetch(now.dataset.now, { cache: "no-store" });
    if (answer.ok) now.innerHTML = await answer.text();
    // a camera takes a while to wake: its first picture brings the view onto the page
    if (!image && now.querySelector("[data-seen]")) location.reload();
  } catch {
    // the banner of the page says that the table is gone
  }
}, 1500);

document.addEventListener("click", (event) => {
  const begin = event.target.closest?.("[data-tap-corners]");
  const hint = document.querySelector("[data-corner-hint]");
  if (begin) {
    points = [];
    document.querySelector("[data-corners]").replaceChildren();
    hint.dataset.say = begin.dataset.say;
    hint.textContent = `${hint.dataset.say} (0/4)`;
    hint.hidden = false;
    document.querySelector("[data-view]").scrollIntoView({ block: "center" });
    return;
  }
  const view = event.target.closest?.("[data-view]");
  if (!view || !points) return;
  const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(view.getScreenCTM().inverse());
  points.push(Math.round(spot.x), Math.round(spot.y));
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  mark.setAttribute("cx", spot.x);
  mark.setAttribute("cy", spot.y);
  mark.setAttribute("r", view.viewBox.baseVal.width / 60);
  view.querySelector("[data-corners]").append(mark);
  hint.textContent = `${hint.dataset.say} (${points.length / 2}/4)`;
  if (points.length < 8) return;
  const form = document.querySelector("[data-corner-form]");
  form.elements.points.value = points.join(" ");
  form.submit();
});
