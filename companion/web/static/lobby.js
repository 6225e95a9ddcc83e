// Seats dragged into another order; without script the arrows do the same.

let dragged = null;

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip) return;
  event.preventDefault();
  grip.setPointerCapture(event.pointerId);
  dragged = grip.closest("li");
  dragged.classList.add("dragged");
});

document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  const others = [...dragged.parentElement.children].filter((each) => each !== dragged);
  const below = others.find((each) => {
    const box = each.getBoundingClientRect();
    return event.clientY < box.top + box.height / 2;
  });
  dragged.parentElement.insertBefore(dragged, below ?? null);
});

function drop(event) {
  if (!dragged) return;
  const list = dragged.parentElement;
  const { seat, name: who } = dragged.dataset;
  dragged.classList.remove("dragged");
  dragged = null;
  if (event.type === "pointercancel" || !list.isConnected) return;
  const order = [...list.children].map((each) => each.dataset.seat).join(",");
  const form = document.createElement("form");
  form.method = "post";
  form.action = list.dataset.order;
  form.dataset.live = "";
  form.hidden = true;
  const fields = { order, seat, name: who, game_id: list.dataset.gameId, back: location.pathname.slice(1) };
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  list.after(form);
  form.requestSubmit();
}

document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);
