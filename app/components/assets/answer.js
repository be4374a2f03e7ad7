// Draws one answer: while it runs from its event stream, afterwards from the stored Answer.
// Text reaches the page through textContent only; a document's words are never markup.

import { brief, call, count, el, makeButton, mount, placeBeside, put, setCurrent, squeeze, table, time, worded } from "./dom.js";
import { blocks, inline, plainly, tie } from "./markdown.js";
import { AnswerChart } from "./answer_chart.js";
import { ClarifyCard } from "./answer_clarify.js";
import { evidenceList } from "./evidence_list.js";
import { LedgerBar } from "./answer_ledger.js";
import { AnswerTable, member, stated } from "./answer_table.js";
import { PlanLines, nodeRows } from "./answer_plan.js";
import { CHECKED, LiveProse, StageUse, besideBox, calculationLines, calculationText, callRows, standaloneBox, struckBox, toolLine, useLine } from "./answer_prose.js";
import { ReadingLine, changedLine } from "./answer_reading.js";

const WORD = { HIGH: "High confidence", MEDIUM: "Medium confidence", LOW: "Low confidence" };
const SIGN = { HIGH: "●", MEDIUM: "◐", LOW: "○" };
const CHECK = { ...CHECKED, quote: "quote stands word for word on the page", words: "the quote is in the claim", numbers: "every number is in the quote" };
const isStale = (standing) => Boolean(standing) && standing.state !== "same_words";
const isSentence = (text) => /[.!?]$/.test(text.trim());

class View {
  // whole: the view of several questions in one, of which this draws one; its data and `send` are set from there
  constructor(root, whole = null) {
    this.root = root;
    this.whole = whole;
    this.box = el("div", "answer");
    this.card = el("div", "card", null, { popover: "manual", role: "tooltip" });
    if (!whole) root.append(this.box);
    root.append(this.card);
    this.seen = -1;
    this.claims = [];
    this.stages = [];
    const shown = (event) => {
      if (!this.box.isConnected) return window.removeEventListener("groundwork:evidence", shown);
      const { turn, kind, number } = event.detail, [whole, of = ""] = String(turn || "").split(".");
      this.data.shown = whole === this.data.turn && kind ? [kind, number, of] : null;
      this.mark();
    };
    if (!whole) window.addEventListener("groundwork:evidence", shown);
  }

  update({ data, setTriggerValue }) {
    this.data = data;
    this.send = setTriggerValue;
    this.box.classList.remove("anew");
    this.each((view) => view.parts?.chart?.refresh());
    const drawn = JSON.stringify([data.turn, data.state, data.answer, data.scope, data.changed, data.remembered, data.reused, data.refusal]);
    if (this.pending && this.watching === data.turn) this.mark();
    else if (data.answer || data.state !== "running") {
      this.leave();
      if (drawn !== this.drawn) { this.drawn = drawn; this.drawAnswer(data.answer); }
      this.mark();
    } else if (this.watching !== data.turn) this.watch(data.turn);
    if (data.reveal && this.revealed !== data.turn) { this.revealed = data.turn; this.reveal(); }
  }

  // The question to the top of the log; the answer then grows below it. Who scrolls away meanwhile is left alone.
  reveal() {
    const message = this.root.host.closest("[data-testid=stChatMessage]"), log = message?.closest(".st-key-log");
    if (!log) return;
    const all = [...log.querySelectorAll("[data-testid=stChatMessage]")], question = all[all.indexOf(message) - 1] || message;
    const go = () => { log.scrollTop += question.getBoundingClientRect().top - log.getBoundingClientRect().top - 4; this.place = log.scrollTop; };
    const again = () => { if (this.place === undefined || Math.abs(log.scrollTop - this.place) < 40) go(); };
    go();
    this.grown?.disconnect();
    this.grown = new ResizeObserver(again);
    this.grown.observe(this.box);
    setTimeout(() => this.grown.disconnect(), 4000);
  }

  // --- while it runs

  watch(turn) {
    this.leave();
    this.watching = turn;
    this.seen = -1; this.claims = []; this.stages = []; this.plan = null; this.prose = null; this.waiting = null; this.pending = false;
    this.box.replaceChildren();
    this.box.setAttribute("aria-busy", "true");
    this.list = el("ol", "stages", null, { "aria-label": "Progress" });
    this.text = el("div", "text", null, { "aria-live": "polite" });
    const stop = makeButton("quiet stop", "Stop", () => { stop.disabled = true; stop.textContent = "Stopping"; this.saidAtTop("Stopping this answer…"); this.send("stop", Date.now()); });
    this.first = put(this.list, el("li", "running", "Reading the question")).firstChild;
    put(this.box, this.list, this.text, put(el("div", "actions"), stop));
    this.begun = performance.now();
    this.timer = setInterval(() => this.tick(), 100);
    this.connect(turn, 0);
    const taken = { stopped: false };  // pressed while the question was on its way
    dispatchEvent(new CustomEvent("groundwork:taken", { detail: taken }));
    if (taken.stopped) stop.click();
  }

