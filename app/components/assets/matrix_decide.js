// Cells decided by one key where they stand in the grid: C confirms the best guess, A says that there is nothing, a number
// chooses a reading, U takes the last verdict back. Each verdict carries the last event that was seen.

import { brief as cut, call, el, percent, put } from "./dom.js";
import { confirming, guessOf, taking, tieWords } from "./matrix_guess.js";
import { STATUS, cellPath, send } from "./matrix_words.js";

export class Decider {
  // actions: say(text, tone), decided(cell, action)
  constructor(grid, actions) {
    this.grid = grid;
    this.actions = actions;
    this.hint = el("span", "hint");
    this.told = el("span", "told", "", { role: "status" });
    this.box = put(el("p", "active-cell"), this.told, this.hint);
    this.busy = new Set();
  }

  active() {
    const { row, column } = this.grid.at, of = this.grid.rowAt(row), field = column ? this.grid.columns?.[column - 1] : null;
    return of && field ? { row: of, column: field, brief: of.cells[column - 1] } : null;
  }

  // What the active cell says, and which keys decide it.
  describe(mayReview) {
    const at = this.active(), known = at?.brief && STATUS[at.brief[0]];
    const moved = at && `${at.row.id} ${at.column.name}`;
    if (moved !== this.moved) { this.moved = moved; this.told.textContent = ""; }
    if (!known) return this.hint.replaceChildren();
    const guess = guessOf(at.brief, at.column), [status, text, mark] = at.brief, keys = [];
    let says = `${known.word}${text && text !== "Yes" ? `: ${text}` : ""}${mark === "r" ? ", reviewed" : mark === "m" ? ", read by the model" : mark ? ", check again" : ""}`;
    if (status === "u" && !mark) says = !guess ? "Uncertain, no guess" : guess.ties.length ? `${tieWords(guess)}` : `Best guess: ${cut(guess.text, 60)}, ${percent(guess.p)}`;
    if (mayReview && !"xwk".includes(status)) {
      if (guess?.ties.length) guess.ties.forEach(([key, said]) => keys.push([key, cut(said, 30)]));
      else if (guess || status !== "u") keys.push(["C", "confirm"]);
      if (!guess?.ties.some(([key]) => key === "A")) keys.push(["A", "absent"]);
      if (mark && mark !== "m") keys.push(["U", "undo"]);
    }
    this.hint.replaceChildren(el("strong", null, at.column.title), ` ${says} `, ...[...keys, ["Enter", "open"]].flatMap(([key, does]) => [el("kbd", null, key), ` ${does} `]));
  }

  // Gives whether the key means something here.
  act(key, mayReview) {
    const at = this.active();
    if (!at?.brief || !mayReview || !("cau".includes(key) || /^[1-5]$/.test(key))) return false;
    const [status, , mark] = at.brief, guess = guessOf(at.brief, at.column);
    if ("xwk".includes(status)) this.tell(status === "x" ? "This document cannot be read: open the cell to decide it." : "This field was not read here: there is nothing to decide.");
    else if (key === "a") this.decide(at, { action: "absent" }, "Marked absent");
    else if (key === "u") mark && mark !== "m" ? this.decide(at, { action: "undo" }, "Taken back") : this.tell("There is no verdict to take back in this cell.");
    else if (key === "c") this.confirm(at, status, guess);
    else this.choose(at, Number(key) - 1, guess);
    return true;
  }

  confirm(at, status, guess) {
    if (status !== "u") return this.decide(at, { action: "confirm" }, "Confirmed");
    if (!guess) return this.tell("There is no guess to confirm: open the cell, or mark it as absent.");
    const body = confirming(guess);
    if (!body) return this.tell(`${tieWords(guess)}. C is off.`);
    return this.decide(at, body, `Confirmed: ${cut(guess.text, 60)}`);
  }

  choose(at, candidate, guess) {
    if (!guess?.ties.some(([key]) => key === String(candidate + 1))) return this.tell("Numbers choose between readings that tie: open the cell to choose among others.");
    const readings = at.brief[4]?.[1] || [], known = readings.find(([number]) => number === candidate);
    if (!known) return this.tell(`This cell has no reading ${candidate + 1}: open it to see what was considered.`);
    return this.decide(at, taking([candidate], known[1]), `Chosen: ${cut(known[1], 60)}`);
  }

  tell(text) { this.told.textContent = text; }

  async decide({ row, column, brief }, body, words) {
    const key = `${row.id} ${column.name}`;
    if (this.busy.has(key)) return;
    this.busy.add(key);
    this.actions.say("");
    try {
      const cell = await send(cellPath(row.id, column.name), { ...body, expected: brief[3] || 0 });
      this.actions.decided(cell, body.action);
      this.tell(body.action === "undo" ? words : `${words} · U takes it back`);
    } catch (error) {
      const cell = error.status === 409 ? await call(cellPath(row.id, column.name)).catch(() => null) : null;  // somebody came first
      if (cell) this.actions.decided(cell, "seen");
      this.actions.say(error.message, cell ? "first" : "wrong");
    } finally { this.busy.delete(key); }
  }
}

