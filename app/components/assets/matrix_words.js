// What the parts of the matrix share: words and signs of statuses, numbers, times, and the calls of its routes.

import { call } from "./dom.js";

export const STATUS = {
  p: { word: "Present", sign: "●" },
  a: { word: "Absent", sign: "○" },
  g: { word: "Best guess, not decided", sign: "≈" },  // of uncertain ones, those that have one
  u: { word: "Uncertain", sign: "◆" },
  x: { word: "Unreadable", sign: "▲" },
  w: { word: "Not read yet", sign: "◌" },
  k: { word: "Not asked", sign: "–" },
};
// Marks behind a decided cell: who decided it, where that was not extraction.
export const MARKS = {
  r: { kind: "mark", sign: "✓", word: "Reviewed", says: "Reviewed" },
  "!": { kind: "mark again", sign: "!", word: "Check again", says: "Check again: the reviewed words moved or went" },
  m: { kind: "mark model", sign: "◇", word: "Read by the model", says: "Read by the language model, and checked by nobody yet" },
};
// Work lists of their own: cells that a model decided, drawn to be checked, and those that it reads otherwise than extraction.
export const WORK = {
  model: { chip: "Read by the model: a sample", done: "Every cell of the sample is checked.", kind: "model", sign: MARKS.m.sign },
  contradicted: { chip: "Contradicted by the model", done: "No cell is read differently by extraction and the model.", kind: "u", sign: "≠", keys: [["C", "as extraction"], ["1", "as the model"], ["A", "absent"], ["E", "correct"], ["N", "next"], ["P", "back"], ["U", "undo"]] },
};
// Counts come as present, absent, uncertain, unreadable, reviewed, check again, not read, not asked, guessed, by a model.
// Of one field: of how many documents it is asked, and how many of these are to be checked again or were not read yet.
export const tally = (counts) => { const [p, a, u, x, , again, pending, strange, guessed] = counts || [0, 0, 0, 0, 0, 0, 0, 0, 0]; return { all: p + a + u + x + again + pending, again, pending, strange, guessed: guessed || 0 }; };
// How documents stand with a field, as its bar and its table say it: those with a best guess apart from other uncertain ones.
export const parts = (counts) => { const { guessed } = tally(counts), [p, a, u, x] = counts || [0, 0, 0, 0]; return [["p", p], ["a", a], ["g", guessed], ["u", u - guessed], ["x", x]]; };
export const moment = (iso) => {
  const at = new Date(iso), today = new Date().toDateString() === at.toDateString();
  const clock = at.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
  return today ? clock : `${at.getDate()} ${at.toLocaleString("en", { month: "short" })} ${at.getFullYear()} ${clock}`;
};

export const send = (path, body) => call(path, {}, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
export const cellPath = (document, field) => `matrix/cells/${encodeURIComponent(document)}/${encodeURIComponent(field)}`;