  connect(turn, tries) {
    const at = new URL(`/api/turns/${encodeURIComponent(turn)}/ws?after=${this.seen}`, location.href);
    at.protocol = at.protocol.replace("http", "ws");
    const socket = this.socket = new WebSocket(at);
    socket.onmessage = (message) => {
      if (!this.box.isConnected || this.watching !== turn) { socket.close(); return; }
      this.seen += 1; tries = 0;
      this.take(JSON.parse(message.data));
    };
    socket.onclose = (event) => {
      if (this.watching !== turn || this.ended || !this.box.isConnected) return;
      if (event.code === 4404 || event.code === 1000 || tries > 6) { this.pending = false; this.send("done", Date.now()); }  // the store knows how it ended
      else setTimeout(() => this.connect(turn, tries + 1), 250 * 2 ** tries);
    };
  }

  take(event) {
    this.first?.remove();
    this.waiting?.remove();
    this.first = this.waiting = null;
    if (event.type === "stage_started") {
      const line = el("li", "running", event.label);
      line.append(el("span", "elapsed", ""));
      this.list.append(line);
      this.stages.push({ stage: event.stage, line, clock: line.lastChild, use: new StageUse(line), at: performance.now() });
      if (event.stage === "write") { this.prose = new LiveProse(); this.text.before(this.prose.box); this.text.classList.add("meanwhile"); }
    } else if (event.type === "plan_drawn") {
      this.plan = new PlanLines(event.plan);
      const at = this.stages.findLast((s) => !s.done);
      if (at) at.line.after(this.plan.box); else this.list.append(this.plan.box);
    } else if (event.type === "node_changed") {
      this.plan?.change(event);
    } else if (event.type === "stage_finished") {
      if (event.stage === "compute") this.plan?.box.remove();  // folded into the line of its stage
      const stage = this.stages.findLast((s) => s.stage === event.stage && !s.done);
      if (!stage) return;
      stage.done = true;
      stage.line.className = "";
      stage.line.firstChild.textContent = event.label;
      stage.clock.textContent = time(event.latency_ms);
    } else if (event.type === "model_called") {
      (this.stages.findLast((s) => !s.done) || this.stages.at(-1))?.use.add(event);
    } else if (event.type === "waiting") {
      this.list.append(this.waiting = el("li", "running waiting", event.label));
    } else if (event.type === "tool_used") {
      this.list.append(toolLine(event));
    } else if (event.type === "degraded") {
      this.list.append(el("li", "degraded", event.degradation.message));
    } else if (event.type === "prose_written") {
      this.prose?.write(event);
    } else if (event.type === "claim_struck") {
      this.prose?.strike(event);
    } else if (event.type === "claim_added" && this.prose) {
      this.prose.keep(event);
    } else if (event.type === "guarded") {
      this.list.append(el("li", null, event.verdict.detail));
    } else if (event.type === "claim_added") {
      this.claims[event.index] = event.claim;
      const known = new Map(this.claims.filter(Boolean).flatMap((c) => c.citations).map((c) => [c.n, c]));
      const line = el("p", "claim");
      line.dataset.index = event.index;
      inline(line, event.claim.text, this.chips(known));
      if (!/\[\d+\]/.test(event.claim.text)) for (const c of event.claim.citations) tie(put(line, " "), this.chip(c));
      this.text.append(line);
    } else if (event.type === "answered") {
      const { status, kind, follow_ups } = event.answer;
      this.pending = !follow_ups.length && kind !== "general" && ["answered", "partial"].includes(status);  // they come with the end
      this.drawAnswer(event.answer, "done"); this.drawn = null; this.reveal(); this.parts.clarify?.focus();
      this.stopTimer();
    } else if (["finished", "stopped", "interrupted"].includes(event.type)) {
      this.ended = true;
      this.unsay(event.type === "finished" ? "The answer was there already." : "Stopped.");
      if (this.pending) this.parts.next?.replaceWith(...[this.followUps(event)].filter(Boolean));
      if (event.other_readings?.length) this.parts?.reading?.others(event.other_readings);
      this.pending = false;
      this.stopTimer();
      this.send("done", Date.now());
    }
  }

  // What was pressed far below is acknowledged where the page begins, at once; it goes when the answer has ended.
  saidAtTop(text) {
    if (!this.note) this.root.append(this.note = el("p", "at-top", null, { role: "status" }));
    this.note.textContent = text;
  }

  unsay(text) {
    if (!this.note) return;
    this.saidAtTop(text);
    setTimeout((note) => note.remove(), 2500, this.note);
    this.note = null;
  }

