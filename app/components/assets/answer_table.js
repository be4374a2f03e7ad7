// The table of an answer: sorted, filtered, exported, with its count; a row opens on its words.

import { count, el, isYear, makeButton, put, squeeze } from "./dom.js";
import { DocumentList, files } from "./answer_list.js";

const NUMERIC = ["number", "money", "integer", "duration"];
const FIRST = 100, MANY = 8;
const DAYS = { hour: 1 / 24, day: 1, week: 7, month: 30.44, year: 365.25 };
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const isNumber = (text) => /^-?\d+(\.\d+)?$/.test(text);
const grouped = (text, type) => {
  if (type !== "money" && isYear(text)) return text;
  const places = type === "money" ? 2 : 6; // of a quotient, which has no end
  const [whole, part] = (text.split(".")[1]?.length > places ? String(Number(Number(text).toFixed(places))) : text).split(".");
  const cents = type === "money" ? `.${(part || "").padEnd(2, "0")}` : part && Number(part) ? `.${part}` : "";
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + cents;
};

// A value as a person reads it; what a document says is text already.
export function worded(value, type) {
  if (value === null || value === undefined || value === "") return "–";
  const text = String(value);
  if (NUMERIC.includes(type) && isNumber(text)) return grouped(text, type);
  const quarter = text.match(/^(\d{4})-Q([1-4])$/), month = text.match(/^(\d{4})-(\d\d)$/), day = text.match(/^(\d{4})-(\d\d)-(\d\d)$/);
  if (type === "quarter" && quarter) return `Q${quarter[2]} ${quarter[1]}`;
  if (type === "month" && month) return `${MONTHS[month[2] - 1]} ${month[1]}`;
  if ((type === "day" || type === "date") && day) return `${Number(day[3])} ${MONTHS[day[2] - 1]} ${day[1]}`;
  return text;
}

function key(value, type) {
  const text = String(value ?? "");
  if (text === "") return null;
  if (type === "duration") return [...text.matchAll(/([\d.]+)\s*(hour|day|week|month|year)/g)].reduce((sum, [, n, unit]) => sum + n * DAYS[unit], 0);
  if (NUMERIC.includes(type)) { const found = text.match(/-?\d[\d,]*(?:\.\d+)?/); return found ? Number(found[0].replaceAll(",", "")) : null; }
  if (type === "date") { const at = Date.parse(`${text.split(";")[0]} UTC`) || Date.parse(text); return Number.isNaN(at) ? null : at; }
  return text.toLowerCase();
}
const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });

// What a line of a table is: a group, a document, or one of several rows of a document.
export function member(table) {
  if (!table) return "document";
  if (!table.documents.length) return "group";
  return new Set(table.documents).size < table.documents.length && !table.columns.some((column) => column.name === "Side") ? "row" : "document";
}

// The citation that a cell stands for: the one with its words, else the only one with its amount or day.
export function stated(citations, text) {
  const exact = citations.find((each) => squeeze(each.quote) === text);
  if (exact) return exact;
  const read = (words) => {
    if (/^\d{1,2} [A-Z][a-z]{2} \d{4}$|^[A-Z][a-z]+ \d{1,2}, \d{4}$/.test(words)) return Date.parse(`${words} UTC`);
    const amount = words.match(/^(?:[A-Z]{3}|[$€£])? ?(\d[\d,]*(?:\.\d+)?)(?: [\p{L}%]+)?$/u);
    return amount ? Number(amount[1].replaceAll(",", "")) : null;
  };
  const value = read(text), same = value === null ? [] : citations.filter((each) => read(squeeze(each.quote)) === value);
  return same.length === 1 ? same[0] : null;
}

export class AnswerTable {
  // chip(row, column): a citation's chip for a cell, or null; open(row): opens a row as evidence
  constructor(table, base, turn, { chip, open, place }) {
    Object.assign(this, { table, base, chip, open });
    this.order = table.rows.map((_, at) => at);
    this.all = table.rows.length <= FIRST;
    this.words = "";
    this.hasMembers = (table.members || []).some((each) => each.length);
    this.opens = this.hasMembers || table.documents.length > 0;
    this.list = this.hasMembers ? new DocumentList(base, turn, place) : null;
    if (this.list) this.list.closed = () => { const at = this.listed; this.members(null); this.body.querySelector(`[data-at="${at}"] .open`)?.focus(); };
    this.box = el("section", "tabled", null, { "aria-label": "Table of the answer" });
    this.draw();
  }

