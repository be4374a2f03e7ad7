// Takes files, folders and archives and streams each to our own route: no size limit of the page, no copy in memory.

import { count, el, makeButton, mount, size } from "./dom.js";

const AT_ONCE = 3;
const files = (n) => count(n, "file");

class Drop {
  constructor(root) {
    this.zone = el("div", "zone", null, { role: "group", "aria-label": "Add documents" });
    this.zone.append(el("p", "lead", "Drop files, folders or a ZIP here"));
    const row = el("div", "row");
    row.append(this.chooser("Choose files", {}), this.chooser("Choose a folder", { webkitdirectory: "" }));
    this.kinds = el("p", "faint", "PDF, Word (DOCX, DOCM), Excel, CSV, HTML, Markdown, text, e-mail (EML, MSG, MBOX), calendar (ICS), ZIP");
    this.zone.append(row, this.kinds);
    this.bar = el("progress", null, null, { max: "1", value: "0", "aria-label": "Upload" });
    this.bar.hidden = true;
    this.line = el("p", "line", "", { role: "status" });
    this.list = el("ul", "failed");
    root.append(this.zone, this.bar, this.line, this.list);
    this.zone.ondragover = (event) => { event.preventDefault(); this.zone.classList.add("over"); };
    this.zone.ondragleave = () => this.zone.classList.remove("over");
    this.zone.ondrop = async (event) => {
      event.preventDefault();
      this.zone.classList.remove("over");
      const entries = [...event.dataTransfer.items].map((i) => i.webkitGetAsEntry?.()).filter(Boolean);
      this.add(entries.length ? (await Promise.all(entries.map((e) => this.walk(e, "")))).flat() : [...event.dataTransfer.files].map((file) => ({ file, name: file.name })));
    };
  }

  chooser(label, more) {
    const input = el("input", null, null, { type: "file", multiple: "", "aria-label": label, tabindex: "-1", ...more });
    const button = makeButton(null, label, () => input.click());
    input.onchange = () => { this.add([...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name }))); input.value = ""; };
    const box = el("span");
    box.append(button, input);
    return box;
  }

  async walk(entry, folder) {
    const name = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isFile) return [{ file: await new Promise((ok, no) => entry.file(ok, no)), name }];
    const reader = entry.createReader(), found = [];
    for (;;) {
      const some = await new Promise((ok, no) => reader.readEntries(ok, no));
      if (!some.length) break;
      found.push(...some);
    }
    return (await Promise.all(found.map((e) => this.walk(e, name)))).flat();
  }

  update({ data, setStateValue }) {
    this.report = setStateValue;
    if (data.kinds) this.kinds.textContent = data.kinds;
    if (data.batch === this.batch) return;
    this.batch = data.batch;
    this.items = []; this.queue = []; this.busy = 0;
    this.names = new Map();
    this.draw();
  }

  // A second, different file of one name in one folder gets a number; the same file dropped twice is one.
  add(found) {
    for (const { file, name } of found) {
      if (/(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(name)) continue;
      let free = name;
      for (let i = 2; this.names.has(free); i++) {
        const other = this.names.get(free).file;
        if (other.size === file.size && other.lastModified === file.lastModified) { free = null; break; }
        free = name.replace(/(\.[^./]*)?$/, ` (${i})$1`);
      }
      if (free === null) continue;
      const item = { file, name: free, sent: 0, state: "waiting" };
      this.names.set(free, item);
      this.items.push(item); this.queue.push(item);
    }
    this.begun ??= performance.now();
    this.pump();
    this.draw();
  }

  pump() {
    while (this.busy < AT_ONCE && this.queue.length) this.send(this.queue.shift());
  }

  send(item) {
    const batch = this.batch, request = new XMLHttpRequest();
    this.busy += 1;
    item.state = "sending";
    request.open("PUT", `/api/uploads/${batch}?name=${encodeURIComponent(item.name)}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => { item.sent = event.loaded; this.soon(); };
    request.onloadend = () => {
      if (batch !== this.batch) return;
      this.busy -= 1;
      item.state = request.status === 201 ? "here" : "failed";
      item.sent = item.file.size;
      if (item.state === "failed") {
        try { const problem = JSON.parse(request.responseText); item.reason = `${problem.detail}. ${problem.next_step || ""}`; } catch { item.reason = "The connection broke. Choose the file again."; }
        this.names.delete(item.name);
      }
      this.pump();
      this.draw();
    };
    request.send(item.file);
  }

  soon() { this.timer ??= setTimeout(() => { this.timer = null; this.draw(); }, 100); }

  draw() {
    const total = this.items.reduce((sum, i) => sum + i.file.size, 0), sent = this.items.reduce((sum, i) => sum + i.sent, 0);
    const here = this.items.filter((i) => i.state === "here"), failed = this.items.filter((i) => i.state === "failed");
    const running = this.busy + this.queue.length > 0;
    this.bar.hidden = !running;
    this.bar.value = total ? sent / total : 0;
    this.line.textContent = !this.items.length ? "" : running ? `${here.length.toLocaleString("en")} of ${files(this.items.length)} · ${size(sent)} of ${size(total)}` : `${files(here.length)} ready, ${size(here.reduce((sum, i) => sum + i.file.size, 0))}`;
    this.list.replaceChildren(...failed.map((i) => el("li", null, `■ ${i.name}: ${i.reason}`)));
    const told = JSON.stringify([this.batch, here.length, running]);
    if (this.items.length && !running && told !== this.told) {
      this.told = told;
      this.report("arrived", { batch: this.batch, files: here.length, failed: failed.length });
    }
  }
}

export default mount(Drop);
