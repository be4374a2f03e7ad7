// A flagged answer under review: its claims with verdicts, all by keys. What was judged is kept here until it is saved, so that
// a redraw of the page loses nothing; saved, it goes to the page in one piece.

import { el, isTyping, keyHelp, makeButton, mount, put, setCurrent } from "./dom.js";
import { blocks } from "./markdown.js";

const WHOLE = -1;
const VERDICTS = [["correct", "Correct", "1"], ["wrong", "Wrong", "2"], ["partly", "Partly", "3"]];
const SIGNS = { correct: "✓", wrong: "✗", partly: "◐" };

const deepest = (at = document.activeElement) => at?.shadowRoot?.activeElement ? deepest(at.shadowRoot.activeElement) : at;

class Review {
  constructor(root) {
    this.frame = el("section", "review", null, { "aria-label": "Flagged answer" });
    put(root, this.frame);
    this.drafts = new Map();  // by item: verdicts, note
    addEventListener("keydown", (event) => this.keys(event), true);
  }

  update({ data, setTriggerValue }) {
    this.send = (name, value) => setTriggerValue(name, { ...value, item: this.data.id, at: Date.now() });
    const before = this.data;
    this.data = data;
    if (before?.id !== data.id) this.at = 0;
    this.draft = this.drafts.get(this.key()) || { verdicts: { ...data.mine }, note: data.note };
    this.drafts.set(this.key(), this.draft);
    const drawn = JSON.stringify({ ...data, focus: null });
    if (drawn !== this.drawn) { this.drawn = drawn; this.draw(); }
    this.mark();
    // Keys go to the item from here on; else Enter would press the row that opened it once more.
    if (before?.id !== data.id && !deepest()?.matches?.("input, textarea, select")) this.list.focus({ preventScroll: Boolean(before) });
  }

  key() { return this.data.id; }
  get rows() { return [WHOLE, ...this.data.claims.map((claim) => claim.number)]; }
  get row() { return this.rows[this.at] ?? WHOLE; }

  // --- drawing

  draw() {
    const { data } = this;
    const head = put(el("header"), el("h3", null, data.question), this.facts(), put(el("p", "reasons"), ...data.reasons.map((each) => el("span", "reason", each.word, { title: each.note || null }))));
    const said = el("p", `said ${data.tone}`, data.said, { role: data.tone === "wrong" ? "alert" : "status" });
    this.list = el("div", "claims", null, { role: "list", tabindex: "0", "aria-label": "The answer and its claims" });
    put(this.list, this.whole(), ...data.claims.map((claim, at) => this.claim(claim, at + 1)));
    this.note = el("textarea", "note", null, { rows: "2", maxlength: "2000", placeholder: "Note for the asker (optional)", "aria-label": "Note for the asker" });
    this.note.value = this.draft.note;
    this.note.oninput = () => { this.draft.note = this.note.value; };
    this.status = el("p", "status", "", { role: "status" });
    const save = makeButton("deed first", "Save, next", () => this.save(), { "aria-keyshortcuts": "Enter" });
    const step = (label, by, key) => makeButton("deed", label, () => this.send("step", { by }), { "aria-keyshortcuts": key, disabled: (by < 0 ? !data.place : data.place + 1 >= data.total) ? "" : null });
    const own = data.assignee === data.me;
    const take = makeButton("deed", own ? "Let go" : data.assignee ? `Take over from ${data.assignee}` : "Work on it", () => this.send("claim", { release: own, over: Boolean(data.assignee) }));
    const again = data.resolved && el("button", "deed", "Take the verdict back", { type: "button" });
    if (again) again.onclick = () => this.send("reopen", {});
    this.frame.replaceChildren(...[head, data.said && said, this.list, this.note, put(el("div", "deeds"), save, step("Back", -1, "p"), step("Next", 1, "n"), take, again), this.status, this.help(), this.others(), this.raw()].filter(Boolean));
  }

  facts() {
    const { data } = this;
    const parts = [`asked by ${data.asker}`, data.flagged, `confidence ${data.confidence}`, data.status, data.place >= 0 ? `${(data.place + 1).toLocaleString("en")} of ${data.total.toLocaleString("en")}` : ""];
    return el("p", "facts", parts.filter(Boolean).join(" · "));
  }

  whole() {
    const { data } = this, row = this.line(WHOLE, "The whole answer");
    const text = el("div", "text");
    if (data.missing) text.append(el("p", "faint", data.missing)); else blocks(text, data.text, (n) => this.chip(n));
    return put(row, text, data.ledger && el("p", "faint", data.ledger), ...data.gaps.map((gap) => el("p", "faint", gap)), this.buttons(WHOLE));
  }

  claim(claim, at) {
    const row = this.line(claim.number, `Claim ${at}`), text = el("div", "text");
    blocks(text, claim.text, (n) => this.chip(n));
    const checks = put(el("p", "checks faint"), `${claim.verdict}: `, ...claim.checks.flatMap((check, i) => [i ? ", " : "", el("span", check.ok ? "ok" : "failed", `${check.ok ? "✓" : "✗"} ${check.name}`, { title: check.detail || null })]));
    const quotes = claim.citations.map((citation) => {
      const button = el("button", "quote", null, { type: "button", "data-n": citation.n });
      put(button, el("span", "n", String(citation.n)), el("span", null, `“${citation.quote}”`), el("span", "faint", ` ${citation.title}, page ${citation.page}`));
      button.onclick = (event) => { event.stopPropagation(); this.go(this.rows.indexOf(claim.number), citation.n); };
      return button;
    });
    return put(row, text, claim.checks.length ? checks : null, ...quotes, this.buttons(claim.number));
  }

