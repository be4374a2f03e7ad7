// The line above an answer that says how its question was read; each part opens a menu that changes it on the spot.

import { readBy } from "./answer_prose.js";
import { call, count, el, makeButton, put } from "./dom.js";

const FIELDS = 120;  // of a list, drawn at once: more are found by their words
const ORDERED = ["money", "number", "duration", "date"], AMOUNTS = ["money", "number", "duration"];
const COMPUTE = [
  ["group", "Group by", () => true],
  ["sum", "Sum", (type) => AMOUNTS.includes(type)],
  ["avg", "Average", (type) => AMOUNTS.includes(type)],
  ["median", "Median", (type) => ORDERED.includes(type)],
  ["min", "Lowest", (type) => ORDERED.includes(type)],
  ["max", "Highest", (type) => ORDERED.includes(type)],
  ["distinct", "Different values", () => true],
];
const TURNS = { is: "Is", is_not: "Is not", there: "Is there", missing: "Is missing", turn: "Other way round", remove: "Remove" };
const SURE = 0.75;  // below, a part is drawn as doubtful

const known = new Map();  // the choices of a reading, by the answer's trace: they stay while it does

// What a person changed, and the way back; null where nothing was. view: as of `ReadingLine`
export function changedLine({ changed, remembered, reused, restore, forget }) {
  if (!changed && !reused) return null;
  const button = (text, act, why) => makeButton("quiet", text, act, { title: why });
  if (!changed) return put(el("p", "changed"), "Read as this wording was changed or chosen before. ", button("Forget", forget, "Keep this answer, and read the wording afresh from now on"));
  return put(el("p", "changed"), remembered ? "Changed by you; this wording is read so from now on." : "Changed by you, for this answer only.", " ",
    button("As it was first read", restore, "Take the changes back"),
    remembered ? button("Forget", forget, "Keep this answer, and read the wording as before") : null);
}

export class ReadingLine {
  // answer: with its reading; view: { base, changed, remembered, reused, refusal, change(change), take(number), restore(), forget() }
  constructor(answer, view) {
    Object.assign(this, { answer, view, buttons: [] });
    this.line = put(el("p", "line"), el("span", "lead", "Read as"));
    answer.reading.forEach((part, at) => put(this.line, at ? el("span", "dot", "·", { "aria-hidden": "true" }) : null, this.part(part, at)));
    this.also = el("span", "also");
    this.others(answer.other_readings || []);
    put(this.line, this.also);
    this.box = put(el("section", "reading", null, { "aria-label": "How the question was read" }), this.line, changedLine(view), this.refused());
    this.box.onpointerenter = this.box.onfocusin = () => { this.choices(); };
  }

