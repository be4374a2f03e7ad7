// Blocks of what came out: a value, the parts of a ledger, tables whose rows open documents, chips, evidence.

import { el, mount, put } from "./dom.js";
import { evidenceOpen } from "./evidence_list.js";

class Sheet {
  constructor(root) {
    this.box = el("div", "sheet");
    root.append(this.box);
  }

  update({ data, setTriggerValue }) {
    this.send = (name, value) => setTriggerValue(name, { ...value, at: Date.now() });
    const drawn = JSON.stringify(data.blocks);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.box.replaceChildren(...data.blocks.map((block) => this[block.kind](block)).filter(Boolean));
  }

  heading({ text }) { return el("h3", null, text); }
  line({ text, tone }) { return el("p", `line ${tone || ""}`, text); }

  value({ before, after, label }) {
    const box = put(el("p", "value"), label ? el("span", "label", label) : null);
    if (before !== undefined) put(box, el("span", "was", before ?? "nothing"), el("span", "to", " → ", { "aria-hidden": "true" }), el("span", "hidden", " became "));
    return put(box, el("strong", null, after ?? "nothing"));
  }

  // One stacked bar and its four counts; a count may say what it was.
  ledger({ label, scope, parts, opens }) {
    const box = el("div", "ledger"), bar = el("div", "bar", null, { "aria-hidden": "true" });
    for (const { part, count } of parts) if (count) { const piece = el("i", part); piece.style.flexGrow = count; bar.append(piece); }
    const list = put(el("div", "parts", null, { role: "group", "aria-label": label }), el("span", "scope", `${scope.toLocaleString("en")} in scope`));
    parts.forEach(({ part, sign, word, count, before }, at) => {
      const text = before === undefined || before === count ? count.toLocaleString("en") : `${before.toLocaleString("en")} → ${count.toLocaleString("en")}`;
      const inside = [el("span", "sign", sign, { "aria-hidden": "true" }), el("span", null, ` ${word} `), el("strong", null, text)];
      const one = opens && count ? put(el("button", `part ${part}`, null, { type: "button", title: `Show these documents` }), ...inside) : put(el("span", `part ${part}`), ...inside);
      if (opens && count) one.onclick = () => this.send("part", { part });
      put(list, el("span", "plus", at ? "+" : "=", { "aria-hidden": "true" }), one);
    });
    return put(box, bar, list);
  }

  chips({ label, items }) {
    return put(el("p", "chips"), el("span", "label", label), ...items.map(({ text, tone, title }) => el("span", `chip ${tone || ""}`, text, { title })));
  }

  evidence({ items, label, note }) {
    return put(el("div", "block"), evidenceOpen(items, label, (number) => this.send("place", { number })), note ? el("p", "note", note) : null);
  }

  table({ label, columns, rows, note, total }) {
    const table = el("table", null, null, { "aria-label": label });
    put(table, put(el("thead"), put(el("tr"), ...columns.map(({ name, right }) => el("th", right ? "right" : null, name, { scope: "col" })))));
    const body = el("tbody");
    for (const { cells, href, tone } of rows) {
      const line = el("tr", tone);
      cells.forEach((text, at) => {
        const cell = at ? el("td", columns[at].right ? "right" : columns[at].wide ? "wide" : null) : el("th", null, null, { scope: "row" });
        const links = Array.isArray(text) ? text : null, link = at === 0 && href;
        if (links) links.forEach(({ text: words, href: to }, n) => put(cell, n ? " " : null, el("a", null, words, { href: to, target: "_blank" })));
        else put(cell, link ? el("a", null, text, { href, target: "_blank", title: "Open the document in a new tab" }) : document.createTextNode(text ?? "—"));
        line.append(cell);
      });
      body.append(line);
    }
    table.append(body);
    const scroll = put(el("div", "scroll", null, { tabindex: "0", role: "region", "aria-label": label }), table);
    const counted = total > rows.length ? `The first ${rows.length.toLocaleString("en")} of ${total.toLocaleString("en")}.` : "";
    const words = [counted, note].filter(Boolean).join(" ");
    return put(el("div", "block"), scroll, words ? el("p", "note", words) : null);
  }
}

export default mount(Sheet);
