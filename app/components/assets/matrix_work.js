// The work list: cells that wait for a person, one after the other, decided by keys.

import { call, el, keyHelp, put } from "./dom.js";
import { MARKS, WORK, STATUS } from "./matrix_words.js";

const READ = 200, AHEAD = 2;

export class WorkList {
  // actions: open(item), left(), failed(error)
  constructor(actions, panel) {
    this.actions = actions;
    this.panel = panel;
    this.box = el("div", "work");
    this.head = el("div", "progress", null, { role: "status" });
    this.list = el("div", "items", null, { role: "listbox", tabindex: "0", "aria-label": "Cells that wait for a person" });
    this.help = el("div");
    put(this.box, this.head, this.list, this.help);
    this.list.onclick = (event) => { const line = event.target.closest("[data-at]"); if (line) this.go(Number(line.dataset.at)); };
    this.list.onkeydown = (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by) { event.preventDefault(); this.step(by); }
    };
  }

  async show(query, columns, waiting) {
    this.columns = new Map(columns.map((c) => [c.name, c]));
    this.query = { bucket: query.bucket, fields: columns.map((c) => c.name).join(","), limit: READ, of: query.of || "" };
    this.done = new Map();
    this.at = 0;
    this.items = [];
    this.help.replaceChildren(keyHelp(WORK[this.query.of]?.keys || [["C", "confirm"], ["1–3", "choose"], ["A", "absent"], ["E", "correct"], ["N", "next"], ["P", "back"], ["U", "undo"]]));
    this.head.textContent = "Reading…";
    this.list.replaceChildren();
    try { this.items = (await call("matrix/work", this.query)).items; } catch (error) { this.actions.failed(error); return; }
    this.total = Math.max(waiting, this.items.length);
    this.draw();
    if (this.items.length) this.go(0); else this.actions.open(null);
  }

  key(item) { return `${item.document} ${item.field}`; }
  get item() { return this.items[this.at]; }

  draw() {
    if (!this.items.length) {
      this.head.textContent = "Nothing waits";
      this.list.replaceChildren(el("p", "how", WORK[this.query.of]?.done || "No cell of these columns is uncertain or has to be checked again."));
      return;
    }
    this.list.replaceChildren(...this.items.map((item, at) => {
      const line = el("div", "item", null, { role: "option", "data-at": at, id: `w-${at}` });
      put(line, el("span", "sign", ""), put(el("span", "names"), el("strong", null, this.columns.get(item.field)?.title || item.field), el("span", "document", item.title)));
      return line;
    }));
    this.mark();
  }

  mark() {
    this.head.replaceChildren(el("strong", null, `${(this.at + 1).toLocaleString("en")} of ${this.total.toLocaleString("en")}`), `  ${this.done.size.toLocaleString("en")} decided`);
    [...this.list.children].forEach((line, at) => {
      const item = this.items[at], status = this.done.get(this.key(item)), on = at === this.at;
      line.classList.toggle("on", on);
      line.setAttribute("aria-selected", String(on));
      const sign = line.querySelector(".sign");
      const open = WORK[this.query.of] || { kind: "u", sign: STATUS.u.sign };
      sign.className = `sign ${status || open.kind}`;
      sign.textContent = status ? STATUS[status].sign : item.again ? "!" : open.sign;
      line.classList.toggle("decided", Boolean(status));
      line.setAttribute("aria-label", `${this.columns.get(item.field)?.title || item.field}, ${item.title}${status ? `, decided: ${STATUS[status].word.toLowerCase()}` : item.again ? ", check again" : ""}`);
    });
    this.list.setAttribute("aria-activedescendant", `w-${this.at}`);
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  go(at) {
    if (at < 0 || at >= this.items.length) return;
    this.at = at;
    this.mark();
    this.actions.open(this.item);
    for (let ahead = 1; ahead <= AHEAD; ahead++) { const next = this.items[at + ahead]; if (next) this.panel.prefetch(next.document, next.field); }
    if (at >= this.items.length - 5) this.more();
  }

  step(by) { this.go(this.at + by); }

  // A verdict on the cell that is open: on to the next one, but after an undo stay.
  decided(cell, action) {
    const key = `${cell.document} ${cell.field}`;
    if (action === "undo") { this.done.delete(key); this.mark(); return; }
    if (action === "seen") { if (cell.review) this.done.set(key, cell.status); this.mark(); return; }
    this.done.set(key, cell.status);
    if (this.at + 1 < this.items.length) this.step(1); else this.mark();
  }

  // U takes back the verdict on the cell that is open; where that has none, the one before it.
  undo(panel) {
    if (panel.cell?.review) return panel.decide({ action: "undo" });
    const decided = this.items.slice(0, this.at).findLastIndex((item) => this.done.has(this.key(item)));
    if (decided < 0) return panel.say("There is no verdict to take back.");
    this.go(decided);
    this.undoing = panel.ready.then(() => panel.decide({ action: "undo" }));
  }

  async more() {
    if (this.items.length >= this.total || this.reading) return;
    this.reading = true;
    try {
      const known = new Set(this.items.map((item) => this.key(item))), found = (await call("matrix/work", this.query)).items.filter((item) => !known.has(this.key(item)));
      if (found.length) { this.items.push(...found); this.draw(); }
    } catch { /* the next step tries again */ } finally { this.reading = false; }
  }
}
