// Building nodes and writing numbers: what all components share.

export const el = (tag, name, text, attributes = {}) => {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined && text !== null) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) node.setAttribute(key, value);
  return node;
};
export const put = (parent, ...nodes) => { parent.append(...nodes.filter(Boolean)); return parent; };
export const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many || one + "s"}`;
export const brief = (text, length) => text.length > length ? text.slice(0, length - 1).trimEnd() + "…" : text;
export const squeeze = (text) => text.replace(/\s+/g, " ").trim();
export const time = (ms) => {
  if (ms < 100) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`;
};
export const size = (bytes) => {
  let unit = "B", value = bytes;
  for (const larger of ["KB", "MB", "GB"]) {
    if (value < 1000) break;
    value /= 1000; unit = larger;
  }
  return `${value.toFixed(value >= 10 || unit === "B" ? 0 : 1)} ${unit}`;
};
export const isYear = (text) => /^(19\d\d|20\d\d|2100)$/.test(text);
export const worded = (value) => {
  if (value.type === "boolean") return value.value === "true" ? "Yes" : "No";
  if (value.type === "money") {
    const [whole, part] = value.value.split(".");
    return `${value.unit || ""} ${Number(whole).toLocaleString("en")}${part && Number(part) ? "." + part : ""}`.trim();
  }
  if (value.type === "number" && !Number.isNaN(Number(value.value))) return Number(value.value).toLocaleString("en", { maximumFractionDigits: 6, useGrouping: Boolean(value.unit) || !isYear(value.value) });
  return value.value;
};

// The entry of a component: one view for each place where it is mounted, told of every change of its data.
export const mount = (View) => {
  const views = new WeakMap();
  return (component) => {
    let view = views.get(component.parentElement);
    if (!view) views.set(component.parentElement, (view = new View(component.parentElement)));
    view.update(component);
  };
};
export const makeButton = (name, text, act, attributes = {}) => {
  const node = el("button", name, text, { type: "button", ...attributes });
  node.onclick = act;
  return node;
};
export const shape = (tag, attributes, text) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  return node;
};
export const setCurrent = (node, on) => { if (on) node.setAttribute("aria-current", "true"); else node.removeAttribute("aria-current"); };
export const number = (n) => n.toLocaleString("en");
export const percent = (share) => `${Math.round(share * 100)} %`;
export const isTyping = (event) => event.composedPath().some((node) => node.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable=true]"));
// Keys with what they do, as a line of help.
export const keyHelp = (keys) => put(el("p", "keys"), ...keys.flatMap(([key, does]) => [el("kbd", null, key), ` ${does}  `]));

// A table of rows of cells. heads: names, or [name, class]; a cell is text or a node, and has the class of its head.
export const table = (heads, rows, { label, titles = [] } = {}) => {
  const named = heads.map((head) => [head].flat());
  const head = put(el("thead"), put(el("tr"), ...named.map(([name, style]) => el("th", style, name, { scope: "col" }))));
  const lines = rows.map((cells, at) => put(el("tr", null, null, { title: titles[at] }), ...cells.map((cell, i) => cell instanceof Node ? cell : el("td", named[i]?.[1], cell))));
  return put(el("table", null, null, { "aria-label": label }), head, put(el("tbody"), ...lines));
};

// The answer of a route; what is wrong comes as an Error in the words of the server.
export async function call(path, parameters = {}, options = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "" && value !== null && value !== undefined));
  const found = await fetch(`/api/${path}${String(query) && "?"}${query}`, options);
  if (found.ok) return found.json();
  let problem = {};
  try { problem = await found.json(); } catch { /* no words of ours */ }
  throw Object.assign(new Error([problem.detail || "The server did not answer.", problem.next_step].filter(Boolean).join(" ")), { status: found.status });
}

// Room in pixels from a node's top to the lower edge of the window, however far its pane is scrolled.
export const roomBelow = (node, pane = "[data-testid=stMain]") => {
  const scrolled = (node.getRootNode().host || node).closest(pane)?.scrollTop || 0;
  return Math.floor(innerHeight - node.getBoundingClientRect().top - scrolled);
};
// A fixed box beside what it belongs to, within the window.
export const placeBeside = (box, anchor, { gap = 4, indent = 0 } = {}) => {
  const at = anchor.getBoundingClientRect(), own = box.getBoundingClientRect();
  const top = at.bottom + gap + own.height > innerHeight ? at.top - own.height - gap : at.bottom + gap;
  Object.assign(box.style, { left: `${Math.max(8, Math.min(at.left - indent, innerWidth - own.width - 8))}px`, top: `${Math.max(8, top)}px` });
};
