// What a document states: its fields, summaries, parties, dates on a time line, amounts. A click opens the place.

import { brief, count, el, makeButton, mount, put, shape, squeeze } from "./dom.js";

const DAY = 86400000;

class Statements {
  constructor(root) {
    this.all = el("div", "all", null, { tabindex: "0", role: "region" });
    put(root, this.all);
    this.status = null;
    this.part = 0;
    new ResizeObserver(() => { if (this.data?.points && this.line?.clientWidth !== this.lineWidth) this.drawLine(); }).observe(this.all);
  }

  update({ data, setTriggerValue }) {
    this.send = (place) => setTriggerValue("place", { page: place.page, start: place.start, end: place.end, at: Date.now() });
    const drawn = JSON.stringify({ ...data, focus: null });
    this.data = data;
    this.all.setAttribute("aria-label", data.label);
    if (drawn !== this.drawn) { this.drawn = drawn; this.draw(); }
    this.mark();
  }

  draw() {
    this.all.className = `all ${this.data.kind}`;
    if (this.data.kind === "fields") this.drawFields();
    else if (this.data.kind === "summary") this.drawSummary();
    else this.drawTable();
  }

  // The row or sentence whose place is open now.
  mark() {
    const open = JSON.stringify(this.data.focus);
    for (const node of this.all.querySelectorAll("[data-place]")) node.classList.toggle("open", node.dataset.place === open);
  }

  // A control that opens a place; `after` what its name says.
  opens(tag, name, text, place, label) {
    const node = el(tag, name, text, { type: tag === "button" ? "button" : null, "data-place": JSON.stringify([place.page, place.start, place.end]), title: brief(squeeze(place.quote), 280), "aria-label": label });
    node.onclick = () => this.send(place);
    return node;
  }

  // --- fields

  drawFields() {
    const { rows, notes } = this.data;
    const chips = put(el("div", "chips", null, { role: "group", "aria-label": "Which fields are shown" }));
    const named = [["", "", "All"], ...["present", "uncertain", "absent", "unreadable"].map((status) => { const first = rows.find((row) => row.status === status); return first && [status, first.sign, first.word]; }).filter(Boolean)];
    if (!named.some(([status]) => status === this.status)) this.status = named.some(([status]) => status === "present") ? "present" : "";
    for (const [status, sign, word] of named) {
      const number = status ? rows.filter((row) => row.status === status).length : rows.length;
      const chip = put(el("button", `chip ${status}`, null, { type: "button", "aria-pressed": String(status === this.status) }), sign && el("span", "sign", sign, { "aria-hidden": "true" }), el("span", null, `${word} ${number.toLocaleString("en")}`));
      chip.onclick = () => { this.status = status; this.drawFields(); this.mark(); this.all.querySelector(".chip[aria-pressed=true]").focus(); };
      chips.append(chip);
    }
    const table = el("table", null, null, { "aria-label": this.data.label });
    put(table, put(el("thead"), put(el("tr"), ...["Field", "What it says", "Sure", "Where"].map((name) => el("th", null, name, { scope: "col" })))));
    let body = null, group = null;
    for (const row of rows.filter((each) => !this.status || each.status === this.status)) {
      if (row.group !== group || !body) {
        group = row.group;
        body = put(el("tbody"), group && put(el("tr", "group"), el("th", null, group, { colspan: "4", scope: "colgroup" })));
        table.append(body);
      }
      body.append(this.field(row));
    }
    this.all.replaceChildren(...[chips, table, notes.length ? put(el("details", "notes"), el("summary", null, count(notes.length, "note")), ...notes.map((note) => el("p", null, note))) : null].filter(Boolean));
  }

  field(row) {
    const first = row.places[0], line = el("tr", row.status);
    const says = el("td", "says");
    put(says, el("span", `state ${row.status}`, `${row.sign} ${row.word}`), row.text && row.text !== "Yes" ? el("span", "value", row.text) : null);
    if (row.note) says.append(el("span", "note", row.note));
    for (const each of row.maybe) put(says, put(el("span", "maybe"), this.opens("button", "link", `p. ${each.page}`, each, `Candidate on page ${each.page}: ${brief(squeeze(each.text || each.quote), 80)}`), el("span", null, brief(squeeze(each.text || each.quote), 110))));
    const sure = el("td", "sure", row.review ? (row.again ? "Check again" : "Reviewed") : row.confidence === null || row.status === "unreadable" ? "" : `${row.confidence} %`, { title: row.review ? `By ${row.review}` : row.how });
    const name = put(el("th", "name", null, { scope: "row" }), first ? this.opens("button", "link", row.title, first, `${row.title}: open page ${first.page}`) : el("span", null, row.title));
    const where = put(el("td", "where"), ...row.places.slice(0, 4).map((place) => this.opens("button", "link", `p. ${place.page}`, place, `${row.title}, page ${place.page}`)));
    return put(line, name, says, sure, where);
  }

  // --- summaries