  part(part, at) {
    const doubtful = part.confidence < SURE, said = doubtful ? `${part.text}, not sure` : part.text;
    if (!part.actions.length) return el("span", `read fixed${doubtful ? " doubtful" : ""}`, part.text, { title: doubtful ? "Not sure" : null });
    const button = makeButton(`read${doubtful ? " doubtful" : ""}`, part.text, () => this.open(button, part, at), { "aria-haspopup": "dialog", "aria-expanded": "false", "aria-label": `Change: ${said}`, title: doubtful ? "Not sure: click to change" : null });
    button.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], to = step && this.buttons[this.buttons.indexOf(button) + step];
      if (to) { event.preventDefault(); to.focus(); }
      if (event.key === "ArrowDown") { event.preventDefault(); this.open(button, part, at); }
    };
    this.buttons.push(button);
    return button;
  }

  // Other plausible readings, each with how many documents it comes to, once that is counted.
  others(readings) {
    this.also.replaceChildren();
    if (!readings.length) return;
    put(this.also, el("span", "lead", "Also read as"));
    readings.forEach((reading, at) => {
      const by = readBy(reading.by), many = reading.count === null || reading.count === undefined ? "" : `, ${count(reading.count, "document")}`;
      const button = el("button", "other", null, { type: "button", "aria-label": `Read it so: ${reading.text}${many}${by ? `, as ${by} read it` : ""}`, title: by ? `As ${by} read it` : null });
      put(button, el("span", null, reading.text), by ? el("span", "by", ` by ${by}`) : null, el("span", "count", reading.count === null || reading.count === undefined ? " (…)" : ` (${reading.count.toLocaleString("en")})`));
      button.onclick = () => { this.view.take(at); };
      put(this.also, button);
    });
  }

  refused() {
    const { refusal } = this.view;
    return refusal ? put(el("p", "refused", null, { role: "alert" }), el("strong", null, refusal[0]), " ", refusal[1]) : null;
  }

  choices() {
    const key = `${this.view.base}|${this.answer.trace_id}`;
    if (!known.has(key)) {
      const read = call(`${this.view.base.replace("/api/", "")}/reading`);
      read.catch(() => known.delete(key));
      known.set(key, read);
    }
    return known.get(key);
  }

  focus(at) { this.buttons[Math.min(at, this.buttons.length - 1)]?.focus({ preventScroll: true }); }

  // --- the menu of a part

  open(button, part, at) {
    if (this.menu && this.anchor === button) return this.close();
    this.close();
    this.anchor = button;
    this.at = this.buttons.indexOf(button);
    const menu = this.menu = el("div", "menu", null, { role: "dialog", "aria-label": `Change: ${part.text}`, popover: "auto", tabindex: "-1" });
    put(menu, ...this.fill(part, at));
    menu.onkeydown = (event) => this.key(event);
    menu.ontoggle = (event) => { if (event.newState === "closed" && this.menu === menu) this.close(); };
    menu.addEventListener("focusout", (event) => { if (event.relatedTarget && !menu.contains(event.relatedTarget)) this.close(); });
    this.box.append(menu);
    button.setAttribute("aria-expanded", "true");
    menu.showPopover();
    this.place();
    (menu.querySelector("input:not([type=search])") || menu.querySelector("button, input"))?.focus({ preventScroll: true });
    if (menu.contains(this.root.activeElement) && this.root.activeElement.matches("input")) this.root.activeElement.select();
  }

  get root() { return this.box.getRootNode(); }

  place() {
    const at = this.anchor.getBoundingClientRect(), own = this.menu.getBoundingClientRect(), below = innerHeight - at.bottom - 12;
    const above = own.height > below && at.top > below;
    Object.assign(this.menu.style, {
      left: `${Math.max(8, Math.min(innerWidth - own.width - 8, at.left))}px`,
      maxHeight: `${Math.max(160, (above ? at.top : below + 4) - 12)}px`,
      ...(above ? { top: "auto", bottom: `${innerHeight - at.top + 4}px` } : { top: `${at.bottom + 4}px`, bottom: "auto" }),
    });
  }

  close(back = false) {
    const { menu, anchor } = this;
    this.menu = this.anchor = null;
    if (!menu) return;
    anchor.setAttribute("aria-expanded", "false");
    const inside = menu.contains(this.root.activeElement);
    menu.remove();
    if (back || inside) anchor.focus({ preventScroll: true });
  }

  key(event) {
    if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); return this.close(true); }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target.matches("input[list]")) return;
    event.preventDefault();
    const all = [...this.menu.querySelectorAll("button:not([disabled]), input")].filter((each) => !each.closest("[hidden]")), now = all.indexOf(this.root.activeElement);
    (all[now + step] || all[step > 0 ? 0 : all.length - 1])?.focus();
  }

  change(part, action, to = "") {
    this.close(true);
    this.view.change({ node: part.node, kind: part.kind, places: part.places, action, to });
  }

  fill(part, at) {
    const can = new Set(part.actions), nodes = [];
    if (can.has("value")) nodes.push(this.value(part, at));
    const turns = ["is", "is_not", "there", "missing", "turn", "remove"].filter((name) => can.has(name));
    if (turns.length) nodes.push(put(el("div", "turns"), ...turns.map((name) => this.button(this.named(name, part), () => this.change(part, name)))));
    if (can.has("operation")) nodes.push(...this.operation(part, at));
    else if (can.has("field")) nodes.push(el("h5", null, part.kind === "group" ? "Group by another field" : "Another field"), this.fields(part, at, (name) => this.change(part, "field", name)));
    if (can.has("subject")) nodes.push(el("h5", null, "Ask about"), this.subjects(part, at));
    return nodes;
  }

  named(name, part) {
    if (name === "remove") return part.kind === "document" ? "All documents" : "Remove";
    if (name === "is_not" && !part.value) return "The opposite";
    return TURNS[name];
  }

  value(part, at) {
    const id = `values-${at}`, form = el("form", "written");
    const input = el("input", null, null, { type: "text", value: part.value, list: id, maxlength: "500", "aria-label": "Value", placeholder: "Value" });
    const list = el("datalist", null, null, { id });
    this.choices().then((found) => put(list, ...(found.parts[at]?.values || []).map((text) => el("option", null, null, { value: text }))), () => {});
    form.onsubmit = (event) => { event.preventDefault(); if (input.value.trim() && input.value !== part.value) this.change(part, "value", input.value.trim()); else this.close(true); };
    return put(form, input, list, el("button", "main", "Apply", { type: "submit" }));
  }

  operation(part, at) {
    const now = part.value || (part.text === "list" ? "list" : part.text.startsWith("is there") ? "exists" : "");
    const ways = [["list", "List"], ["count", "Count"], ["exists", "Is there any?"]].map(([to, label]) => this.button(label, () => this.change(part, "operation", to), to === now && !part.field));
    const box = el("div", "compute"), modes = el("div", "turns", null, { role: "group", "aria-label": "Compute" });
    const choose = (mode) => {
      [...modes.children].forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.mode === mode)));
      const fits = COMPUTE.find(([name]) => name === mode)[2];
      box.replaceChildren(this.fields(part, at, (name) => this.change(part, "operation", `${mode}:${name}`), fits));
      this.place();
    };
    for (const [mode, label] of COMPUTE) {
      const button = this.button(label, () => { choose(mode); box.querySelector("input")?.focus(); }, false);
      button.dataset.mode = mode;
      modes.append(button);
    }
    return [put(el("div", "turns"), ...ways), el("h5", null, "Or compute over a field"), modes, box];
  }

  subjects(part, at) {
    const list = el("div", "list");
    const draw = (found) => {
      list.replaceChildren(...found.subjects.map(([to, label, number]) => this.option(label, number, () => this.change(part, "subject", to), label === part.text)));
      this.menu && this.place();
    };
    this.reading(list, draw);
    return list;
  }

  // A searchable list of fields; those most like the words of the question stand first.
  fields(part, at, take, fits = () => true) {
    const box = el("div", "fields"), list = el("div", "list");
    const find = el("input", "find", null, { type: "search", placeholder: "Find a field", "aria-label": "Find a field" });
    const draw = (found) => {
      const own = found.parts[at] || { fields: "", near: [] }, all = (found.fields[own.fields] || []).filter(([name, , type]) => name !== part.field && fits(type));
      const named = new Map(all.map((each) => [each[0], each])), words = find.value.trim().toLowerCase();
      const near = own.near.map((name) => named.get(name)).filter(Boolean);
      const rest = all.filter((each) => !near.includes(each)).sort((one, other) => other[3] - one[3] || one[1].localeCompare(other[1]));
      const shown = words ? all.filter(([, title]) => title.toLowerCase().includes(words)) : [...near, ...rest];
      list.replaceChildren(...shown.slice(0, FIELDS).map(([name, title, , number], n) => {
        const option = this.option(title, number, () => take(name));
        if (!words && near.length && n === near.length) option.classList.add("ruled");
        return option;
      }));
      if (!shown.length) list.append(el("p", "faint", words ? "No field is called so." : "There is no such field."));
      else if (shown.length > FIELDS) list.append(el("p", "faint", `${(shown.length - FIELDS).toLocaleString("en")} more: write a word of their name.`));
    };
    this.reading(list, (found) => { draw(found); find.oninput = () => draw(found); this.menu && this.place(); });
    find.onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); list.querySelector("button")?.click(); } };
    return put(box, find, list);
  }

  reading(list, draw) {
    list.replaceChildren(el("p", "faint", "Reading the fields …", { role: "status" }));
    this.choices().then(draw, () => list.replaceChildren(el("p", "faint", "The fields could not be read. Open the menu again.", { role: "alert" })));
  }

  option(label, number, act, on = false) {
    const button = el("button", "option", null, { type: "button", ...(on ? { "aria-current": "true" } : {}) });
    put(button, el("span", "label", label), el("span", "count", number ? number.toLocaleString("en") : "", { title: number ? `${count(number, "document")}` : null }));
    button.onclick = act;
    return button;
  }

  button(label, act, on = null) {
    const button = makeButton("turn", label, act, { ...(on === null ? {} : { "aria-pressed": String(on) }) });
    return button;
  }
}
