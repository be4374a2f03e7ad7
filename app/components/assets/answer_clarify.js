// What is asked back: why, what was tried, what there is to choose; anything else can be typed.

import { count, el, makeButton, put, table } from "./dom.js";
import { files } from "./answer_list.js";

const TITLE = {
  vague: "Which do you mean?",
  no_low: "Nothing fits so far",
  overload: "Too much fits",
};
const TOOL = { names: "Looked for the name", documents: "Looked for the document", fields: "Looked among the fields", search_text: "Searched the words", search_semantic: "Searched by meaning", annotations_search: "Looked among the values", annotations_aggregate: "Counted values", get_document_metadata: "Looked up the document", select: "Asked every document", search: "Searched", hop: "Looked up", combine: "Combined", aggregate: "Computed", read: "Read" };
const WORDS = ["text", "query", "name", "purpose", "phrase", "field"];

export class ClarifyCard {
  // choose({question, label, phrase, option}), everything(), have(): what a click does; export: the address of all that
  // fits, without its ending; isAnswered: there is an answer above, and this says how to narrow it
  constructor(clarification, question, { choose, everything, have, export: file, isAnswered }) {
    this.box = el("section", `askback ${clarification.type}`, null, { role: "dialog", "aria-modal": "false", "aria-labelledby": "clarify-title", tabindex: "-1" });
    const choices = clarification.options || [];
    put(this.box, el("h3", null, TITLE[clarification.type] || "One more word, please", { id: "clarify-title" }), el("p", "reason", clarification.reason));
    if (choices.length) put(this.box, put(el("div", "choices", null, { role: "group", "aria-label": "What you may mean" }), ...choices.map((each, at) => this.choice(each, at, clarification, choose))));
    else if (clarification.hints.length) put(this.box, put(el("ul", "hints"), ...clarification.hints.map((hint) => el("li", null, hint))));
    put(this.box, this.free(clarification, question, choose), this.others(clarification, { everything, have, file, isAnswered }), this.tried(clarification));
  }

  choice(each, at, clarification, choose) {
    const button = el("button", "choice", null, { type: "button" });
    put(button, el("span", "label", each.label), each.documents === null || each.documents === undefined ? null : el("span", "count", count(each.documents, "document")));
    button.onclick = () => choose({ question: each.question, label: each.label, phrase: clarification.phrase, option: at });
    return button;
  }

  free(clarification, question, choose) {
    const form = el("form", "free"), said = clarification.phrase ? `Instead of “${clarification.phrase}”` : "The question in other words";
    const field = el("input", null, null, { type: "text", maxlength: "2000", "aria-label": said, placeholder: said });
    if (!clarification.phrase) field.value = question;
    const send = el("button", "choice", "Ask", { type: "submit" });
    form.onsubmit = (event) => {
      event.preventDefault();
      const words = field.value.trim();
      if (!words) return;
      const at = clarification.phrase ? question.toLowerCase().indexOf(clarification.phrase.toLowerCase()) : -1;
      const asked = at < 0 ? words : question.slice(0, at) + words + question.slice(at + clarification.phrase.length);
      choose({ question: asked, label: words, phrase: at < 0 ? "" : clarification.phrase });
    };
    return put(form, field, send);
  }

  others(clarification, { everything, have, file, isAnswered }) {
    const button = (label, act, why) => makeButton("quiet", label, act, { title: why });
    const row = put(el("div", "others"), isAnswered ? null : button("Search everything", everything, "Search the text of all documents for the question as it stands"));
    if (!isAnswered) put(row, button("Show what you have", have, "Show what was found, as far as it goes"));
    const stored = /^\//.test(clarification.export || "") ? clarification.export.replace(/\.\w+$/, "") : file;
    if (clarification.type === "overload" && stored) put(row, el("span", "faint", "All that fits:"), ...files(stored, "all that fits"));
    return row;
  }

  tried(clarification) {
    if (!clarification.attempts.length) return null;
    const lines = clarification.attempts.map((each) => {
      const word = WORDS.map((name) => each.args[name]).find((value) => typeof value === "string" && value);
      const rest = Object.entries(each.args).filter(([name, value]) => value !== word && value !== "" && value !== null && !(Array.isArray(value) && !value.length)).map(([name, value]) => `${name.replaceAll("_", " ")} ${Array.isArray(value) ? value.join(", ") : value}`);
      return [TOOL[each.tool] || each.tool.replaceAll("_", " "), [word && `“${word}”`, ...rest].filter(Boolean).join(" · ") || "–", each.hits ? count(each.hits, "hit") : "nothing"];
    });
    const box = put(el("details", "tried"), el("summary", null, `What was tried: ${count(lines.length, "attempt")}`), table(["Tried", "For", ["Found", "right"]], lines));
    box.open = clarification.type !== "vague";
    return box;
  }

  // Into the dialog when it has just opened, unless the person is typing the next question already.
  focus() {
    const typed = document.querySelector("[data-testid=stChatInputTextArea]");
    if (typed && typed.value) return;
    (this.box.querySelector(".choices .choice") || this.box.querySelector("input")).focus({ preventScroll: true });
  }
}
