// Plotly, which draws charts: from our own origin, once a page, and only where there is a chart (4.8 MB, 1.5 on the wire).

import { el } from "./dom.js";

let loading = null;

// Colours and font of the page around a node.
export function themeOf(node) {
  const style = getComputedStyle(node), of = (name, other) => style.getPropertyValue(name).trim() || other;
  return { of, text: of("--st-text-color", "#1b2124"), line: of("--st-border-color", "#d5dbd9"), page: of("--st-background-color", "#ffffff"), family: of("--st-font", "sans-serif") };
}

// A layout in them: on the page itself, or on `paper`.
export function dress(layout, { text, line, page, family }, paper = "rgba(0,0,0,0)") {
  Object.assign(layout, { paper_bgcolor: paper, plot_bgcolor: "rgba(0,0,0,0)", font: { size: 13, ...layout.font, color: text, family }, hoverlabel: { bgcolor: page, bordercolor: line, font: { color: text, family } } });
  for (const [name, axis] of Object.entries(layout)) if (/^[xy]axis/.test(name)) Object.assign(axis, { gridcolor: line, zerolinecolor: line, linecolor: line, fixedrange: true, automargin: true });
  return layout;
}

export function load() {
  loading ||= new Promise((done, failed) => {
    if (window.Plotly) return done(window.Plotly);
    const version = new URL(import.meta.url).pathname.split("/").at(-2);
    const script = el("script", null, null, { src: `/api/plotly/${version}.js` });
    script.onload = () => done(window.Plotly);
    script.onerror = () => { loading = null; failed(new Error("The drawing of charts could not be loaded.")); };
    document.head.append(script);
  });
  return loading;
}
