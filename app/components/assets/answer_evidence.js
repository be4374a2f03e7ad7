// Everything that was found for the question, by document: its score, how it was found, and what became of it.

import { brief, count, el, put, squeeze } from "./dom.js";

const STATE = { used: ["●", "used"], duplicate: ["=", "the same as another, dropped"], contradicted: ["≠", "contradicted"], unused: ["○", "not used"] };
const METHOD = { hybrid: "words and meaning", keyword: "words", semantic: "meaning", cells: "field", head: "read as a clause", pattern: "read by its form", heading: "read under its heading", table: "read in a table", key_value: "read beside its name", reviewer: "decided by a person" };
const FIRST = 60;

// open(number): opens a place; titles: of fields by name, where they are known.
export function evidenceList(items, open) {
  if (!items.length) return null;
  const documents = new Map();
  items.forEach((item, at) => { if (!documents.has(item.document)) documents.set(item.document, []); documents.get(item.document).push([item, at]); });
  const passages = items.filter((item) => item.kind === "passage").length, rows = items.length - passages;
  const kinds = [passages && count(passages, "passage"), rows && count(rows, "field value")].filter(Boolean).join(" and ");
  const box = el("details", "everything");
  put(box, el("summary", null, `All evidence: ${kinds} of ${count(documents.size, "document")}`));
  box.ontoggle = () => { if (box.open && !box.dataset.full) { box.dataset.full = "1"; draw(box, documents, items.length, open); } };
  return box;
}

function draw(box, documents, total, open, most = FIRST) {
  const list = el("div", "found");
  let drawn = 0;
  for (const [, found] of documents) {
    if (drawn >= most) break;
    const [{ title, source }] = found[0];
    put(list, put(el("p", "of"), el("strong", null, title), el("span", "faint", ` ${source}`)));
    const table = el("ul", "rows");
    for (const [item, at] of found.slice(0, most - drawn)) table.append(row(item, at, open));
    drawn += table.children.length;
    list.append(table);
  }
  box.querySelector(".found")?.remove();
  box.append(list);
  if (drawn < total) {
    const more = el("button", "quiet", `Show all ${total.toLocaleString("en")}`, { type: "button" });
    more.onclick = () => draw(box, documents, total, open, total);
    put(list, el("span", "faint", `${drawn.toLocaleString("en")} of ${total.toLocaleString("en")} shown`), more);
  }
}

function row(item, at, open) {
  const [sign, word] = STATE[item.state] || ["○", item.state], button = el("button", "document", null, { type: "button", "data-part": "item", "data-number": at });
  button.onclick = () => open(at);
  const how = METHOD[item.method] || item.method.replaceAll("_", " ");
  put(button, el("span", `state ${item.state}`, `${sign} ${word}`), el("span", "where", `page ${item.page} · ${how} · ${item.score.toFixed(2)}`),
    el("span", "quote", `${item.field ? `${item.field.replaceAll("_", " ")}: ` : ""}“${brief(squeeze(item.quote), 180)}”`));
  return put(el("li"), button);
}
