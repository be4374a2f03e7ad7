// The documents behind a part of an answer: each row opens on its words; the list goes into a file.

import { brief, call, count, el, makeButton, put, setCurrent, squeeze } from "./dom.js";

export const PARTS = {
  present: { sign: "●", word: "present" },
  absent: { sign: "○", word: "absent" },
  uncertain: { sign: "◆", word: "uncertain" },
  unreadable: { sign: "▲", word: "unreadable" },
  pending: { sign: "◌", word: "still to be read" },
};
// Where values are compared, a document that states another value is no document without one.
export const FULFILS = { present: "fulfil it", absent: "do not" };
export const called = (ledger, part) => (ledger.fulfils && FULFILS[part]) || PARTS[part].word;
const MANY = 12;  // from which on a list has a box to filter it

export const files = (base, what) => ["csv", "xlsx"].map((kind) => el("a", "quiet", kind.toUpperCase(), { href: `${base}.${kind}`, download: "", "aria-label": `Download ${what} as ${kind.toUpperCase()}` }));

export class DocumentList {
  // base: the address of the turn; open(part, number): opens a row as evidence; turn: "conversation.turn"
  constructor(base, turn, open) {
    Object.assign(this, { base, turn, open });
    this.box = el("div", "list", null, { hidden: "" });
  }

  close() { this.box.hidden = true; this.part = null; }

  async show(part, title) {
    this.part = part;
    this.box.hidden = false;
    this.box.replaceChildren(el("p", "faint", "Reading the list …", { role: "status" }));
    let found;
    try { found = await this.read(part, 0); } catch {
      if (this.part === part) this.box.replaceChildren(el("p", "faint", "The list could not be read. Try again.", { role: "alert" }));
      return;
    }
    if (this.part === part) this.draw(part, title, found);
  }

  read(part, offset) { return call(`${this.base.replace("/api/", "")}/parts/${part}`, { offset }); }

  draw(part, title, found) {
    const head = el("div", "head"), rows = el("ul", "rows"), foot = el("div", "foot");
    this.rows = found.rows;
    put(head, el("strong", null, title(found.total)), el("span", "files"));
    put(head.lastChild, ...files(`${this.base}/parts/${part}`, title(found.total)));
    if (found.total > MANY) put(head, this.filter(rows, found, foot));
    const close = makeButton("quiet close", "×", () => this.closed?.(), { "aria-label": "Close the list" });
    put(head, close);
    rows.append(...found.rows.map((row) => this.row(part, row)));
    this.box.replaceChildren(head);
    put(this.box, this.work(part, found), rows, foot);
    this.note(foot, found, rows, part);
    this.mark();
  }

  filter(rows, found, foot) {
    const find = el("input", "find", null, { type: "search", placeholder: "Filter", "aria-label": "Filter this list" });
    find.oninput = () => {
      const words = find.value.trim().toLowerCase();
      [...rows.children].forEach((line, at) => { line.hidden = words && !JSON.stringify(Object.values(this.rows[at])).toLowerCase().includes(words); });
      this.count(foot, found, rows);
    };
    return find;
  }

  row(part, row) {
    const open = makeButton("document", null, () => this.open(part, row.number), { "data-part": part, "data-number": row.number });
    const said = el("span", "said");
    row.stated.forEach(([name, text, status], at) => put(said, el("span", `one ${status}`, `${at ? " · " : ""}${name}: ${text}`)));
    if (row.note) put(said, el("span", "one", `${row.stated.length ? " · " : ""}${row.note}`));
    put(open, el("span", "title", row.title), row.copies ? el("span", "copies", `${row.copies} copies`, { title: "Files of the same words: they are counted once" }) : null, el("span", "where", row.where), said);
    if (row.quote) put(open, el("span", "quote", `“${brief(squeeze(row.quote), 160)}”`));
    return put(el("li"), open);
  }

  note(foot, found, rows, part) {
    foot.replaceChildren();
    this.count(put(foot, el("span", "faint", "", { role: "status" })), found, rows);
    if (this.rows.length < found.total) {
      const more = makeButton("quiet", `Show ${Math.min(200, found.total - this.rows.length).toLocaleString("en")} more`, async () => {
        more.disabled = true;
        const next = await this.read(part, this.rows.length);
        this.rows = [...this.rows, ...next.rows];
        rows.append(...next.rows.map((row) => this.row(part, row)));
        this.note(foot, found, rows, part);
      });
      foot.append(more);
    }
    if (found.changed) foot.append(el("span", "faint", "The collection has changed since: values are as they stand now, the list is the answer's."));
  }

  count(foot, found, rows) {
    const shown = [...rows.children].filter((line) => !line.hidden).length;
    foot.firstChild.textContent = `${shown.toLocaleString("en")} of ${count(found.total, "document")} shown`;
  }

  // What would make the answer certain: a click away.
  work(part, { rows, fields }) {
    if (!["uncertain", "unreadable"].includes(part) || !rows.length) return null;
    const open = (row) => !row.stated.length || row.stated.some(([, , status]) => status !== "present" && status !== "absent");
    if (!rows.some(open)) return null;  // all is read and sure: what is stated cannot be compared
    const box = el("p", "work"), buckets = [...new Set(rows.map((row) => row.bucket))];
    for (const bucket of buckets) {
      const asked = new URLSearchParams({ bucket, ...(part === "uncertain" ? { mode: "work", of: `${this.turn}.${part}` } : fields.length ? { where: JSON.stringify([[fields[0], "is", "unreadable"]]) } : {}) });
      const label = part === "uncertain" ? "Decide them in the work list" : "Look at them in the matrix";
      put(box, el("a", "button", `${label}${buckets.length > 1 ? `: ${bucket}` : ""}`, { href: `/matrix?${asked}` }));
    }
    return put(box, el("span", "faint", part === "uncertain" ? "A verdict on each makes the answer certain." : "Once they can be read, or are decided by hand, the answer is complete."));
  }

  mark(shown = this.shown) {
    this.shown = shown;
    for (const open of this.box.querySelectorAll(".document")) {
      const on = shown && open.dataset.part === shown[0] && Number(open.dataset.number) === shown[1];
      open.classList.toggle("on", Boolean(on));
      setCurrent(open, on);
    }
  }
}
