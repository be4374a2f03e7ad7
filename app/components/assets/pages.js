// The pages of one document: images with a text layer and highlighted boxes, or sheets of text with marks.
// Pages are placeholders until they come near the window, so 2,000 of them cost no more than ten.

import { call, el, makeButton, mount, roomBelow, shape } from "./dom.js";

const WINDOW = 12000, NEAR = 4000, STEP = 16000;
const ZOOMS = [1, 1.25, 1.5, 2, 3], LEAST = 260, SHARP = 1000, SHARPER = 1600;  // widths of page images in pixels
let zoom = Number(sessionStorage.getItem("groundwork:zoom")) || 1;  // of the width of the frame; the same for all pages of the tab
class Viewer {
  constructor(root) {
    this.excerpt = el("div", "excerpt", null, { tabindex: "0", role: "region", "aria-label": "The quote and the text around it" });
    this.scroller = el("div", "scroller", null, { tabindex: "0", role: "region" });
    this.bar = this.zoomBar();
    root.append(this.excerpt, this.bar, this.scroller);
    this.scroller.onkeydown = (event) => {
      const act = { "+": 1, "=": 1, "-": -1, "0": 0 }[event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || this.data.mode !== "image") return;
      event.preventDefault();
      this.step(act);
    };
    this.scroller.addEventListener("wheel", (event) => {  // also what a pinch on a touchpad sends
      if (!event.ctrlKey || this.data.mode !== "image") return;
      event.preventDefault();
      if (performance.now() - (this.wheeled || 0) > 120) { this.wheeled = performance.now(); this.step(event.deltaY < 0 ? 1 : -1); }
    }, { passive: false });
    addEventListener("resize", () => this.fit());
    new ResizeObserver(() => this.fit()).observe(this.excerpt);
    new ResizeObserver(() => { this.fit(); this.sharpen(); }).observe(root.host || root);
    this.near = new IntersectionObserver((entries) => entries.forEach((e) => { if (e.isIntersecting) this.load(e.target); }), { root: this.scroller, rootMargin: "900px 0px" });
  }

  update({ data }) {
    this.data = data;
    this.scroller.setAttribute("aria-label", `Pages of ${data.title}`);
    this.drawExcerpt(data.excerpt);
    this.bar.hidden = data.mode !== "image";
    this.back.hidden = !data.focus;
    const shown = [data.document, data.version, data.hash, data.mode, data.pages].join("|");
    if (shown !== this.shown) { this.shown = shown; this.lay(); }
    const spans = JSON.stringify([data.focus, data.hits]);
    this.fit();
    if (spans !== this.spans) { this.spans = spans; this.highlight(); }
  }

  // As high as the window leaves room below whatever stands above.
  fit() {
    if (!this.scroller.isConnected || !this.scroller.offsetParent) return;
    const height = `${Math.max(LEAST, roomBelow(this.scroller, ".st-key-evidence-panel, [data-testid=stMain]") - 18)}px`;
    if (height !== this.scroller.style.height) this.scroller.style.height = height;
  }

  drawExcerpt(excerpt) {
    this.excerpt.hidden = !excerpt;
    const drawn = JSON.stringify(excerpt);
    if (!excerpt || drawn === this.quoted) return;
    this.quoted = drawn;
    const [before, quote, after] = excerpt, mark = el("mark", "quoted", quote);
    this.excerpt.replaceChildren(before, mark, after);
    requestAnimationFrame(() => { this.excerpt.scrollTop = mark.offsetTop - this.excerpt.offsetTop - this.excerpt.clientHeight / 3; });
  }

  // --- zoom

  zoomBar() {
    const bar = el("div", "zoom", null, { role: "group", "aria-label": "Size of the page" });
    const button = (label, sign, act) => bar.appendChild(makeButton(null, sign, act, { "aria-label": label, title: label }));
    this.out = button("Smaller (−)", "−", () => this.step(-1));
    this.level = el("span", "level", "", { role: "status" });
    bar.append(this.level);
    this.into = button("Larger (+)", "+", () => this.step(1));
    this.whole = button("Fit the width (0)", "Fit width", () => this.step(0));
    this.back = button("Back to the highlighted words", "To the quote", () => this.seek());
    return bar;
  }

