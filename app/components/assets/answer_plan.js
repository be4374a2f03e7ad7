// The nodes of a plan while they run: a line each, folded away when the answer stands.

import { count, el, put, time } from "./dom.js";

export class PlanLines {
  constructor(plan) {
    this.box = el("li", "nodes");
    const list = put(el("ol", null, null, { "aria-label": "Steps of the plan" }));
    this.lines = new Map(plan.nodes.map((node) => {
      const line = put(el("li", "waiting"), el("span", null, node.purpose), el("span", "elapsed", ""));
      list.append(line);
      return [node.id, line];
    }));
    this.box.append(list);
  }

  change(event) {
    const line = this.lines.get(event.node);
    if (!line) return;
    line.className = { running: "running", done: "", stopped: "stopped" }[event.state];
    line.lastChild.textContent = event.state === "done" ? figures(event) : event.state === "stopped" ? event.message : "";
  }
}

const figures = (event) => [event.rows ? count(event.rows, "row") : "", time(event.latency_ms), event.source === "memory" || event.source === "store" ? "kept from before" : ""].filter(Boolean).join(" · ");

// The same afterwards, for the table of steps: what each node is for, how long it took, what it gave.
export function nodeRows(plan, events) {
  const done = new Map(events.filter((e) => e.type === "node_changed" && e.state !== "running").map((e) => [e.node, e]));
  return plan.nodes.map((node) => {
    const event = done.get(node.id);
    return [`· ${node.purpose}`, event ? time(event.latency_ms) : "", event ? figures(event) : ""];
  });
}
