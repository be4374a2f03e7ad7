// The sheets of a document as a grid: heads and the first column stay in sight, the cited row and cell are marked.
// Only the rows in sight are drawn, so 50,000 of them scroll like fifty. Cells know their characters in the text.

import { call, count, el, makeButton, mount, put, roomBelow, setCurrent } from "./dom.js";

const ROW = 30, HEAD = 32, SPARE = 12, LEAST = 260, MOST_BUTTONS = 8, NARROW = 64, WIDE = 340, LETTER = 7.4;

class Grid {
  constructor(root) {
    this.frame = root.appendChild(el("div", "frame"));
    this.sheets = el("div", "sheets", null, { role: "group", "aria-label": "Sheets" });
    this.scroll = el("div", "scroll", null, { tabindex: "0", role: "region" });
    this.space = el("div", "space", null, { role: "table" });
    this.head = el("div", "line head", null, { role: "row" });
    this.body = el("div", null, null, { role: "rowgroup" });
    put(this.space, this.head, this.body);
    this.scroll.append(this.space);
    this.foot = el("div", "foot");
    put(this.frame, this.sheets, this.scroll, this.foot);
    this.scroll.onscroll = () => { this.waiting ??= requestAnimationFrame(() => { this.waiting = null; this.draw(); }); };
    addEventListener("resize", () => this.fit());
    new ResizeObserver(() => this.fit()).observe(this.frame);
    this.asFile = sessionStorage.getItem("groundwork:columns-as-file") === "yes";
  }

  update({ data }) {
    const before = this.data, document = [data.document, data.version, data.hash].join("|");
    this.data = data;
    this.scroll.setAttribute("aria-label", `Rows of ${data.title}`);
    const spans = JSON.stringify([data.focus, data.hits]);
    const isMoved = spans !== this.spans || document !== this.document;
    this.spans = spans;
    if (document !== this.document || !before) { this.document = document; this.held = new Map(); this.page = 0; }
    this.fit();
    if (isMoved) this.open(data.focus?.page || this.page || 1, true);
  }

  async open(page, seek) {
    this.page = page;
    this.drawSheets();
    if (!this.held.has(page)) {
      const path = `documents/${encodeURIComponent(this.data.document)}/versions/${this.data.version}/pages/${page}/rows`;
      try { this.held.set(page, this.laid(await call(path, { h: this.data.hash }))); } catch (error) {
        if (this.page === page) { this.sheet = null; this.body.replaceChildren(el("p", "lost", `This sheet cannot be read now. ${error.message}`)); }
        return;
      }
    }
    if (this.page !== page) return;  // another was opened meanwhile
    this.sheet = this.held.get(page);
    this.arrange();
    this.scroll.scrollTop = this.scroll.scrollLeft = 0;
    if (seek) this.seek(); else this.draw();
  }

  // Heads of the first table stand frozen above the rows; those of later ones in their place, too.
  laid(found) {
    const first = found.heads.length && found.lines[found.heads[0]][0] === 0 ? found.heads[0] : -1;
    const heads = new Map(found.heads.map((at) => [found.lines[at][0], found.lines[at]])), names = new Set(found.heads.map((at) => found.lines[at]));
    return { ...found, heads, names, lines: found.lines.filter((_, at) => at !== first) };
  }

  arrange() {
    const { tables, lines } = this.sheet, widths = [];
    this.orders = tables.map((table) => this.asFile ? table.names.map((_, at) => at) : table.order);
    this.places = this.orders.map((order) => { const place = []; order.forEach((column, at) => { place[column] = at; }); return place; });
    tables.forEach((table, at) => table.names.forEach((name, column) => { const p = this.places[at][column]; widths[p] = Math.max(widths[p] || NARROW, name.length * LETTER + 26); }));
    for (const [table, , , cells] of lines.slice(0, 400)) {
      if (table < 0) continue;
      for (let i = 0; i < cells.length; i += 3) { const p = this.places[table][cells[i]]; widths[p] = Math.max(widths[p] || NARROW, cells[i + 2].length * LETTER + 26); }
    }
    const most = Math.max(120, Math.min(WIDE, this.frame.clientWidth * 0.45));
    this.widths = Array.from(widths, (width) => Math.min(most, Math.round(width || NARROW)));
    this.width = this.widths.reduce((sum, width) => sum + width, 0);
    this.space.style.height = `${lines.length * ROW + HEAD}px`;
    this.space.style.width = `${Math.max(this.width, this.scroll.clientWidth)}px`;
    this.space.setAttribute("aria-rowcount", lines.length + 1);
    this.space.setAttribute("aria-colcount", this.widths.length);
    this.drawn = null;
    this.drawFoot();
  }

