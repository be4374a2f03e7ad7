// The menus of the matrix: one field's counts, order and filters; which columns are shown, and sets of them.

import { el, put } from "./dom.js";
import { ORDER, STATUS, call, percent, tally } from "./matrix_words.js";

const OPERATORS = {
  text: [["contains", "contains"], ["=", "is"], ["!=", "is not"]],
  party: [["contains", "contains"], ["=", "is"], ["!=", "is not"]],
  enum: [["=", "is"], ["!=", "is not"]],
  date: [["=", "on"], [">=", "from"], ["<=", "until"], ["between", "between"]],
  money: [[">=", "at least"], ["<=", "at most"], ["=", "is"], ["between", "between"]],
  number: [[">=", "at least"], ["<=", "at most"], ["=", "is"], ["between", "between"]],
  duration: [[">=", "at least"], ["<=", "at most"], ["=", "is"], ["between", "between"]],
  boolean: [],
};
const STATES = [["present", "p"], ["absent", "a"], ["uncertain", "u"], ["unreadable", "x"]];

export const conditionWords = (condition, column) => {
  const [, operator, value] = condition, title = column?.title || condition[0];
  if (operator === "is") return `${title}: ${value}`;
  const says = (OPERATORS[column?.type] || []).find(([sign]) => sign === operator)?.[1] || operator;
  return `${title} ${says} ${Array.isArray(value) ? value.join(" and ") : value}`;
};

// A box beside a button; closes at Escape and at a click elsewhere.
export class Popover {
  constructor(root) {
    this.root = root;
    this.box = el("div", "popover", null, { role: "dialog", tabindex: "-1" });
    this.box.hidden = true;
    root.append(this.box);
    document.addEventListener("pointerdown", (event) => { if (!this.box.hidden && !event.composedPath().includes(this.box) && !event.composedPath().includes(this.anchor)) this.close(); });
    this.box.onkeydown = (event) => { if (event.key === "Escape") { event.stopPropagation(); this.close(); this.anchor?.focus(); } };
  }

  open(anchor, label, ...nodes) {
    if (!this.box.hidden && this.anchor === anchor && this.label === label) return this.close();
    this.anchor = anchor;
    this.label = label;
    this.box.setAttribute("aria-label", label);
    this.fill(...nodes);
    this.box.hidden = false;
    const at = anchor.getBoundingClientRect(), own = this.box.getBoundingClientRect();
    this.box.style.left = `${Math.max(8, Math.min(innerWidth - own.width - 8, at.left))}px`;
    this.box.style.top = `${Math.max(8, Math.min(innerHeight - own.height - 8, at.bottom + 4))}px`;
    this.box.focus();
  }

  fill(...nodes) { this.box.replaceChildren(...nodes.filter(Boolean)); }
  close() { this.box.hidden = true; this.label = null; }
}