  tick() {
    if (!this.box.isConnected) return this.leave();
    for (const stage of this.stages) if (!stage.done) {
      const passed = performance.now() - stage.at;
      if (passed > 300) stage.clock.textContent = `${(passed / 1000).toFixed(1)} s`;
    }
  }

  stopTimer() { clearInterval(this.timer); }
  leave() {
    this.stopTimer();
    this.unsay("Stopped.");
    const socket = this.socket;
    this.socket = null; this.watching = null; this.ended = false;
    if (socket && socket.readyState < 2) socket.close();
  }

  // --- when it stands

  drawAnswer(answer, state = this.data.state) {
    this.box.replaceChildren();
    this.box.setAttribute("aria-busy", "false");
    if (!answer) return this.drawMissing(state);
    for (const view of this.views || []) view.card.remove();
    this.views = null;
    const figures = (answer.calculations || []).flatMap((each) => each.figures);
    const known = new Map([...answer.claims, ...figures].flatMap((c) => c.citations).map((c) => [c.n, c]));
    this.known = known;
    this.box.className = `answer ${answer.status}`;
    this.parts = {};
    if (answer.parts?.length) return this.drawParts(answer);
    const isBack = answer.status === "clarify" && answer.clarification, abstained = ["abstained", "clarify", "refused", "failed"].includes(answer.status);
    put(this.box, standaloneBox(answer, (text) => this.send("ask", { text, at: Date.now() })), this.reading(answer), this.understood(answer), this.later(answer));
    if (isBack) { put(this.box, this.clarify(answer), this.nearest(answer), this.actions(answer), this.how(answer)); return; }
    if (abstained) put(this.box, this.verdict(answer));
    const lead = this.lead(answer);
    if (answer.value) put(this.box, this.value(answer.value, lead));
    const text = lead ? answer.text.slice(answer.text.indexOf("\n") + 1).trimStart() : answer.text;
    const isComputed = answer.ledger && !abstained, sure = [answer.claims.length ? this.confidence(answer) : null, this.notes(answer)];
    if (isComputed) this.drawComputed(answer, text, known, sure);
    else put(this.box, blocks(el("div", "text"), text, this.chips(known)), ...(answer.table ? [...sure, this.table(answer)] : []));
    put(this.box, calculationLines(answer, (citation) => this.chip(citation)));
    if (abstained) put(this.box, this.searched(answer), this.nearest(answer));
    put(this.box, struckBox(answer), besideBox(answer, this.chips(known)), useLine(answer), this.stale(answer));
    put(this.box, ...(isComputed || answer.table ? [] : sure), this.next(answer), this.sources(answer), evidenceList(answer.evidence || [], (at) => this.openPlace("item", at)), this.parts.next = this.pending ? el("div", "followups pending") : this.followUps(answer), this.actions(answer), this.how(answer));
  }

  // Several questions in one: each under its own words, with its own reading, citations and ledger.
  drawParts(answer) {
    this.views = answer.parts.map((part, at) => {
      const view = new View(this.root, this), { refusal, shown } = this.data;
      view.send = (name, value) => this.send(name, { ...(typeof value === "object" ? value : { at: value }), of: at });
      view.data = { ...this.data, turn: `${this.data.turn}.${at}`, question: part.question, answer: part, changed: false, refusal: refusal?.[0] === String(at) ? refusal : null, shown: shown?.[2] === String(at) ? shown : null };
      view.drawAnswer(part, "done");
      put(this.box, put(el("section", "question", null, { "aria-label": part.question }), el("h3", null, part.question), view.box));
      return view;
    });
    const open = answer.gaps.filter((gap) => gap.startsWith("Not answered:"));
    const unanswered = open.length && answer.status === "partial" ? put(el("p", "verdict partial"), el("span", "sign", "◐", { "aria-hidden": "true" }), el("strong", null, `${answer.parts.length - open.length} of ${answer.parts.length} questions answered.`), open.join(" ")) : null;
    this.box.prepend(...[changedLine(this.readingView()), this.later(answer), unanswered].filter(Boolean));
    put(this.box, this.parts.next = this.pending ? el("div", "followups pending") : this.followUps(answer), this.actions(answer), this.how(answer));
    if (this.refocus) { const { of, at } = this.refocus; this.refocus = null; this.views[of]?.parts.reading?.focus(at); }
  }

  each(act) { (this.views || [this]).forEach(act); }

