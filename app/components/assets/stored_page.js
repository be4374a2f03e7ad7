// A web page as it was: a frame in which no script runs and that fetches nothing; links open in a new tab.

import { el, mount, roomBelow } from "./dom.js";

const LEAST = 260;  // pixels of height

class Frame {
  constructor(root) {
    this.root = root;
    this.frame = el("iframe", "stored", null, { sandbox: "allow-popups allow-popups-to-escape-sandbox", referrerpolicy: "no-referrer" });
    root.append(this.frame);
    addEventListener("resize", () => this.fit());
    new ResizeObserver(() => this.fit()).observe(root.host || root);
  }

  update({ data }) {
    const { focus } = data, page = `/api/documents/${encodeURIComponent(data.document)}/versions/${data.version}/page.html`;
    const span = focus ? `&page=${focus.page}&span=${focus.start}-${focus.end}` : "";
    const address = `${page}?h=${data.hash}&theme=${this.theme()}${span}${focus ? "#cited-words" : ""}`;
    this.frame.classList.toggle("focus", Boolean(focus));
    this.frame.title = `The page ${data.title} as it was`;
    if (address !== this.address) { this.address = address; this.frame.src = address; }
    this.fit();
  }

  // Light or dark, by the brightness of the background that stands around it.
  theme() {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = getComputedStyle(this.root.host || this.root).getPropertyValue("--st-background-color").trim() || "#fff";
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return red * 0.3 + green * 0.59 + blue * 0.11 < 128 ? "dark" : "light";
  }

  fit() {
    if (!this.frame.isConnected) return;
    this.frame.style.height = `${Math.max(LEAST, roomBelow(this.frame) - 18)}px`;
  }
}

export default mount(Frame);
