// The ledger of an answer: one bar of four parts that add up to the scope; each part opens its documents.
// What is uncertain only because it is still being read stands apart, as a fifth.

import { count, el, put } from "./dom.js";
import { DocumentList, FULFILS, PARTS, called } from "./answer_list.js";

export class LedgerBar {
  // countAll: asks the same of documents of every kind; null where no kind is left out. isSaid: the scope is, above.
  constructor(ledger, base, turn, open, countAll, isSaid) {
    this.ledger = ledger;
    const pending = ledger.pending || 0;
    this.numbers = { ...ledger, pending, uncertain: ledger.uncertain - pending };
    this.shown = Object.entries(PARTS).filter(([part]) => part !== "pending" || pending);
    this.list = new DocumentList(base, turn, open);
    this.list.closed = () => { const button = this.buttons[this.list.part]; this.toggle(null); button?.focus(); };
    this.box = put(el("section", "ledger", null, { "aria-label": "Ledger" }), ledger.about || ledger.promise ? el("p", "asked", [ledger.about && `Asked about ${ledger.about}`, ledger.promise && `clauses decided at the level ${ledger.promise}`].filter(Boolean).join(" · ").replace(/^c/, "C")) : null, this.sum(), this.bar(), this.scope(countAll, isSaid), ledger.by_model ? el("p", "asked by-model", `◇ ${ledger.model_said || `${count(ledger.by_model, "document")} of these ${ledger.by_model === 1 ? "rests" : "rest"} on cells that the language model read and nobody has checked`}`) : null, ...[ledger.copies_said && `Copies are counted once: ${ledger.copies_said}`, ledger.gaps_said].filter(Boolean).map((text) => el("p", "asked", text)), this.list.box);
  }

  sum() {
    const line = el("p", "sum"), { ledger } = this;
    this.buttons = {};
    put(line, el("strong", null, ledger.scope.toLocaleString("en")), " in scope =");
    this.shown.forEach(([part, { sign }], at) => {
      const button = this.buttons[part] = el("button", `part ${part}`, null, { type: "button", "aria-expanded": "false" });
      put(button, el("span", "sign", sign, { "aria-hidden": "true" }), ` ${this.numbers[part].toLocaleString("en")} ${called(ledger, part)}`);
      button.disabled = !this.numbers[part];
      button.onclick = () => this.toggle(part);
      put(line, at ? " + " : " ", button);
    });
    return line;
  }

  // What is beside the scope, and one click to have other kinds counted, too.
  scope(countAll, isSaid) {
    const { other_kinds: others = [], scope_said: said } = this.ledger;
    const kinds = others.filter((each) => each.kind).map((each) => `${each.kind.replaceAll("_", " ")} (${each.documents.toLocaleString("en")})`);
    const text = isSaid && kinds.length ? `Left out: ${kinds.join(", ")}` : isSaid ? "" : said;
    if (!text) return null;
    const chip = countAll && el("button", "part other", "Count all", { type: "button", title: "Ask the same of documents of every kind" });
    if (chip) chip.onclick = () => { chip.disabled = true; countAll(); };
    return put(el("p", "asked beside"), el("span", null, text), chip);
  }

  // The bar is for the eye and the mouse; the words above it are the same for the keyboard.
  bar() {
    const bar = el("div", "bar", null, { "aria-hidden": "true" });
    for (const [part, { sign }] of this.shown) {
      const number = this.numbers[part];
      if (!number) continue;
      const piece = el("div", `piece ${part}`, number / this.ledger.scope > 0.06 ? `${sign} ${number.toLocaleString("en")}` : "", { title: `${number.toLocaleString("en")} ${called(this.ledger, part)}` });
      piece.style.flexGrow = number;
      piece.onclick = () => this.toggle(part);
      bar.append(piece);
    }
    return bar;
  }

  toggle(part) {
    const open = part && this.list.part !== part ? part : null;
    for (const [name, button] of Object.entries(this.buttons)) button.setAttribute("aria-expanded", String(name === open));
    this.box.dataset.open = open || "";
    if (open) this.list.show(open, (total) => `${count(total, "document")} ${this.ledger.fulfils && open in FULFILS ? `that ${called(this.ledger, open)}` : PARTS[open].word}`); else this.list.close();
  }

  mark(shown) {
    if (shown && PARTS[shown[0]] && !this.list.part && this.opened !== shown[0]) { this.opened = shown[0]; this.list.shown = shown; this.toggle(shown[0]); }
    this.list.mark(shown);
  }
}
