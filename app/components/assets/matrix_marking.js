// From words that are marked with the mouse to their place in the text of a page.

const points = (text) => { let n = 0; for (const _ of text) n++; return n; };  // offsets count characters, not units

function rangeIn(root) {
  const selection = root.getSelection ? root.getSelection() : document.getSelection();
  if (!selection) return null;
  if (!root.getSelection && selection.getComposedRanges) {
    const [found] = selection.getComposedRanges({ shadowRoots: [root] });
    if (!found || found.collapsed) return null;
    const range = document.createRange();
    range.setStart(found.startContainer, found.startOffset);
    range.setEnd(found.endContainer, found.endOffset);
    return range;
  }
  return selection.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
}

const above = (node, selector) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest(selector);

// {page, start, end, quote}; {wrong} where it cannot be told; null where nothing is marked.
export async function marked(root, pages) {
  const range = rangeIn(root);
  if (!range || !range.toString().trim()) return null;
  const figure = above(range.startContainer, "figure");
  if (!figure) return null;
  if (figure !== above(range.endContainer, "figure")) return { wrong: "Mark words on one page only." };
  return figure.classList.contains("text") ? inText(figure, range) : inImage(figure, range, pages);
}

function inText(figure, range) {
  const body = figure.querySelector(".body");
  if (!body?.contains(range.startContainer) || !body.contains(range.endContainer)) return { wrong: "Mark words of the text." };
  const before = document.createRange();
  before.setStart(body, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const text = range.toString(), lead = text.length - text.trimStart().length, bare = text.trim();
  const start = figure.held.start + points(before.toString() + text.slice(0, lead));
  return { page: Number(figure.dataset.page), start, end: start + points(bare), quote: bare };
}

// The words over a page image are looked up in the page's text: spaces and line breaks may differ there.
async function inImage(figure, range, pages) {
  const page = Number(figure.dataset.page), words = range.toString().trim().split(/\s+/);
  const found = await fetch(`/api/documents/${encodeURIComponent(pages.document)}/versions/${pages.version}/pages/${page}/text?h=${pages.hash}&start=0&end=60000`);
  if (!found.ok) return { wrong: "The text of this page cannot be read now." };
  const { text } = await found.json();
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s*"), "g");
  const hits = [...text.matchAll(pattern)];
  if (!hits.length) return { wrong: "These words cannot be found in the text of the page: mark them under “Text”." };
  if (hits.length > 1) return { wrong: `These words stand ${hits.length} times on the page: mark a few more, or mark them under “Text”.` };
  const [hit] = hits, start = points(text.slice(0, hit.index));
  return { page, start, end: start + points(hit[0]), quote: hit[0] };
}
