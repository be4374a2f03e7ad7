// The lists of one search side by side. Hovering a passage marks it in every list, a click keeps it marked,
// brings it into sight in the others and says how its score came about; its title opens the page:
// as a plain link, since Back must lead to this query again, which a page switch by the server does not.

import { count, el, mount, put, setCurrent, squeeze } from "./dom.js";

const NAMES = { keyword: "words", meaning: "meaning", fused: "both" };
const part = (value) => value === null ? "–" : value.toFixed(3);

class Lists {
  constructor(root) {
    this.all = el("div", "all");
    root.append(this.all);
    this.all.onpointerover = (event) => this.near(event.target.closest(".card")?.dataset.id);
    this.all.onpointerleave = () => this.near(null);
    this.all.addEventListener("focusin", (event) => this.near(event.target.closest(".card")?.dataset.id));
    this.all.onkeydown = (event) => this.walk(event);
    addEventListener("resize", () => this.fit());
    new ResizeObserver(() => this.fit()).observe(this.all);
  }

  update({ data }) {
    const drawn = JSON.stringify(data);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.data = data;
    this.draw();
    if (this.picked) this.pick(this.picked, null);
    this.fit();
  }

  cards(id) { return [...this.all.querySelectorAll(".card")].filter((card) => card.dataset.id === id); }

  near(id) {
    for (const card of this.all.querySelectorAll(".card")) card.classList.toggle("near", card.dataset.id === id);
  }

  pick(id, from) {
    this.picked = id;
    for (const card of this.all.querySelectorAll(".card")) {
      const on = card.dataset.id === id;
      card.classList.toggle("picked", on);
      setCurrent(card, on);
    }
    for (const card of this.cards(id)) if (card !== from) {
      const list = card.parentElement;
      list.scrollTop = card.offsetTop - list.offsetTop - list.clientHeight / 3;
    }
  }

  walk(event) {
    const card = event.target.closest(".card");
    if (!card) return;
    if (event.key === "Enter" && event.target === card) this.pick(card.dataset.id, card);
    const next = event.key === "ArrowDown" ? card.nextElementSibling : event.key === "ArrowUp" ? card.previousElementSibling : null;
    if (next) { event.preventDefault(); next.focus(); }
    if (event.key === "Escape") this.pick(null, null);
  }

  // --- drawing

  draw() {
    const { columns } = this.data, grid = el("div", "columns");
    grid.style.setProperty("--n", columns.length);
    put(grid, ...columns.map((column) => this.column(column)));
    this.all.replaceChildren(this.head(), grid);
  }

  head() {
    const { terms } = this.data, row = el("div", "terms");
    put(row, el("span", null, terms.length ? "Read as" : "No words to look for: only the meaning is compared."));
    for (const { term, weight, idf, name } of terms) {
      const says = `Rarity ${idf}${weight === 1 ? "" : `, weight ${weight}`}: adds up to ${(2.2 * weight * idf).toFixed(1)} to a passage's words` + (name ? "; part of a document's name, looked for in other documents only" : "");
      put(row, put(el("span", name ? "term name" : "term", null, { title: says }), el("b", null, term), el("i", null, (weight === 1 ? "" : `×${weight} `) + idf.toFixed(2))));
    }
    const legend = el("span", "legend");
    for (const [label, colour] of [["words", "--words"], ["meaning", "--meaning"], ...(this.isNamed() ? [["named document", "--named"]] : [])]) {
      const one = el("span", null, label);
      one.style.setProperty("--c", `var(${colour})`);
      put(legend, one);
    }
    return put(row, legend);
  }

  isNamed() { return this.data.columns.some((c) => c.entries.some((e) => e.parts[0])); }

  column({ title, says, by, total, note, entries }) {
    const list = el("ol", null, null, { "aria-label": `${title}: ${says}` });
    const top = Math.max(...entries.map((entry) => entry.score), 1e-9);
    put(list, ...entries.map((entry) => this.card(entry, by, top)));
    const shown = total > entries.length ? `first ${entries.length} of ${total.toLocaleString("en")}` : count(total, "passage");
    const column = el("section");
    return put(column, el("h3", null, title), el("div", "says", `${says} · ${shown}`, { title: says }), entries.length ? list : el("div", "none", note));
  }

