// Everything that was found for a question, by document: its score, how it was found, and what became of it.

import { brief, count, el, makeButton, put, squeeze } from "./dom.js";

const STATE = { used: ["●", "used"], contradicted: ["≠", "contradicted"], duplicate: ["=", "the same as another, dropped"], unused: ["○", "not used"] };
const METHOD = { hybrid: "words and meaning", keyword: "words", semantic: "meaning", cells: "field", head: "read as a clause", pattern: "read by its form", heading: "read under its heading", table: "read in a table", key_value: "read beside its name", reviewer: "decided by a person" };
const FIRST = 60;

// Folded away, with how much there is. open(number): opens a place.
export function evidenceList(items, open) {
  if (!items.length) return null;
  const box = put(el("details", "everything"), el("summary", null, `All evidence: ${counted(items)}`));
  box.ontoggle = () => { if (box.open && !box.dataset.full) { box.dataset.full = "1"; draw(box, items, open); } };
  return box;
}

// The same, open. An item with an address is a link to its place; the others are opened by open(number).
export function evidenceOpen(items, label, open) {
  const box = el("section", "everything", null, { "aria-label": label });
  put(box, el("p", "kinds", counted(items)));
  draw(box, items, open);
  return box;
}

// `4 passages and 3 field values of 5 documents`
function counted(items) {
  const passages = items.filter((item) => item.kind === "passage").length, rows = items.length - passages;
  const kinds = [passages && count(passages, "passage"), rows && count(rows, "field value")].filter(Boolean).join(" and ");
  return `${kinds} of ${count(new Set(items.map((item) => item.document)).size, "document")}`;
}

function draw(box, items, open, most = FIRST) {
  const list = el("div", "found"), documents = new Map();
  items.forEach((item, at) => { if (!documents.has(item.document)) documents.set(item.document, []); documents.get(item.document).push([item, at]); });
  put(list, states(items));
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
  if (drawn < items.length) {
    const more = makeButton("quiet", `Show all ${items.length.toLocaleString("en")}`, () => draw(box, items, open, items.length));
    put(list, el("span", "faint", `${drawn.toLocaleString("en")} of ${items.length.toLocaleString("en")} shown`), more);
  }
}

// How many came to what: `● 3 used · = 1 the same as another, dropped`.
function states(items) {
  const parts = Object.entries(STATE).map(([name, [sign, word]]) => [name, sign, word, items.filter((item) => item.state === name).length]).filter(([, , , n]) => n);
  return put(el("p", "states"), ...parts.map(([name, sign, word, n]) => el("span", `state ${name}`, `${sign} ${n.toLocaleString("en")} ${word}`)));
}

function row(item, at, open) {
  const [sign, word] = STATE[item.state] || ["○", item.state];
  const place = item.href ? el("a", "document", null, { href: item.href, target: "_blank", title: "Open the document in a new tab" }) : el("button", "document", null, { type: "button", "data-part": "item", "data-number": at });
  if (!item.href) place.onclick = () => open(at);
  const how = METHOD[item.method] || item.method.replaceAll("_", " ");
  put(place, el("span", `state ${item.state}`, `${sign} ${word}`), el("span", "where", `page ${item.page} · ${how} · ${item.score.toFixed(2)}`),
    el("span", "quote", `${item.field ? `${item.field.replaceAll("_", " ")}: ` : ""}“${brief(squeeze(item.quote), 180)}”`));
  return put(el("li"), place);
}
