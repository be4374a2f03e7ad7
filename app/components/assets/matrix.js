// The matrix page: the grid or the work list, the panel of a cell beside it, and what is set above them.

import { call, count, el, isTyping, makeButton, mount, put, roomBelow } from "./dom.js";
import { CellPanel } from "./matrix_cell.js";
import { Decider } from "./matrix_decide.js";
import { Grid } from "./matrix_grid.js";
import { Popover, columnsMenu, conditionWords, fieldMenu } from "./matrix_menus.js";
import { MARKS, WORK, STATUS } from "./matrix_words.js";
import { WorkList } from "./matrix_work.js";

function drawLegend() {
  const signs = [...Object.entries(STATUS).map(([status, { sign, word }]) => [`sign ${status}`, sign, status === "u" ? "Uncertain, no guess" : word]), ...Object.values(MARKS).map(({ kind, sign, word }) => [kind, sign, word])];
  return put(el("p", "legend", null, { "aria-label": "What the signs mean" }), ...signs.map(([kind, sign, word]) => put(el("span"), el("span", kind, sign), ` ${word}`)));
}

class Matrix {
  constructor(root) {
    this.root = root;
    this.frame = el("div", "matrix");
    this.popover = new Popover(root);
    this.panel = new CellPanel({ close: () => this.close(), decided: (cell, action) => this.decided(cell, action) });
    this.grid = new Grid({
      open: (row, column) => this.openRow(row, column), move: (row, column) => this.moved(row, column), menu: (column, button) => this.fieldMenu(column, button), copies: (row, button) => this.copiesMenu(row, button),
      loading: () => this.note("Loading…"),
      sort: (name, falling) => this.change({ sort: name === "@title" && !falling ? "" : name, order: falling ? "falling" : "" }), failed: (error) => this.say(error.message), total: () => this.drawCount(), active: () => this.decider?.describe(this.data?.mayReview),
    });
    this.decider = new Decider(this.grid, { say: (text, tone) => this.say(text, tone), decided: (cell, action) => this.decided(cell, action) });
    this.work = new WorkList({ open: (item) => this.openItem(item), failed: (error) => this.say(error.message) }, this.panel);
    this.left = el("div", "left");
    this.side = el("div", "side");
    put(this.side, this.panel.box);
    this.bar = this.drawBar();
    this.chips = el("div", "chips");
    this.said = el("div", "said", null, { role: "alert" });
    put(this.frame, this.bar, this.chips, this.said, put(el("div", "body"), this.left, this.side), this.decider.box, this.promise = el("p", "promise", "", { role: "note" }), this.legend = drawLegend());
    root.append(this.frame);
    addEventListener("resize", () => this.fit());
    new ResizeObserver(() => this.fit()).observe(this.frame);
    addEventListener("keydown", (event) => this.keys(event), true);
  }

  update({ data, setTriggerValue }) {
    this.trigger = setTriggerValue;
    const before = this.data;
    this.data = data;
    const isOther = !before || before.bucket !== data.bucket || before.schema !== data.schema || JSON.stringify(before.columns) !== JSON.stringify(data.columns) || before.asked !== data.asked;
    if (isOther) {
      this.view = { text: "", where: [], sort: "", order: "", hidden: [], mode: "", document: "", field: "", of: "", ...(data.view || {}) };
      this.find.value = this.view.text;
      this.counted = null;
      this.setsRead = call("matrix/column-sets", { bucket: data.bucket, schema: data.schema }).then((sets) => { this.sets = sets; }).catch(() => { this.sets = {}; });
      this.readPromise();
      this.refresh();
    } else if (data.changed !== this.known) this.refresh({ stay: true });
    this.known = data.changed;
    this.fit();
  }

  // --- above the grid

