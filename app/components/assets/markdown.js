import { el, put } from "./dom.js";

// Markdown as answers use it: paragraphs, lists, headings, quotes, bold, italics, code, [n]. Links stay text.
// cite(n): the node for [n], or null where it is not a citation.
export function blocks(parent, source, cite) {
  let list = null, paragraph = [];
  const flush = () => {
    if (paragraph.length) {
      const node = parent.appendChild(el("p"));
      paragraph.forEach((line, i) => { if (i) node.append(el("br")); inline(node, line, cite); });
    }
    paragraph = [];
  };
  for (const raw of source.split("\n")) {
    const line = raw.trimEnd(), item = line.match(/^\s*(?:([-*•])|(\d+)[.)])\s+(.*)$/);
    if (item) {
      flush();
      const tag = item[1] ? "ul" : "ol";
      if (!list || list.localName !== tag) parent.append((list = el(tag, null, null, tag === "ol" && item[2] !== "1" ? { start: item[2] } : {})));
      list.append(inline(el("li"), item[3], cite));
      continue;
    }
    if (!line.trim()) { flush(); list = null; continue; }
    const head = line.match(/^#{1,6}\s+(.*)$/), quote = line.match(/^>\s?(.*)$/);
    if (head || quote) { flush(); list = null; parent.append(inline(el(head ? "h4" : "blockquote"), (head || quote)[1], cite)); continue; }
    if (list && /^\s+/.test(raw)) { put(list.lastChild, " "); inline(list.lastChild, line.trim(), cite); continue; }
    list = null;
    paragraph.push(line.trim());
  }
  flush();
  return parent;
}

// Text without the backslashes that keep its signs from being markup.
export const plainly = (text) => bare(guarded(text));

// Signs behind a backslash stand aside, in a plane that no document writes in, while markup is looked for.
const ASIDE = 0x10f000;
const guarded = (text) => text.replace(/\\([!-/:-@[-`{-~])/g, (_, sign) => String.fromCodePoint(ASIDE + sign.charCodeAt(0)));
const bare = (text) => text.replace(/[\u{10f021}-\u{10f07e}]/gu, (sign) => String.fromCharCode(sign.codePointAt(0) - ASIDE));

export function inline(parent, source, cite) {
  const parts = guarded(source).split(/(\[\d+\]|\*\*[^*]+\*\*|`[^`]+`|(?<![\w*])\*[^*\s][^*]*\*(?!\w))/);
  for (const part of parts) {
    if (!part) continue;
    const cited = part.match(/^\[(\d+)\]$/), chip = cited && cite(Number(cited[1]));
    if (chip) tie(parent, chip);
    else if (part.startsWith("**") && part.length > 4) inline(parent.appendChild(el("strong")), part.slice(2, -2), cite);
    else if (part.startsWith("`") && part.length > 2) parent.append(el("code", null, bare(part.slice(1, -1))));
    else if (part.startsWith("*") && part.endsWith("*") && part.length > 2) parent.append(el("em", null, bare(part.slice(1, -1))));
    else parent.append(bare(part));
  }
  return parent;
}

// A chip never begins a line: it stays with the word before it, and a short word ("A.") with its number.
export function tie(parent, chip) {
  const before = parent.lastChild;
  if (before?.className === "tied") return before.append(chip);
  const at = before?.nodeType === Node.TEXT_NODE ? before.data.trimEnd().search(/(?<!\S)(?:\S{1,12}\s\S{1,3}|\S{1,30})$/) : -1;
  if (at < 0) return parent.append(chip);
  const tied = el("span", "tied");
  tied.append(before.splitText(at), chip);
  parent.append(tied);
}
