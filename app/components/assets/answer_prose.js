// Prose of a language model: as it is written and checked, what was struck from it, the answer without it, and what it cost.

import { count, el, number, put, squeeze, table, time, worded } from "./dom.js";
import { blocks } from "./markdown.js";

const ROLE = { standalone: "Read the conversation", plan: "Plan", write: "Write", verify: "Check", read: "Read cells", agent: "Call tools", test: "Test" };
const ENDED = { done: "done", repaired: "done, after a repair", invalid: "no usable reply", timed_out: "out of time", rate_limited: "over the server's limit", too_large: "too large", refused_key: "key refused", unavailable: "server did not answer", cut_short: "broke off", filtered: "cut off by the server's filter", over_budget: "over the budget, not sent", circuit_open: "server failed before, not sent", stopped: "stopped" };
const READER = { rules: "the rules", reader: "the trained reader", model: "the language model", person: "you" };
export const readBy = (reader) => READER[reader] || "";
export const CHECKED = { ids: "cites evidence that there is", amounts: "every amount and unit is there", signs: "every sign is as there", counts: "every place and small count is there", dates: "every date is there", names: "every name is there", places: "every figure, unit, name and denial stands between the same words as there", support: "its words are borne by what it cites", cells: "every figure of a table stands in the row and under the year that it is said of", rates: "every rate is of what it is there", model: "the checking model agrees" };
const money = (usd) => usd === null || usd === undefined ? "" : `$${usd.toFixed(usd < 0.01 ? 4 : 2)}`;

// While it is written: every sentence in its own span, grey until its checks are through.
export class LiveProse {
  constructor() {
    this.box = el("p", "prose live", null, { "aria-live": "polite" });
    this.sentences = new Map();
  }

  sentence({ index, attempt = 1 }) {
    const key = `${attempt}.${index}`;
    if (!this.sentences.has(key)) {
      const span = el("span", "writing");
      this.sentences.set(key, span);
      put(this.box, span, " ");
    }
    return this.sentences.get(key);
  }

  write(event) { this.sentence(event).append(event.text); }

  keep({ index, claim }) {
    const span = this.sentences.get(`2.${index}`) || this.sentence({ index });
    span.className = "kept";
    span.textContent = claim.text;
    put(span, el("span", "sign", " ✓", { title: "Its checks are through" }));
  }

  strike(event) {
    const span = this.sentence(event);
    span.className = "struck";
    span.textContent = event.claim.text;
    span.title = event.claim.reason;
  }
}

// What was struck: never part of the answer, always there to be looked at.
export function struckBox(answer) {
  if (!answer.struck?.length) return null;
  const removed = answer.struck.filter((each) => !each.is_replaced).length, again = answer.struck.length - removed;
  const why = removed === 1 ? "was removed because its check failed" : "were removed because their checks failed";
  const rewritten = again ? `${count(again, "sentence")} ${again === 1 ? "was" : "were"} written once more` : "";
  const some = removed ? count(removed, "sentence") : rewritten;
  const box = el("details", "removed"), was = [...(removed ? [why] : []), ...(removed && again ? [rewritten] : []), ...(answer.written_by ? [] : ["nothing else was written"])].join(", ");
  const items = answer.struck.map((each) => put(el("li"), el("s", null, squeeze(each.text)), el("span", "faint", ` ${each.reason}${each.is_replaced ? " It was written once more." : ""}`)));
  return put(box, put(el("summary"), el("strong", null, `${some} `), `${was}${was ? ". " : "· "}Show what was removed`), put(el("ul"), ...items));
}

// What code calculated of cited figures: each line with the figures as they are written, and chips of where they stand.
export function calculationLines(answer, chip) {
  if (!answer.calculations?.length) return null;
  const lines = answer.calculations.map((each) => {
    const cited = new Map(each.figures.flatMap((figure) => figure.citations).map((c) => [c.n, c]));
    const line = put(el("li"), el("span", null, `${each.label} = `), el("span", "shown", each.shown), " = ", el("strong", null, result(each.value)), " ");
    return put(line, ...[...cited.values()].map(chip));
  });
  return put(el("section", "calculations", null, { "aria-label": "Calculated" }), el("h4", null, "Calculated"), put(el("ul"), ...lines));
}

export const calculationText = (each) => `${each.label} = ${each.shown} = ${result(each.value)}${[...new Set(each.figures.flatMap((figure) => figure.citations).map((c) => ` [${c.n}]`))].join("")}`;
const result = (value) => value.type === "money" || !value.unit ? worded(value) : `${worded(value)}${value.unit === "%" ? "" : " "}${value.unit}`;

