// Plotly, which draws charts: from our own origin, once a page, and only where there is a chart (4.8 MB, 1.5 on the wire).

import { el } from "./dom.js";

let loading = null;

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
