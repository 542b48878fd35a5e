// The text beside the picture: a scene's JSON, or Mermaid, SQL, BPMN or draw.io text that is read as one; and what is
// wrong with it. A plain text field: every reader of screens, input method and undo key knows it.

import { announce, button, h, menuButton } from "./dom.js";
import { same } from "./operations.js";

const REST = 450; // ms without a key before a text is read
const ORDER = { error: 0, warning: 1, info: 2 };
const isJson = (text) => /^\s*[{[]/.test(text);

export class Source {
  #timer = null;
  #foreign = false;
  #reading = null;

  /** `mayReplace()` asks before work that nobody keeps goes. */
  constructor(root, { session, viewer, examples, mayReplace }) {
    Object.assign(this, { root, session, viewer, examples, mayReplace });
    this.field = h("textarea", {
      id: "text", readonly: true, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", "aria-label": "Text of the diagram",
      placeholder: "Paste or write a diagram:\nMermaid, SQL tables, BPMN,\ndraw.io or scene JSON",
    });
    this.kind = h("span", { class: "quiet" });
    this.problems = h("ul", { class: "problems", "aria-label": "Problems" });
    this.count = h("summary", {});
    const opened = h("input", { type: "file", hidden: true, accept: ".json,.mmd,.mermaid,.sql,.bpmn,.xml,.drawio,.dbml,.dot,.gv,.yaml,.yml,.txt,.md" });
    opened.addEventListener("change", () => this.#file(opened.files[0]));
    this.begin = h("div", { class: "begin" }, h("h3", {}, "Or begin with an example"), h("ul", { class: "examples" },
      examples.flatMap((group) => group.items).slice(0, 8).map((item) => h("li", {}, h("button", { type: "button", onclick: () => this.example(item.file) }, h("b", {}, item.title), h("small", {}, item.hint))))));
    root.append(
      h("header", {}, menuButton(button("spark", "Examples", null, { words: true }), () => this.#exampleRows()),
        button("folder", "Open file", () => opened.click(), { words: true }), opened, this.kind,
        button("close", "Hide the text", () => document.body.classList.remove("with-source"), { class: "narrow" })),
      this.field, this.begin,
      h("details", { class: "findings", hidden: true }, this.count, this.problems),
    );
    this.findings = root.querySelector("details");
    this.field.addEventListener("input", () => this.#typed());
    this.field.addEventListener("keydown", (event) => this.#tab(event));
    for (const name of ["dragover", "drop"]) root.addEventListener(name, (event) => this.#dropped(event));
    session.addEventListener("open", () => this.show());
    for (const name of ["change", "merged"]) session.addEventListener(name, () => this.show());
    for (const name of ["diagnostics", "refused"]) session.addEventListener(name, () => this.report(session.diagnostics));
  }

  /** Let people write: before the first view stands, a draft or a kept scene would take the place of their words. */
  unlock() { this.field.readOnly = false; }

  /** The document as text, unless the text is where it came from. */
  show() {
    const { current } = this.session;
    this.begin.hidden = !this.session.isBlank;
    if (!current || (this.#reading && same(this.#reading, current))) return;
    this.#foreign = false;
    if (this.session.isBlank) {
      this.field.value = this.kind.textContent = "";
      return this.report([]);
    }
    const at = this.field.scrollTop;
    this.field.value = JSON.stringify(current, null, 2);
    this.field.scrollTop = at;
    this.kind.textContent = "Scene JSON";
  }

  /** Whether the text is being written: the picture follows it. */
  get writing() { return this.#reading !== null; }

  /** Read a text as if it had been pasted. */
  async read(text, { isExample = false } = {}) {
    if (!(await this.mayReplace())) return;
    this.field.value = text;
    await this.#take({ fresh: true, isExample });
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#take({}), REST);
  }

  async #take({ fresh = false, isExample = false }) {
    const text = this.field.value;
    if (!text.trim()) return;
    try {
      const found = isJson(text) ? { scene: sceneOf(JSON.parse(text)), diagnostics: [] } : await this.#imported(text);
      if (this.field.value !== text) return;
      this.kind.textContent = isJson(text) ? "Scene JSON" : "Read as a diagram; kept as text until you edit the picture";
      this.#taken(found.scene, { fresh: fresh || !isJson(text) !== this.#foreign, isExample });
      this.#foreign = !isJson(text);
      this.losses = found.diagnostics ?? [];
    } catch (fault) {
      if (this.field.value === text) this.report(fault.diagnostics?.length ? fault.diagnostics : [unread(fault, text)]);
    }
  }

  #taken(scene, { fresh, isExample }) {
    const { session } = this;
    const anew = !session.current || (fresh && !session.stored) || scene.scene?.id !== session.current.scene?.id;
    this.#reading = scene;
    if (anew) session.open(scene, { computed: this.#foreign ? session.sketch : null, isExample });
    else session.change(scene, "Edit the text", { series: "text" });
    this.#reading = null;
  }

  #imported(text) { return this.session.service.json("POST", "/v1/scenes/import", { body: { source: text } }); }

  /** The problems, the worst first; each leads to its element. */
  report(rows) {
    const all = [...rows, ...(this.#foreign ? this.losses ?? [] : [])].sort((one, other) => ORDER[one.severity] - ORDER[other.severity]);
    const counts = ["error", "warning", "info"].map((severity) => [severity, all.filter((row) => row.severity === severity).length]).filter(([, count]) => count);
    this.findings.hidden = !all.length;
    if (counts[0]?.[0] === "error") this.findings.open = true;
    this.count.replaceChildren(...counts.map(([severity, count]) => h("span", { class: severity }, `${count} ${{ error: "error", warning: "warning", info: "hint" }[severity]}${count > 1 ? "s" : ""}`)));
    this.problems.replaceChildren(...all.map((row) => h("li", {},
      h("button", { type: "button", class: row.severity, onclick: () => this.#jump(row) }, h("span", {}, row.message), h("small", {}, row.code)))));
    if (counts[0]?.[0] === "error") announce(all[0].message, { visible: false });
  }

  #jump(row) {
    const { session, viewer } = this;
    const index = /^\/elements\/([^/]+)/.exec(row.path ?? "")?.[1];
    const id = row.elementId ?? session.current?.elements?.[Number(index)]?.id ?? row.data?.elementIds?.[0] ?? index;
    const line = row.data?.line;
    if (line) this.#markLine(line);
    else if (id !== undefined) {
      if (viewer.picture.groups.has(id)) viewer.select([id], { show: true });
      this.#markText(JSON.stringify(id));
    }
  }

  #markLine(line) {
    const lines = this.field.value.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.#mark(from, from + (lines[line - 1]?.length ?? 0));
  }

  #markText(words) {
    const at = this.field.value.indexOf(`"id": ${words}`);
    if (at >= 0) this.#mark(at, at + words.length + 6);
  }

  #mark(from, to) {
    const { field } = this;
    document.body.classList.add("with-source");
    field.focus();
    field.setSelectionRange(from, to);
    const height = field.scrollHeight / Math.max(1, field.value.split("\n").length);
    field.scrollTop = Math.max(0, field.value.slice(0, from).split("\n").length * height - field.clientHeight / 2);
  }

  /** Two blanks for a tab, so that nobody leaves the text by it in the middle of a line; Escape then Tab leaves. */
  #tab(event) {
    if (event.key === "Escape") this.leaving = true;
    else if (event.key === "Tab" && !this.leaving && !event.shiftKey && this.field.selectionStart > 0) {
      event.preventDefault();
      this.field.setRangeText("  ", this.field.selectionStart, this.field.selectionEnd, "end");
      this.#typed();
    } else if (event.key !== "Shift") this.leaving = false;
  }

  async #file(file) { if (file) await this.read(await file.text()); }

  #dropped(event) {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file && !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop") this.#file(file);
  }

  #exampleRows() {
    return this.examples.flatMap((group) => [{ heading: group.group }, ...group.items.map((item) => ({ label: item.title, hint: item.hint, run: () => this.example(item.file) }))]);
  }

  async example(file) {
    const reply = await fetch(new URL(`examples/${file}`, import.meta.url));
    await this.read(await reply.text(), { isExample: true });
  }
}

/** A document, also where it stands in an envelope as the API answers it. */
function sceneOf(parsed) { return parsed?.scene?.elements ? parsed.scene : parsed; }

function unread(fault, text) {
  const position = /position (\d+)/.exec(fault.message)?.[1];
  const line = position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
  const message = fault instanceof SyntaxError ? `This is not JSON yet${line ? `: see line ${line}` : ""}.` : fault.message;
  return { severity: "error", code: fault instanceof SyntaxError ? "INVALID_JSON" : (fault.code ?? "").toUpperCase(), message, data: line ? { line } : {} };
}