  // Over fields: the sentence, how sure it is, the table (with its chart), how it came about, what it was asked of.
  drawComputed(answer, text, known, sure) {
    const at = text.search(/\n\n/), said = at < 0 ? text : text.slice(0, at), { ledger } = answer;
    const all = at < 0 ? [] : text.slice(at).trim().split("\n\n"), others = all.filter((each) => each.replaceAll("\\", "") !== ledger.scope_said);
    const rest = others.join("\n\n"), isSaid = others.length < all.length;
    put(this.box, blocks(el("div", `text ${answer.value ? "" : "headline"}`), said, this.chips(known)), isSaid ? el("p", "asked", ledger.scope_said) : null, ...sure);
    const isSummary = answer.kind === "summary";  // its statements are the answer; the table has the rest
    if (rest && isSummary) this.box.append(blocks(el("div", "text"), rest, this.chips(known)));
    if (answer.table?.rows.length) {
      const isGroups = !answer.table.documents.length && answer.table.rows.length > 1;
      if (isGroups) this.parts.chart = new AnswerChart(this.base(), this.root);
      put(this.box, put(el("div", "figures"), this.parts.chart?.box, this.table(answer)));
    }
    if (answer.converts_to && answer.planned) put(this.box, this.convert(answer));
    if (rest && !isSummary) {
      const lines = rest.split("\n").filter((line) => line.startsWith("- ")).length, box = el("details", "came");
      put(box, el("summary", null, `How it came about: ${count(lines, member(answer.table))} one by one`), blocks(el("div", "text"), rest, this.chips(known)));
      box.open = lines <= 8 && known.size > 0;
      this.box.append(box);
    }
    if (answer.clarification) put(this.box, this.clarify(answer));
    const isPart = answer.planned && answer.route === "structured" && ledger.other_kinds?.some((each) => each.kind);
    const countAll = isPart ? () => { this.asking(answer.question); this.send("all_kinds", Date.now()); } : null;
    this.parts.ledger = new LedgerBar(ledger, this.base(), this.token(), (part, number) => this.openPlace(part, number), countAll, isSaid);
    put(this.box, this.parts.ledger.box, this.estimate(answer));
  }

  // The same with all amounts in one currency, by the rates that an admin set.
  convert({ question, converts_to: into }) {
    const button = this.button(`Convert to ${into}`, () => { button.disabled = true; this.asking(question); this.send("convert", { into, at: Date.now() }); }, "part other", { title: "Ask the same by the exchange rates in Settings" });
    return button;
  }

  // What is not certain, too, as an interval: beside the ledger, never instead of it.
  estimate({ estimate, ledger, value }) {
    if (!estimate) return null;
    const amount = value && value.type !== "text" && value.unit, said = (n) => amount ? worded({ ...value, value: String(n) }) : n.toLocaleString("en", { maximumFractionDigits: 1 });
    const unsure = ledger.uncertain - (ledger.pending || 0), unread = ledger.pending ? `, ${ledger.pending.toLocaleString("en")} still to be read` : "";
    const sure = amount ? `${worded(value)} for sure, ${count(unsure, "document")} not sure${unread}` : `${ledger.present.toLocaleString("en")} for sure, ${unsure.toLocaleString("en")} not sure${unread}`;
    return el("p", "estimate", `${sure}; about ${said(estimate.value)} (${said(estimate.low)} to ${said(estimate.high)})`, { title: `With the probabilities of what is not sure: ${Math.round(estimate.level * 100)} of 100 such intervals hold the true figure.` });
  }

  reading(answer) {
    if (!answer.reading?.length) return null;
    this.parts.reading = new ReadingLine(answer, this.readingView());
    if (this.refocus && !this.whole) { const { at } = this.refocus; this.refocus = null; queueMicrotask(() => this.parts.reading?.focus(at)); }
    return this.parts.reading.box;
  }

  readingView() {
    const { changed, remembered, reused, refusal } = this.data;
    const anew = (name, value) => { this.redraws(this.parts.reading?.at || 0); this.send(name, { ...value, at: Date.now() }); };
    return {
      base: this.base(), changed, remembered, reused, refusal: refusal ? refusal.slice(1) : null,
      change: (change) => anew("change", change), take: (number) => anew("reading", { number }),
      restore: () => anew("restore", {}), forget: () => this.send("forget", { at: Date.now() }),
    };
  }

  // The answer stays where it is until the other one is there.
  redraws(at) {
    const { whole } = this, view = whole || this;
    view.refocus = { of: whole ? whole.views.indexOf(this) : 0, at };
    view.box.classList.add("anew");
  }

  base() { return `/api/conversations/${encodeURIComponent(this.data.conversation)}/turns/${encodeURIComponent(this.data.turn)}`; }
  token() { return `${this.data.conversation}.${this.data.turn}`; }
  openPlace(part, number) { this.point(part, number); this.send("place", { part, number, at: Date.now() }); }

  // Mark what is opened, and nothing else; of several questions in one, in all of them.
  point(kind, number) {
    const view = this.whole || this;
    view.data.shown = [kind, number, this.whole ? String(view.views.indexOf(this)) : ""];
    view.mark();
  }

  understood(answer) {
    const known = answer.understood || [];
    if (!known.length) return null;
    const lines = known.map((each) => put(el("p", null, "Understood “"), each.phrase, "” as ", el("strong", null, each.meaning), ", as chosen in this conversation."));
    const afresh = this.button("Ask me again", () => { this.asking(answer.question); this.send("afresh", Date.now()); }, "quiet", { title: "Ask the same without what was chosen" });
    put(lines.at(-1), " ", afresh);
    return put(el("div", "understood"), ...lines);
  }