  // --- what is marked

  touches(span, start, end) { return span.page === this.page && span.start < end && span.end > start; }
  rowAt(span) { return this.sheet.lines.findIndex(([, start, end]) => this.touches(span, start, end)); }

  seek() {
    const { focus } = this.data, at = focus && focus.end > focus.start && focus.page === this.page ? this.rowAt(focus) : -1;
    this.drawn = null;
    if (at >= 0) {
      this.scroll.scrollTop = Math.max(0, at * ROW - Math.min(220, this.scroll.clientHeight * 0.3));
      const [table, , , cells] = this.sheet.lines[at];
      const hit = table < 0 ? null : this.hitCells(focus, cells);
      if (hit?.length === 1) {
        const place = this.places[table][hit[0]], left = this.widths.slice(0, place).reduce((sum, width) => sum + width, 0);
        if (place && (left + this.widths[place] > this.scroll.clientWidth)) this.scroll.scrollLeft = left - this.widths[0] - 24;
      }
    }
    this.draw();
  }

  // The columns whose own characters a span touches; a span over most of a row is of the row, and of no cell.
  hitCells(span, cells) {
    const found = [];
    for (let i = 0; i < cells.length; i += 3) if (this.touches(span, cells[i + 1], cells[i + 1] + Math.max(1, cells[i + 2].length))) found.push(cells[i]);
    return found.length > 1 && found.length * 3 >= cells.length ? [] : found;
  }

  // --- drawing

  draw() {
    if (!this.sheet) return;
    const { lines } = this.sheet, top = this.scroll.scrollTop;
    const first = Math.max(0, Math.floor(top / ROW) - SPARE), last = Math.min(lines.length, Math.ceil((top + this.scroll.clientHeight) / ROW) + SPARE);
    this.scroll.classList.toggle("shifted", this.scroll.scrollLeft > 0);
    this.drawHead(lines[Math.min(lines.length - 1, Math.floor(top / ROW))]?.[0] ?? 0);
    if (this.drawn && this.drawn[0] === first && this.drawn[1] === last) return;
    this.drawn = [first, last];
    const spans = [...(this.data.focus ? [{ ...this.data.focus, focus: true }] : []), ...(this.data.hits || [])].filter((span) => span.page === this.page && span.end > span.start);
    this.body.replaceChildren(...lines.slice(first, last).map((line, at) => this.line(line, first + at, spans)));
  }

  drawHead(number) {
    const { tables, heads } = this.sheet, shown = number >= 0 ? number : tables.length ? 0 : -1;
    if (shown === this.headed && this.headOf === this.orders) return;
    this.headed = shown; this.headOf = this.orders;
    this.head.hidden = shown < 0;
    if (shown < 0) return this.head.replaceChildren();
    const at = heads.get(shown), focus = this.data.focus, cited = at && focus && this.touches(focus, at[1], at[2]) ? this.hitCells(focus, at[3]) : [];
    this.head.replaceChildren(...this.orders[shown].map((column, place) => this.cell(tables[shown].names[column], place, "columnheader", [tables[shown].right.includes(column) && "right", cited.includes(column) && "focus"])));
  }

  cell(text, place, role, names) {
    const node = el("div", names.filter(Boolean).join(" ") || null, text, { role, title: text && text.length > 12 ? text : null });
    node.style.width = `${this.widths[place]}px`;
    return node;
  }