// actions: sort(key, falling), filter(field, conditions), hide(column)
export function fieldMenu(column, counts, where, figures, actions) {
  const own = where.filter(([field]) => field === column.name), state = own.find(([, operator]) => operator === "is")?.[2] || "";
  const button = (label, act, on = null) => { const b = el("button", "choice", label, { type: "button", ...(on === null ? {} : { "aria-pressed": String(on) }) }); b.onclick = act; return b; };
  const { all, pending, strange } = tally(counts);
  const table = el("table");
  ORDER.forEach((s, i) => table.append(put(el("tr"), put(el("th", null, null, { scope: "row" }), el("span", `sign ${s}`, STATUS[s].sign), ` ${STATUS[s].word}`), el("td", null, (counts?.[i] || 0).toLocaleString("en")), el("td", null, all ? percent((counts?.[i] || 0) / all) : ""))));
  table.append(put(el("tr"), el("th", null, "✓ Reviewed", { scope: "row" }), el("td", null, (counts?.[4] || 0).toLocaleString("en")), el("td", null, all ? percent((counts?.[4] || 0) / all) : "")));
  if (counts?.[5]) table.append(put(el("tr"), el("th", null, "! Check again", { scope: "row" }), el("td", null, counts[5].toLocaleString("en")), el("td", null, percent(counts[5] / all))));
  const line = (s, n, share) => table.append(put(el("tr"), put(el("th", null, null, { scope: "row" }), el("span", `sign ${s}`, STATUS[s].sign), ` ${STATUS[s].word}`), el("td", null, n.toLocaleString("en")), el("td", null, share)));
  if (pending) line("w", pending, percent(pending / all));
  if (strange) line("k", strange, "");
  const states = put(el("div", "choices", null, { role: "group", "aria-label": "Show only" }), button("Any", () => actions.filter(column.name, keep("")), !state),
    ...STATES.map(([name, s]) => button(`${STATUS[s].sign} ${STATUS[s].word}`, () => actions.filter(column.name, keep(name)), state === name)),
    counts?.[5] ? button("! Check again", () => actions.filter(column.name, keep("check again")), state === "check again") : null,
    pending ? button(`${STATUS.w.sign} ${STATUS.w.word}`, () => actions.filter(column.name, keep("not read")), state === "not read") : null,
    strange ? button(`${STATUS.k.sign} ${STATUS.k.word}`, () => actions.filter(column.name, keep("not asked")), state === "not asked") : null);
  const keep = (name) => [...own.filter(([, operator]) => operator !== "is"), ...(name ? [[column.name, "is", name]] : [])];
  return [
    el("h3", null, column.title), column.description ? el("p", "how", column.description) : null, table,
    ...(figures || []).map((line) => el("p", "how", line)),
    el("h4", null, "Sort"), put(el("div", "choices"), button("Rising ↑", () => actions.sort(column.name, false)), button("Falling ↓", () => actions.sort(column.name, true)), button("By status", () => actions.sort(`${column.name}@status`, false))),
    el("h4", null, "Show only"), states,
    ...valueFilter(column, own, actions),
    put(el("div", "choices foot"), button("Hide this column", () => actions.hide(column))),
  ];
}

function valueFilter(column, own, actions) {
  const operators = OPERATORS[column.type] || [];
  if (!operators.length) return [];
  const known = own.find(([, operator]) => operator !== "is"), form = el("form", "condition");
  const operator = put(el("select", null, null, { "aria-label": "Condition" }), ...operators.map(([sign, words]) => el("option", null, words, { value: sign })));
  if (known) operator.value = known[1];
  const kind = { date: "date", money: "number", number: "number", duration: "number" }[column.type] || "text";
  const input = (label) => {
    if (column.type === "enum") return put(el("select", null, null, { "aria-label": label }), ...column.options.map((o) => el("option", null, o, { value: o })));
    return el("input", null, null, { type: kind, "aria-label": label, step: "any" });
  };
  const first = input("Value"), second = input("And"), unit = unitInput(column);
  const show = () => { second.hidden = operator.value !== "between"; };
  operator.onchange = show;
  show();
  const before = known ? [known[2]].flat() : [];
  [first, second].forEach((field, i) => { if (before[i] !== undefined) field.value = readBack(before[i], column, unit); });
  const remove = el("button", "choice", "Remove", { type: "button" });
  remove.hidden = !known;
  const rest = own.filter(([, sign]) => sign === "is");
  remove.onclick = () => actions.filter(column.name, rest);
  form.onsubmit = (event) => {
    event.preventDefault();
    const written = (field) => canonical(field.value.trim(), column, unit?.value);
    const values = operator.value === "between" ? [written(first), written(second)] : written(first);
    if ([values].flat().every(Boolean)) actions.filter(column.name, [...rest, [column.name, operator.value, values]]);
  };
  put(form, operator, first, second, unit, el("button", "choice main", "Filter", { type: "submit" }), remove);
  return [el("h4", null, "Value"), form];
}

