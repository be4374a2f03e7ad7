// A plan as a graph: nodes from left to right or down, coloured as they run; arrows walk it, Enter opens a node.

import { count, el, mount, put, shape, time } from "./dom.js";

const STATE = {
  idle: ["○", "Not run"], running: ["◐", "Running"], done: ["●", "Done"], kept: ["↺", "From memory"],
  stopped: ["■", "Stopped"], wrong: ["▲", "Cannot run"], waiting: ["○", "Waiting"],
};
const SOURCE = { sql: "SQL", index: "index", memory: "memory", store: "store", page: "pages" };
const KEPT = new Set(["memory", "store"]);
const LATE_MS = 300;  // from then on it says how long it runs, and offers to cancel

class PlanGraph {
  constructor(root) {
    this.cards = new Map();
    this.frame = el("div", "plan");
    this.scroll = el("div", "scroll");
    this.stage = el("div", "stage", null, { role: "group" });
    this.lines = shape("svg", { class: "lines", "aria-hidden": "true" });
    this.foot = el("div", "foot");
    this.said = el("span", "said", "", { role: "status" });
    this.cancel = el("button", "cancel", "Cancel", { type: "button", hidden: "" });
    this.cancel.onclick = () => { this.cancel.disabled = true; this.send("cancel", { run: this.data.run }); };
    put(this.stage, this.lines);
    put(this.scroll, this.stage);
    put(this.frame, this.scroll, put(this.foot, this.said, this.cancel, (this.hint = el("span", "keys"))));
    root.append(this.frame);
    this.stage.addEventListener("keydown", (event) => this.keys(event));
    new ResizeObserver(() => this.fit()).observe(this.frame);
  }

  update({ data, setTriggerValue }) {
    this.send = (name, value) => setTriggerValue(name, { ...value, at: Date.now() });
    const before = this.data;
    this.data = data;
    this.hint.textContent = `Arrows walk the nodes, Enter opens one${data.editable ? ", Delete takes it out" : ""}.`;
    this.stage.setAttribute("aria-label", `Plan of ${count(data.nodes.length, "node")}`);
    this.draw();
    if (data.run && data.watch && this.watched !== data.run) this.watch(data.run);
    else if (!data.watch && this.watched !== data.run) { this.watched = data.run; this.rest(); }
    if (!before || before.selected !== data.selected) this.reveal();
    this.fit();
  }

  // --- drawing: cards are kept by node, so that a change of state changes a colour and nothing else