  // What came of it once the rest was read; what stood here before is a click away.
  later({ update }) {
    if (!update) return null;
    return put(el("details", "update"), el("summary", null, update.note, { role: "status" }), blocks(el("div", "text"), update.text, () => null));
  }

  clarify(answer) {
    const choose = (choice) => { this.asking(choice.question); this.send("choose", { ...choice, at: Date.now() }); };
    this.parts.clarify = new ClarifyCard(answer.clarification, answer.question, {
      choose, export: answer.table ? `${this.base()}/table` : null, isAnswered: answer.status !== "clarify",
      everything: () => { this.asking(answer.question); this.send("everything", Date.now()); },
      have: () => { this.asking(answer.question); this.send("have", Date.now()); },
    });
    return this.parts.clarify.box;
  }

  drawMissing(state) {
    const words = { stopped: "Stopped before there was an answer.", interrupted: "This answer was interrupted before it was complete." };
    put(this.box, el("p", "verdict", words[state] || "No answer was stored for this question."),
      put(el("div", "actions"), this.button("Ask again", () => this.again(), "quiet")));
  }

  verdict(answer) {
    const words = {
      abstained: ["○", "Not answered: the evidence is too thin."],
      clarify: ["?", "The question needs another word."],
      refused: ["■", "Refused."],
      failed: ["■", "This did not work."],
    }[answer.status];
    return put(el("p", `verdict ${answer.status}`), el("span", "sign", words[0], { "aria-hidden": "true" }), el("strong", null, words[1]));
  }

  // The first line where it is the value alone, as the answer words it: it stands large above the text.
  lead(answer) {
    const found = answer.value && answer.text.match(/^\*\*([^*\n]+)\*\*\n/);
    return found ? plainly(squeeze(found[1])) : null;
  }

  value(value, lead) {
    if (lead) return put(el("p", "value"), el("span", "number", lead, { title: value.type === "date" ? value.value : null }));
    const unit = value.unit && value.type !== "money" ? el("span", "unit", value.unit) : null;
    return put(el("p", "value"), el("span", "number", worded(value)), unit);
  }

  // A chip for [n] where n is a citation of this answer; null leaves the text as it is.
  chips(known) {
    return (n) => known.has(n) ? this.chip(known.get(n)) : null;
  }

  chip(citation) {
    const chip = el("button", "chip", citation.n, { type: "button", "aria-label": `Citation ${citation.n}: ${citation.title}, page ${citation.page}`, "data-n": citation.n });
    const standing = this.standing(citation);
    if (isStale(standing)) {
      chip.classList.add("stale");
      chip.setAttribute("aria-label", `${chip.getAttribute("aria-label")}. ${standing.note}`);
    }
    chip.onclick = () => { this.hide(); this.open(citation.n); };
    chip.onmouseenter = chip.onfocus = () => this.show(chip, citation);
    chip.onmouseleave = chip.onblur = () => this.hide();
    chip.onkeydown = (event) => {
      if (event.key === "Escape") return this.hide();
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const chips = [...this.box.querySelectorAll(".text .chip")], to = chips[chips.indexOf(chip) + step];
      if (!to) return;
      to.focus();
      if (this.cited() !== null) this.open(Number(to.dataset.n));
    };
    return chip;
  }

  // How a citation stands in its document as it is now; undefined where that is as it was.
  standing(citation) { return this.data.answer?.standings?.[citation.n]; }

  // One line for all that has changed under an answer.
  stale(answer) {
    const found = Object.values(answer.standings || {}).filter(isStale);
    if (!found.length) return null;
    const notes = [...new Set(found.map((each) => each.note))];
    const lost = found.filter((each) => !each.stands).length, kept = found.length - lost;
    const told = [lost ? `${count(lost, "citation")} no longer ${lost === 1 ? "stands" : "stand"} as cited` : "",
      kept ? `${count(kept, "citation")} ${kept === 1 ? "stands" : "stand"} in changed text` : ""].filter(Boolean).join(", ");
    const said = found.length === 1 ? notes[0] : `${told}${notes.length === 1 ? `: ${notes[0]}` : ". Open them for old and new text."}`;
    return put(el("p", "standing"), el("span", "sign", "◆"), ` ${said}`);
  }

  open(n) { this.point("cite", n); this.send("cite", { n, at: Date.now() }); }
  cited() { return this.data.shown?.[0] === "cite" ? this.data.shown[1] : null; }