function unitInput(column) {
  if (column.type === "money") return el("input", "unit", null, { type: "text", "aria-label": "Currency", value: "USD", maxlength: "3", size: "4" });
  if (column.type !== "duration") return null;
  return put(el("select", null, null, { "aria-label": "Unit" }), ...[["D", "days"], ["M", "months"], ["Y", "years"]].map(([sign, words]) => el("option", null, words, { value: sign })));
}

const canonical = (text, column, unit) => {
  if (!text) return "";
  if (column.type === "money") return `${text} ${unit.toUpperCase()}`.trim();
  return column.type === "duration" ? `P${text}${unit}` : text;
};
const readBack = (text, column, unit) => {
  const found = column.type === "money" ? text.match(/^(\S+) ?(.*)$/) : column.type === "duration" ? text.match(/^P(\d+)([DMY])$/) : null;
  if (!found) return text;
  if (unit && found[2]) unit.value = found[2];
  return found[1];
};

// Which columns are shown. shown: names; sets: names by the name of a set; actions: show(names), saved(sets)
export function columnsMenu(columns, shown, sets, bucket, actions) {
  const chosen = new Set(shown), list = el("div", "columns"), find = el("input", null, null, { type: "search", placeholder: "Find a field", "aria-label": "Find a field" });
  const ticks = new Map();
  const groups = new Map();
  for (const column of columns) { const name = column.group || "Fields"; groups.set(name, [...(groups.get(name) || []), column]); }
  const told = () => actions.show(columns.map((c) => c.name).filter((name) => chosen.has(name)));
  for (const [name, members] of groups) {
    const part = put(el("fieldset"), el("legend", null, name));
    for (const column of members) {
      const tick = el("input", null, null, { type: "checkbox" });
      tick.checked = chosen.has(column.name);
      tick.onchange = () => { if (tick.checked) chosen.add(column.name); else chosen.delete(column.name); told(); };
      ticks.set(column.name, tick);
      put(part, put(el("label", null, null, { "data-name": column.title.toLowerCase() }), tick, column.title));
    }
    list.append(part);
  }
  const set = (names) => { chosen.clear(); names.forEach((n) => chosen.add(n)); ticks.forEach((tick, n) => { tick.checked = chosen.has(n); }); told(); };
  find.oninput = () => {
    const words = find.value.trim().toLowerCase();
    list.querySelectorAll("label").forEach((label) => { label.hidden = !label.dataset.name.includes(words); });
    list.querySelectorAll("fieldset").forEach((part) => { part.hidden = ![...part.querySelectorAll("label")].some((label) => !label.hidden); });
  };
  const button = (label, act) => { const b = el("button", "choice", label, { type: "button" }); b.onclick = act; return b; };
  const saved = el("div", "choices sets", null, { role: "group", "aria-label": "Saved sets of columns" });
  const drawSets = (known) => saved.replaceChildren(button("All fields", () => set(columns.map((c) => c.name))), button("None", () => set([])), ...Object.entries(known).map(([name, names]) => {
    const remove = el("button", "choice drop", "×", { type: "button", "aria-label": `Remove the set ${name}`, title: "Remove this set" });
    remove.onclick = async () => { const left = await call("matrix/column-sets", { bucket, name }, { method: "DELETE" }); drawSets(left); actions.saved(left); };
    return put(el("span", "set"), button(name, () => set(names.filter((n) => ticks.has(n)))), remove);
  }));
  drawSets(sets);
  const name = el("input", null, null, { type: "text", placeholder: "Name of this set", "aria-label": "Name of this set", maxlength: "60" }), form = put(el("form", "condition"), name, el("button", "choice", "Save the set", { type: "submit" }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!name.value.trim() || !chosen.size) return;
    const known = await call("matrix/column-sets", { bucket, name: name.value.trim() }, { method: "PUT", body: JSON.stringify({ fields: [...chosen] }), headers: { "Content-Type": "application/json" } });
    name.value = "";
    drawSets(known);
    actions.saved(known);
  };
  return [el("h3", null, "Columns"), saved, form, find, list];
}