  draw() {
    const { columns, rows } = this.table, head = el("tr");
    this.heads = columns.map((column, at) => {
      const button = put(el("button", "sort", null, { type: "button", title: `Sort by ${column.name}` }), el("span", null, column.name), el("span", "arrow", "", { "aria-hidden": "true" }));
      button.onclick = () => this.sort(at);
      const cell = put(el("th", NUMERIC.includes(column.type) ? "right" : "", null, { scope: "col", "aria-sort": "none" }), button);
      head.append(cell);
      return cell;
    });
    this.body = el("tbody");
    this.foot = el("p", "foot");
    const tools = el("div", "tools");
    if (rows.length > MANY) {
      const find = el("input", "find", null, { type: "search", placeholder: "Filter rows", "aria-label": "Filter the rows of this table" });
      find.oninput = () => { this.words = find.value.trim().toLowerCase(); this.fill(); };
      tools.append(find);
    }
    const grid = el("div", "grid", null, { tabindex: "0", role: "region", "aria-label": "Rows of the table" });
    put(this.box, tools.children.length ? tools : null, put(grid, put(el("table"), put(el("thead"), head), this.body)), this.foot, this.list?.box);
    this.fill();
  }

  sort(column) {
    const falling = this.by === column && !this.falling, type = this.table.columns[column].type;
    this.by = column;
    this.falling = falling;
    const keys = this.table.rows.map((row) => key(row[column], type));
    this.order = this.table.rows.map((_, at) => at).sort((a, b) => {
      if (keys[a] === null || keys[b] === null) return (keys[a] === null) - (keys[b] === null) || a - b;
      return (falling ? -1 : 1) * compare(keys[a], keys[b]) || a - b;
    });
    this.heads.forEach((cell, at) => {
      cell.setAttribute("aria-sort", at !== column ? "none" : falling ? "descending" : "ascending");
      cell.querySelector(".arrow").textContent = at !== column ? "" : falling ? " ↓" : " ↑";
    });
    this.fill();
  }

  fill() {
    const { columns, rows } = this.table;
    const fitting = this.order.filter((at) => !this.words || rows[at].some((cell, i) => worded(cell, columns[i].type).toLowerCase().includes(this.words)));
    const shown = this.all ? fitting : fitting.slice(0, FIRST);
    this.body.replaceChildren(...shown.map((at) => this.row(at)));
    this.foot.replaceChildren(el("span", null, `${shown.length === rows.length ? "" : `${shown.length.toLocaleString("en")} of `}${count(rows.length, "row")}`, { role: "status" }), ...files(`${this.base}/table`, "the table"));
    if (shown.length < fitting.length) {
      const more = makeButton("quiet", `Show all ${fitting.length.toLocaleString("en")} rows`, () => { this.all = true; this.fill(); });
      this.foot.append(more);
    }
    this.mark();
  }

  row(at) {
    const { columns, rows } = this.table, line = el("tr", this.opens ? "opens" : "", null, { "data-at": at });
    const first = columns.findIndex((column) => column.name === "Document");
    rows[at].forEach((value, i) => {
      const type = columns[i].type, text = worded(value, type), cell = el("td", NUMERIC.includes(type) ? "right" : "");
      if (this.opens && i === Math.max(0, first)) {
        const open = el("button", "open", text, { type: "button" });
        if (this.hasMembers) open.setAttribute("aria-expanded", "false");
        open.onclick = (event) => { event.stopPropagation(); this.act(at); };
        cell.append(open);
      } else cell.append(text);
      const chip = typeof value === "string" && this.chip(at, squeeze(value));
      if (chip) put(cell, " ", chip);
      line.append(cell);
    });
    if (this.opens) line.onclick = (event) => { if (!event.target.closest("button, a") && !String(getSelection())) this.act(at); };
    return line;
  }

  act(at) { if (this.hasMembers) this.members(this.listed === at ? null : at); else this.open(at); }

  members(at) {
    this.listed = at;
    for (const line of this.body.children) line.querySelector(".open")?.setAttribute("aria-expanded", String(Number(line.dataset.at) === at));
    if (at === null) return this.list.close();
    const { columns, rows } = this.table, keys = columns.findIndex((column) => NUMERIC.includes(column.type));
    const named = rows[at].slice(0, Math.max(1, keys)).map((value, i) => worded(value, columns[i].type)).join(" · ");
    this.list.show(`group-${at}`, (total) => `${count(total, "document")} in ${named}`);
  }

  mark(shown = this.shown) {
    this.shown = shown;
    for (const line of this.body.children) line.classList.toggle("on", Boolean(shown) && shown[0] === "row" && Number(line.dataset.at) === shown[1]);
    this.list?.mark(shown);
  }
}
