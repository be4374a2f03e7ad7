// What a cell that nothing decided may say: its best guess, how likely that is, and what is as likely as it.

import { percent } from "./dom.js";

const NUMBER = ["", "", "Two", "Three", "Four", "Five"];

// Of a cell as rows carry it: {text, p, candidates, ties: [[key, text]]}; null where something decided, or nothing is
// known. candidates: those that say it, null where none does ("no"). Of a field of several values all count together.
export function guessOf(brief, column) {
  const [status, , , , guess] = brief || [];
  if (status !== "u" || !guess) return null;
  const [level, readings] = guess, [candidate, text, p] = readings[0];
  if (column.many && readings.length > 1) return { text: readings.map(([, said]) => said).join("; "), p, candidates: readings.map(([c]) => c), ties: [] };
  return { text, p, candidates: candidate === null ? null : [candidate], ties: readings.slice(0, level).map(([c, said]) => [c === null ? "A" : String(c + 1), said]) };
}

const keysOf = ({ ties }) => `${ties.slice(0, -1).map(([key]) => key).join(", ")} or ${ties.at(-1)[0]}`;
export const tieWords = (guess) => `${NUMBER[guess.ties.length] || guess.ties.length} readings tie: choose ${keysOf(guess)}`;
export const tieShort = (guess) => `tie: ${keysOf(guess)}?`;  // as much as a cell has room for beside its readings

// As it is read aloud.
export const guessWords = (guess) => {
  if (!guess) return "uncertain, no guess";
  if (guess.ties.length) return `not decided. ${tieWords(guess)}: ${guess.ties.map(([key, text]) => `${key} ${text}`).join(", ")}`;
  return `best guess, ${percent(guess.p)}, not decided: ${guess.text}`;
};

// The verdict that takes these candidates, with what they said: they may say something else by now.
export const taking = (candidates, text) => ({ action: "confirm", candidates, ...(text.includes("…") ? {} : { saw: text }) });

// The verdict that confirms a guess; null where several readings tie.
export const confirming = (guess) => {
  if (guess.ties.length) return null;
  return guess.candidates === null ? { action: "absent" } : taking(guess.candidates, guess.text);
};