// The same evidence without the model, side by side.
export function besideBox(answer, chips) {
  if (!answer.quoted) return null;
  const box = el("details", "beside"), known = new Map(answer.quoted.claims.flatMap((c) => c.citations).map((c) => [c.n, c]));
  const column = (name, text, cite) => put(el("section", null, null, { "aria-label": name }), el("h4", null, name), blocks(el("div", "text"), text, cite));
  const cited = (n) => known.has(n) ? el("sup", "faint", `${n}`, { title: `${known.get(n).title}, page ${known.get(n).page}: “${squeeze(known.get(n).quote)}”` }) : null;
  return put(box, el("summary", null, "Compare with the answer without the model"), put(el("div", "columns"), column(`Written by ${answer.written_by}`, answer.text, chips), column("Quotes alone", answer.quoted.text, cited)));
}

// A follow-up as it was understood; changing it asks the changed question.
export function standaloneBox(answer, ask) {
  if (!answer.standalone) return null;
  const box = el("p", "standalone"), edit = el("button", "quiet", "Edit and ask", { type: "button" });
  edit.onclick = () => {
    const field = el("textarea", null, null, { rows: 2, "aria-label": "The question as it stands alone" }), go = el("button", "quiet", "Ask this", { type: "button" });
    field.value = answer.standalone;
    go.onclick = () => { if (field.value.trim()) ask(field.value.trim()); };
    field.onkeydown = (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); go.click(); } if (event.key === "Escape") box.replaceWith(standaloneBox(answer, ask)); };
    box.replaceChildren(field, go);
    field.focus();
  };
  return put(box, el("span", "faint", "Understood as: "), answer.standalone, " ", edit);
}

// Who wrote it and what that took, in a line.
export function useLine(answer) {
  const use = answer.model_use;
  if (!use?.calls.length) return null;
  const tokens = use.calls.reduce((sum, each) => sum + each.prompt_tokens + each.completion_tokens, 0), costs = use.calls.map((each) => each.cost_usd).filter((cost) => cost !== null);
  const cost = costs.length ? money(costs.reduce((sum, each) => sum + each, 0)) : "";
  const who = answer.written_by ? `Written by ${answer.written_by}, every sentence checked` : answer.planned_by === "model" ? "Read by the language model" : "Answered without the model's words";
  return el("p", "use faint", [who, count(use.calls.length, "model call"), count(tokens, "token"), cost].filter(Boolean).join(" · "));
}

// What the calls of a stage took so far, beside its time.
export class StageUse {
  constructor(line) {
    this.box = el("span", "elapsed");
    this.tokens = 0; this.cost = null;
    line.append(this.box);
  }

  add({ call }) {
    this.tokens += call.prompt_tokens + call.completion_tokens;
    if (call.cost_usd !== null) this.cost = (this.cost || 0) + call.cost_usd;
    this.box.textContent = [count(this.tokens, "token"), money(this.cost)].filter(Boolean).join(" · ");
  }
}

// A tool that a model called, as it happens: its arguments, and how much it found.
export const toolLine = (event) => el("li", "tool", `${called(event)} · ${count(event.hits, "hit")} · ${time(event.latency_ms)}`);

const called = (event) => `${event.tool} (${Object.entries(event.arguments).map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ")})`;

// Every call and every tool, for whoever wants to know; of an answer that was stopped, the trace knows the call that was.
export function callRows(answer, events) {
  const tools = events.filter((event) => event.type === "tool_used").map((event) => {
    return put(el("li"), put(el("details"), el("summary", null, [called(event), count(event.hits, "hit"), time(event.latency_ms), event.tokens && count(event.tokens, "token")].filter(Boolean).join(" · ")), el("pre", null, event.result)));
  });
  const used = answer.model_use?.calls || [], told = events.filter((event) => event.type === "model_called").map((event) => event.call);
  const calls = told.length > used.length ? told : used;
  const rows = calls.map((call) => [ROLE[call.role] || call.role, `${call.model}, ${call.prompt}`, ENDED[call.outcome] || call.outcome, number(call.prompt_tokens + call.completion_tokens), money(call.cost_usd) || "–", call.attempts ? time(call.latency_ms) : "–"]);
  const said = events.filter((event) => event.type === "question_read").flatMap((event) => event.parts).map((part) => [part.part, part.said, part.is_used ? "● used" : "○ not used", part.why]);
  const heads = ["For", "Model and prompt", "Ended", ...["Tokens", "Cost", "Took"].map((name) => [name, "right"])];
  return [
    ...(said.length ? [el("h4", null, "What the model said of the question"), table(["Part", "Said", "Used", "Why"], said)] : []),
    ...(calls.length ? [el("h4", null, "Calls of the language model"), table(heads, rows, { titles: calls.map((call) => call.detail) })] : []),
    ...(tools.length ? [el("h4", null, "Tools that the model called"), put(el("ul"), ...tools)] : []),
  ];
}