  draw() {
    const { nodes, edges, width, height } = this.data;
    Object.assign(this.stage.style, { width: `${width}px`, height: `${height}px` });
    for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) this.lines.setAttribute(key, value);
    this.lines.replaceChildren(this.marker(), ...edges.map((edge) => this.edge(edge)));
    const known = new Set(nodes.map((node) => node.id));
    for (const [id, card] of this.cards) if (!known.has(id)) { card.box.remove(); this.cards.delete(id); }
    for (const node of nodes) {
      const card = this.cards.get(node.id) || this.card(node.id);
      this.fill(card, node);
      this.stage.append(card.box);  // in the order of the plan, which is that of Tab for who reads it aloud
    }
    const focusable = this.cards.get(this.data.selected) || this.cards.get(nodes[0]?.id);
    for (const card of this.cards.values()) card.box.tabIndex = card === focusable ? 0 : -1;
  }

  card(id) {
    const box = el("button", "node", null, { type: "button", "data-node": id });
    const card = { box, state: el("span", "state"), type: el("span", "type"), purpose: el("span", "purpose"), figures: el("span", "figures"), badge: el("span", "badge", "answers") };
    put(box, put(el("span", "top"), card.state, card.type), card.purpose, put(el("span", "low"), card.figures, card.badge));
    box.onclick = () => {
      this.select(id);  // at once: what answers draws the panel of the node, and not this graph
      this.send("pick", { node: id });
    };
    this.cards.set(id, card);
    return card;
  }

  select(id) {
    this.data.selected = id;
    for (const [each, { box }] of this.cards) { box.setAttribute("aria-pressed", String(each === id)); box.tabIndex = each === id ? 0 : -1; }
    for (const line of this.lines.querySelectorAll(".line")) line.classList.toggle("on", [line.dataset.source, line.dataset.target].includes(id));
  }

  fill(card, node) {
    card.node = node;
    const { box } = card;
    Object.assign(box.style, { left: `${node.x}px`, top: `${node.y}px`, width: `${this.data.size[0]}px`, height: `${this.data.size[1]}px` });
    box.setAttribute("aria-pressed", String(node.id === this.data.selected));
    box.classList.toggle("unused", node.unused);
    card.type.textContent = `${node.word} · ${node.id}`;
    card.purpose.textContent = node.purpose;
    card.badge.hidden = !node.answers;
    this.show(card, node.state, node);
  }

  show(card, state, { gave = "", latency_ms: spent = 0, source = "", message = "" } = {}) {
    const { box, node } = card, [sign, word] = STATE[state];
    box.dataset.state = state;
    card.state.replaceChildren(el("span", "sign", sign, { "aria-hidden": "true" }), ` ${word}`);
    const parts = message ? [message] : state === "idle" || state === "waiting" ? [node.expected] : [gave, spent ? time(spent) : "", SOURCE[source] || ""];
    const figures = parts.filter(Boolean).join(" · ");
    card.figures.textContent = figures;
    box.title = `${node.purpose}\n${figures}`;
    const takes = node.inputs.length ? ` Takes in ${node.inputs.join(" and ")}.` : "";
    box.setAttribute("aria-label", `${node.word} ${node.id}: ${node.purpose}. ${word}${figures ? ", " + figures : ""}.${takes}${node.answers ? " Answers the question." : ""}${node.unused ? " Nothing takes in what it gives." : ""}`);
    for (const line of this.lines.querySelectorAll(`[data-source="${CSS.escape(node.id)}"]`)) line.dataset.state = state;
  }

  marker() {
    const marker = shape("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" });
    marker.append(shape("path", { d: "M0 0.6 L7 4 L0 7.4 z", class: "head" }));
    return put(shape("defs", {}), marker);
  }

  edge({ source, target, points }) {
    const [first, ...rest] = points;
    const at = this.data.down ? (along, across) => `${across} ${along}` : (along, across) => `${along} ${across}`;
    const turned = (point) => this.data.down ? [point[1], point[0]] : point;
    let [along, across] = turned(first), path = `M${at(along, across)}`;
    rest.map(turned).forEach(([next, beside], n) => {
      const bend = Math.max(18, (next - along) / 2), end = n === rest.length - 1 ? next - 3 : next;
      path += ` C${at(along + bend, across)} ${at(next - bend, beside)} ${at(end, beside)}`;
      [along, across] = [next, beside];
    });
    const on = source === this.data.selected || target === this.data.selected;
    return shape("path", { d: path, class: on ? "line on" : "line", "data-source": source, "data-target": target, "marker-end": "url(#head)" });
  }

  fit() {
    const room = this.frame.clientWidth, { width = 0, height = 0 } = this.data || {};
    if (!room || !width) return;
    const scale = Math.max(0.72, Math.min(1, room / width));
    this.stage.style.transform = scale === 1 ? "" : `scale(${scale})`;
    this.scroll.style.height = `${Math.min(430, Math.ceil(height * scale)) + (width * scale > room + 1 ? 14 : 0)}px`;
  }

  reveal() {
    const card = this.cards.get(this.data.selected);
    if (card) card.box.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // --- running

  watch(run) {
    this.watched = run;
    this.began = performance.now() - (this.data.spent || 0);
    this.socket?.close();
    this.over = 0;
    for (const card of this.cards.values()) this.show(card, "waiting");
    const socket = this.socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/plan-runs/${run}/ws`);
    clearInterval(this.ticking);
    this.cancel.disabled = false;
    this.frame.setAttribute("aria-busy", "true");
    this.ticking = setInterval(() => this.tick(), 100);
    socket.onmessage = ({ data }) => { if (socket === this.socket) this.happened(JSON.parse(data)); };
    socket.onclose = () => { if (socket !== this.socket) return; this.rest(); this.send("done", { run }); };
  }

  happened(event) {
    const card = this.cards.get(event.node);
    if (!card) return;
    const state = event.state === "done" && KEPT.has(event.source) ? "kept" : event.state;
    if (state !== "running") this.over += 1;
    const one = card.node.unit, of = event.hits !== event.rows && one !== "group" ? `${event.hits.toLocaleString("en")} of ` : "";
    this.show(card, state, { ...event, gave: event.state === "done" ? of + count(event.rows, one) : "" });
  }

  tick() {
    const spent = performance.now() - this.began;
    if (spent < LATE_MS) return;
    this.cancel.hidden = false;
    this.said.textContent = `Running ${time(spent)}, ${this.over} of ${count(this.data.nodes.length, "node")} done`;
  }

  rest() {
    clearInterval(this.ticking);
    this.socket = null;
    this.cancel.hidden = true;
    this.frame.removeAttribute("aria-busy");
    this.said.textContent = this.data?.said || "";
  }

  // --- keyboard

  keys(event) {
    const id = event.target.closest?.("[data-node]")?.dataset.node;
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" && this.data.editable) { event.preventDefault(); this.send("remove", { node: id }); return; }
    const to = this.beside(id, event.key);
    if (!to) return;
    event.preventDefault();
    for (const card of this.cards.values()) card.box.tabIndex = -1;
    to.box.tabIndex = 0;
    to.box.focus();
    to.box.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  beside(id, key) {
    const here = this.cards.get(id).node, all = [...this.cards.values()];
    const [along, across] = this.data.down ? ["y", "x"] : ["x", "y"], [next, before, after, above] = this.data.down ? ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft"] : ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"];
    const near = (cards) => cards.sort((a, b) => Math.abs(a.node[along] - here[along]) - Math.abs(b.node[along] - here[along]) || Math.abs(a.node[across] - here[across]) - Math.abs(b.node[across] - here[across]))[0];
    if (key === next) return near(all.filter(({ node }) => node[along] > here[along] && node.inputs.includes(id))) || near(all.filter(({ node }) => node[along] > here[along]));
    if (key === before) return near(all.filter(({ node }) => node[along] < here[along] && here.inputs.includes(node.id))) || near(all.filter(({ node }) => node[along] < here[along]));
    if (key === after || key === above) {
      const way = key === after ? 1 : -1, past = all.filter(({ node }) => node[along] === here[along] && way * (node[across] - here[across]) > 0);
      return past.sort((a, b) => way * (a.node[across] - b.node[across]))[0];
    }
    if (key === "Home") return this.cards.get(this.data.nodes[0].id);
    if (key === "End") return all.find(({ node }) => node.answers);
    return null;
  }
}

export default mount(PlanGraph);