  card(entry, by, top) {
    const card = el("li", "card", null, { "data-id": entry.id, tabindex: "0" });
    const link = el("a", null, entry.title, { href: entry.href, title: `Open ${entry.title} at page ${entry.page}` });
    link.onclick = (event) => event.stopPropagation();
    card.onclick = () => this.pick(this.picked === String(entry.id) ? null : String(entry.id), card);
    return put(card,
      put(el("div", "top"), el("span", "rank", entry.rank), link, el("span", "score", by === "keyword" ? entry.score.toFixed(2) : entry.score.toFixed(3))),
      by === "fused" ? this.bar(entry, top) : null,
      el("div", "where", [`page ${entry.page}`, entry.section].filter(Boolean).join(" · "), { title: entry.section || entry.source }),
      el("div", "text", squeeze(entry.text)),
      el("div", "facts", this.facts(entry, by)),
      el("div", "made", this.made(entry)));
  }

  bar({ parts, score }, top) {
    const [named, meaning, words] = parts;
    const says = `words ${part(words)}, meaning ${part(meaning)}${named ? `, named document ${part(named)}` : ""}`;
    const bar = el("div", "bar", null, { role: "img", "aria-label": `Score ${score.toFixed(3)}: ${says}`, title: says });
    for (const [value, colour] of [[words, "--words"], [meaning, "--meaning"], [named, "--named"]]) {
      const piece = el("span");
      piece.style.cssText = `--c: var(${colour}); width: ${Math.max(0, (100 * (value || 0)) / top)}%`;
      if (value > 0) put(bar, piece);
    }
    return bar;
  }

  facts({ ranks, keyword, cosine, sentence }, by) {
    const raw = [by !== "keyword" && `words ${keyword === null ? "–" : keyword.toFixed(2)}`, by !== "meaning" && `meaning ${part(cosine)}`, by !== "keyword" && sentence !== null && `best sentence ${part(sentence)}`];
    const places = Object.entries(ranks).filter(([list]) => list !== by).map(([list, rank]) => `${NAMES[list]} ${rank === null ? "–" : "#" + rank}`);
    return [places.join(", "), ...raw.filter(Boolean)].join(" · ");
  }

  made({ parts, keyword, cosine, sentence, full, score, ranks }) {
    const [named, meaning, words] = parts;
    if (words === null) return "Not in the list of both: too far down in the two lists taken together.";
    if (this.data.mode === "keyword") return `Only the words are searched: ${(keyword ?? 0).toFixed(2)} as a share of the best passage's is ${part(words)}.`;
    if (this.data.mode === "semantic") return `Only the meaning is searched: the score is the likeness of question and passage, ${part(meaning)}.`;
    const { alpha } = this.data, half = named || (Math.abs(words + meaning) > 0 && this.isNamed()) ? " ÷ 2" : "";
    const said = [];
    if (words || ranks.keyword) said.push(`words ${(keyword ?? 0).toFixed(2)} of ${full.toFixed(2)} → ${part(words)}`);
    if (meaning || ranks.meaning) said.push(`meaning ${sentence === null ? part(cosine) : `(${part(cosine)} + ${part(sentence)}) ÷ 2`} → ${part(meaning)}`);
    if (named) said.push(`named document → ${part(named)}`);
    return `${said.join(" + ")} = ${part((named || 0) + meaning + words)}, where words weigh ${(1 - alpha).toFixed(2)}${half} and meaning ${alpha.toFixed(2)}${half}.`;
  }

  // The lists end where the window does.
  fit() {
    const list = this.all.querySelector("ol");
    if (!list) return;
    const high = Math.max(260, innerHeight - list.getBoundingClientRect().top - scrollY - 24);
    if (high !== this.high) { this.high = high; this.all.style.setProperty("--high", `${high}px`); }
  }
}

export default mount(Lists);