  mark() {
    for (const select of this.box.querySelectorAll(".why")) { select.hidden = this.data.feedback !== "wrong"; select.value = this.data.why || ""; }
    for (const said of this.box.querySelectorAll(".reviewed")) { said.textContent = this.data.reviewed || ""; said.hidden = !this.data.reviewed; }
    for (const button of this.box.querySelectorAll("[data-feedback]")) button.setAttribute("aria-pressed", String(button.dataset.feedback === this.data.feedback));
    if (this.views) return this.markParts();
    const cite = this.cited(), near = this.data.shown?.[0] === "near" ? this.data.shown[1] : null;
    this.parts?.table?.mark(this.data.shown);
    this.parts?.ledger?.mark(this.data.shown);
    for (const item of this.box.querySelectorAll(".everything .document")) item.classList.toggle("on", this.data.shown?.[0] === "item" && Number(item.dataset.number) === this.data.shown[1]);
    for (const chip of this.box.querySelectorAll(".chip")) {
      const on = Number(chip.dataset.n) === cite;
      chip.classList.toggle("on", on);
      setCurrent(chip, on);
    }
    this.box.querySelector("[data-plan]")?.setAttribute("aria-pressed", String(this.data.shown?.[0] === "plan"));
    this.box.querySelectorAll(".near").forEach((card, i) => card.classList.toggle("on", i === near));
  }

  markParts() {
    const { shown } = this.data;
    this.views.forEach((view, at) => { view.data.shown = shown?.[2] === String(at) ? shown : null; view.mark(); });
  }

  show(chip, citation) {
    this.card.replaceChildren(
      el("div", "title", citation.title),
      el("div", "place", `Page ${citation.page} · ${citation.source}${citation.version > 1 ? ` · version ${citation.version}` : ""}`),
      el("div", "quote", `“${brief(squeeze(citation.quote), 320)}”`));
    const standing = this.standing(citation);
    if (standing) this.card.append(el("div", isStale(standing) ? "standing" : "place", standing.note));
    if (!this.card.matches(":popover-open")) this.card.showPopover?.();
    placeBeside(this.card, chip, { gap: 6, indent: 12 });
  }

  hide() { if (this.card.matches(":popover-open")) this.card.hidePopover(); }

  table(answer) {
    const { table } = answer;
    this.parts.table = new AnswerTable(table, this.base(), this.token(), {
      chip: (at, text) => { const found = stated(this.citesRow(table, at), text); return found ? this.chip(found) : null; },
      open: (at) => this.openRow(table, at),
      place: (part, number) => this.openPlace(part, number),
    });
    return this.parts.table.box;
  }

  cites(document) { return [...this.known.values()].filter((c) => c.document === document); }

  // The citations of a row: its own where the answer says which; else those of its document, where that has one row.
  citesRow(table, at) {
    if (table.citations?.length) return (table.citations[at] || []).map((n) => this.known.get(n)).filter(Boolean);
    const id = table.documents[at];
    return table.documents.indexOf(id) === table.documents.lastIndexOf(id) ? this.cites(id) : [];
  }

  // The words that a row rests on: its citation, or where the document states what the row says.
  openRow(table, at) {
    const [first] = this.citesRow(table, at);
    if (first) this.open(first.n); else this.openPlace("row", at);
  }

  confidence(answer) {
    const label = answer.confidence_label, cited = [...this.known.values()], documents = new Set(cited.map((c) => c.document)).size;
    const checks = answer.claims.flatMap((c) => c.checks), held = checks.filter((c) => c.ok).length;
    const why = [];
    const quotes = `${count(cited.length, "quote")} from ${count(documents, "document")}`;
    const doubted = answer.claims.filter((c) => c.checks.some((check) => !check.ok)).length;
    const checked = doubted ? "the rest checked by rules" : "every one checked", found = doubted ? "the rest found again word for word" : "every one found again word for word";
    if (cited.length) why.push(answer.written_by ? `${count(answer.claims.length, "sentence")} on ${quotes}` : quotes);
    if (cited.length && doubted) why.push(answer.written_by ? `${count(doubted, "sentence")} that rules could not tell held up by the checking model` : `${count(doubted, "quote")} not found again`);
    if (cited.length) why[why.length - 1] += `, ${answer.written_by ? checked : found}`;
    if (answer.ledger && !cited.length) why.push(`computed over ${count(answer.ledger.scope, "document")}`);
    if (answer.status === "partial") why.push("not every part of the question is covered");
    return put(el("p", "evidence"),
      el("span", `badge ${label.toLowerCase()}`, `${SIGN[label]} ${WORD[label]}`, { title: `${Math.round(answer.confidence * 100)} of 100` }),
      el("span", "why", why.join(" · "), { title: checks.length ? `${held} of ${count(checks.length, "check")} held: quotes, words and numbers` : null }));
  }

