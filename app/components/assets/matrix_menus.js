// The menus of the matrix: one field's counts, order and filters; which columns are shown, and sets of them.

import { call, el, makeButton, percent, put } from "./dom.js";
import { STATUS, parts, tally } from "./matrix_words.js";

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

// Of what a condition on a value speaks: what counts, a best guess where nothing is decided, or either.
const OF = [["", "decided"], ["any", "decided or guessed"], ["guess", "guessed"]];
const SURE = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
const aspectOf = (condition) => condition[0].split("@")[1] || "";

export const conditionWords = (condition, column) => {
  const [, operator, value] = condition, aspect = aspectOf(condition), name = column?.title || condition[0];
  if (aspect === "sure") return `${name}: ${operator === "<" ? "less than" : "at least"} ${percent(Number(value))} sure`;
  if (operator === "is") return `${name}: ${value}`;
  if (column?.type === "boolean") return `${name}, best guess: ${value === "true" ? "yes" : "no"}`;
  const title = aspect ? `${name} (${OF.find(([sign]) => sign === aspect)?.[1] || aspect})` : name;
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

// actions: sort(key, falling), filter(field, conditions, order), hide(column), quality() or null
// What a field is, what counts as it and what does not, with examples.
export const definitionOf = (column) => column.definition.map(([label, text]) => put(el("p", "how definition"), el("strong", null, `${label}: `), text));

export function fieldMenu(column, counts, where, figures, actions) {
  const own = where.filter(([field]) => field.split("@")[0] === column.name), state = own.find(([, operator]) => operator === "is")?.[2] || "";
  const button = (label, act, on = null) => makeButton("choice", label, act, { ...(on === null ? {} : { "aria-pressed": String(on) }) });
  const { all, pending, strange } = tally(counts);
  const table = el("table");
  parts(counts).forEach(([s, n]) => table.append(put(el("tr"), put(el("th", null, null, { scope: "row" }), el("span", `sign ${s}`, STATUS[s].sign), ` ${s === "u" ? "Uncertain, no guess" : STATUS[s].word}`), el("td", null, n.toLocaleString("en")), el("td", null, all ? percent(n / all) : ""))));
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
  const guessed = (value) => own.some((each) => aspectOf(each) === "guess" && each[2] === value);
  if (column.type === "boolean") put(states, ...[["true", "yes"], ["false", "no"]].map(([value, word]) => button(`${STATUS.g.sign} Guess: ${word}`, () => actions.filter(column.name, guessed(value) ? [] : [[`${column.name}@guess`, "=", value]]), guessed(value))));
  const keep = (name) => [...own.filter(([, operator]) => operator !== "is"), ...(name ? [[column.name, "is", name]] : [])];
  return [
    el("h3", null, column.title), ...definitionOf(column), table,
    ...(figures || []).map((line) => el("p", "how", line)), quality(actions),
    el("h4", null, "Sort"), put(el("div", "choices"), button("Rising ↑", () => actions.sort(column.name, false)), button("Falling ↓", () => actions.sort(column.name, true)), button("Rising with guesses ↑", () => actions.sort(`${column.name}@any`, false)), button("Falling with guesses ↓", () => actions.sort(`${column.name}@any`, true)), button("By status", () => actions.sort(`${column.name}@status`, false)), button("Surest first", () => actions.sort(`${column.name}@sure`, true))),
    el("h4", null, "Show only"), states,
    el("h4", null, "How sure"), sureFilter(column, own, actions, button),
    ...valueFilter(column, own, tally(counts).guessed, actions),
    put(el("div", "choices foot"), button("Hide this column", () => actions.hide(column))),
  ];
}

// What is known of how right the field is here; read while the menu is open.
function quality(actions) {
  if (!actions.quality) return null;
  const box = el("div", "quality", "Reading what people checked…", { role: "status" });
  actions.quality().then(({ lines }) => box.replaceChildren(...lines.map((line) => el("p", "how", line)))).catch((error) => { box.textContent = error.message; });
  return box;
}

function sureFilter(column, own, actions, button) {
  const known = own.find((each) => aspectOf(each) === "sure"), rest = own.filter((each) => each !== known);
  const choice = put(el("select", null, null, { "aria-label": "Sure at least" }), el("option", null, "any", { value: "" }), ...SURE.map((share) => el("option", null, `at least ${percent(share)}`, { value: String(share) })));
  choice.value = known && known[1] === ">=" ? known[2] : "";
  choice.onchange = () => actions.filter(column.name, choice.value ? [...rest, [`${column.name}@sure`, ">=", choice.value]] : rest);
  const others = rest.filter(([, operator]) => operator !== "is");
  return put(el("div", "condition"), choice, button("Not decided, most likely first", () => actions.filter(column.name, [...others, [column.name, "is", "uncertain"]], { sort: `${column.name}@sure`, order: "falling" })));
}

function valueFilter(column, own, guessed, actions) {
  const operators = OPERATORS[column.type] || [];
  if (!operators.length) return [];
  const isValue = (each) => each[1] !== "is" && aspectOf(each) !== "sure", known = own.find(isValue), form = el("form", "condition");
  const operator = put(el("select", null, null, { "aria-label": "Condition" }), ...operators.map(([sign, words]) => el("option", null, words, { value: sign })));
  if (known) operator.value = known[1];
  const of = put(el("select", null, null, { "aria-label": "Of what" }), ...OF.map(([sign, words]) => el("option", null, words, { value: sign })));
  of.value = known ? aspectOf(known) : guessed ? "any" : "";
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
  const rest = own.filter((each) => !isValue(each));
  remove.onclick = () => actions.filter(column.name, rest);
  form.onsubmit = (event) => {
    event.preventDefault();
    const written = (field) => canonical(field.value.trim(), column, unit?.value);
    const values = operator.value === "between" ? [written(first), written(second)] : written(first);
    if ([values].flat().every(Boolean)) actions.filter(column.name, [...rest, [of.value ? `${column.name}@${of.value}` : column.name, operator.value, values]]);
  };
  put(form, operator, first, second, unit, of, el("button", "choice main", "Filter", { type: "submit" }), remove);
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

// Which columns are shown. shown: names; given: {sets, built_in}, names by the name of a set; counts: of each field;
// actions: show(names), saved(sets)
export function columnsMenu(columns, shown, given, { bucket, schema }, counts, actions) {
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
  const button = (label, act) => makeButton("choice", label, act);
  const saved = el("div", "choices sets", null, { role: "group", "aria-label": "Sets of columns" });
  // How much of a set the documents state or may state: sets that fit them come first.
  const fill = (names) => {
    const of = names.map((n) => ({ ...tally(counts?.[n]), present: counts?.[n]?.[0] || 0 })), all = of.reduce((sum, each) => sum + each.all, 0);
    return all ? of.reduce((sum, each) => sum + each.present + each.guessed, 0) / all : 0;
  };
  const choice = (name, names) => { const here = names.filter((n) => ticks.has(n)), b = button(name, () => set(here)); b.title = `${here.length} columns, ${percent(fill(here))} filled in these documents`; return b; };
  const filled = columns.map((c) => c.name).filter((n) => fill([n]) > 0);
  const fitting = Object.entries(given.built_in || {}).filter(([, names]) => fill(names) > 0 || !counts).sort(([, a], [, b]) => fill(b) - fill(a));
  const drawSets = (known) => saved.replaceChildren(...Object.entries(known).map(([name, names]) => {
    const remove = makeButton("choice drop", "×", async () => { const left = await call("matrix/column-sets", { bucket, schema, name }, { method: "DELETE" }); drawSets(left); actions.saved(left); }, { "aria-label": `Remove the set ${name}`, title: "Remove this set" });
    return put(el("span", "set"), choice(name, names), remove);
  }), ...(filled.length && filled.length < columns.length ? [choice("With values", filled)] : []), ...fitting.map(([name, names]) => choice(name, names)), button("All fields", () => set(columns.map((c) => c.name))), button("None", () => set([])));
  drawSets(given.sets || {});
  const name = el("input", null, null, { type: "text", placeholder: "Name of this set", "aria-label": "Name of this set", maxlength: "60" }), form = put(el("form", "condition"), name, el("button", "choice", "Save the set", { type: "submit" }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!name.value.trim() || !chosen.size) return;
    const known = await call("matrix/column-sets", { bucket, schema, name: name.value.trim() }, { method: "PUT", body: JSON.stringify({ fields: [...chosen] }), headers: { "Content-Type": "application/json" } });
    name.value = "";
    drawSets(known);
    actions.saved(known);
  };
  return [el("h3", null, "Columns"), saved, form, find, list];
}
