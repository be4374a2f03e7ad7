// A chart that is drawn again in place when its numbers change, in the colours of the page. A click on a mark that has an id
// sends it. Colours of the figure are variables of the theme ("--st-blue-color", or "/45" for 45 % of one on the page); "--on" is
// what can be read on them.

import { el, mount, put } from "./dom.js";
import { dress, load, themeOf } from "./plotly.js";

const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const mixed = (colour, page, share) => {
  const below = parts(page);
  return `rgb(${parts(colour).map((part, at) => Math.round(part * share + below[at] * (1 - share))).join(",")})`;
};

class Chart {
  constructor(root) {
    this.drawing = el("div", "drawing", null, { role: "img" });
    put(root, this.drawing);
    new ResizeObserver(() => { if (this.plotly && this.drawing.clientWidth && this.shown) this.plotly.Plots.resize(this.drawing); }).observe(this.drawing);
  }

  async update({ data, setTriggerValue }) {
    this.data = data;
    this.send = (id) => setTriggerValue("pick", { id, at: Date.now() });
    this.drawing.setAttribute("aria-label", data.name);
    this.drawing.style.height = `${data.figure.layout.height}px`;
    this.drawing.classList.toggle("picks", data.picks === true);
    try {
      this.plotly ||= await load();
    } catch (error) {
      this.drawing.replaceChildren(el("p", "faint", `${error.message} The table has the same values.`));
      return;
    }
    const { figure } = this.data, theme = themeOf(this.drawing), { of, text, page } = theme;
    const own = JSON.stringify([figure, text, page]);
    if (own === this.shown) return;
    const on = page;  // strong colours are dark on a light page, and light on a dark one
    const named = (value) => { const [name, share] = value.split("/"); return share ? mixed(of(name, text), page, share / 100) : of(name, text); };
    const coloured = (value) => typeof value === "string" && value.startsWith("--") ? (value === "--on" ? on : named(value))
      : Array.isArray(value) ? value.map(coloured)
      : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, coloured(each)])) : value;
    const marks = coloured(figure.data), layout = { ...dress(coloured(figure.layout), theme), autosize: true, dragmode: false };
    const first = !this.shown;
    this.shown = own;
    await this.plotly.react(this.drawing, marks, layout, { displayModeBar: false, responsive: true });
    if (!first || !data.picks) return;
    const pick = (event) => {
      const point = event.points?.[0], id = point && (point.customdata ?? point.id);
      if (id !== undefined && id !== null && id !== "") this.send(String(Array.isArray(id) ? id[0] : id));
    };
    this.drawing.on("plotly_click", pick);
    this.drawing.on("plotly_treemapclick", (event) => { pick(event); return false; });  // it filters; it does not go in
  }
}

export default mount(Chart);