  drawBar() {
    const bar = el("div", "tools");
    const mode = (name, label) => makeButton("tab", label, () => this.setMode(name));
    this.modes = { "": mode("", "Matrix"), work: mode("work", "Work list") };
    this.find = el("input", "find", null, { type: "search", placeholder: "Find documents by title", "aria-label": "Find documents by title or file name" });
    this.find.oninput = () => { clearTimeout(this.typing); this.typing = setTimeout(() => this.change({ text: this.find.value.trim() }), 180); };
    this.columnsButton = el("button", "tool", "Columns", { type: "button", "aria-haspopup": "dialog" });
    this.columnsButton.onclick = async () => { await Promise.all([this.setsRead, this.grid.counts ? null : this.readCounts()]); this.openColumns(); };
    this.openColumns = () => this.popover.open(this.columnsButton, "Columns", ...columnsMenu(this.data.columns, this.shown().map((c) => c.name), this.sets || {}, this.data, this.grid.counts, {
      show: (names) => { const on = new Set(names); this.change({ hidden: this.data.columns.map((c) => c.name).filter((n) => !on.has(n)) }); }, saved: (sets) => { this.sets = { ...this.sets, sets }; },
    }));
    this.count = el("span", "count", "", { role: "status" });
    this.exports = ["csv", "xlsx"].map((kind) => el("a", "tool", kind.toUpperCase(), { download: "", title: `Export these documents and columns as ${kind.toUpperCase()}` }));
    return put(bar, put(el("div", "modes", null, { role: "group", "aria-label": "How to work" }), ...Object.values(this.modes)), this.find, this.columnsButton, this.count, put(el("span", "exports"), "Export ", ...this.exports));
  }

  drawCount() {
    const all = this.data.documents, shown = this.grid.total;
    this.count.textContent = shown === all ? count(all, "document") : `${shown.toLocaleString("en")} of ${count(all, "document")}`;
    this.note(shown ? "" : all ? "No document fits these filters." : "There are no documents in this bucket.");
  }

  note(words) {
    this.grid.note.textContent = words;
    if (words) this.left.append(this.grid.note); else this.grid.note.remove();
  }

  drawChips() {
    const named = new Map(this.data.columns.map((c) => [c.name, c]));
    this.chips.replaceChildren(...this.view.where.map((condition) => {
      const words = conditionWords(condition, named.get(condition[0].split("@")[0])), chip = put(el("button", "filter", null, { type: "button", "aria-label": `Remove the filter ${words}`, title: "Remove this filter" }), words, el("span", null, " ×"));
      chip.onclick = () => this.change({ where: this.view.where.filter((each) => each !== condition) });
      return chip;
    }));
    if (this.view.of && this.view.mode === "work") {
      const chip = put(el("button", "filter", null, { type: "button", "aria-label": "Show the work of all documents", title: "Show the work of all documents" }), WORK[this.view.of]?.chip || "Uncertain in an answer", el("span", null, " ×"));
      chip.onclick = () => this.change({ of: "" });
      this.chips.prepend(chip);
    }
    this.grid.filtered = new Set(this.view.where.map(([field]) => field.split("@")[0]));
    const fields = this.shown().map((c) => c.name).join(",");
    this.exports.forEach((link, i) => { link.href = `/api/matrix.${["csv", "xlsx"][i]}?${new URLSearchParams(Object.entries({ ...this.query(), fields }).filter(([, value]) => value))}`; });
    for (const [name, button] of Object.entries(this.modes)) button.setAttribute("aria-pressed", String(name === this.view.mode));
    this.drawWaiting();
    this.columnsButton.textContent = this.view.hidden.length ? `Columns (${this.shown().length} of ${this.data.columns.length})` : "Columns";
  }

  copiesMenu(row, button) {
    const link = ([id, source]) => put(el("p"), el("a", null, source, { href: `/documents?document=${encodeURIComponent(id)}` }));
    this.popover.open(button, `Copies of ${row.title}`, el("p", "faint", "Files of the same words. They are counted once, and decided in one row."), ...[[row.id, row.source], ...row.copies].map(link));
  }

