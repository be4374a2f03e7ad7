// A table of records that stay on the server: one part of the rows at a time, sorted and filtered there.
// A click on a row opens it, the boxes choose several; arrows walk the rows, Enter opens, Space chooses.
// Rows that are all here are put in another order here, and saved as a file.

import { count, el, makeButton, mount, put, roomBelow, setCurrent } from "./dom.js";

const TICK = 38, ONE_MORE = 60;
const DAY = /^\d{4}-\d\d-\d\d/, FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/, NUMBER = /^[-+]?[\d,]*\.?\d+$/;
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
// A cell of a CSV: no spreadsheet program takes it for a formula, and numbers are numbers.
const filed = (value) => {
  const text = NUMBER.test(value) ? value.replaceAll(",", "") : FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

class Table {
  constructor(root) {
    this.frame = el("div", "frame");
    this.scroll = el("div", "scroll", null, { role: "region" });
    this.foot = el("div", "foot");
    put(root, put(this.frame, this.scroll, this.foot));
    this.scroll.onscroll = () => this.shade();
    this.scroll.onkeydown = (event) => this.walk(event);
    addEventListener("resize", () => this.fit());
    new ResizeObserver(() => this.fit()).observe(this.frame);
    document.addEventListener("pointerdown", (event) => { if (this.menu?.open && !event.composedPath().includes(this.menu)) this.menu.open = false; });
  }

  update({ data, setTriggerValue }) {
    this.send = (name, value) => setTriggerValue(name, { ...value, at: Date.now() });
    const before = this.data;
    this.data = data;
    this.ticks = data.ticks !== false;
    this.frame.classList.toggle("plain", !this.ticks);
    this.chosen = new Set(data.chosen);
    const own = localStorage.getItem(`groundwork:columns:${data.name}`);
    this.hidden = new Set(own ? JSON.parse(own) : data.columns.filter((c) => c.off).map((c) => c.key));
    this.scroll.setAttribute("aria-label", data.label);
    this.isSortable = data.total === data.rows.length && data.total > 1 && !data.columns.some((c) => c.sort) && !data.rows.some((r) => r.of);
    const drawn = JSON.stringify([data.columns, data.rows, data.sort, data.descending, data.total, data.first]);
    if (drawn !== this.drawn) { this.drawn = drawn; this.draw(); if (before && before.first !== data.first) this.scroll.scrollTop = 0; }
    this.mark();
    if (before?.open !== data.open && data.open) this.rowOf(data.open)?.scrollIntoView({ block: "nearest" });
    this.fit();
  }

  shown() { return this.data.columns.filter((c, i) => !i || !this.hidden.has(c.key)); }
  rows() {
    const column = this.isSortable && this.order && this.data.columns.find((c) => c.key === this.order.key);
    if (!column) return this.data.rows;
    const keyed = this.data.rows.map((row) => [this.sortKey(row, column), row]), sign = this.order.descending ? -1 : 1;
    const compare = (one, other) => (typeof one === "number" && typeof other === "number" ? one - other : collator.compare(one, other));
    return keyed.sort(([one], [other]) => (one === "" ? 1 : 0) - (other === "" ? 1 : 0) || sign * compare(one, other)).map(([, row]) => row);
  }

  // By what a row stands in an order: what it was given for that, a day in full, a number, or its words.
  sortKey(row, column) {
    const text = row.cells[column.key] ?? "", full = row.hover?.[column.key], number = parseFloat(text.replaceAll(",", ""));
    return row.by?.[column.key] ?? (DAY.test(full) ? full : !column.right ? text : Number.isNaN(number) ? "" : number);
  }

  sort(column) {
    const on = this.order?.key === column.key;
    this.order = { key: column.key, descending: on ? !this.order.descending : Boolean(column.right) };
    this.draw(); this.mark(); this.fit();
  }

  rowOf(id) { return [...this.scroll.querySelectorAll("tbody tr")].find((row) => row.dataset.id === id); }

  // --- drawing

  draw() {
    const active = this.scroll.getRootNode().activeElement?.closest?.("tr")?.dataset.id;
    const columns = this.shown();
    const table = el("table", null, null, { "aria-rowcount": this.data.total + 1 });
    const sizes = put(el("colgroup"), this.ticks && el("col"), ...columns.map(() => el("col")));
    this.all = el("input", null, null, { type: "checkbox", "aria-label": "Choose all rows shown" });
    this.all.onchange = () => this.choose(this.all.checked ? this.data.rows.map((r) => r.id) : []);
    this.listed = this.rows();
    const head = put(el("tr"), this.ticks && put(el("th", "tick", null, { scope: "col" }), this.all), ...columns.map((c, i) => this.head(c, i)));
    const rows = this.listed.map((row, at) => this.row(row, columns, at));
    put(table, sizes, put(el("thead"), head), put(el("tbody"), ...rows));
    this.scroll.replaceChildren(table);
    this.table = table;
    this.sizes = [...sizes.children];
    this.drawFoot();
    this.stop = null;
    const again = active && this.rowOf(active)?.querySelector(".title");
    if (again) again.focus({ preventScroll: true });
  }

  head(column, i) {
    const cell = el("th", (column.right ? "right" : "") + (i ? "" : " name"), null, { scope: "col" });
    if (!column.sort && !this.isSortable) return put(cell, el("div", "still", column.label));
    const on = column.sort ? this.data.sort === column.sort : this.order?.key === column.key, descending = column.sort ? this.data.descending : this.order?.descending;
    cell.setAttribute("aria-sort", on ? (descending ? "descending" : "ascending") : "none");
    const sort = () => (column.sort ? this.send("sort", { key: column.sort, descending: on ? !descending : column.falling === true }) : this.sort(column));
    return put(cell, makeButton(null, column.label + (on ? (descending ? " ↓" : " ↑") : ""), sort, { title: `${column.about ? `${column.about}. ` : ""}Sort by ${column.label.toLowerCase()}` }));
  }

  row(row, columns, at) {
    const line = el("tr", row.of ? "below" : null, null, { "data-id": row.id, "aria-rowindex": this.data.first + at + 1 });
    const tick = el("input", null, null, { type: "checkbox", "aria-label": `Choose ${row.cells[columns[0].key]}`, tabindex: "-1" });
    tick.onclick = (event) => { event.stopPropagation(); this.toggle(at, tick.checked, event.shiftKey); };
    if (this.ticks) put(line, put(el("td", "tick"), tick));
    columns.forEach((column, i) => {
      const value = row.cells[column.key] ?? "";
      if (!i) {
        const title = el("button", "title", value, { type: "button", title: value, tabindex: at ? "-1" : "0" });
        put(line, put(el("th", "name", null, { scope: "row" }), title));
      } else if (column.kind === "state") {
        put(line, put(el("td", null, null, { title: row.note || null }), el("span", `state ${row.state}`, value)));
      } else if (column.kind === "act" && value) {
        const act = makeButton("act", value, (event) => { event.stopPropagation(); this.send("act", { id: row.id, key: column.key }); }, { title: row.hover?.[column.key] || `Show ${column.label.toLowerCase()}` });
        put(line, put(el("td", column.right ? "right" : ""), act));
      } else if (column.kind === "words") put(line, put(el("td", "words", null, { title: row.hover?.[column.key] || value }), el("span", null, value)));
      else put(line, el("td", column.right ? "right" : "", value, { title: row.hover?.[column.key] || (column.right ? null : value) }));
    });
    line.onclick = (event) => {
      if (!event.target.closest(".tick")) this.open(row.id);
      else if (event.target !== tick) { tick.checked = !tick.checked; this.toggle(at, tick.checked, event.shiftKey); }
    };
    return line;
  }

  drawFoot() {
    const { first, total, size } = this.data, rows = this.data.rows.filter((row) => !row.of), last = first + rows.length - 1, parts = Math.max(1, Math.ceil(total / size)), part = Math.floor((first - 1) / size) + 1;
    const go = (label, sign, to) => {
      const button = makeButton(null, sign, () => this.send("part", { n: to }), { "aria-label": label, title: label });
      button.disabled = to < 1 || to > parts || to === part;
      return button;
    };
    const place = el("span", "place", total > rows.length ? `Rows ${first.toLocaleString("en")}–${last.toLocaleString("en")} of ${total.toLocaleString("en")}` : count(total, "row"));
    const pager = parts > 1 ? [go("First rows", "«", 1), go("Previous rows", "‹", part - 1), el("span", null, `${part.toLocaleString("en")} of ${parts.toLocaleString("en")}`), go("Next rows", "›", part + 1), go("Last rows", "»", parts)] : [];
    const file = this.data.file && total === rows.length && makeButton(null, "CSV", () => this.save(), { "aria-label": `Download ${count(total, "row")} as CSV`, title: "Download these rows" });
    this.foot.replaceChildren(place, ...pager, ...(file ? [file] : []), this.columnMenu());
  }

  save() {
    const { columns, file } = this.data, lines = [columns.map((c) => filed(c.label)), ...this.rows().map((row) => columns.map((c) => filed(row.cells[c.key] ?? "")))];
    const link = el("a", null, null, { download: `${file}.csv`, href: URL.createObjectURL(new Blob(["\ufeff", lines.map((line) => line.join(",") + "\r\n").join("")], { type: "text/csv;charset=utf-8" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  columnMenu() {
    this.menu = el("details");
    const box = el("div", "menu", null, { role: "group", "aria-label": "Columns shown" });
    for (const column of this.data.columns.slice(1)) {
      const tick = el("input", null, null, { type: "checkbox" });
      tick.checked = !this.hidden.has(column.key);
      tick.onchange = () => {
        if (tick.checked) this.hidden.delete(column.key); else this.hidden.add(column.key);
        localStorage.setItem(`groundwork:columns:${this.data.name}`, JSON.stringify([...this.hidden]));
        const foot = this.drawFoot; this.drawFoot = () => {}; this.draw(); this.drawFoot = foot;  // the menu stays open
        this.mark(); this.fit();
      };
      put(box, put(el("label"), tick, column.label));
    }
    this.menu.ontoggle = () => {
      if (!this.menu.open) return;
      const at = this.menu.getBoundingClientRect(), own = box.getBoundingClientRect();
      Object.assign(box.style, { left: `${Math.max(8, at.right - own.width)}px`, top: `${Math.max(8, at.top - own.height - 6)}px` });
    };
    this.menu.onkeydown = (event) => { if (event.key === "Escape") { this.menu.open = false; event.stopPropagation(); } };
    return put(this.menu, el("summary", null, "Columns"), box);
  }

  // What room is left goes to the first column and those of words; where it is short, these give way first, and then the table
  // scrolls sideways.
  widths(columns, room) {
    const bends = columns.map((c, i) => !i || c.kind === "words" || c.least), base = columns.map((c, i) => (i ? c.width : Math.min(c.width, room * 0.6)));
    const least = columns.map((c, i) => (bends[i] ? Math.min(base[i], c.least || Math.max(130, base[i] / 2)) : base[i]));
    const rest = room - base.reduce((sum, each) => sum + each, 0), give = base.map((each, i) => (rest > 0 ? (bends[i] ? each : 0) : each - least[i]));
    const sum = give.reduce((all, each) => all + each, 0), share = sum ? Math.max(rest / sum, -1) : 0;
    return base.map((each, i) => each + give[i] * share);
  }

  fit() {
    if (!this.table || !this.frame.isConnected) return;
    const tick = this.ticks ? TICK : 0, own = this.widths(this.shown(), this.scroll.clientWidth - tick), widths = [...(tick ? [tick] : []), ...own];
    this.table.style.width = `${widths.reduce((sum, each) => sum + each, 0)}px`;
    this.sizes.forEach((col, i) => { col.style.width = `${widths[i]}px`; });
    const room = Math.max(220, roomBelow(this.scroll) - this.foot.offsetHeight - 22);
    this.scroll.style.maxHeight = `${this.height(room, this.data.most || room)}px`;
    this.shade();
  }

  // Whole rows, so that no line of text is cut through; one more than wanted, where that is all.
  height(room, wanted) {
    const all = this.table.offsetHeight, most = Math.min(room, wanted);
    if (all <= Math.min(room, wanted + ONE_MORE)) return all + ONE_MORE;
    let bottom = 0;
    for (const row of this.table.tBodies[0].rows) {
      if (row.offsetTop + row.offsetHeight > most) break;
      bottom = row.offsetTop + row.offsetHeight;
    }
    return (bottom || most) + this.scroll.offsetHeight - this.scroll.clientHeight;
  }

  // What lies beyond an edge throws a shadow on it, also where scroll bars are hidden until they are used.
  shade() {
    const { scrollLeft, scrollWidth, clientWidth, scrollTop, scrollHeight, clientHeight } = this.scroll;
    this.scroll.classList.toggle("shifted", scrollLeft > 0);
    this.frame.classList.toggle("more", scrollLeft + clientWidth < scrollWidth - 1);
    this.frame.classList.toggle("deeper", scrollTop + clientHeight < scrollHeight - 1);
  }

  // --- choosing and opening

  open(id) { this.data.open = id; this.mark(); this.send("open", { id }); }

  choose(ids) { this.chosen = new Set(ids); this.mark(); this.send("choose", { ids: [...this.chosen] }); }

  toggle(at, on, range) {
    const from = range && this.last !== undefined ? this.last : at;
    for (let i = Math.min(from, at); i <= Math.max(from, at); i++) {
      const id = this.listed[i]?.id;
      if (id && on) this.chosen.add(id); else this.chosen.delete(id);
    }
    this.last = at;
    this.choose(this.chosen);
  }

  mark() {
    for (const row of this.scroll.querySelectorAll("tbody tr")) {
      const chosen = this.chosen.has(row.dataset.id), open = row.dataset.id === this.data.open;
      row.classList.toggle("chosen", chosen);
      row.classList.toggle("open", open);
      if (this.ticks) row.querySelector(".tick input").checked = chosen;
      setCurrent(row.querySelector(".title"), open);
    }
    if (!this.all) return;
    const some = this.data.rows.filter((r) => this.chosen.has(r.id)).length;
    this.all.checked = some > 0 && some === this.data.rows.length;
    this.all.indeterminate = some > 0 && some < this.data.rows.length;
  }

  walk(event) {
    const titles = [...this.scroll.querySelectorAll(".title")], at = titles.indexOf(event.target);
    if (at < 0) return;
    if (event.key === " " && this.ticks) { event.preventDefault(); return this.toggle(at, !this.chosen.has(this.listed[at].id), event.shiftKey); }
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: titles.length - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = titles[Math.max(0, Math.min(titles.length - 1, to))];
    titles[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

export default mount(Table);
