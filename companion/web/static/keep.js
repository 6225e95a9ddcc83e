// Keeps the sheets: as a PNG drawn by the browser itself, or through its print dialogue.

document.querySelector("[data-print]")?.addEventListener("click", () => print());

const WIDE = 860; // as wide as a sheet on paper, so that boards lie as they are printed
const MOST_PIXELS = 3.5e6; // a browser needs a second for so many
let made = null; // the last picture, and of which state of the table

const button = document.querySelector("[data-keep-picture]");
button?.addEventListener("click", async () => {
  button.disabled = true;
  try {
    const version = document.getElementById("live").dataset.version;
    if (made?.version !== version) made = { version, blob: await picture(document.querySelector(".keepsake")) };
    offer(made.blob, `${button.dataset.keepPicture}.png`);
  } catch {
    document.dispatchEvent(new CustomEvent("live:tell", { detail: button.dataset.failed }));
  } finally {
    button.disabled = false;
  }
});

async function picture(part) {
  const copy = part.cloneNode(true);
  const [width, height] = [WIDE, heightOf(copy) + 24];
  const links = [...document.querySelectorAll('link[rel="stylesheet"]')];
  const styles = await Promise.all(links.map(async (link) => (await fetch(link.href)).text()));
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const body = document.createElement("body");
  body.className = document.body.className;
  body.style.cssText = `margin: 0; padding: 12px; min-height: 0; width: ${width}px`;
  const style = document.createElement("style");
  style.textContent = `:root { color-scheme: ${dark ? "dark" : "light"}; }\n${styles.join("\n")}`;
  body.append(style, document.querySelector(".symbols").cloneNode(true), copy);
  const html = new XMLSerializer().serializeToString(body);
  const scale = Math.min(2, Math.sqrt(MOST_PIXELS / (width * height)));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"><foreignObject width="100%" height="100%">${html}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const paint = canvas.getContext("2d");
  paint.fillStyle = getComputedStyle(document.body).backgroundColor;
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(image, 0, 0);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed()), "image/png"));
}

function heightOf(copy) {
  const aside = document.createElement("div");
  aside.style.cssText = `position: absolute; left: -${2 * WIDE}px; top: 0; width: ${WIDE - 24}px`;
  aside.append(copy);
  document.body.append(aside);
  const { height } = copy.getBoundingClientRect();
  aside.remove();
  return Math.ceil(height);
}

function offer(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