  fieldMenu(column, button) {
    this.popover.open(button, column.title, ...fieldMenu(column, this.grid.counts?.[column.name], this.view.where, this.data.figures?.[column.name], {
      sort: (name, falling) => { this.popover.close(); this.change({ sort: name, order: falling ? "falling" : "" }); },
      filter: (field, conditions, order = {}) => { this.popover.close(); this.change({ where: [...this.view.where.filter(([name]) => name.split("@")[0] !== field), ...conditions], ...order }); },
      quality: this.data.mayReview ? () => call("matrix/quality", { bucket: this.data.bucket, field: column.name }) : null,
      hide: () => { this.popover.close(); this.change({ hidden: [...this.view.hidden, column.name] }); },
    }));
  }

  say(text, tone = "wrong") { this.said.textContent = text; this.said.className = `said ${text ? tone : ""}`; }

  // --- what is asked for

  shown() { const hidden = new Set(this.view.hidden); return this.data.columns.filter((c) => !hidden.has(c.name)); }
  query() { return { bucket: this.data.bucket, schema: this.data.schema, text: this.view.text, where: this.view.where.length ? JSON.stringify(this.view.where) : "", sort: this.view.sort, order: this.view.order }; }

  change(what) {
    this.view = { ...this.view, ...what };
    this.tell();
    this.refresh();
  }

  tell() { clearTimeout(this.telling); this.telling = setTimeout(() => this.trigger("view", { ...this.view, at: Date.now() }), 250); }

  setMode(mode) {
    if (mode === this.view.mode) return;
    this.view = { ...this.view, mode, document: "", field: "" };
    this.tell();
    this.refresh();
  }

  async refresh({ stay = false } = {}) {
    this.say("");
    this.drawChips();
    this.frame.classList.toggle("working", this.view.mode === "work");
    this.legend.hidden = this.find.hidden = this.count.hidden = this.decider.box.hidden = this.view.mode === "work";
    const isWork = this.view.mode === "work", wanted = isWork ? this.work.box : this.grid.scroll;
    if (this.left.firstChild !== wanted) this.left.replaceChildren(wanted);
    this.openSide(isWork || Boolean(this.view.document));
    this.fit();
    if (isWork) {
      await this.readCounts();
      if (!stay || !this.work.items) await this.work.show({ ...this.query(), of: this.view.of }, WORK[this.view.of] ? this.data.columns : this.shown(), this.view.of ? 0 : this.waiting());
      return;
    }
    const rows = this.grid.show(this.shown(), this.query(), { stay });
    if (this.view.document && !stay) this.openNamed(this.view.document, this.view.field);
    await rows;
    this.grid.scroll.dataset.ready = String(Math.round(performance.now()));
    if (!stay && this.grid.counts && this.counted === this.data.bucket) return;  // they are of all documents, however filtered
    this.counted = this.data.bucket;
    this.readCounts();
  }

  async readCounts() {
    try { this.grid.setCounts(await call("matrix/counts", { bucket: this.data.bucket, fields: this.data.columns.map((c) => c.name).join(",") })); } catch (error) { this.say(error.message); }
    this.drawWaiting();
  }

  drawWaiting() { this.modes.work.textContent = this.waiting() ? `Work list (${this.waiting().toLocaleString("en")})` : "Work list"; }

  waiting() { return this.shown().reduce((sum, c) => { const counts = this.grid.counts?.[c.name]; return sum + (counts ? counts[2] + counts[5] : 0); }, 0); }

  // How the promise of the bucket holds on what people checked here, for those who may see verdicts.
  async readPromise() {
    this.promise.replaceChildren();
    if (!this.data.mayReview) return;
    const bucket = this.data.bucket, found = await call("matrix/promise", { bucket }).catch(() => null);
    if (!found || bucket !== this.data.bucket) return;
    this.promise.className = `promise ${found.broken ? "broken" : ""}`;
    this.promise.textContent = found.text;
    this.fit();
  }

  // --- one cell

  openRow(row, column) {
    if (!column) { if (row) location.assign(`/documents?document=${encodeURIComponent(row.id)}`); return; }
    this.openNamed(row.id, column.name);
    this.view = { ...this.view, document: row.id, field: column.name };
    this.tell();
  }