  drawSummary() {
    const { parts } = this.data;
    this.part = Math.min(this.part, parts.length - 1);
    const chips = el("div", "chips", null, { role: "group", "aria-label": "For whom" });
    parts.forEach((part, at) => {
      const chip = makeButton("chip", part.name, () => { this.part = at; this.drawSummary(); this.mark(); this.all.querySelector(".chip[aria-pressed=true]").focus(); }, { "aria-pressed": String(at === this.part) });
      chips.append(chip);
    });
    const part = parts[this.part];
    const cited = (place, number) => put(el("li", null, null, { "data-place": JSON.stringify([place.page, place.start, place.end]) }), el("span", null, squeeze(place.quote) + " "), this.opens("button", "cite", `p. ${place.page}`, place, `${number}: open page ${place.page}`));
    const list = put(el("ol", "sentences"), ...part.sentences.map((place, at) => cited(place, `Sentence ${at + 1}`)));
    const risks = part.risks.length ? [el("h3", null, "Read these before relying on it"), put(el("ul", "risks"), ...part.risks.map((place, at) => cited(place, `Risk ${at + 1}`)))] : [];
    const entities = part.entities.length ? [put(el("p", "entities"), el("b", null, "Parties: "), el("span", null, part.entities.join(" · ")))] : [];
    const prose = part.written ? [this.prose(part.written), el("h3", null, "In its own words")] : part.stale ? [el("p", "hint", part.stale)] : [];
    this.all.replaceChildren(chips, ...prose, list, ...entities, ...risks, el("p", "hint", "Sentences of the document itself, chosen by what its fields, its opening and its amounts point to."));
  }

  // Sentences of a model, each with the places that it cites, and how many did not pass their checks.
  prose({ by, sentences, removed }) {
    const lines = sentences.map(({ text, places }, at) => put(el("span", null, `${squeeze(text)} `), ...places.map((place) => this.opens("button", "cite", `p. ${place.page}`, place, `Written sentence ${at + 1}: open page ${place.page}`)), " "));
    const taken = removed ? ` ${count(removed, "sentence")} did not pass and ${removed === 1 ? "was" : "were"} removed.` : "";
    return put(el("div", "prose"), put(el("p"), ...lines), el("p", "hint", `Written by ${by}; every sentence was checked against the words that it cites.${taken}`));
  }

  // --- parties, dates, amounts

  drawTable() {
    const { columns, rows } = this.data;
    const table = el("table", null, null, { "aria-label": this.data.label });
    put(table, put(el("thead"), put(el("tr"), ...[...columns, "Where"].map((name) => el("th", null, name, { scope: "col" })))));
    const body = el("tbody");
    for (const { cells, place } of rows) {
      const line = el("tr");
      cells.forEach((text, at) => line.append(at ? el("td", null, text) : put(el("th", "name", null, { scope: "row" }), place ? this.opens("button", "link", text, place, `${text}: open page ${place.page}`) : el("span", null, text))));
      put(line, put(el("td", "where"), place && this.opens("button", "link", `p. ${place.page}`, place, `${cells[0]}, page ${place.page}`)));
      body.append(line);
    }
    table.append(body);
    this.line = this.data.points ? el("div", "line") : null;
    this.all.replaceChildren(...[this.line, table].filter(Boolean));
    if (this.line) this.drawLine();
  }

  // Points on an axis of years; labels step down where they would stand on each other. The table says the same.
  drawLine() {
    const points = this.data.points.map((point, at) => ({ ...point, at, time: Date.parse(point.day) })).filter((point) => !Number.isNaN(point.time));
    const width = (this.lineWidth = this.line.clientWidth || 560), pad = 16;
    this.line.hidden = !points.length;
    if (!points.length) return;
    const times = points.map((point) => point.time), now = Date.now();
    let low = Math.min(...times), high = Math.max(...times);
    const room = Math.max((high - low) * 0.06, 20 * DAY);
    low -= room; high += room;
    const x = (time) => pad + ((time - low) / (high - low)) * (width - 2 * pad);
    const ends = [], labels = [];
    for (const point of points) {
      const text = `${point.text} · ${brief(point.title, 28)}`, size = text.length * 6.1 + 8;
      const left = Math.max(2, Math.min(x(point.time) + 4, width - size));
      let level = ends.findIndex((end) => end < left);
      if (level < 0) level = ends.length;
      ends[level] = left + size;
      labels.push({ text, left, level });
    }
    const axis = 20, height = axis + 18 + Math.max(1, ends.length) * 17;
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
    svg.append(shape("line", { class: "axis", x1: pad, x2: width - pad, y1: axis, y2: axis }));
    const first = new Date(low).getUTCFullYear() + 1, last = new Date(high).getUTCFullYear(), step = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, Math.floor(width / 60))));
    for (let year = first; year <= last; year += step) {
      const at = x(Date.UTC(year, 0, 1));
      svg.append(shape("line", { class: "axis", x1: at, x2: at, y1: axis - 4, y2: axis + 4 }), shape("text", { class: "year", x: at, y: 10, "text-anchor": "middle" }, String(year)));
    }
    if (now > low && now < high) svg.append(shape("line", { class: "now", x1: x(now), x2: x(now), y1: axis - 8, y2: height - 2 }), shape("text", { class: "year", x: x(now) + 4, y: height - 3 }, "today"));
    const below = (n) => axis + 20 + labels[n].level * 17;
    points.forEach((point, n) => svg.append(shape("line", { class: "stem", x1: x(point.time), x2: x(point.time), y1: axis, y2: below(n) - (labels[n].left > x(point.time) ? 0 : 11) })));
    points.forEach((point, n) => {  // over all stems: none strikes through words
      const { text, left } = labels[n], place = this.data.rows[point.at].place;
      const group = shape("g", { class: "point" });
      group.append(shape("circle", { cx: x(point.time), cy: axis, r: 5 }), shape("text", { x: left, y: below(n) }, text));
      if (place) group.onclick = () => this.send(place);
      svg.append(group);
    });
    this.line.replaceChildren(svg);
  }
}

export default mount(Statements);
