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
export const worded = (value) => {
  if (value.type === "boolean") return value.value === "true" ? "Yes" : "No";
  if (value.type === "money") {
    const [whole, part] = value.value.split(".");
    return `${value.unit || ""} ${Number(whole).toLocaleString("en")}${part && Number(part) ? "." + part : ""}`.trim();
  }
  if (value.type === "number" && !Number.isNaN(Number(value.value))) return Number(value.value).toLocaleString("en", { maximumFractionDigits: 6 });
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
