// A tap that comes just as the page changes was meant for what lay there before: it does nothing.
// The second half of a double tap is one of those. Keys and screen readers are never held up.

const FRESH_MS = 350; // people need longer than this to see something new and tap it
const NEAR_PX = 44;
const THINGS = "a, button, summary, select, input, label, [data-tap]";

let before = []; // what could be tapped, and where, before the last change
let since = 0;
// A page that was tapped for begins with all of it new.
let changed = document.referrer.startsWith(`${location.origin}/`) ? performance.now() : -Infinity;
let tap = { at: -Infinity, x: 0, y: 0, dock: false };

function name(thing) {
  if (thing.form) return thing.form.action + new URLSearchParams(new FormData(thing.form));
  const { add, tap: word, die, face } = thing.dataset;
  return add || word || die || face || thing.href || thing.textContent.trim();
}

// To be called before the page changes.
export function remember() {
  const now = performance.now();
  if (now - changed > FRESH_MS || now - since > 2 * FRESH_MS) {
    before = [...document.querySelectorAll(THINGS)].map((thing) => [
      name(thing),
      thing.getBoundingClientRect(),
      thing.closest("#dock"),
    ]);
    since = now;
  }
  changed = now;
}

function wasThere(thing, x, y) {
  const there = before.filter(([, box]) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
  const wanted = name(thing);
  return there.some(([known]) => known === wanted) && !there.some(([, , covered]) => covered);
}

document.addEventListener(
  "click",
  (event) => {
    const thing = event.target.closest?.(THINGS);
    if (!event.detail || !thing) return; // a key, a screen reader, or nothing
    const now = performance.now();
    const { clientX: x, clientY: y } = event;
    const dock = Boolean(thing.closest("#dock"));
    const opened = dock && !tap.dock && now - tap.at < FRESH_MS && Math.hypot(x - tap.x, y - tap.y) < NEAR_PX;
    tap = { at: now, x, y, dock };
    if (!opened && (now - changed >= FRESH_MS || dock || wasThere(thing, x, y))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);
