// The scene that is being edited: its document, what was drawn of it, its history of edits, and its stored twin.
//
// Every edit, by hand or as text, makes a new document. What lies between two of them goes to the service as operations,
// so that undoing is an edit like any other and others' edits meanwhile are merged instead of overwritten. An edit is one
// request: the operations with the wish for the picture, or one render of what is not kept.

import { Joined } from "./joining.js";
import { merged, operationsBetween, same, settled } from "./operations.js";
import { fileFrom } from "./rendered.js";
import { Refusal, keyOf, sceneUrl } from "./service.js";

const MOST_OPERATIONS = 1000;
const MOST_LETTERS = 500; // of a message
const MOST_UNDONE = 200;
const MOST_REMEMBERED = 40; // steps that outlive the page
const TOGETHER = 300; // ms from one request to the next; edits meanwhile go together
const APART = 1000; // ms from one look at others' edits to the next
const RETRY = [1000, 2000, 4000, 8000, 15000]; // ms
const SCHEMA_VERSION = "0.1";
const NOTHING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

/** A document to draw on. */
export function blank() {
  const id = `drawing-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  return { schemaVersion: SCHEMA_VERSION, diagramFamily: "architecture", scene: { id, units: "px", canvas: {} }, elements: [] };
}

export class Session extends EventTarget {
  #undone = [];
  #done = [];
  #kept = new WeakMap(); // documents that are revisions of the stored scene, while nobody else edits it
  #messages = new Set(); // of edits that are not sent yet
  #drawn = null; // the last picture: {document, wishes, picture}
  #edited = false;
  #failures = 0;

  /** `settle(conflicts)` asks a person whose value counts, and resolves to those that are mine, or null. */
  constructor(service, { settle }) {
    super();
    this.service = service;
    this.settle = settle;
    this.embeds = ["svg", "png"]; // a downloaded picture carries its scene; a published one never does
    this.formats = JSON.parse(document.documentElement.dataset.formats);
    this.paints = true; // files may have a background of their own
    this.wishes = {};
    const room = () => service.room?.() ?? 0;
    this.work = new Joined(() => this.#keepAndDraw(), { rest: TOGETHER, room });
    this.hearing = new Joined(() => this.#meetAndKeep(), { rest: APART, room });
    this.open(null);
  }

  /** Begin with a document; `stored` {sceneId, owner, role, revision, privacy} when the service keeps it. What was open and nobody kept
      is one step back. */
  open(opened, { computed = null, stored = null, isExample = false, steps = null } = {}) {
    const { computed: own, ...rest } = opened ?? {};
    const left = this.current?.elements?.length && !this.stored ? [...this.#done, this.#here("Open")] : [];
    this.current = opened ? rest : null;
    this.sketch = computed ?? own ?? null;
    this.stored = stored;
    this.base = stored ? this.current : null;
    this.#kept = new WeakMap(stored ? [[this.current, stored.revision]] : []);
    this.comparing = null;
    this.diagnostics = [];
    this.problem = null;
    this.#done = steps?.done ?? left;
    this.#undone = steps?.undone ?? [];
    this.#messages.clear();
    this.#edited = false;
    this.isExample = isExample;
    this.#tell("open");
  }

  /** Whether hands can edit the document: it has elements that have ids, and a head. */
  get isEditable() {
    const { scene, elements } = this.current ?? {};
    return this.mayEdit && Boolean(scene) && typeof scene === "object" && Array.isArray(elements) && elements.every((element) => typeof element?.id === "string");
  }

  /** Whether the role on a shared scene reaches to edits. */
  get mayEdit() { return !this.stored?.role || this.stored.role === "editor"; }

  get isBlank() { return !this.stored && this.current?.elements?.length === 0; }

  /** Whether what is shown would be lost with it: work of one's own that the service does not keep. */
  get unkept() { return Boolean(this.current?.elements?.length) && !this.stored && !this.isUntouched; }

  get canUndo() { return this.#done.length > 0; }

  get canRedo() { return this.#undone.length > 0; }

  get unsaved() { return Boolean(this.stored) && !same(this.base, this.current); }

  /** `unkept`, `keeping`, `kept` or `offline`. */
  get state() {
    if (this.offline) return "offline";
    return !this.stored ? "unkept" : this.unsaved ? "keeping" : "kept";
  }

  /** What brings this work back: the document, its places and the last steps. */
  get remembered() {
    const { current: document, sketch, stored, base } = this;
    const recent = (steps) => steps.slice(-MOST_REMEMBERED).filter((step) => step.stored === stored).map(({ before, sketch: places, message }) => ({ before, sketch: places, message }));
    return { document, sketch, done: recent(this.#done), undone: recent(this.#undone), ...(stored ? { sceneId: keyOf(stored), base } : {}) };
  }

  /** Go on with remembered work that nobody kept; `untouched` where it is somewhere else as well until it is edited. */
  remember({ document, sketch, done, undone }, { untouched }) {
    const own = (steps) => steps.map((step) => ({ ...step, stored: null, base: null, series: null }));
    this.open(document, { computed: sketch, steps: { done: own(done), undone: own(undone) }, isExample: untouched });
  }

  /** Whether what is shown is as it was opened, and somebody else's to keep. */
  get isUntouched() { return this.isExample && !this.#edited; }

  name() { return this.current?.scene?.id ?? "scene"; }

  coloured() { return Boolean(this.current?.scene?.canvas?.background || Object.keys(this.current?.palette ?? {}).length); }

  async document() { return this.current; }

  /** An edit; `message` says what it was. Edits of the same `series` are undone together. Answers with what takes this
      edit back, and nothing else. */
  change(after, message, { series = null } = {}) {
    if (!this.current) return this.open(after);
    if (same(this.current, after)) return;
    const last = this.#done.at(-1);
    if (!(series && last?.series === series)) this.#done.push({ ...this.#here(message), series });
    if (this.#done.length > MOST_UNDONE) this.#done.shift();
    this.#undone = [];
    this.#edited = true;
    const before = this.current;
    this.current = after;
    this.#changed(message);
    const steps = this.#done;
    return () => { if (this.#done === steps) this.#takeBack(before, after, message); };
  }

  /** A place that the engine's answer corrects, without an edit of its own: it is kept with the next one. */
  correct(document) { this.current = document; }

  #changed(message) {
    if (message) this.#messages.add(message);
    this.#tell("change", { message });
    this.save();
  }

  #here(message) {
    const { current: before, sketch, stored, base } = this;
    return { before, sketch, stored, base, message, series: null };
  }

  #takeBack(before, after, message) {
    if (same(this.current, after)) this.undo();
    else this.change(merged(after, before, this.current).document, `Undo: ${message}`);
  }

  undo() { this.#step(this.#done, this.#undone, "Undo"); }

  redo() { this.#step(this.#undone, this.#done, "Redo"); }

  /** Back to the document before, with the places that it had. What others did since is in it: see #meet. */
  #step(from, to, word) {
    const step = from.pop();
    if (!step) return;
    to.push(this.#here(step.message));
    this.current = step.before;
    this.sketch = step.sketch;
    if (step.stored === this.stored) return this.#changed(`${word}: ${step.message}`);
    // To another scene: what was open before.
    this.stored = step.stored;
    this.base = step.base;
    this.#kept = new WeakMap(step.stored ? [[step.base, step.stored.revision]] : []);
    this.isExample = false;
    this.#tell("open");
  }

  // Drawing --------------------------------------------------------------------------------------------------------

  /** What the viewer draws: the picture of the document, and where everything stands, which the next one keeps. */
  async picture({ theme, view }) {
    if (!this.current) return null;
    this.wishes = { ...(theme ? { theme } : {}), ...(view ? { view } : {}) };
    if (this.comparing) return this.#compared(theme);
    if (this.isBlank) return { content: NOTHING, computed: { bounds: {}, edgePaths: {} } };
    return this.work.call();
  }

  /** Keep what is not kept yet, then the picture of what there is now; null where nothing can be drawn. */
  async #keepAndDraw() {
    if (!this.current) return null;
    const { wishes } = this;
    try {
      await this.#keep();
      const drawn = this.isBlank ? null : this.#alreadyDrawn(wishes) ?? (await this.#rendered(wishes));
      this.#reached();
      return drawn;
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      if (fault.isPassing) return this.#waitFor(fault);
      if (!fault.diagnostics.length) throw fault;
      this.#report(fault.diagnostics);
      return null;
    }
  }

  #alreadyDrawn(wishes) {
    const { document, picture, wishes: met } = this.#drawn ?? {};
    return document === this.current && same(met, wishes) ? picture : null;
  }

  async #rendered(wishes) {
    const document = this.current;
    const { output, computed, diagnostics } = await this.service.json("POST", "/v1/scenes/render", { body: { scene: this.#withSketch(document), computed: true, ...wishes }, patient: true });
    return this.#taken(document, wishes, { output, computed, diagnostics });
  }

  /** A reply's picture, and the places that the next one keeps. */
  #taken(document, wishes, { output, computed, diagnostics = [] }) {
    if (!wishes.view && this.current === document) this.sketch = computed;
    this.#report(diagnostics);
    const drawn = { content: output.content, computed: { bounds: {}, edgePaths: {}, ...computed }, document };
    this.#drawn = { document, wishes, picture: drawn };
    return drawn;
  }

  #report(diagnostics) {
    this.diagnostics = diagnostics;
    this.#tell("diagnostics");
  }

  /** The service is away or busy: everything waits, and is tried again. */
  #waitFor(fault) {
    this.offline = fault.status === 0;
    this.problem = fault;
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => this.#tell("retry"), RETRY[Math.min(this.#failures++, RETRY.length - 1)]);
    this.#tell("saving");
    return null;
  }

  #reached() {
    this.#failures = 0;
    if (!this.offline) return;
    this.offline = false;
    this.#tell("stored");
  }

  /** Where everything would stand if this were the document, and what there is to say of it: {computed, diagnostics}. */
  laidOut(document, signal) { return this.service.json("POST", "/v1/scenes/normalize", { body: this.#withSketch(document), signal }); }

  async #compared(theme) {
    const { revision, from } = this.comparing;
    const body = { revision, ...(theme ? { theme } : {}), ...(from ? { diff: { fromRevision: from } } : {}) };
    const path = sceneUrl(this.stored, "/render");
    return { ...(await this.service.json("POST", path, { body })).output, computed: {} };
  }

  /** A file of the scene; `background` paints its page in another colour. */
  async file({ format, theme, view, scale, embed, background, patient = false }) {
    const wishes = Object.fromEntries(Object.entries({ format, theme, view, scale, embed }).filter(([, value]) => value));
    const { scene } = this.current;
    const document = background ? { ...this.current, scene: { ...scene, canvas: { ...scene.canvas, background } } } : this.current;
    return fileFrom(await this.service.json("POST", "/v1/scenes/render", { body: { scene: this.#withSketch(document), ...wishes }, patient }));
  }

  #withSketch(document = this.current) { return this.sketch ? { ...document, computed: this.sketch } : document; }

  // Keeping --------------------------------------------------------------------------------------------------------

  /** Keep the document as a new scene. */
  async create() {
    const body = this.#withSketch();
    const document = this.current;
    const { sceneId, revision } = await this.service.json("POST", "/v1/scenes", { body });
    this.stored = { sceneId, revision, privacy: "private" };
    for (const step of [...this.#done, ...this.#undone]) if (!step.stored) Object.assign(step, { stored: this.stored, base: document });
    this.base = document;
    this.#kept = new WeakMap([[document, revision]]);
    this.#tell("stored");
  }

  /** `mine` is {base, document} of edits that were made before and never sent. */
  async openStored({ sceneId, owner = null }, { mine = null } = {}) {
    const read = await this.#read({ sceneId, owner });
    this.open(read.scene, { computed: read.computed, stored: { sceneId, owner, role: read.role ?? null, revision: read.revision, privacy: read.privacyStatus } });
    if (!mine) return;
    const { document, conflicts } = merged(mine.base, mine.document, read.scene);
    this.change(settled(document, conflicts.length ? (await this.settle(conflicts)) ?? [] : []), "Edits from before");
  }

  #read(scene, { patient = false } = {}) { return this.service.json("GET", sceneUrl(scene, "?computed=true"), { patient }); }

  /** Send what is not kept yet; one batch at a time, the next with all that came meanwhile. */
  async save() {
    if (this.unsaved) await this.work.call().catch(() => null);
  }

  async #keep() {
    const kept = this.stored;
    for (let sent = true; this.unsaved && this.stored === kept && sent;) {
      this.#tell("saving");
      sent = await this.#keepOnce(kept);
    }
    if (kept && !this.unsaved) {
      this.problem = null;
      this.#tell("stored");
    }
  }

  /** One batch; false where the service refuses it for what it is. */
  async #keepOnce(kept) {
    const sent = this.current;
    const message = [...this.#messages].join("; ");
    this.#messages.clear();
    try {
      const { wishes } = this;
      const reply = await this.#send(kept, sent, message, { computed: true, render: { format: "svg", ...wishes } });
      kept.revision = reply.revision;
      this.base = sent;
      this.#kept.set(sent, reply.revision);
      if (reply.output) this.#taken(sent, wishes, reply);
      return true;
    } catch (fault) {
      if (fault.status === 409) {
        await this.#meet();
        return true;
      }
      if (fault.isPassing || !(fault instanceof Refusal)) throw fault;
      this.problem = fault;
      if (fault.diagnostics.length) this.diagnostics = fault.diagnostics;
      this.#tell("refused");
      return false;
    }
  }

  /** The reply to the edit that makes a document, with the picture of it. One that was a revision before is restored, with its places. */
  async #send(stored, sent, message, picture) {
    const { sceneId, revision } = stored;
    const former = this.#kept.get(sent);
    if (former) return this.service.json("POST", sceneUrl(stored, "/restore"), { body: { revision: former, baseRevision: revision, ...picture }, patient: true });
    const ops = operationsBetween(this.base, sent);
    if (ops.length > MOST_OPERATIONS) throw new Refusal(422, { error: `An edit may have ${MOST_OPERATIONS} operations; this one has ${ops.length}.` });
    const body = { schemaVersion: SCHEMA_VERSION, sceneId, baseRevision: revision, ops, ...picture, ...(message ? { message: message.slice(0, MOST_LETTERS) } : {}) };
    return this.service.json("POST", sceneUrl(stored, "/applyOps"), { body, headers: { "Idempotency-Key": crypto.randomUUID() }, patient: true });
  }

  /** Somebody else's edit came first, or was heard of: both become one document. */
  async #meet() {
    const { stored } = this;
    const read = await this.#read(stored, { patient: true });
    if (this.stored !== stored || read.revision === stored.revision) return;
    const { document: together, conflicts } = merged(this.base, this.current, read.scene);
    const mine = conflicts.length ? await this.settle(conflicts) : [];
    stored.revision = read.revision;
    stored.privacy = read.privacyStatus;
    // Theirs becomes part of every step back, so that undoing takes back our own edits alone.
    for (const step of [...this.#done, ...this.#undone]) if (step.stored === stored) step.before = merged(this.base, step.before, read.scene).document;
    const ours = this.unsaved;
    this.base = read.scene;
    this.sketch = read.computed ?? this.sketch;
    this.current = ours ? settled(together, mine ?? []) : read.scene;
    this.#kept = new WeakMap([[this.base, read.revision]]);
    this.#tell("merged", { conflicts: conflicts.length });
  }

  /** A revision was made somewhere; ours are known already. */
  async heard(revision) {
    this.latest = revision;
    if (this.stored && revision > this.stored.revision) await this.hearing.call();
  }

  async #meetAndKeep() {
    await this.work.idle();
    if (!this.stored || this.latest <= this.stored.revision) return;
    await this.#meet();
    await this.save();
  }

  /** A former revision becomes the newest. */
  async restore(revision) {
    const { stored } = this;
    const body = { revision, baseRevision: this.stored.revision };
    await this.service.json("POST", sceneUrl(stored, "/restore"), { body });
    this.comparing = null;
    await this.openStored(stored);
  }

  #tell(name, detail = {}) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