  step(by) {
    const at = ZOOMS.findIndex((z) => z >= zoom - 0.01);
    this.zoomTo(by ? ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, at + by))] : 1);
  }

  // What stands in the middle of the frame stays there; where words are highlighted, they come into sight.
  zoomTo(level) {
    const { scrollTop, scrollLeft, scrollHeight, scrollWidth, clientHeight, clientWidth } = this.scroller;
    const middle = [(scrollLeft + clientWidth / 2) / scrollWidth, (scrollTop + clientHeight / 2) / scrollHeight];
    zoom = level;
    sessionStorage.setItem("groundwork:zoom", String(zoom));
    this.size();
    this.scroller.scrollLeft = middle[0] * this.scroller.scrollWidth - clientWidth / 2;
    this.scroller.scrollTop = middle[1] * this.scroller.scrollHeight - clientHeight / 2;
    this.seek();
    this.sharpen();
  }

  size() {
    this.scroller.classList.toggle("zoomed", zoom > 1 && this.data.mode === "image");
    for (const figure of this.figures) figure.style.width = this.data.mode === "image" && zoom > 1 ? `${zoom * 100}%` : "";
    this.level.textContent = `${Math.round(zoom * 100)} %`;
    this.out.disabled = this.whole.disabled = zoom <= ZOOMS[0];
    this.into.disabled = zoom >= ZOOMS.at(-1);
  }

  seek() {
    const figure = this.data.focus && this.figures[this.data.focus.page - 1];
    if (!figure) return;
    this.pending = this.data.focus.page;
    this.load(figure);
    if (!figure.querySelector(".focus")) this.scroller.scrollTop += figure.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top - 8;
    this.reach(figure);
  }

  address(figure, width) { return `/api/${this.base(figure.dataset.page)}.jpg?h=${this.data.hash}${width === SHARP ? "" : `&w=${width}`}`; }
  wantedWidth(figure) { return figure.clientWidth * devicePixelRatio > SHARP * 1.05 ? SHARPER : SHARP; }

  // A page that is drawn larger than its image gets the larger image, once it is here.
  sharpen() {
    if (this.data?.mode !== "image") return;
    for (const figure of this.figures) {
      const image = figure.querySelector("img");
      if (figure.dataset.loaded !== "2" || !image || image.dataset.width === String(SHARPER) || this.wantedWidth(figure) === SHARP) continue;
      image.dataset.width = String(SHARPER);
      const larger = new Image();
      larger.onload = () => { if (image.isConnected) image.src = larger.src; };
      larger.src = this.address(figure, SHARPER);
    }
  }

  base(page) { return `documents/${encodeURIComponent(this.data.document)}/versions/${this.data.version}/pages/${page}`; }

  lay() {
    this.near.disconnect();
    this.spans = null;
    this.scroller.replaceChildren();
    this.figures = [];
    for (let page = 1; page <= this.data.pages; page++) {
      const figure = el("figure", this.data.mode, null, { "data-page": page });
      if (this.data.mode === "image") figure.style.aspectRatio = String(1 / (this.data.ratio || 1.414));
      this.scroller.append(figure);
      if (this.data.pages > 1 || this.data.mode === "image") this.scroller.append(el("p", "number", `Page ${page} of ${this.data.pages.toLocaleString("en")}`));
      this.figures.push(figure);
      this.near.observe(figure);
    }
    this.size();
  }

  // --- what is highlighted

  highlight() {
    const { focus, hits } = this.data;
    this.wanted = new Map();
    for (const span of [...(hits || []), ...(focus ? [{ ...focus, focus: true }] : [])]) {
      if (!this.wanted.has(span.page)) this.wanted.set(span.page, []);
      this.wanted.get(span.page).push(span);
    }
    for (const figure of this.figures) if (figure.dataset.loaded) this.paint(figure);
    const page = focus?.page;
    if (page && this.figures[page - 1]) {
      const figure = this.figures[page - 1];
      this.scroller.scrollTop += figure.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top - 8;
      this.load(figure);
      this.pending = page;
      this.reach(figure);
    } else if (page === undefined) this.pending = null;
  }

  reach(figure) {
    if (this.pending !== Number(figure.dataset.page)) return;
    const target = figure.querySelector(".focus");
    if (!target) return;
    const box = target.getBoundingClientRect(), frame = this.scroller.getBoundingClientRect();
    this.scroller.scrollTop += box.top - frame.top - Math.min(frame.height * 0.3, 220);
    if (zoom > 1) this.scroller.scrollLeft += box.left - frame.left - Math.min(32, frame.width * 0.1);
    if (this.data.mode === "text" || figure.dataset.loaded === "2") this.pending = null;
  }

  load(figure) {
    if (figure.dataset.loaded) return;
    figure.dataset.loaded = "1";
    if (this.data.mode === "image") this.loadImage(figure); else this.loadText(figure);
  }

  // --- images

  loadImage(figure) {
    const page = figure.dataset.page, width = this.wantedWidth(figure), image = el("img", null, null, { alt: `Page ${page}`, src: this.address(figure, width), draggable: "false", "data-width": width });
    image.onload = () => {
      if (figure.dataset.loaded === "2" || !figure.isConnected) return;  // another document is shown by now
      figure.style.aspectRatio = `${image.naturalWidth} / ${image.naturalHeight}`;
      figure.dataset.loaded = "2";
      this.paint(figure);
      this.addWords(figure, image.naturalHeight / image.naturalWidth);
    };
    image.onerror = () => { figure.replaceChildren(el("p", "lost", "This page cannot be drawn. Its text is in the tab Text.")); };
    figure.replaceChildren(image);
  }

  async addWords(figure, ratio) {
    let words = [];
    try { words = await call(`${this.base(figure.dataset.page)}/words`, { h: this.data.hash }); } catch { return; }
    if (!figure.isConnected) return;
    const layer = shape("svg", { class: "words", viewBox: `0 0 1000 ${1000 * ratio}`, preserveAspectRatio: "none" });
    for (const [word, x0, y0, x1, y1] of words) {
      const height = (y1 - y0) * 1000 * ratio;
      const text = shape("text", { x: x0 * 1000, y: y0 * 1000 * ratio + height * 0.8, "font-size": Math.max(1, height), textLength: Math.max(1, (x1 - x0) * 1000), lengthAdjust: "spacingAndGlyphs" });
      text.textContent = word + " ";
      layer.append(text);
    }
    figure.querySelector(".words")?.remove();
    figure.append(layer);
  }

  async paint(figure) {
    if (this.data.mode === "text") return this.mark(figure);
    const page = Number(figure.dataset.page), spans = this.wanted.get(page) || [], stamp = this.spans;
    let found = spans.map((s) => s.boxes || null);
    const missing = spans.filter((s) => !s.boxes);
    if (missing.length) {
      try {
        const boxes = await call(`${this.base(page)}/boxes`, { h: this.data.hash, spans: missing.map((s) => `${s.start}-${s.end}`).join(",") });
        found = spans.map((s) => s.boxes || boxes[missing.indexOf(s)] || []);
      } catch { found = spans.map((s) => s.boxes || []); }
    }
    if (stamp !== this.spans) return;
    figure.querySelector(".boxes")?.remove();
    if (!spans.length) return;
    const layer = shape("svg", { class: "boxes", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
    spans.forEach((span, i) => {
      for (const [x0, y0, x1, y1] of found[i]) layer.append(shape("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, class: span.focus ? "focus" : "hit" }));
    });
    figure.querySelector("img")?.after(layer);
    this.reach(figure);
  }

  // --- text

  async loadText(figure) {
    const page = Number(figure.dataset.page), focus = (this.wanted?.get(page) || []).find((s) => s.focus) || (this.wanted?.get(page) || [])[0];
    const from = focus && focus.start > WINDOW ? focus.start - NEAR : 0;
    await this.fetchText(figure, from, Math.max(from + WINDOW, focus ? focus.end + NEAR : 0));
  }

  async fetchText(figure, start, end) {
    try {
      const part = await call(`${this.base(figure.dataset.page)}/text`, { h: this.data.hash, start, end });
      const held = figure.held;
      if (held && part.start === held.end) figure.held = { ...held, end: part.end, text: held.text + part.text };
      else if (held && part.end === held.start) figure.held = { ...held, start: part.start, text: part.text + held.text };
      else figure.held = part;
      figure.dataset.loaded = "2";
    } catch { figure.replaceChildren(el("p", "lost", "This page's text cannot be read now. Reload to try again.")); return; }
    this.mark(figure);
  }

  mark(figure) {
    const part = figure.held;
    if (!part) return;
    const page = Number(figure.dataset.page), spans = (this.wanted.get(page) || []).filter((s) => s.end > 0);
    const outside = spans.find((s) => s.focus && (s.start < part.start || s.end > part.end));
    if (outside) { figure.held = null; this.fetchText(figure, Math.max(0, outside.start - NEAR), outside.end + NEAR); return; }
    const body = el("div", "body" + (this.data.table ? " plain" : ""));
    const cuts = [...new Set([part.start, part.end, ...spans.flatMap((s) => [s.start, s.end])])].filter((at) => at >= part.start && at <= part.end).sort((a, b) => a - b);
    for (let i = 0; i + 1 < cuts.length; i++) {
      const text = part.text.slice(cuts[i] - part.start, cuts[i + 1] - part.start);
      const over = spans.filter((s) => s.start <= cuts[i] && s.end >= cuts[i + 1]);
      body.append(over.length ? el("mark", over.some((s) => s.focus) ? "focus" : "hit", text) : text);
    }
    const more = (label, act) => makeButton("more", label, act);
    figure.replaceChildren(...[
      part.label ? el("h4", null, part.label) : null,
      part.start > 0 ? more(`Show more above (${part.start.toLocaleString("en")} characters)`, () => this.fetchText(figure, Math.max(0, part.start - STEP), part.start)) : null,
      part.total ? body : el("p", "lost", "This page has no text."),
      part.end < part.total ? more(`Show more below (${(part.total - part.end).toLocaleString("en")} characters)`, () => this.fetchText(figure, part.end, part.end + STEP)) : null,
    ].filter(Boolean));
    this.reach(figure);
  }
}

export default mount(Viewer);
