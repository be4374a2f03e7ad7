// The panel of one cell: what is known and why, its place on the page, what else was considered, who decided it.
// Verdicts go to the server with the number of the last event that was seen, so that nobody is overwritten.

import { brief, call, el, makeButton, percent, put, squeeze } from "./dom.js";
import drawPages from "./pages.js";
import { Correction } from "./matrix_correct.js";
import { confirming, guessOf, taking, tieWords } from "./matrix_guess.js";
import { marked } from "./matrix_marking.js";
import { definitionOf } from "./matrix_menus.js";
import { STATUS, cellPath, moment, send } from "./matrix_words.js";

export class CellPanel {
  // actions: close(), decided(cell), step(by)
  constructor(actions) {
    this.actions = actions;
    this.box = el("section", "panel", null, { "aria-label": "Cell" });
    this.said = el("div", "said", null, { role: "alert" });
    this.facts = el("div", "facts");
    this.host = el("div", "pages");
    this.pagesRoot = this.host.attachShadow({ mode: "open" });
    Promise.all(["base", "pages"].map((name) => fetch(new URL(`./${name}.css`, import.meta.url)).then((r) => r.text()))).then((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css.join("") + ":host { display: block }");
      this.pagesRoot.adoptedStyleSheets = [sheet];
    });
    this.views = {};
    this.tabs = el("div", "tabs", null, { role: "group", "aria-label": "How the page is shown" });
    this.after = el("div", "after");
    put(this.box, this.facts, this.said, this.tabs, this.host, this.after);
    this.cache = new Map();
    this.host.addEventListener("mouseup", () => setTimeout(() => this.pick(), 0));
    this.host.addEventListener("keyup", (event) => { if (event.shiftKey) this.pick(); });
  }

  fetched(document, field) {
    const key = `${document} ${field}`;
    if (!this.cache.has(key)) this.cache.set(key, call(cellPath(document, field)));
    return this.cache.get(key);
  }

  // What comes next is read while this one is looked at, with the picture of its page.
  async prefetch(document, field) {
    try {
      const cell = await this.fetched(document, field), place = cell.places[0] || cell.candidates[0]?.spans[0];
      if (cell.pages.ratio && place) new Image().src = `/api/documents/${encodeURIComponent(cell.pages.document)}/versions/${cell.pages.version}/pages/${place.page}.jpg?h=${cell.pages.hash}`;
    } catch { this.cache.delete(`${document} ${field}`); }
  }

  open(document, column, given) { this.ready = this.read(document, column, given); return this.ready; }

  async read(document, column, { mayReview }) {
    this.column = column;
    this.mayReview = mayReview;
    this.wanted = `${document} ${column.name}`;
    const wanted = this.wanted;
    this.say("");
    try {
      const cell = await this.fetched(document, column.name);
      if (wanted !== this.wanted) return;
      this.draw(cell);
    } catch (error) {
      if (wanted === this.wanted) this.say(error.message);
    } finally { this.cache.delete(wanted); }
  }

  draw(cell) {
    this.cell = cell;
    this.correcting = null;
    this.at = 0;
    this.guess = guessOf(cell.brief, this.column);
    this.taken = this.takesSeveral() ? new Set(cell.candidates.keys()) : null;
    this.drawFacts();
    this.drawAfter();
    this.show(cell.places[0] || cell.candidates[0]?.spans[0] || null);
  }

  say(text, tone = "wrong") {
    this.said.textContent = text;
    this.said.className = `said ${text ? tone : ""}`;
  }

  // --- what is known

  drawFacts() {
    const cell = this.cell, known = STATUS[cell.status], column = this.column;
    const place = cell.places[0], link = new URLSearchParams({ document: cell.document, version: cell.pages.version, ...(place ? { page: place.page, start: place.start, end: place.end } : {}) });
    const close = makeButton("quiet close", "×", () => this.actions.close(), { "aria-label": "Close the cell (Esc)", title: "Close (Esc)" });
    const head = put(el("header"), put(el("div", "names"), el("h2", null, column.title, { title: column.definition[0]?.[1] || null }), el("a", "document", cell.title, { href: `/documents?${link}`, target: "_blank", title: "Open the document" })), close);
    const state = put(el("div", "state"), el("span", `chip ${cell.status}`, `${known.sign} ${known.word}`));
    const values = cell.status === "p" && column.type !== "boolean" ? cell.values : [];
    for (const value of values.slice(0, 12)) state.append(el("strong", "read", value.text, { title: value.original && value.original !== value.text ? `Read from “${value.original}”` : null }));
    if (this.guess) state.append(el("strong", "read guess", this.guess.ties.length ? tieWords(this.guess) : `Best guess: ${brief(this.guess.text, 120)}, ${percent(this.guess.p)}`));
    if (cell.review) state.append(el("span", "by", `${cell.review.again ? "! " : "✓ "}${cell.review.user}, ${moment(cell.review.at)}`));
    const how = [];
    if (!cell.is_extracted) how.push("This field has not been read in this document yet.");
    else if (!cell.review && cell.method) how.push(`${cell.method}; ${this.sure(cell)}`);
    if (cell.extracted) how.push(`Before the review: ${this.worded(cell.extracted)} (${cell.extracted.method || "nothing found"}${cell.extracted.status === "u" ? "" : `, ${percent(cell.extracted.confidence)} sure`}).`);
    if (cell.review?.again) how.push(`Check again: version ${cell.pages.version} of the document no longer holds the words that ${cell.review.user} reviewed${cell.spans[0] ? ` (“${brief(squeeze(cell.spans[0].quote), 90)}”)` : ""}.`);
    if (cell.note && !cell.model) how.push(cell.note);
    if (cell.unfound.length) state.append(el("span", "unfound", `! Not found in the document${cell.values.length > 1 ? `: ${cell.unfound.join("; ")}` : ""}`));
    this.facts.replaceChildren(head, ...(cell.model ? [] : [state]), ...how.map((line) => el("p", "how", line)), ...(cell.model ? [this.drawSides()] : []), this.drawActions(), this.drawCandidates(), this.drawDefinition());
  }

  sure(cell) {
    if (cell.status === "u") return cell.candidates.length ? "not sure enough to decide" : "nothing to go by";
    return `${percent(cell.confidence)} sure`;
  }

  worded(finding) {
    const text = finding.values.map((value) => value.text).join("; ");
    return STATUS[finding.status].word.toLowerCase() + (text && text !== "Yes" ? `, ${text}` : "");
  }

  drawActions() {
    const bar = el("div", "deeds", null, { role: "group", "aria-label": "Decide this cell" });
    if (!this.mayReview) return put(bar, el("p", "how", "You may read this cell. Deciding it needs the role “reviewer”."));
    const button = (label, key, act, enabled = true, main = false) => {
      const made = put(el("button", main ? "deed main" : "deed", null, { type: "button", "aria-keyshortcuts": key.toLowerCase() }), label, el("kbd", null, key));
      made.disabled = !enabled || Boolean(this.busy);
      made.onclick = act;
      return made;
    };
    const cell = this.cell, isOff = Boolean(this.guess?.ties.length), canConfirm = cell.status === "u" ? cell.candidates.length > 0 && !isOff : cell.status !== "x" && cell.is_extracted;
    return put(bar,
      button(this.guess?.candidates === null && !isOff ? "Confirm “No”" : "Confirm", "C", () => this.confirm(), canConfirm, true),
      button("Correct", "E", () => this.correct()),
      button("Mark absent", "A", () => this.decide({ action: "absent" }), !(cell.status === "a" && cell.review)),
      button("Undo", "U", () => this.decide({ action: "undo" }), Boolean(cell.review)));
  }

  // What extraction and the model say, side by side, each with its words and the key that takes it.
  drawSides() {
    const cell = this.cell, own = cell.candidates[cell.model.candidates[0]];
    const side = (who, key, status, text, place) => {
      const box = put(el("div", "side"), put(el("h3", null), el("span", null, who), this.mayReview ? el("kbd", null, key) : null), put(el("p", `chip ${status}`), `${STATUS[status].sign} ${STATUS[status].word}`));
      if (text && text !== "Yes") box.append(el("strong", "read", text));
      if (!place) return put(box, el("p", "how", "None in the whole text."));
      const look = put(el("button", "look", null, { type: "button", title: `Show it on page ${place.page}` }), el("span", "quote", brief(squeeze(place.quote), 220)), el("span", "odds", `p. ${place.page}`));
      look.onclick = () => this.show(place);
      return put(box, look);
    };
    const known = cell.values.map((value) => value.text).join("; ");
    return put(el("div", "sides", null, { role: "group", "aria-label": "Extraction and the model differ" }),
      side("Extraction", "C", cell.status, known, cell.places[0]),
      side("The model", "1", cell.model.status, cell.model.text, own?.spans.at(-1)));
  }

  drawDefinition() {
    if (!this.column.definition.length) return el("span");
    return put(el("details"), el("summary", null, "What it is"), ...definitionOf(this.column));
  }

  drawCandidates() {
    const cell = this.cell, box = el("div", "others");
    const places = cell.places.length > 1 ? cell.places : [];
    if (places.length) {
      const folded = put(el("details"), el("summary", null, `Places (${places.length})`));
      places.slice(0, 12).forEach((place) => folded.append(this.placeButton(place, cell.values.length === places.length ? cell.values[places.indexOf(place)].text : "")));
      box.append(folded);
    }
    const beside = new Set(cell.model?.candidates), count = cell.candidates.length - beside.size;  // of the model: shown already
    if (!count) return box;
    const isOpen = cell.status === "u", list = isOpen ? box : put(el("details"), el("summary", null, `Also considered (${count})`));
    if (!isOpen) box.append(list);
    else box.append(el("h3", null, this.taken ? "Which of these? Confirm takes those that are ticked" : "Which of these?"));
    cell.candidates.forEach((candidate, i) => {
      if (beside.has(i)) return;
      const span = candidate.spans[0];
      const look = put(el("button", "look", null, { type: "button", title: span ? `Show it on page ${span.page}` : null }),
        el("span", "n", String(i + 1)), put(el("span", "what"), candidate.text && candidate.text !== "Yes" ? el("strong", null, candidate.text) : null, span ? el("span", "quote", brief(squeeze(span.quote), 130)) : null),
        el("span", "odds", [this.odds(candidate) ? percent(this.odds(candidate)) : "", span ? `p. ${span.page}` : ""].filter(Boolean).join(" · ")));
      look.onclick = () => { if (span) this.show(span); this.at = i; this.markCandidate(); };
      const line = put(el("div", "candidate"), look);
      if (this.mayReview) {
        const use = this.taken ? el("button", "use", this.taken.has(i) ? "✓ Taken" : "Left out", { type: "button", "aria-pressed": String(this.taken.has(i)), "aria-label": `Take candidate ${i + 1}`, "aria-keyshortcuts": String(i + 1) }) : el("button", "use", "Use", { type: "button", "aria-label": `Use candidate ${i + 1}`, "aria-keyshortcuts": String(i + 1) });
        use.onclick = () => this.choose(i);
        line.append(use);
      }
      list.append(line);
    });
    return box;
  }

  // A candidate's share, where others state other values.
  odds(candidate) { return this.cell.brief[4]?.[1].find(([, text]) => text === candidate.text)?.[2] ?? candidate.confidence; }

  placeButton(place, text) {
    const look = put(el("button", "look", null, { type: "button" }), put(el("span", "what"), text && text !== "Yes" ? el("strong", null, text) : null, el("span", "quote", brief(squeeze(place.quote), 130))), el("span", "odds", `p. ${place.page}`));
    look.onclick = () => this.show(place);
    return put(el("div", "candidate"), look);
  }

  markCandidate() { this.facts.querySelectorAll(".others .look").forEach((look) => look.classList.toggle("on", look.querySelector(".n")?.textContent === String(this.at + 1))); }

  drawAfter() {
    const cell = this.cell;
    if (!cell.history.length) return this.after.replaceChildren();
    const list = el("ol");
    for (const event of cell.history) {
      const [status, text] = event.after;
      list.append(put(el("li"), el("strong", null, event.user), ` ${event.action}: ${STATUS[status].word.toLowerCase()}${text && text !== "Yes" ? `, ${text}` : ""}`, el("span", "when", moment(event.at))));
    }
    this.after.replaceChildren(put(el("details"), el("summary", null, `History (${cell.history.length})`), list));
  }

  // --- the page

  show(place) {
    this.place = place;
    const cell = this.cell, hasImage = Boolean(cell.pages.ratio);
    const mode = hasImage && this.mode !== "text" ? "image" : "text";
    const tab = (name, label) => {
      const made = makeButton(null, label, () => { this.mode = name; this.show(this.place); }, { "aria-pressed": String(mode === name) });
      return made;
    };
    this.tabs.replaceChildren(...(hasImage ? [tab("image", "Page"), tab("text", "Text")] : []));
    if (!cell.pages.pages) { this.host.hidden = true; return; }
    this.host.hidden = false;
    for (const name of ["image", "text"]) {
      if (name !== mode && this.views[name]) this.views[name].style.display = "none";
    }
    this.views[mode] ||= this.pagesRoot.appendChild(document.createElement("div"));
    this.views[mode].style.display = "";
    drawPages({ parentElement: this.views[mode], data: { ...cell.pages, ratio: mode === "text" ? null : cell.pages.ratio, mode, focus: place ? { page: place.page, start: place.start, end: place.end } : null, hits: this.others(place), excerpt: null } });
  }

  // The other places of the cell and of what was considered stand out too, more quietly.
  others(place) {
    const same = (span) => place && span.page === place.page && span.start === place.start && span.end === place.end;
    const spans = [...this.cell.places, ...this.cell.candidates.flatMap((candidate) => candidate.spans)];
    return spans.filter((span) => !same(span)).slice(0, 20).map(({ page, start, end }) => ({ page, start, end }));
  }

  // --- verdicts

  // Of a field that takes several values an uncertain cell may have several right candidates.
  takesSeveral() { return this.column.many && this.cell.status === "u" && this.cell.candidates.length > 1; }

  confirm() {
    if (this.correcting) return this.save();
    if (this.taken) return this.taken.size ? this.decide({ action: "confirm", candidates: [...this.taken].sort() }) : this.say("Take one at least, or mark the field as absent.");
    if (this.cell.status !== "u") return this.decide({ action: "confirm" });
    const chosen = this.at ? taking([this.at], this.cell.candidates[this.at].text) : this.guess ? confirming(this.guess) : { action: "confirm" };
    if (!chosen) return this.say(`${tieWords(this.guess)}. C is off.`);
    this.decide(chosen);
  }

  choose(i) {
    const { model } = this.cell;
    if (model && !i && this.mayReview) return this.decide(model.candidates.length ? { action: "correct", candidates: model.candidates, saw: model.text } : { action: "absent" });
    if (i >= this.cell.candidates.length || !this.mayReview) return;
    if (this.taken) {
      if (!this.taken.delete(i)) this.taken.add(i);
      this.facts.querySelector(".others").replaceWith(this.drawCandidates());
      return;
    }
    this.decide({ action: i || this.cell.status !== "u" ? "correct" : "confirm", candidates: [i] });
  }

  async decide(body) {
    if (this.busy || !this.mayReview) return;
    const { document, field, event } = this.cell, wanted = this.wanted;
    this.busy = true;
    this.say("");
    try {
      const cell = await send(cellPath(document, field), { ...body, version: this.cell.pages.version, expected: event });
      this.busy = false;
      if (cell.unfound && !cell.document) { this.correcting?.warn(cell.unfound); return; }
      this.cache.delete(wanted);
      if (wanted === this.wanted) this.draw(cell);
      this.actions.decided(cell, body.action);
    } catch (error) {
      this.busy = false;
      if (error.status !== 409) { this.say(error.message); return; }
      const cell = await call(cellPath(document, field)).catch(() => null);  // somebody came first: their verdict is shown
      if (cell && wanted === this.wanted) { this.draw(cell); this.actions.decided(cell, "seen"); }
      this.say(error.message, "first");
    } finally { this.busy = false; }
  }

  correct() {
    if (this.correcting || !this.cell) return;
    this.correcting = new Correction(this.cell, this.column, {
      save: (body) => this.decide(body), cancel: () => this.cancel(), show: (place) => this.show(place), say: (text) => this.say(text),
    });
    this.facts.querySelector(".deeds").after(this.correcting.form);
    this.correcting.focus();
    this.pick();
  }

  cancel() { this.correcting?.form.remove(); this.correcting = null; this.say(""); this.box.focus?.(); }

  async pick() {
    if (!this.correcting) return;
    const found = await marked(this.pagesRoot, this.cell.pages);
    if (!found || !this.correcting) return;
    if (found.wrong) return this.say(found.wrong);
    this.say("");
    this.correcting.take(found);
  }

  save() { this.correcting?.save(); }
}
