// The text beside the picture: a scene's JSON, or Mermaid, SQL, BPMN or draw.io text that is read as one; and what is
// wrong with it. A plain text field: every reader of screens, input method and undo key knows it.

import { announce, button, h, menuButton } from "./dom.js";
import { merged, same } from "./operations.js";

const REST = 450; // ms without a key before a text is read
const FOLLOWS = 400; // ms from an edit of the picture until the text follows it
const AGAIN = 5000; // ms until a text follows that could not be read for lack of a service
const ORDER = { error: 0, warning: 1, info: 2 };
/** Whether a text is a scene's JSON, or wants to become it; JSON of another tool goes to its reader. */
function isJson(text) {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    const value = JSON.parse(text);
    const names = Object.keys(value);
    return !names.length || Array.isArray(value) || ["schemaVersion", "scene", "diagramFamily"].some((name) => names.includes(name)) ||
      (names.includes("elements") && value.type !== "excalidraw");
  } catch {
    return true;
  }
}

export class Source {
  #timer = null;
  #reading = null;
  #held = null; // a text in a language of its own: {row, text, read: what it says in the document's ids, left: what it does not say}
  #language = null; // the module of languages, once a text has one
  #known = new WeakMap(); // document → the text that said it
  #later = null;
  #late = null; // JSON that is still to be written: {now(), timer}
  #saying = false;
  #losses = [];

