// The scene that is being edited: its document, what was drawn of it, its history of edits, and its stored twin.
//
// Every edit, by hand or as text, makes a new document. What lies between two of them goes to the service as operations,
// so that undoing is an edit like any other and others' edits meanwhile are merged instead of overwritten.

import { merged, operationsBetween, same, settled } from "./operations.js";
import { fileFrom } from "./rendered.js";
import { Refusal } from "./service.js";

const MOST_OPERATIONS = 1000;
const MOST_LETTERS = 500; // of a message
const MOST_UNDONE = 200;
const SCHEMA_VERSION = "0.1";

export class Session extends EventTarget {
  #undone = [];
  #done = [];
  #saving = null;
  #kept = new WeakMap(); // documents that are revisions of the stored scene, while nobody else edits it

  /** `settle(conflicts)` asks a person whose value counts, and resolves to those that are mine, or null. */
  constructor(service, { settle }) {
    super();
    this.service = service;
    this.settle = settle;
    this.embeds = ["svg", "png"]; // a downloaded picture carries its scene; a published one never does
    this.formats = document.documentElement.dataset.formats.split(" ");
    this.open(null);
  }

  /** Begin with a document; `stored` {sceneId, revision, privacy} when the service keeps it. */
  open(opened, { computed = null, stored = null, isExample = false } = {}) {
    const { computed: own, ...rest } = opened ?? {};
    this.current = opened ? rest : null;
    this.sketch = computed ?? own ?? null;
    this.stored = stored;
    this.base = stored ? this.current : null;
    this.#kept = new WeakMap(stored ? [[this.current, stored.revision]] : []);
    this.comparing = null;
    this.diagnostics = [];
    this.#undone = [];
    this.#done = [];
    this.isExample = isExample;
    this.#tell("open");
  }

  /** Whether hands can edit the document: it has elements that have ids, and a head. */
  get isEditable() {
    const { scene, elements } = this.current ?? {};
    return Boolean(scene) && typeof scene === "object" && Array.isArray(elements) && elements.every((element) => typeof element?.id === "string");
  }

  /** Whether what is shown would be lost with it: work of one's own that the service does not keep. */
  get unkept() { return Boolean(this.current) && !this.stored && (!this.isExample || this.canUndo); }