  notes(answer) {
    const words = answer.gaps.filter((text) => !isSentence(text)), abstained = answer.status === "abstained";
    const unique = (list, text) => list.filter((each, at) => list.findIndex((other) => text(other) === text(each)) === at);
    const lines = [
      ...(words.length && !abstained ? [["gap", words.length === 1 ? "Word of the question that no quote has" : "Words of the question that no quote has", words.join(" · ")]] : []),
      ...[...new Set(answer.gaps.filter(isSentence))].map((text) => ["gap", "Note", text]),
      ...answer.conflicts.map((c) => ["gap", "Conflict", `${c.subject}, ${c.field}: ${c.values.join(" against ")}`]),
      ...unique(answer.degradations, (d) => d.message).map((d) => ["gap", `Limited (${d.code})`, d.message]),
    ];
    if (!lines.length) return null;
    return put(el("ul", "notes"), ...lines.map(([name, word, text]) => put(el("li", name), el("strong", null, `${word}: `), text)));
  }

  searched(answer) {
    const box = el("div", "searched"), attempts = answer.clarification?.attempts || [];
    put(box, el("h4", null, "What was searched"), el("p", null, this.data.scope));
    if (attempts.length) put(box, put(el("ul"), ...attempts.map((a) => el("li", null, `${a.args.text || a.args.query || a.tool}: ${a.hits ? count(a.hits, "hit") : "nothing found"}`))));
    return attempts.length || (answer.route !== "none" && !/searched/i.test(answer.text)) ? box : null;
  }

  nearest(answer) {
    if (!answer.nearest.length) return null;
    const cards = answer.nearest.map((near, i) => {
      const card = makeButton("near", null, () => this.send("near", { i, at: Date.now() }), { "aria-label": `Nearest passage ${i + 1}: ${near.title}, page ${near.page}` });
      return put(card, el("span", "title", `${near.title}, page ${near.page}`), el("span", "quote", brief(squeeze(near.quote), 220)));
    });
    return put(el("div", "nearest"), el("h4", null, "The nearest passages"), ...cards);
  }

  next(answer) {
    if (answer.ledger && answer.clarification) return null;  // the card says it
    const hints = answer.clarification?.hints || [];
    const said = answer.clarification?.reason, reason = said && !answer.text.includes(said) ? said : null;
    if (!hints.length && !reason) return null;
    return put(el("div", "hints"), el("h4", null, "What to try next"), reason ? el("p", null, reason) : null, hints.length ? put(el("ul"), ...hints.map((h) => el("li", null, h))) : null);
  }

  sources(answer) {
    if (!answer.sources.length) return null;
    const lines = answer.sources.map((s) => {
      const open = makeButton("source", null, () => this.open(s.n));
      const alike = answer.copies?.[s.document]?.length;
      put(open, el("span", "n", s.n), el("span", "title", s.title), alike ? el("span", "copies", count(alike + 1, "copy", "copies"), { title: "Files of the same words: they are counted once" }) : null, el("span", "place", `page${s.pages.length > 1 ? "s" : ""} ${s.pages.join(", ")} · ${s.source}`));
      return put(el("li"), open);
    });
    const box = el("details", "sources");
    box.open = lines.length <= 3;
    return put(box, el("summary", null, count(lines.length, "source")), put(el("ol"), ...lines));
  }

  followUps(answer) {
    if (!answer.follow_ups?.length) return null;
    return put(el("div", "followups", null, { role: "group", "aria-label": "Follow-up questions" }),
      ...answer.follow_ups.slice(0, 3).map((text) => this.button(text, () => this.ask(text), "follow")));
  }

  ask(text) { this.asking(text); this.send("ask", { text, at: Date.now() }); }
  again() { this.asking(this.data.question); this.send("again", Date.now()); }
  asking(text) { dispatchEvent(new CustomEvent("groundwork:asking", { detail: { text } })); }

  button(text, act, name = "quiet", attributes = {}) {
    const made = makeButton(name, text, () => act(made), attributes);
    return made;
  }

  actions(answer) {
    const base = this.base();
    const link = new URL(location.pathname, location.origin);
    link.search = new URLSearchParams({ conversation: this.data.conversation, turn: this.data.turn }).toString();
    const judge = (word, label) => this.button(label, () => { this.data.feedback = this.data.feedback === word ? "" : word; this.mark(); this.send("feedback", { word: this.data.feedback, at: Date.now() }); }, "quiet judge", { "data-feedback": word, "aria-pressed": "false" });
    const row = el("div", "actions", null, { role: "group", "aria-label": "Actions" });
    const plan = answer.planned ?? answer.plan?.nodes?.length ? this.button("Plan", () => this.openPlace("plan", 0), "quiet", { "data-plan": "", "aria-label": "Open the plan of this answer" }) : null;
    const map = answer.map ? el("a", "quiet", "On the map", { href: answer.map, "aria-label": "Show these ways on the map" }) : null;
    if (this.whole) return plan && answer.status !== "clarify" ? put(row, plan, map) : null;  // the rest is said of all of them together
    if (answer.status === "clarify") return put(row, this.button("Copy link", (b) => this.copy(b, link.href)));  // nothing is answered or cited yet
    put(row, this.button("Copy with citations", (b) => this.copy(b, this.plain(answer))), this.button("Copy link", (b) => this.copy(b, link.href)), this.button("Share", () => this.send("share", { at: Date.now() }), "quiet", { "data-share": "", "aria-label": "Share this answer with others by a link" }),
      el("a", "quiet", "Markdown", { href: `${base}.md`, download: "", "aria-label": "Download as Markdown" }), el("a", "quiet", "JSON", { href: `${base}.json`, download: "", "aria-label": "Download as JSON" }));
    if (answer.status === "failed" || answer.model_use) put(row, this.button(answer.status === "failed" ? "Ask again" : "Regenerate", () => this.again()));
    return put(row, plan, map, el("span", "gapped", "Was this right?"), judge("right", "Right"), judge("wrong", "Wrong"), this.why(), el("p", "reviewed", "", { role: "note" }));
  }