  line([table, start, end, cells], at, spans) {
    const over = spans.filter((span) => this.touches(span, start, end)), focus = over.find((span) => span.focus);
    const row = el("div", ["line", table < 0 && "note", focus && "cited focus"].filter(Boolean).join(" "), null, { role: "row", "aria-rowindex": at + 2 });
    row.style.top = `${at * ROW + HEAD}px`;
    row.style.width = "100%";
    if (table < 0) return put(row, el("div", over.length ? (focus ? "focus" : "hit") : null, cells[2], { role: "cell", title: cells[2] }));
    if (this.sheet.names.has(this.sheet.lines[at])) row.classList.add("names");
    const focused = focus ? this.hitCells(focus, cells) : [], hit = over.filter((span) => !span.focus).flatMap((span) => this.hitCells(span, cells));
    const texts = new Map();
    for (let i = 0; i < cells.length; i += 3) texts.set(cells[i], cells[i + 2]);
    const { right } = this.sheet.tables[table];
    return put(row, ...this.orders[table].map((column, place) => this.cell(texts.get(column) ?? "", place, place ? "cell" : "rowheader", [right.includes(column) && "right", focused.includes(column) ? "focus" : hit.includes(column) && "hit"])));
  }

  drawSheets() {
    const labels = this.data.labels, names = labels.map((label, at) => {
      const same = labels.map((each, n) => [each, n]).filter(([each]) => each === label), part = same.findIndex(([, n]) => n === at) + 1;
      return same.length > 1 ? `${label || "Part"} ${part} of ${same.length}`.replace("Part", label ? "" : "Part") : label || "Rows";
    });
    this.sheets.hidden = labels.length < 2;
    if (labels.length < 2) return;
    if (labels.length > MOST_BUTTONS) {
      const choice = el("select", null, null, { "aria-label": "Sheet" });
      names.forEach((name, at) => choice.append(el("option", null, name, { value: at + 1 })));
      choice.value = String(this.page);
      choice.onchange = () => this.open(Number(choice.value), false);
      return this.sheets.replaceChildren(choice);
    }
    this.sheets.replaceChildren(...names.map((name, at) => {
      const button = makeButton(null, name, () => this.open(at + 1, false), { title: name });
      setCurrent(button, at + 1 === this.page);
      return button;
    }));
  }

  drawFoot() {
    const { lines, tables } = this.sheet, moved = tables.some((table) => table.order.some((column, at) => column !== at));
    const tick = el("input", null, null, { type: "checkbox" });
    tick.checked = this.asFile;
    tick.onchange = () => {
      this.asFile = tick.checked;
      sessionStorage.setItem("groundwork:columns-as-file", tick.checked ? "yes" : "no");
      this.arrange();
      this.seek();
    };
    const label = moved ? put(el("label", null, null, { title: "Else the column that names the rows stands first, and columns that are blank or the same in all rows last" }), tick, "Columns as in the file") : null;
    const back = this.data.focus && this.data.focus.end > this.data.focus.start ? makeButton(null, "To the quote", () => this.data.focus.page === this.page ? this.seek() : this.open(this.data.focus.page, true)) : null;
    this.foot.replaceChildren();
    put(this.foot, el("span", "place", `${count(lines.length, "row")} · ${count(this.widths.length, "column")}`), back, label);
  }

  // As high as the window leaves room below whatever stands above, and no higher than the rows.
  fit() {
    if (!this.scroll.isConnected || !this.frame.offsetParent) return;
    const room = Math.max(LEAST, roomBelow(this.scroll, ".st-key-evidence-panel, [data-testid=stMain]") - this.foot.offsetHeight - 22);
    const height = `${room}px`;
    if (height !== this.scroll.style.maxHeight) { this.scroll.style.maxHeight = height; this.drawn = null; }
    if (this.sheet) { this.space.style.width = `${Math.max(this.width, this.scroll.clientWidth)}px`; this.draw(); }
  }
}

export default mount(Grid);