  moved(row, column) {
    if (this.side.hidden || !row || !column) return;
    clearTimeout(this.moving);
    this.moving = setTimeout(() => this.openRow(row, column), 70);
  }

  openNamed(document, field) {
    const column = this.data.columns.find((c) => c.name === field);
    if (!column) return;
    const wasShut = this.side.hidden;
    this.openSide(true);
    if (wasShut && this.grid.columns) this.grid.place(this.grid.at.row, this.grid.at.column);
    this.grid.setOpened({ document, field });
    this.panel.open(document, column, this.data);
  }

  openItem(item) {
    this.openSide(Boolean(item));
    if (item) this.panel.open(item.document, this.data.columns.find((c) => c.name === item.field), this.data);
  }

  openSide(on) {
    if (this.side.hidden === !on) return;
    this.side.hidden = !on;
    this.fit();
    this.grid.render();
  }

  close() {
    if (this.view.mode === "work") return this.setMode("");
    this.openSide(false);
    this.grid.setOpened(null);
    this.view = { ...this.view, document: "", field: "" };
    this.tell();
    this.grid.scroll.focus();
  }

  decided(cell, action) {
    if (cell.changed === this.known + 1) this.known = cell.changed;  // nobody else changed anything
    this.grid.change(cell.document, cell.field, cell.brief);
    clearTimeout(this.counting);
    this.counting = setTimeout(() => this.readCounts(), 600);
    if (this.view.mode === "work") this.work.decided(cell, action);
  }

  // Keys that decide the open cell, wherever the focus is on this page, except in what is typed into.
  keys(event) {
    if (!this.frame.isConnected || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (this.side.hidden) return this.gridKeys(event);
    const isWork = this.view.mode === "work", key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!this.popover.box.hidden || document.querySelector("[role=dialog][data-testid]")) return;
    const mayReview = this.data.mayReview, deeds = {
      c: () => mayReview && this.panel.confirm(), a: () => mayReview && this.panel.decide({ action: "absent" }), e: () => mayReview && this.panel.correct(),
      u: () => mayReview && (isWork ? this.work.undo(this.panel) : this.panel.decide({ action: "undo" })),
      1: () => this.panel.choose(0), 2: () => this.panel.choose(1), 3: () => this.panel.choose(2), 4: () => this.panel.choose(3), 5: () => this.panel.choose(4),
      n: () => isWork ? this.work.step(1) : this.gridStep(1), p: () => isWork ? this.work.step(-1) : this.gridStep(-1),
      Enter: this.panel.correcting && !event.composedPath()[0].matches?.("button, a") ? () => this.panel.save() : null,
      Escape: () => this.panel.correcting ? this.panel.cancel() : this.close(),
    };
    if (!deeds[key] || (!this.panel.cell && key !== "Escape")) return;
    event.preventDefault();
    event.stopImmediatePropagation();  // C and R mean other things to the framework
    deeds[key]();
  }

  // Keys that decide the active cell while the grid has the focus and no cell is open.
  gridKeys(event) {
    if (!this.popover.box.hidden || !event.composedPath().includes(this.grid.scroll) || event.composedPath()[0].matches?.("button, a")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "e" && this.data.mayReview && this.decider.active()) { this.grid.openActive(); this.panel.ready?.then(() => this.panel.correct()); }
    else if (!this.decider.act(key, this.data.mayReview)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  gridStep(by) {
    this.grid.place(this.grid.at.row + by, this.grid.at.column);
    this.moved(this.grid.rowAt(this.grid.at.row), this.grid.at.column ? this.shown()[this.grid.at.column - 1] : null);
  }

  // As high as the window leaves room.
  fit() {
    if (!this.frame.isConnected) return;
    const body = this.frame.querySelector(".body"), below = [this.legend, this.decider.box, this.promise].reduce((sum, each) => sum + each.offsetHeight, 20);
    const height = `${Math.max(320, roomBelow(body) - below)}px`;
    if (body.style.height !== height) body.style.height = height;
  }
}

export default mount(Matrix);
