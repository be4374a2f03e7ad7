// The chart of an answer, drawn by Plotly from our own route in the colours of the page, and its downloads.

import { call, el, makeButton, put } from "./dom.js";
import { dress, load, themeOf } from "./plotly.js";

const SERIES = ["--st-blue-color", "--st-yellow-color", "--st-primary-color", "--st-violet-color", "--st-gray-color"];

export class AnswerChart {
  constructor(base, root) {
    this.base = base;
    this.root = root;
    this.box = el("figure", "chart", null, { hidden: "" });
    this.read();
  }

  async read() {
    try {
      this.chart = await call(`${this.base.replace("/api/", "")}/chart.json`).catch((error) => { if (error.status) return null; throw error; });
      if (!this.chart) return;
      this.drawing = el("div", "drawing", null, { role: "img", "aria-label": this.chart.name });
      this.drawing.style.height = `${this.chart.figure.layout.height}px`;
      const save = (kind) => makeButton("quiet", kind.toUpperCase(), () => this.save(kind), { "aria-label": `Download the chart as ${kind.toUpperCase()}` });
      const page = el("a", "quiet", "HTML", { href: `${this.base}/chart.html`, download: "", "aria-label": "Download the chart as HTML" });
      put(this.box, this.drawing, put(el("figcaption"), el("span", null, this.chart.note), "Chart ", save("svg"), save("png"), page));
      this.box.hidden = false;
      this.plotly = await load();
      await this.draw();
      new ResizeObserver(() => { if (this.drawing.clientWidth) this.plotly.Plots.resize(this.drawing); }).observe(this.drawing);  // a list that opens beside it takes room
    } catch (error) {
      this.box.hidden = false;
      this.box.replaceChildren(el("p", "faint", `${error.message || "The chart could not be drawn."} The table has the same values.`));
    }
  }

  colours() {
    const theme = themeOf(this.box);
    return { ...theme, series: SERIES.map((name) => theme.of(name, "#1d4fb8")) };
  }

  figure({ page } = {}) {
    const theme = this.colours(), { series } = theme, { data, layout } = structuredClone(this.chart.figure);
    const names = [...new Set(data.map((trace) => trace.name))];
    data.forEach((trace, at) => {
      const colour = series[(names.length > 1 ? names.indexOf(trace.name) : at) % series.length];
      if (trace.line) { trace.line.color = colour; trace.marker = { color: colour, size: 7 }; } else trace.marker.color = colour;
    });
    return { data, layout: dress(layout, theme, page ? theme.page : undefined) };
  }

  async draw() {
    const { data, layout } = this.figure();
    this.theme = JSON.stringify(this.colours());
    await this.plotly.react(this.drawing, data, { ...layout, autosize: true }, { displayModeBar: false, responsive: true });
  }

  // After the page changed between light and dark.
  refresh() { if (this.plotly && this.chart && this.theme !== JSON.stringify(this.colours())) this.draw(); }

  async save(kind) {
    const figure = this.figure({ page: true }), width = Math.max(900, this.drawing.clientWidth);
    const address = await this.plotly.toImage(figure, { format: kind, width, height: figure.layout.height, scale: kind === "png" ? 2 : 1 });
    const link = el("a", null, null, { href: address, download: `chart.${kind}` });
    this.root.append(link);
    link.click();
    link.remove();
  }
}