  // The reason why it was not right, once it was said that it was not.
  why() {
    const select = el("select", "why", null, { "aria-label": "What is wrong?" });
    for (const [value, word] of this.data.reasons || []) put(select, el("option", null, value ? word : "What is wrong?", { value }));
    select.hidden = true;
    select.onchange = () => { this.data.why = select.value; this.send("feedback", { word: "wrong", why: select.value, at: Date.now() }); };
    return select;
  }

  plain(answer) {
    if (answer.parts?.length) return answer.parts.map((part, at) => this.views[at].plain(part)).join("\n\n");
    const notes = [...this.known.values()].sort((a, b) => a.n - b.n).map((c) => `[${c.n}] ${c.title}, page ${c.page} (${c.source}): “${squeeze(c.quote)}”`);
    const made = (answer.calculations || []).map(calculationText);
    return [answer.question, "", answer.text, ...(made.length ? ["", ...made] : []), ...(notes.length ? ["", ...notes] : [])].join("\n");
  }

  async copy(button, text) {
    const label = button.dataset.label || (button.dataset.label = button.textContent);
    try { await navigator.clipboard.writeText(text); } catch {
      const area = el("textarea", "away");
      area.value = text;
      this.root.append(area); area.select(); document.execCommand("copy"); area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1600);
  }

  how(answer) {
    if (this.whole) return null;
    const steps = Object.entries(answer.timings_ms || {}).filter(([name]) => name !== "total"), total = answer.timings_ms?.total;
    const line = total === undefined ? "How this was answered" : `Answered in ${time(total)}`;
    const box = el("details", "how");
    put(box, el("summary", null, line));
    box.ontoggle = () => { if (box.open && !box.dataset.full) { box.dataset.full = "1"; this.trace(box, answer, steps); } };
    return box;
  }

  async trace(box, answer, steps) {
    const rows = [];
    let events = [];
    try {
      events = (await call(`traces/${encodeURIComponent(answer.trace_id)}`)).events;
      const plan = events.find((e) => e.type === "plan_drawn")?.plan;
      for (const e of events) if (e.type === "guarded") rows.push([e.verdict.detail, "", e.verdict.name]);
      else if (e.type === "stage_finished") {
        rows.push([e.label, time(e.latency_ms), [e.source, ...Object.entries(e.counts).map(([k, v]) => `${v.toLocaleString("en")} ${k.replaceAll("_", " ")}`)].filter(Boolean).join(" · ")]);
        if (e.stage === "compute" && plan) rows.push(...nodeRows(plan, events));
        for (const [name, ms] of steps) if (name.startsWith(`${e.stage}.`)) rows.push([`· ${name.slice(e.stage.length + 1)}`, time(ms), ""]);
      }
    } catch { for (const [name, ms] of steps) rows.push([name, time(ms), ""]); }
    if (rows.length) put(box, table(["Step", ["Took", "right"]], rows.map(([step, took]) => [step, took]), { titles: rows.map(([, , inner]) => inner) }));
    put(box, ...callRows(answer, events));
    const checks = answer.claims.map((claim) => put(el("li"), el("span", null, `${claim.verdict === "unsupported" ? "■ Not supported" : claim.verdict === "computed" ? "● Computed" : "● Supported"}: `), brief(squeeze(claim.text), 160),
      claim.checks.length ? el("span", "faint", ` (${claim.checks.map((c) => `${c.ok ? "✓" : "✕"} ${CHECK[c.name] || c.name.replaceAll("_", " ")}${c.detail ? ` ${c.detail}` : ""}`).join("; ")})`) : null));
    if (checks.length) put(box, el("h4", null, "Claims and their checks"), put(el("ul"), ...checks));
    put(box, put(el("details"), el("summary", null, "For support"), el("p", "faint", `Kind: ${answer.kind} · way: ${answer.route.replace("_", " ")} · data version ${answer.data_version} · trace ${answer.trace_id || "none"}`)));
  }
}

export default mount(View);
