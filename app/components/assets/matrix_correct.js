// The form that corrects a cell, by keys alone or with words that are marked on the page: a value, several values as
// lines, or of a field that is there or not whether it is and where.

import { brief, call, el, put, squeeze } from "./dom.js";

const HINTS = { date: "2024-03-01", money: "USD 1,250.00", duration: "30 days", number: "12.5 mm" };
let forms = 0;

export class Correction {
  // panel: of the cell; actions: save(body), cancel(), show(place), say(text)
  constructor(cell, column, actions) {
    Object.assign(this, { cell, column, actions });
    this.id = `correct-${++forms}`;
    this.isClause = column.type === "boolean";
    this.marks = new Map();  // words that were marked on the page: their place, by the line that they became
    this.form = el("form", "correct");
    this.form.onsubmit = (event) => { event.preventDefault(); this.save(); };
    this.form.onkeydown = (event) => {
      if (event.key === "Escape") { event.stopPropagation(); actions.cancel(); }
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.save(); }
    };
    this.picked = el("p", "picked");
    this.warning = el("p", "unfound", "", { role: "status" });
    const save = el("button", "deed main", "Save", { type: "submit" }), cancel = el("button", "deed", "Cancel", { type: "button" });
    cancel.onclick = () => actions.cancel();
    put(this.form, ...(this.isClause ? this.drawClause() : this.drawValues()), this.picked, this.warning, put(el("div", "line"), save, cancel, el("span", "keys", column.many && !this.isClause ? "Ctrl+Enter saves, Esc cancels" : "Enter saves, Esc cancels")));
  }

  focus() { (this.isClause ? this.form.querySelector("input[type=radio]:checked") : this.value)?.focus(); }

  // --- values

  drawValues() {
    const { column, cell } = this, hint = HINTS[column.type], label = column.many ? "Values, one a line" : "Value";
    this.before = cell.status === "p" ? cell.values.map((value) => value.text) : [];
    this.value = el(column.many ? "textarea" : "input", null, null, { "aria-label": label, placeholder: hint ? `such as ${hint}` : label, autocomplete: "off", spellcheck: "false" });
    if (column.many) {
      this.value.value = this.before.length ? `${this.before.join("\n")}\n` : "";
      this.value.rows = Math.min(8, this.before.length + 2);
      this.value.setSelectionRange(this.value.value.length, this.value.value.length);
    }
    this.value.oninput = () => { this.even = null; this.warn([]); };
    const said = column.many ? "One value a line: add a line, change one, or delete it. Words marked on the page become a line." : "Type the value, or mark its words on the page.";
    if (column.type !== "enum") return [el("p", "hint", said), this.value];
    this.value.setAttribute("list", `${this.id}-options`);
    return [el("p", "hint", said), put(el("datalist", null, null, { id: `${this.id}-options` }), ...(column.options || []).map((o) => el("option", null, null, { value: o }))), this.value];
  }

  lines() {
    const all = this.column.many ? this.value.value.split("\n") : [this.value.value];
    return [...new Set(all.map((line) => line.trim()).filter(Boolean))];
  }

  wanted(line) {
    const span = this.marks.get(line), keep = this.before.indexOf(line);
    if (span) return { text: line, span: { page: span.page, start: span.start, end: span.end } };
    return keep >= 0 ? { keep } : { text: line };
  }

  // Words that were marked with the mouse.
  take(found) {
    const words = squeeze(found.quote).slice(0, 500);
    this.picked.replaceChildren(`Marked on page ${found.page}: `, el("mark", null, brief(words, 160)));
    if (this.isClause) { this.addPlace(found, true); return; }
    this.even = null;
    this.warn([]);
    if (!this.column.many) { this.span = found; this.value.value = words; return; }
    this.marks.set(words, found);
    this.value.value = [...this.lines(), words, ""].join("\n");
    this.value.rows = Math.min(8, this.lines().length + 2);
  }

  // --- there or not, and where

  drawClause() {
    const { cell } = this;
    this.places = el("div", "places", null, { role: "radiogroup", "aria-label": "Where it stands" });
    const answers = el("div", "answers", null, { role: "radiogroup", "aria-label": "Is it in the document?" });
    for (const [value, words] of [["present", "Present"], ["absent", "Absent"]]) {
      const radio = el("input", null, null, { type: "radio", name: `${this.id}-is`, value });
      radio.checked = value === "present";
      radio.onchange = () => { this.where.hidden = value === "absent"; };
      answers.append(put(el("label"), radio, ` ${words}`));
    }
    this.find = el("input", null, null, { type: "search", "aria-label": "Find words in the document", placeholder: "Find words in the document", autocomplete: "off" });
    this.find.oninput = () => { clearTimeout(this.typing); this.typing = setTimeout(() => this.search(), 200); };
    this.find.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.ctrlKey) { event.preventDefault(); this.search(); }
      if (event.key === "ArrowDown") { event.preventDefault(); (this.places.querySelector(".hit input") || this.places.querySelector("input"))?.focus(); }
    });
    for (const place of [...cell.places, ...cell.candidates.flatMap((each) => each.spans.slice(0, 1))]) this.addPlace(place);
    const first = this.places.querySelector("input");
    if (first) first.checked = true;
    this.where = put(el("div"), el("p", "hint", "Where it stands: choose a place with the arrow keys, find other words, or mark them on the page."), this.places, this.find);
    return [answers, this.where];
  }

  addPlace(place, isChosen = false, className = "") {
    const same = [...this.places.querySelectorAll("label")].find(({ place: p }) => p.page === place.page && p.start === place.start && p.end === place.end);
    const line = same || put(el("label", className), el("input", null, null, { type: "radio", name: `${this.id}-at` }), el("span", "quote", brief(squeeze(place.quote), 150)), el("span", "odds", `p. ${place.page}`));
    line.place = place;
    const radio = line.querySelector("input");
    radio.onchange = () => this.actions.show(place);
    if (!same) this.places.append(line);
    if (isChosen) radio.checked = true;
  }

  async search() {
    const words = this.find.value.trim();
    if (words === this.sought) return;
    this.sought = words;
    const { pages } = this.cell;
    let found = [];
    try { if (words) found = (await call(`matrix/places/${encodeURIComponent(pages.document)}`, { words, version: pages.version })).places; } catch (error) { this.actions.say(error.message); return; }
    if (words !== this.sought) return;
    this.places.querySelectorAll(".hit").forEach((line) => line.remove());
    for (const place of found) this.addPlace(place, false, "hit");
    this.picked.textContent = words ? (found.length ? `${found.length} place${found.length === 1 ? "" : "s"} with these words: ↓ goes there.` : "These words are not in the document.") : "";
  }

  // --- saving

  save() {
    if (this.isClause) {
      if (this.form.querySelector(`input[name="${this.id}-is"]:checked`).value === "absent") return this.actions.save({ action: "absent" });
      const place = this.places.querySelector("input:checked")?.parentElement.place;
      if (!place) return this.actions.say("Choose where it stands: a place of the list, words that you find, or words marked on the page.");
      return this.actions.save({ action: "correct", spans: [{ page: place.page, start: place.start, end: place.end }] });
    }
    const lines = this.lines();
    if (!lines.length) return this.actions.say("Type the value, or mark its words on the page. Where there is none, mark the field as absent.");
    const span = this.span && { page: this.span.page, start: this.span.start, end: this.span.end };
    this.actions.save({ action: "correct", values: lines.map((line) => this.column.many ? this.wanted(line) : { text: line, ...(span ? { span } : {}) }), ...(this.even === lines.join("\n") ? { even_so: true } : {}) });
  }

  // The server did not find these in the document: the same again keeps them, with that said at the cell.
  warn(texts) {
    this.warning.replaceChildren(...(texts.length ? ["Not found in the document: ", el("strong", null, texts.join("; ")), ". Save once more to keep it all the same; the cell will say so."] : []));
    if (texts.length) { this.even = this.lines().join("\n"); this.focus(); }
  }
}
