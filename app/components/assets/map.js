// A part of the map: nodes as buttons at given places, lines between them. Arrows walk to the nearest node in that direction,
// Enter or a click opens one. A name stands at the side of its node where it covers nothing; where all sides are taken it is left out
// until its node, or one beside it, is in hand.

import { brief, count, el, makeButton, mount, put, shape } from "./dom.js";

const MARGIN = [70, 34], GAP = 3, MANY = 36, WIDE = 170, NARROW = 92;
// Where a name can stand, as shares of what is free to either side of a node: below, above, beside it, and at its corners.
const SIDES = [[0, 1], [0, -1], [1, 0], [-1, 0], [0.8, 0.8], [-0.8, 0.8], [0.8, -0.8], [-0.8, -0.8]];
const covers = ([x, y, w, h], [a, b, c, d]) => x < a + c && a < x + w && y < b + d && b < y + h;
const AWAY = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class MapGraph {
  constructor(root) {
    this.frame = el("div", "map");
    this.stage = el("div", "stage", null, { role: "group" });
    this.lines = shape("svg", { class: "lines", "aria-hidden": "true" });
    put(root, put(this.frame, this.stage, el("p", "keys", "Tab goes in, arrows walk the nodes, Enter opens one.")));
    this.stage.addEventListener("keydown", (event) => this.walk(event));
    new ResizeObserver(() => this.place()).observe(this.stage);
  }

  update({ data, setTriggerValue }) {
    this.open = (id) => setTriggerValue("open", { id, at: Date.now() });
    this.stage.setAttribute("aria-label", data.label);
    const drawn = JSON.stringify(data);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const had = this.stage.contains(this.stage.getRootNode().activeElement);
    this.data = data;
    this.near = new Map(data.nodes.map((node) => [node.id, new Set()]));
    for (const { source, target } of data.edges) { this.near.get(source)?.add(target); this.near.get(target)?.add(source); }
    this.draw();
    if (had) this.boxes.get(this.first)?.focus({ preventScroll: true });
  }

  draw() {
    const { nodes, edges, selected } = this.data, most = Math.max(1, ...nodes.map((node) => node.weight));
    this.boxes = new Map(nodes.map((node) => [node.id, this.node(node, most)]));
    this.drawn_lines = edges.map((edge) => put(shape("line", { class: edge.faint ? "line faint" : "line" }), shape("title", {}, edge.words)));
    this.lines.replaceChildren(...this.drawn_lines);
    this.stage.replaceChildren(this.lines, ...this.boxes.values());
    this.sides = new Map();
    this.first = this.boxes.has(selected) ? selected : nodes[0]?.id;
    for (const [id, box] of this.boxes) box.tabIndex = id === this.first ? 0 : -1;
    this.place();
  }

  node(node, most) {
    const share = Math.sqrt(node.weight / most), beside = this.near.get(node.id).size;
    const box = makeButton("node", null, () => this.open(node.id), { "data-id": node.id, "data-kind": node.kind, "aria-pressed": String(node.id === this.data.selected), title: `${node.word}: ${node.name}` });
    box.setAttribute("aria-label", `${node.word} ${node.name}, ${count(beside, "connection")} here`);
    box.style.setProperty("--size", `${Math.round(16 + 26 * share)}px`);
    box.onmouseenter = box.onfocus = () => this.light(node.id);
    box.onmouseleave = box.onblur = () => this.light();
    return put(box, el("span", "dot", node.sign, { "aria-hidden": "true" }), el("span", "name", brief(node.name, 60)));
  }

  place() {
    if (!this.data) return;
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width) return;
    this.at = new Map(this.data.nodes.map(({ id, x, y }) => [id, [MARGIN[0] + (x + 1) / 2 * (width - 2 * MARGIN[0]), MARGIN[1] + (y + 1) / 2 * (height - 2 * MARGIN[1])]]));
    for (const [id, [x, y]] of this.at) Object.assign(this.boxes.get(id).style, { left: `${x}px`, top: `${y}px` });
    this.data.edges.forEach(({ source, target }, n) => {
      const [one, other] = [this.at.get(source), this.at.get(target)];
      for (const [key, value] of Object.entries({ x1: one[0], y1: one[1], x2: other[0], y2: other[1] })) this.drawn_lines[n].setAttribute(key, value);
    });
    this.light();
  }

  // Place the names: those in hand first, then those of large nodes, each at the side where it stood before if it can.
  name(lit) {
    const { nodes, selected } = this.data, bounds = [0, 0, this.stage.clientWidth, this.stage.clientHeight];
    const first = ({ id }) => (id === selected ? 3 : lit.has(id) ? 2 : 0);
    const within = ([x, y, w, h]) => x >= 0 && y >= 0 && x + w <= bounds[2] && y + h <= bounds[3];
    for (const box of this.boxes.values()) box.lastChild.style.width = "";
    // All sizes are read before a style is set: read in between, each would have the whole map laid out anew.
    const sizes = new Map([...this.boxes].map(([id, box]) => [id, [box.offsetWidth, Math.ceil(box.lastChild.getBoundingClientRect().width), box.lastChild.offsetHeight]]));
    const taken = nodes.map(({ id }) => { const [x, y] = this.at.get(id), [d] = sizes.get(id); return [x - d / 2, y - d / 2, d, d]; });
    for (const node of [...nodes].sort((a, b) => first(b) - first(a) || b.weight - a.weight)) {
      const box = this.boxes.get(node.id), name = box.lastChild, before = this.sides.get(node.id);
      const [x, y] = this.at.get(node.id), [wide, own, h] = sizes.get(node.id), r = wide / 2;
      const all = [...(before ? [before] : []), ...[WIDE, NARROW].flatMap((most) => SIDES.map((side) => [side, Math.min(own, most)]))];
      const rect = ([[dx, dy], w]) => [x - w / 2 + dx * (r + GAP + w / 2), y - h / 2 + dy * (r + GAP + h / 2), w, h];
      const free = all.find((each) => within(rect(each)) && !taken.some((other) => covers(rect(each), other)));
      const [left, top, width] = rect(free ?? all[0]);
      if (free) { this.sides.set(node.id, before ?? free); taken.push(rect(free)); }
      Object.assign(name.style, { left: `${left - x + r}px`, top: `${top - y + r}px`, width: `${width}px` });
      // In hand it is seen whole: where it stands if it does so there, else below or above its node, within the frame.
      const isWhole = free && width >= own, below = y + r + GAP + h <= bounds[3];
      const open = isWhole ? [left, top] : [Math.max(2, Math.min(x - own / 2, bounds[2] - own - 2)), below ? y + r + GAP : y - r - GAP - h];
      name.style.setProperty("--open-left", `${open[0] - x + r}px`);
      name.style.setProperty("--open-top", `${open[1] - y + r}px`);
      box.classList.toggle("unnamed", !free);
    }
  }

  light(given) {
    const id = given ?? (this.boxes.has(this.data.selected) ? this.data.selected : "");
    const lit = new Set(id ? [id, ...(this.near.get(id).size < MANY ? this.near.get(id) : [])] : []);
    this.name(lit);
    this.data.edges.forEach(({ source, target }, n) => this.drawn_lines[n].classList.toggle("on", Boolean(id) && (source === id || target === id)));
    for (const [each, box] of this.boxes) box.classList.toggle("near", lit.has(each));
  }

  walk(event) {
    const way = AWAY[event.key], id = event.target.closest?.("[data-id]")?.dataset.id;
    if (!id || !way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [x, y] = this.at.get(id);
    const far = ([to]) => {
      const [dx, dy] = [this.at.get(to)[0] - x, this.at.get(to)[1] - y], along = dx * way[0] + dy * way[1];
      return along > 2 ? along + 2 * Math.abs(dx * way[1] + dy * way[0]) : Infinity;
    };
    const best = [...this.at].filter(([to]) => to !== id).map((each) => [far(each), each[0]]).sort((a, b) => a[0] - b[0])[0];
    if (!best || best[0] === Infinity) return;
    for (const box of this.boxes.values()) box.tabIndex = -1;
    const box = this.boxes.get(best[1]);
    box.tabIndex = 0;
    box.focus({ preventScroll: true });
  }
}

export default mount(MapGraph);