  /** `mayReplace()` asks before work that nobody keeps goes; `followed()` hears that the text says the picture again. */
  constructor(root, { session, viewer, examples, mayReplace, followed: heard }) {
    Object.assign(this, { root, session, viewer, examples, mayReplace, heard });
    this.field = h("textarea", {
      id: "text", readonly: true, spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", "aria-label": "Text of the diagram",
      placeholder: "Paste or write a diagram:\nMermaid, PlantUML, D2, SQL,\nBPMN, draw.io, scene JSON …",
    });
    this.kind = menuButton(h("button", { type: "button", class: "kind", title: "Language of the text" }), () => this.#languageRows());
    this.problems = h("ul", { class: "problems", "aria-label": "Problems" });
    this.count = h("summary", {});
    const opened = h("input", { type: "file", hidden: true });
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
    this.field.addEventListener("focus", () => this.#late?.now());
    this.field.addEventListener("keydown", (event) => this.#tab(event));
    for (const name of ["dragover", "drop"]) root.addEventListener(name, (event) => this.#dropped(event));
    session.addEventListener("open", (event) => this.show(event));
    for (const name of ["change", "merged"]) session.addEventListener(name, (event) => this.show(event));
    for (const name of ["diagnostics", "refused"]) session.addEventListener(name, () => this.report(session.diagnostics));
  }

  /** The document as text, unless the text is where it came from; a text in another language follows. */
  show(event) {
    const { current } = this.session;
    this.begin.hidden = !this.session.isBlank;
    if (!current || (this.#reading && same(this.#reading, current))) return;
    const known = this.#known.get(current);
    if (known) return this.#hold(known);
    if (this.#held && event?.type !== "open" && this.session.isEditable) return this.#follow();
    if (event?.type === "change" && !this.#held && this.field.value && document.activeElement !== this.field) return this.#asJsonLater();
    this.#asJson();
  }

  /** The picture comes first: a long text takes a browser longer than a drop may. Whoever is about to write has it at once. */
  #asJsonLater() {
    const { value } = this.field;
    clearTimeout(this.#late?.timer);
    const now = () => {
      clearTimeout(this.#late.timer);
      this.#late = null;
      this.field.removeAttribute("aria-busy");
      if (!this.#held && this.field.value === value) this.#asJson(); // who writes comes first
    };
    const rest = () => {
      if (this.viewer.stage.getAttribute("aria-busy") === "true") this.#late.timer = setTimeout(rest, FOLLOWS);
      else now();
    };
    this.#late = { now, timer: setTimeout(rest, FOLLOWS) };
    this.field.setAttribute("aria-busy", "true");
  }

  #asJson() {
    this.#held = null;
    if (this.session.isBlank) {
      this.#write("", "");
      return this.report([]);
    }
    this.#write(JSON.stringify(this.session.current, null, 2), "Scene JSON");
    this.report(this.session.diagnostics);
  }

  #write(text, kind) {
    const at = this.field.scrollTop;
    if (this.field.value !== text) this.field.value = text;
    this.field.scrollTop = at;
    this.kind.textContent = kind;
    this.kind.hidden = !kind;
  }

  // A text in another language --------------------------------------------------------------------------------------

  /** What brings the text back beside its document; null for scene JSON. */
  get remembered() { return this.#held && { format: this.#held.row.format, text: this.#held.text, read: this.#held.read }; }

  /** Go on with a remembered text of the document that is open. */
  async goOn({ format, text, read }) {
    const { current } = this.session;
    const { languageOf, aligned } = await this.#languages();
    if (this.session.current !== current) return;
    this.#hold({ row: languageOf(format, text), text, read: aligned(read, current), left: [] });
    this.#follow();
  }

  #hold(held) {
    this.#held = held;
    this.#known.set(this.session.current, held);
    this.#write(held.text, held.row.name);
    this.report(this.session.diagnostics);
    this.heard();
  }

  #follow(wait = FOLLOWS) {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.#say().catch((fault) => (fault.isPassing ? this.#follow(AGAIN) : announce(fault.message))), wait);
  }

  /** The text as the picture is now, as far as its language can say it. */
  async #say() {
    const held = this.#held;
    const document = this.session.current;
    if (!held || this.field.value !== held.text) return; // who writes it comes first
    if (this.#saying) return this.#follow();
    this.#saying = true;
    try {
      const { followed, untold } = this.#language;
      const found = await followed({ ...held, document, told: held.left, reads: (text) => this.#reads(text), written: () => this.#written(held.row.format) });
      if (this.#held !== held || this.field.value !== held.text) return;
      const fresh = found.left.filter((row) => !held.left.some(({ fact, after }) => fact === row.fact && after === row.after));
      this.#hold({ row: held.row, ...found });
      if (fresh.length) announce(`${held.row.name} cannot say ${untold(fresh).map(({ words }) => words).join(", ")}. It is kept beside the text.`);
      if (this.session.current !== document) this.#follow();
    } finally {
      this.#saying = false;
    }
  }

  /** The document that a text is read as; null where it cannot be. */
  async #reads(text) {
    return (await this.#imported(text, { patient: true }).catch((fault) => { if (fault.isPassing) throw fault; }))?.scene ?? null;
  }

  /** The whole picture as a text of a format. */
  async #written(format) {
    return (await (await this.session.file({ format, patient: true })).text()) || null;
  }

  async #languages() { return (this.#language ??= await import("./language.js")); }

  #languageRows() {
    const { row } = this.#held ?? {};
    const anew = (format) => async () => {
      try {
        const text = await this.#written(format);
        const read = text && (await this.#reads(text));
        if (!read) return announce("The picture has no form in this language.");
        const { current } = this.session;
        const { languageOf, aligned, differences } = await this.#languages();
        const said = aligned(read, current);
        this.#hold({ row: languageOf(format, text), text, read: said, left: differences(said, current) });
      } catch (fault) {
        announce(fault.message);
      }
    };
    return [
      ...(row ? [{ label: row.name, checked: true, run: () => null }] : []),
      { label: "Scene JSON", checked: !row, run: () => this.#asJson() },
      ...(row?.rewrites ? [{ label: `${row.name}, written anew`, run: anew(row.format) }] : []),
      ...(row?.format === "mermaid" ? [] : [{ label: "Mermaid", checked: false, run: anew("mermaid") }]),
    ];
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
      this.#losses = found.diagnostics ?? [];
      if (isJson(text)) this.#takenJson(found.scene, { fresh: fresh || this.#held !== null, isExample });
      else this.#taken(await this.#languages(), found.scene, text, { fresh, isExample });
    } catch (fault) {
      if (this.field.value === text) this.report(fault.diagnostics?.length ? fault.diagnostics : [unread(fault, text)]);
    }
  }

  #takenJson(scene, { fresh, isExample }) {
    const { session } = this;
    const anew = !session.current || (fresh && !session.stored) || scene.scene?.id !== session.current.scene?.id;
    this.#held = null;
    this.kind.textContent = "Scene JSON";
    this.kind.hidden = false;
    this.#reading = scene;
    if (anew) session.open(scene, { isExample });
    else session.change(scene, "Edit the text", { series: "text" });
    this.#reading = null;
  }

  /** What a text in another language says: a diagram of its own, or an edit of the one that it said before. What people did
      to the picture since stays where the text says nothing else. */
  #taken({ languageOf, aligned, differences }, scene, text, { fresh, isExample }) {
    const { session } = this;
    if (this.field.value !== text) return;
    const row = languageOf(formatOf(scene), text);
    const before = this.#held;
    if (fresh || before?.row.format !== row.format || !session.isEditable) {
      this.#reading = scene;
      session.open(scene, { isExample });
      this.#reading = null;
      return this.#hold({ row, text, read: session.current, left: [] });
    }
    const read = aligned(scene, session.current);
    const { document } = merged(before.read, session.current, read);
    const left = differences(read, document);
    this.#reading = document;
    session.change(document, "Edit the text", { series: "text" });
    this.#reading = null;
    this.#hold({ row, text, read, left: left.filter(({ fact }) => before.left.some((known) => known.fact === fact)) });
    if (left.length > this.#held.left.length) this.#follow();
  }

  #imported(text, { patient = false } = {}) { return this.session.service.json("POST", "/v1/scenes/import", { body: { source: text }, patient }); }

  /** The problems, the worst first; each leads to its element. */
  report(rows) {
    const all = [...rows, ...(this.#held ? [...this.#losses, ...this.#language.untold(this.#held.left).map(({ words, id }) => ({ severity: "info", code: "NOT_IN_THE_TEXT", message: `${this.#held.row.name} cannot say ${words}. It is kept beside the text.`, elementId: id }))] : [])].sort((one, other) => ORDER[one.severity] - ORDER[other.severity]);
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

/** The format that a document was read from. */
const formatOf = ({ elements, scene }) => elements.find(({ metadata }) => metadata?.source)?.metadata.source.format ?? scene.id;

function unread(fault, text) {
  const position = /position (\d+)/.exec(fault.message)?.[1];
  const line = position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
  const message = fault instanceof SyntaxError ? `This is not JSON yet${line ? `: see line ${line}` : ""}.` : fault.message;
  return { severity: "error", code: fault instanceof SyntaxError ? "INVALID_JSON" : (fault.code ?? "").toUpperCase(), message, data: line ? { line } : {} };
}