  get canUndo() { return this.#done.length > 0; }

  get canRedo() { return this.#undone.length > 0; }

  get unsaved() { return this.stored !== null && !same(this.base, this.current); }

  name() { return this.current?.scene?.id ?? "scene"; }

  coloured() { return Boolean(this.current?.scene?.canvas?.background || Object.keys(this.current?.palette ?? {}).length); }

  async document() { return this.current; }

  /** An edit; `message` says what it was. Edits of the same `series` are undone together. Answers with what takes this
      edit back, and nothing else. */
  change(after, message, { series = null } = {}) {
    if (!this.current) return this.open(after);
    if (same(this.current, after)) return;
    const last = this.#done.at(-1);
    if (!(series && last?.series === series)) this.#done.push({ before: this.current, sketch: this.sketch, message, series });
    if (this.#done.length > MOST_UNDONE) this.#done.shift();
    this.#undone = [];
    const before = this.current;
    this.current = after;
    this.#tell("change", { message });
    this.save(message);
    const steps = this.#done;
    return () => { if (this.#done === steps) this.#takeBack(before, after, message); };
  }

  #takeBack(before, after, message) {
    if (same(this.current, after)) this.undo();
    else this.change(merged(after, before, this.current).document, `Undo: ${message}`);
  }

  undo() { this.#step(this.#done, this.#undone, "Undo"); }

  redo() { this.#step(this.#undone, this.#done, "Redo"); }

  /** Back to the document before, with the places that it had. What others did since is in it: see #meet. */
  async #step(from, to, word) {
    await this.#saving;
    const step = from.pop();
    if (!step) return;
    to.push({ before: this.current, sketch: this.sketch, message: step.message, series: null });
    const message = `${word}: ${step.message}`;
    this.current = step.before;
    this.sketch = step.sketch;
    this.#tell("change", { message });
    await this.save(message);
  }

  // Drawing --------------------------------------------------------------------------------------------------------

  /** What the viewer draws: the picture of the document, and where everything stands, which the next one keeps. */
  async picture({ theme, view }) {
    if (!this.current) return null;
    if (this.comparing) return this.#compared(theme);
    const wishes = { ...(theme ? { theme } : {}), ...(view ? { view } : {}) };
    const scene = this.#withSketch();
    try {
      const { output, computed, diagnostics = [] } = await this.service.json("POST", "/v1/scenes/render", { body: { scene, computed: true, ...wishes } });
      if (!view) this.sketch = computed;
      this.diagnostics = diagnostics;
      this.#tell("diagnostics");
      return { ...output, computed };
    } catch (fault) {
      if (!(fault instanceof Refusal) || !fault.diagnostics.length) throw fault;
      this.diagnostics = fault.diagnostics;
      this.#tell("diagnostics");
      return null;
    }
  }

  /** Where everything would stand if this were the document, and what there is to say of it: {computed, diagnostics}. */
  laidOut(document, signal) { return this.service.json("POST", "/v1/scenes/normalize", { body: this.#withSketch(document), signal }); }

  async #compared(theme) {
    const { revision, from } = this.comparing;
    const body = { revision, ...(theme ? { theme } : {}), ...(from ? { diff: { fromRevision: from } } : {}) };
    const path = `/v1/scenes/${encodeURIComponent(this.stored.sceneId)}/render`;
    return { ...(await this.service.json("POST", path, { body })).output, computed: {} };
  }

  async file({ format, theme, view, scale, embed }) {
    const wishes = Object.fromEntries(Object.entries({ format, theme, view, scale, embed }).filter(([, value]) => value));
    return fileFrom(await this.service.json("POST", "/v1/scenes/render", { body: { scene: this.#withSketch(), ...wishes } }));
  }

  #withSketch(document = this.current) { return this.sketch ? { ...document, computed: this.sketch } : document; }

  // Keeping --------------------------------------------------------------------------------------------------------

  /** Keep the document as a new scene. */
  async create() {
    const body = this.#withSketch();
    const { sceneId, revision } = await this.service.json("POST", "/v1/scenes", { body });
    this.stored = { sceneId, revision, privacy: "private" };
    this.base = this.current;
    this.#kept.set(this.base, revision);
    this.#tell("stored");
  }

  async openStored(sceneId) {
    const read = await this.#read(sceneId);
    this.open(read.scene, { computed: read.computed, stored: { sceneId, revision: read.revision, privacy: read.privacyStatus } });
  }

  #read(sceneId) { return this.service.json("GET", `/v1/scenes/${encodeURIComponent(sceneId)}?computed=true`); }

  /** Send what is not kept yet; one batch at a time, the next with all that came meanwhile. */
  async save(message) {
    if (!this.stored || this.#saving) return this.#saving;
    this.#saving = this.#saveAll(message);
    try {
      await this.#saving;
    } finally {
      this.#saving = null;
    }
  }

  async #saveAll(message) {
    const kept = this.stored;
    while (this.unsaved && this.stored === kept) {
      this.#tell("saving");
      const sent = this.current;
      try {
        kept.revision = await this.#send(kept, sent, message);
        this.base = sent;
        this.#kept.set(sent, kept.revision);
      } catch (fault) {
        if (fault.status === 409) await this.#meet();
        else {
          this.problem = fault;
          if (fault.diagnostics?.length) this.diagnostics = fault.diagnostics;
          this.#tell("refused");
          return;
        }
      }
    }
    this.problem = null;
    this.#tell("stored");
  }

  /** The revision that a document became. One that was a revision before is restored, with its places. */
  async #send({ sceneId, revision }, sent, message) {
    const path = `/v1/scenes/${encodeURIComponent(sceneId)}`;
    const former = this.#kept.get(sent);
    if (former) return (await this.service.json("POST", `${path}/restore`, { body: { revision: former, baseRevision: revision } })).revision;
    const ops = operationsBetween(this.base, sent);
    if (ops.length > MOST_OPERATIONS) throw new Refusal(0, { error: `An edit may have ${MOST_OPERATIONS} operations; this one has ${ops.length}.` });
    const body = { schemaVersion: SCHEMA_VERSION, sceneId, baseRevision: revision, ops, ...(message ? { message: message.slice(0, MOST_LETTERS) } : {}) };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    return (await this.service.json("POST", `${path}/applyOps`, { body, headers })).revision;
  }

  /** Somebody else's edit came first, or was heard of: both become one document. */
  async #meet() {
    const { stored } = this;
    const read = await this.#read(stored.sceneId);
    if (this.stored !== stored || read.revision === stored.revision) return;
    const { document: together, conflicts } = merged(this.base, this.current, read.scene);
    const mine = conflicts.length ? await this.settle(conflicts) : [];
    stored.revision = read.revision;
    stored.privacy = read.privacyStatus;
    // Theirs becomes part of every step back, so that undoing takes back our own edits alone.
    for (const step of [...this.#done, ...this.#undone]) step.before = merged(this.base, step.before, read.scene).document;
    const ours = this.unsaved;
    this.base = read.scene;
    this.sketch = read.computed ?? this.sketch;
    this.current = ours ? settled(together, mine ?? []) : read.scene;
    this.#kept = new WeakMap([[this.base, read.revision]]);
    this.#tell("merged", { conflicts: conflicts.length });
  }

  /** A revision was made somewhere; ours are known already. */
  async heard(revision) {
    if (!this.stored || revision <= this.stored.revision) return;
    await this.#saving;
    if (!this.stored || revision <= this.stored.revision) return;
    await this.#meet();
    await this.save("Merge");
  }

  /** A former revision becomes the newest. */
  async restore(revision) {
    const { sceneId } = this.stored;
    const body = { revision, baseRevision: this.stored.revision };
    await this.service.json("POST", `/v1/scenes/${encodeURIComponent(sceneId)}/restore`, { body });
    this.comparing = null;
    await this.openStored(sceneId);
  }

  #tell(name, detail = {}) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
