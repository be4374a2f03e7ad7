// The grid: documents down, fields across. Rows and columns that are out of sight are not in the page; cells come
// from the server, which sorts and filters, in parts: some rows of some columns, since 6,000 cells at once take it .3 s.
// Focus stays on the grid; the active cell is its descendant.

import { call, el, makeButton, percent, put } from "./dom.js";
import { guessOf, guessWords, tieShort, tieWords } from "./matrix_guess.js";
import { MARKS, STATUS, parts, tally } from "./matrix_words.js";

const ROW = 32, HEAD = 58, FIRST = 250, NARROW = 165, PART = 60, BLOCK = 10, AROUND = 6, BESIDE = 4, KEPT = 80;
const WIDTHS = { boolean: 138, date: 144, duration: 138, money: 160, number: 128, enum: 136, text: 196, party: 206 };

export class Grid {
  // actions: open(row, column), move(row, column), menu(column, button), copies(row, button), sort(column), loading(), failed(error), total(n), active()
  constructor(actions) {
    this.actions = actions;
    this.scroll = el("div", "grid", null, { role: "grid", tabindex: "0", "aria-label": "Fields of documents" });
    this.head = el("div", "row head", null, { role: "row", "aria-rowindex": "1" });
    this.space = el("div", "space", null, { role: "rowgroup" });
    this.top = put(el("div", "top", null, { role: "rowgroup" }), this.head);
    this.note = el("div", "nothing", "", { role: "status" });
    put(this.scroll, this.top, this.space);
    this.parts = new Map();
    this.drawn = new Map();
    this.at = { row: 0, column: 0 };
    this.total = 0;
    this.scroll.onscroll = () => { this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.render(); }); };
    this.scroll.onkeydown = (event) => this.walk(event);
    this.scroll.onclick = (event) => this.click(event);
    new ResizeObserver(() => { if (this.columns && this.measure()) { this.sight = ""; this.clear(); this.drawHead(); } this.render(); }).observe(this.scroll);
  }

  // --- what is shown

  // query: text, where, sort, order, bucket, schema. Rows are read again; place: stay at the same rows.
  async show(columns, query, { stay = false } = {}) {
    this.columns = columns;
    this.query = query;
    this.first = 0;
    this.measure();
    this.named = columns.map((c) => c.name).join();
    this.markSorted();  // at once: a second click turns the order that the first one asked for
    this.at.column = Math.min(this.at.column, columns.length);
    if (!stay) { this.scroll.scrollTop = 0; this.at.row = 0; }
    this.stamp = {};
    const stamp = this.stamp, first = stay ? Math.floor(this.scroll.scrollTop / ROW / PART) : 0;
    this.parts = new Map();
    this.waiting = true;
    this.scroll.setAttribute("aria-busy", "true");
    const faint = setTimeout(() => { this.scroll.classList.toggle("waiting", Boolean(this.waiting)); if (this.waiting && !this.total) this.actions.loading(); }, 150);
    await this.load(first, this.blocksInSight()[0]);
    if (stamp !== this.stamp) return;
    clearTimeout(faint);
    this.waiting = false;
    this.scroll.classList.remove("waiting");
    this.scroll.removeAttribute("aria-busy");
    this.sight = this.columnsToDraw().join();
    this.drawHead();
    this.fill(first);
    this.loadSight();
  }

  // Where columns begin: titles take less room beside an open cell. Gives whether that changed.
  measure() {
    const first = this.scroll.clientWidth && this.scroll.clientWidth < 620 ? NARROW : FIRST;
    if (first === this.first) return false;
    this.first = first;
    this.lefts = [];
    let left = first;
    for (const column of this.columns) { this.lefts.push(left); left += this.widthOf(column); }
    this.width = left;
    this.scroll.style.setProperty("--first", `${first}px`);
    return true;
  }

  widthOf(column) { return WIDTHS[column.type] || 160; }

  setCounts(counts) { this.counts = counts; if (this.columns) this.drawHead(); }

  async load(part, block) {
    let held = this.parts.get(part);
    if (!held) this.parts.set(part, (held = { rows: null, blocks: new Set() }));
    if (held.blocks.has(block)) return;
    held.blocks.add(block);
    const stamp = this.stamp, fields = this.columns.slice(block * BLOCK, (block + 1) * BLOCK).map((c) => c.name).join(",");
    try {
      const found = await call("matrix/rows", { ...this.query, fields, offset: part * PART, limit: PART });
      if (stamp !== this.stamp) return;
      if (held.rows && held.rows.some((row, i) => row.id !== found.rows[i]?.id)) return this.show(this.columns, this.query, { stay: true });  // others came or went
      held.rows ||= found.rows.map((row) => ({ ...row, cells: new Array(this.columns.length) }));
      found.rows.forEach((row, i) => row.cells.forEach((cell, c) => { held.rows[i].cells[block * BLOCK + c] = cell; }));
      if (this.parts.size > KEPT) this.forget(part);
      this.total = found.total;
      this.actions.total(found.total);
      this.fill(part);
    } catch (error) {
      if (stamp !== this.stamp) return;
      held.blocks.delete(block);
      this.actions.failed(error);
    }
  }

  // What is in sight and not here yet.
  loadSight() {
    if (!this.total || this.waiting) return;
    const [from, to] = this.rowsInSight(), last = Math.floor(Math.max(0, to - 1) / PART);
    for (let part = Math.floor(from / PART); part <= last; part++) for (const block of this.blocksInSight()) this.load(part, block);
  }

  blocksInSight() {
    const [first, last] = this.columnsInSight(), found = [];
    for (let block = Math.floor(first / BLOCK); block * BLOCK < Math.max(1, last); block++) found.push(block);
    return found;
  }

  rowsInSight() {
    const top = this.scroll.scrollTop;
    return [Math.max(0, Math.floor(top / ROW) - AROUND), Math.min(this.total, Math.ceil((top + this.scroll.clientHeight - HEAD) / ROW) + AROUND)];
  }

  forget(near) {
    const far = [...this.parts.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    for (const part of far.slice(0, this.parts.size - KEPT)) this.parts.delete(part);
  }

  held(index) {
    const row = this.rowAt(index);
    return JSON.stringify([row?.id, row?.title, row?.copies, this.sight, this.named, row && this.sight ? row.cells.slice(...this.sight.split(",").map(Number)) : null]);
  }

  rowAt(index) { return this.parts.get(Math.floor(index / PART))?.rows?.[index % PART]; }

  // A cell that was decided: `brief` as rows carry it.
  change(document, field, brief) {
    const column = this.columns?.findIndex((c) => c.name === field) ?? -1;
    if (column < 0) return;
    for (const [part, rows] of this.parts) {
      const index = rows.rows?.findIndex((row) => row.id === document) ?? -1;
      if (index < 0) continue;
      rows.rows[index].cells[column] = brief;
      this.redraw(part * PART + index);
    }
  }

  // --- drawing

  clear() { for (const line of this.drawn.values()) line.remove(); this.drawn.clear(); }

  redraw(index) {
    this.drawn.get(index)?.remove();
    this.drawn.delete(index);
    this.render();
  }

  fill(part) {
    if (this.waiting) return;
    for (const [index, line] of [...this.drawn]) {  // what is the same stays: a click on it must not meet another node
      if (Math.floor(index / PART) === part && line.held !== this.held(index)) { line.remove(); this.drawn.delete(index); }
    }
    this.render();
  }

  columnsInSight() {
    const from = this.scroll.scrollLeft + this.first, to = this.scroll.scrollLeft + this.scroll.clientWidth;
    let first = this.lefts.findIndex((left, i) => left + this.widthOf(this.columns[i]) > from);
    if (first < 0) first = this.columns.length;
    let last = first;
    while (last < this.columns.length && this.lefts[last] < to) last++;
    return [first, last];
  }

  // Which columns are drawn: more than are in sight, so that few steps to the side draw anything anew.
  columnsToDraw() {
    const [first, last] = this.columnsInSight(), [from, to] = (this.sight || "0,-1").split(",").map(Number);
    if (first >= from && last <= to && to <= this.columns.length) return [from, to];
    return [Math.max(0, first - BESIDE), Math.min(this.columns.length, last + BESIDE)];
  }

  render() {
    if (!this.columns || this.waiting || !this.scroll.clientHeight) return;
    const height = this.total * ROW;
    this.space.style.height = `${height}px`;
    this.space.style.width = this.top.style.width = `${this.width}px`;
    this.scroll.setAttribute("aria-rowcount", this.total + 1);
    this.scroll.setAttribute("aria-colcount", this.columns.length + 1);
    const [from, to] = this.rowsInSight(), sight = this.columnsToDraw(), key = sight.join();
    if (key !== this.sight) { this.sight = key; this.clear(); this.drawHead(); }
    for (const [index, line] of this.drawn) if (index < from || index >= to) { line.remove(); this.drawn.delete(index); }
    const fresh = document.createDocumentFragment();
    for (let index = from; index < to; index++) {
      if (this.drawn.has(index)) continue;
      const line = this.row(index, ...sight);
      this.drawn.set(index, line);
      fresh.append(line);
    }
    this.space.append(fresh);
    this.scroll.classList.toggle("shifted", this.scroll.scrollLeft > 0);
    this.mark();
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.loadSight(), 40);  // not what is flown past
  }

  row(index, first, last) {
    const row = this.rowAt(index), line = el("div", "row", null, { role: "row", "aria-rowindex": index + 2, "data-row": index });
    line.held = this.held(index);
    line.style.transform = `translateY(${index * ROW}px)`;
    const name = el("div", "name", row?.title ?? "…", { role: "rowheader", "aria-colindex": "1", id: `g-${index}-0`, title: row ? row.note || row.source : null, "data-column": 0 });
    if (row?.copies?.length) { const more = makeButton("copies", `${row.copies.length + 1} copies`, (event) => { event.stopPropagation(); this.actions.copies(row, more); }, { tabindex: "-1", "aria-haspopup": "dialog", title: "Files of the same words: they are counted once" }); name.prepend(more); }
    if (row?.state === "failed" || row?.state === "unreadable") name.prepend(el("span", "sign x", "▲ "));
    put(line, name);
    for (let c = first; c < last; c++) put(line, this.cell(row, index, c));
    return line;
  }

  cell(row, index, c) {
    const column = this.columns[c], found = row?.cells[c], isHere = found !== undefined, [status, text, mark] = found || ["n", "", ""];
    const cell = el("div", `cell ${status}`, null, { role: "gridcell", "aria-colindex": c + 2, id: `g-${index}-${c + 1}`, "data-column": c + 1 });
    cell.style.left = `${this.lefts[c]}px`;
    cell.style.width = `${this.widthOf(column)}px`;
    if (!row || !isHere) return cell;
    if (status === "u" && !mark) return this.undecided(cell, column, guessOf(found, column));
    const known = STATUS[status], also = { r: ", reviewed", "!": ", check again", m: ", read by the model" }[mark] || "";
    cell.setAttribute("aria-label", known ? `${column.title}: ${known.word.toLowerCase()}${text && text !== "Yes" ? `, ${text}` : ""}${also}` : `${column.title}: not read`);
    if (!known) return put(cell, el("span", "sign", "·"));
    if (status === "k") cell.title = "Documents of this kind have no such field";
    put(cell, el("span", "sign", known.sign), el("span", "value", text || known.word, { title: text.length > 18 ? text : null }));
    if (mark) put(cell, el("span", MARKS[mark].kind, MARKS[mark].sign, { title: MARKS[mark].says }));
    return cell;
  }

  // A cell that nothing decided: its best guess, how likely that is, or that there is none.
  undecided(cell, column, guess) {
    cell.classList.add(guess ? "g" : "none");
    cell.setAttribute("aria-label", `${column.title}: ${guessWords(guess)}`);
    if (!guess) return put(cell, el("span", "sign", STATUS.u.sign), el("span", "value", "no guess"));
    const tie = guess.ties.length > 0, text = tie ? guess.ties.map(([key, said]) => `${key} ${said}`).join(" · ") : guess.text;
    cell.title = tie ? `${tieWords(guess)}: ${text}` : `Best guess, ${percent(guess.p)}, not decided: ${text}`;
    cell.style.setProperty("--sure", guess.p.toFixed(3));
    return put(cell, el("span", "sign", STATUS.g.sign), el("span", "value", text), el("span", "sure", tie ? tieShort(guess) : percent(guess.p)));
  }

  drawHead() {
    if (!this.sight) this.sight = this.columnsToDraw().join();
    const [first, last] = this.sight.split(",").map(Number), drawn = `${this.sight} ${this.first} ${this.named}`;
    if (drawn === this.headed) {  // the same buttons stay: a click on one must not meet another node
      for (const held of this.heads) { const { column, bar, more } = held; bar.replaceWith(held.bar = this.bar(column)); more.classList.toggle("on", this.filtered?.has(column.name) === true); }
      this.markSorted();
      return;
    }
    this.headed = drawn;
    this.heads = [];
    const title = el("div", "name", null, { role: "columnheader", "aria-colindex": "1" });
    this.sortable(title, "@title", "Document");
    const cells = [title];
    for (let c = first; c < Math.min(last, this.columns.length); c++) {
      const column = this.columns[c], cell = el("div", "cell", null, { role: "columnheader", "aria-colindex": c + 2 });
      cell.style.left = `${this.lefts[c]}px`;
      cell.style.width = `${this.widthOf(column)}px`;
      this.sortable(cell, column.name, column.title);
      const more = el("button", "more", "▾", { type: "button", "aria-label": `${column.title}: counts, sort, filter`, "aria-haspopup": "dialog", tabindex: "-1" });
      more.classList.toggle("on", this.filtered?.has(column.name) === true);
      more.onclick = () => this.actions.menu(column, more);
      const bar = this.bar(column);
      put(cell, more, bar);
      this.heads.push({ column, bar, more });
      cells.push(cell);
    }
    this.head.replaceChildren(...cells);
    this.markSorted();
  }

  sortable(cell, name, title) {
    const button = el("button", "sort", title, { type: "button", title: `Sort by ${title}`, tabindex: "-1" });
    button.named = { name, title };
    button.onclick = () => this.actions.sort(name, this.isSortedBy(name) && this.query.order !== "falling");
    put(cell, button);
  }

  isSortedBy(name) { const sorted = this.query.sort || "@title"; return sorted === name || sorted.split("@")[0] === name; }

  markSorted() {
    for (const button of this.head.querySelectorAll(".sort")) {
      const { name, title } = button.named, on = this.isSortedBy(name), falling = this.query.order === "falling", words = title + (on ? (falling ? " ↓" : " ↑") : "");
      button.parentElement.setAttribute("aria-sort", on ? (falling ? "descending" : "ascending") : "none");
      if (button.textContent !== words) button.textContent = words;
    }
  }

  // How much of the field is there, as one bar; the words are in its menu and in the label.
  bar(column) {
    const counts = this.counts?.[column.name], bar = el("div", "bar", null, { role: "img" });
    const { all, again, pending, strange } = tally(counts);
    if (!all) { bar.setAttribute("aria-label", "No cells yet"); return bar; }
    const shares = parts(counts), words = [...shares.map(([s, n]) => `${STATUS[s].word.toLowerCase()} ${percent(n / all)}`), ...(again ? [`check again ${percent(again / all)}`] : []), ...(pending ? [`not read yet ${percent(pending / all)}`] : []), ...(strange ? [`not asked of ${strange.toLocaleString("en")}`] : [])].join(", ");
    const label = `${words}; ${counts[4].toLocaleString("en")} of ${all.toLocaleString("en")} reviewed${counts[9] ? `; ${counts[9].toLocaleString("en")} read by the model` : ""}`;
    bar.setAttribute("aria-label", label);
    bar.title = label;
    [...shares.map(([s, n]) => [s, n + (s === "u" ? again : 0)]), ["w", pending]].forEach(([s, n]) => { if (n) { const part = el("i", s); part.style.flexGrow = n; bar.append(part); } });
    return bar;
  }

  // --- the active cell

  mark() {
    this.actions.active();
    this.scroll.querySelectorAll(".active, .opened").forEach((cell) => cell.classList.remove("active", "opened"));
    const cell = this.scroll.querySelector(`#g-${this.at.row}-${this.at.column}`);
    cell?.classList.add("active");
    if (cell) this.scroll.setAttribute("aria-activedescendant", cell.id); else this.scroll.removeAttribute("aria-activedescendant");
    if (!this.opened) return;
    for (const [index, line] of this.drawn) {
      if (this.rowAt(index)?.id !== this.opened.document) continue;
      const column = this.columns.findIndex((c) => c.name === this.opened.field) + 1;
      line.querySelector(`[data-column="${column}"]`)?.classList.add("opened");
    }
  }

  setOpened(opened) { this.opened = opened; this.mark(); }

  place(row, column) {
    this.at = { row: Math.max(0, Math.min(this.total - 1, row)), column: Math.max(0, Math.min(this.columns.length, column)) };
    const top = this.at.row * ROW, box = this.scroll;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + ROW + HEAD > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + HEAD - box.clientHeight;
    if (this.at.column) {
      const left = this.lefts[this.at.column - 1], width = this.widthOf(this.columns[this.at.column - 1]);
      if (left - this.first < box.scrollLeft) box.scrollLeft = left - this.first;
      else if (left + width > box.scrollLeft + box.clientWidth) box.scrollLeft = left + width - box.clientWidth;
    }
    this.render();
  }

  click(event) {
    const cell = event.target.closest("[data-column]"), line = cell?.closest("[data-row]");
    if (!line) return;
    this.at = { row: Number(line.dataset.row), column: Number(cell.dataset.column) };
    this.mark();
    this.openActive();
  }

  openActive() {
    const row = this.rowAt(this.at.row);
    if (row) this.actions.open(row, this.at.column ? this.columns[this.at.column - 1] : null);
  }

  walk(event) {
    if (event.ctrlKey && !["Home", "End"].includes(event.key) || event.altKey || event.metaKey || event.target !== this.scroll) return;
    const { row, column } = this.at, page = Math.max(1, Math.floor((this.scroll.clientHeight - HEAD) / ROW) - 1);
    const to = {
      ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowRight: [row, column + 1], ArrowLeft: [row, column - 1],
      PageDown: [row + page, column], PageUp: [row - page, column],
      Home: event.ctrlKey ? [0, 0] : [row, 0], End: event.ctrlKey ? [this.total - 1, this.columns.length] : [row, this.columns.length],
    }[event.key];
    if (event.key === "Enter") { event.preventDefault(); return this.openActive(); }
    if (!to) return;
    event.preventDefault();
    this.place(...to);
    this.actions.move(this.rowAt(this.at.row), this.at.column ? this.columns[this.at.column - 1] : null);
  }
}