  line(number, label) {
    const row = el("div", "row", null, { role: "listitem", "data-number": number });
    row.onclick = () => this.go(this.rows.indexOf(number));
    return put(row, put(el("div", "label"), el("span", null, label), el("span", "sign", "")));
  }

  buttons(number) {
    return put(el("div", "verdicts", null, { role: "group", "aria-label": "Verdict" }), ...VERDICTS.map(([word, label, key]) => {
      const button = el("button", "verdict", null, { type: "button", "data-verdict": word, "aria-pressed": "false", "aria-keyshortcuts": key });
      put(button, el("kbd", null, key), ` ${label}`);
      button.onclick = (event) => { event.stopPropagation(); this.at = this.rows.indexOf(number); this.judge(word, false); };
      return button;
    }));
  }

  chip(n) {
    const citation = this.data.claims.flatMap((claim) => claim.citations.map((each) => [claim, each])).find(([, each]) => each.n === n);
    if (!citation) return null;
    const chip = makeButton("chip", String(n), (event) => { event.stopPropagation(); this.go(this.rows.indexOf(citation[0].number), n); }, { title: `“${citation[1].quote}”`, "aria-label": `Citation ${n}` });
    return chip;
  }

  help() {
    const keys = [["J", "next claim"], ["K", "back"], ["1", "correct"], ["2", "wrong"], ["3", "partly"], ["Enter", "save, next answer"], ["N", "next answer"], ["P", "back"]];
    return keyHelp(keys);
  }

  others() {
    const { others, feedback, corrections } = this.data;
    const lines = [...others, ...feedback, ...corrections];
    return lines.length ? put(el("div", "others"), el("h4", null, "So far"), ...lines.map((line) => el("p", null, line))) : null;
  }

  raw() {
    if (!this.data.raw.length) return null;
    const box = el("details", "raw");
    put(box, el("summary", null, "As the language model put it"), ...this.data.raw.flatMap(([label, text]) => [el("h4", null, label), el("pre", null, text)]));
    return box;
  }

  // --- state

  mark() {
    for (const row of this.list.children) {
      const number = Number(row.dataset.number), verdict = this.draft.verdicts[number], on = number === this.row;
      row.classList.toggle("on", on);
      setCurrent(row, on);
      const sign = row.querySelector(".sign");
      sign.textContent = verdict ? SIGNS[verdict] : "";
      sign.className = `sign ${verdict || ""}`;
      for (const button of row.querySelectorAll("[data-verdict]")) button.setAttribute("aria-pressed", String(button.dataset.verdict === verdict));
      for (const quote of row.querySelectorAll("[data-n]")) quote.classList.toggle("open", Number(quote.dataset.n) === this.data.focus);
    }
  }

  go(at, n) {
    if (at < 0 || at >= this.rows.length) return;
    this.at = at;
    this.mark();
    this.list.querySelector(`[data-number="${this.row}"]`)?.scrollIntoView({ block: "nearest" });
    const claim = this.data.claims.find((each) => each.number === this.row), first = n ?? claim?.citations[0]?.n;
    if (first !== undefined && first !== this.data.focus) this.send("focus", { n: first });
  }

  // A verdict on the row that is chosen. onward: to the next one, where keys judge.
  judge(word, onward = true) {
    this.draft.verdicts[this.row] = word;
    this.status.textContent = "";
    if (onward && this.at + 1 < this.rows.length) this.go(this.at + 1); else this.mark();
  }

  // The verdict on the whole: as it was given, or else as all claims have it, and where they differ, partly.
  get verdict() {
    if (this.draft.verdicts[WHOLE]) return this.draft.verdicts[WHOLE];
    const given = new Set(this.data.claims.map((claim) => this.draft.verdicts[claim.number]).filter(Boolean));
    return given.size === 1 ? [...given][0] : given.size ? "partly" : "";
  }

  save() {
    const verdict = this.verdict;
    if (!verdict) { this.status.textContent = "Nothing is judged yet: press 1 for correct, 2 for wrong, 3 for partly."; return; }
    const claims = Object.fromEntries(Object.entries(this.draft.verdicts).filter(([number]) => Number(number) !== WHOLE));
    this.status.textContent = "Saving…";
    this.send("save", { revision: this.data.revision, verdict, claims, note: this.draft.note });
  }

  keys(event) {
    if (!this.frame.isConnected || !this.frame.offsetParent || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("[role=dialog][data-testid]")) return;
    const path = event.composedPath(), own = path.includes(this.frame), key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isTyping(event)) {
      if (own && key === "Enter" && !event.shiftKey) { event.preventDefault(); event.stopImmediatePropagation(); this.save(); }
      else if (own && key === "Escape") this.list.focus();
      return;
    }
    if (key === "Enter" && !own && path[0].matches?.("button, a, summary, [role=tab], [role=combobox]") && !path[0].closest("tr.open")) return;
    if (key === "Enter" && own && path[0].matches?.("button, summary")) return;
    const deeds = {
      j: () => this.go(this.at + 1), k: () => this.go(this.at - 1), 1: () => this.judge("correct"), 2: () => this.judge("wrong"), 3: () => this.judge("partly"),
      n: () => this.data.place + 1 < this.data.total && this.send("step", { by: 1 }), p: () => this.data.place > 0 && this.send("step", { by: -1 }), Enter: () => this.save(),
    };
    if (!deeds[key]) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    deeds[key]();
  }
}

export default mount(Review);
