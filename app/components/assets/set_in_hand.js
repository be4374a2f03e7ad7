// The documents in hand: a line above the question's box, which can be looked at and cleared.

import { count, el, mount, put } from "./dom.js";
import { DocumentList } from "./answer_list.js";

class View {
  constructor(root) {
    this.root = root;
    this.box = el("section", "inhand", null, { "aria-label": "Set in hand" });
    root.append(this.box);
    const shown = (event) => {
      if (!this.box.isConnected) return window.removeEventListener("groundwork:evidence", shown);
      const { turn, kind, number } = event.detail;
      this.list?.mark(turn === this.data.turn && kind === "set" ? [kind, number] : null);
    };
    window.addEventListener("groundwork:evidence", shown);
  }

  update({ data, setTriggerValue }) {
    this.send = setTriggerValue;
    const drawn = JSON.stringify([data.turn, data.count, data.label]);
    this.data = data;
    if (drawn !== this.drawn) { this.drawn = drawn; this.draw(); }
    this.list?.mark(data.shown === null ? null : ["set", data.shown]);
  }

  draw() {
    const { data } = this;
    this.list = null;
    this.box.replaceChildren();
    this.box.classList.toggle("empty", !data.count);
    if (!data.count) return;
    const numbered = /^[\d“]/.test(data.label), what = numbered ? data.label : `${data.count.toLocaleString("en")} ${data.label || (data.count === 1 ? "document" : "documents")}`;
    const show = el("button", "quiet", "Show", { type: "button", "aria-expanded": "false", "aria-label": `Show the ${count(data.count, "document")} in hand` });
    const clear = el("button", "quiet", "Clear", { type: "button", title: "Later questions are about everything again" });
    show.onclick = () => this.toggle(show);
    clear.onclick = () => { clear.disabled = true; this.send("clear", Date.now()); };
    put(this.box, put(el("p", "inline"), el("span", "lead", "Set in hand:"), el("strong", "what", what, { title: what }), show, clear));
  }

  toggle(show) {
    const open = show.getAttribute("aria-expanded") !== "true";
    show.setAttribute("aria-expanded", String(open));
    if (!open) { this.list?.box.remove(); this.list = null; return; }
    const { conversation, turn } = this.data;
    this.list = new DocumentList(`/api/conversations/${encodeURIComponent(conversation)}/turns/${encodeURIComponent(turn)}`, `${conversation}.${turn}`, (_part, number) => this.send("place", { number, at: Date.now() }));
    this.list.closed = () => { this.toggle(show); show.focus(); };
    this.list.box.onkeydown = (event) => { if (event.key === "Escape") { event.stopPropagation(); event.preventDefault(); this.list?.closed(); } };
    put(this.box, this.list.box);
    this.list.show("set", (total) => `${count(total, "document")} in hand`);
  }
}

export default mount(View);
