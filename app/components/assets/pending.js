// A question on its way: drawn by the browser itself, at once, until the server has drawn the turn.
// Stop works from the first moment: pressed here, it is handed to the turn as soon as that is there.

import { brief, el, makeButton, put, squeeze } from "./dom.js";
import "./answer.js";  // fetched now, so that the first answer does not wait for it

const PATIENCE_MS = 60000;

let pending;
export default function (component) {
  if (pending?.root !== component.parentElement) {
    pending?.leave();
    pending = new Pending(component.parentElement, pending?.stopped);
  }
  pending.update(component.data);
}

class Pending {
  constructor(root, stopped = false) {
    this.root = root;
    this.stopped = stopped;
    this.late = setTimeout(() => this.clear(), PATIENCE_MS);
    this.box = el("div", "pending", null, { hidden: "", role: "status" });
    root.append(this.box);
    this.leaving = new AbortController();
    const options = { capture: true, signal: this.leaving.signal };
    document.addEventListener("keydown", (event) => this.key(event), options);
    document.addEventListener("click", (event) => this.click(event), options);
    addEventListener("groundwork:asking", (event) => this.show(event.detail.text), options);
    addEventListener("groundwork:taken", (event) => { event.detail.stopped ||= this.stopped; this.clear(); }, options);
  }

  // The server counts what was asked: a new count says that it took the question, or could not. The turn may
  // be drawn later than that, and takes a Stop then.
  update(data) {
    if (this.asked !== undefined && data.asked !== this.asked) setTimeout(() => { this.box.hidden = true; }, 400);
    this.asked = data.asked;
  }

  key(event) {
    const area = event.target.closest?.("[data-testid=stChatInputTextArea]");
    if (area && event.key === "Enter" && !event.shiftKey && !event.isComposing) this.show(area.value);
  }

  click(event) {
    const button = event.target.closest?.("button");
    if (!button || button.disabled) return;
    if (button.matches("[data-testid=stChatInputSubmitButton]")) this.show(document.querySelector("[data-testid=stChatInputTextArea]").value);
    else if (button.closest(".st-key-starters")) this.show(button.querySelector("p").textContent);
  }

  show(question) {
    if (!squeeze(question) || !this.root.isConnected) return;
    this.stopped = false;
    const stop = makeButton("stop", "Stop", () => { this.stopped = true; stop.disabled = true; stop.textContent = "Stopping"; });
    this.box.replaceChildren();
    put(this.box, el("span", "line", "Reading the question"), el("span", "question", brief(squeeze(question), 200)), stop);
    this.box.hidden = false;
    clearTimeout(this.late);
    this.late = setTimeout(() => this.clear(), PATIENCE_MS);
  }

  clear() {
    clearTimeout(this.late);
    this.box.hidden = true;
    this.stopped = false;
  }

  leave() { this.leaving.abort(); clearTimeout(this.late); }
}
