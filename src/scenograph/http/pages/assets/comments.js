// Comments on the kept scene: a list in the margin and pins on the picture, live. They stand beside the document: no
// download and no published picture has them.

import { announce, button, h } from "./dom.js";
import { Joined } from "./joining.js";
import { nameOf } from "./outline.js";
import { sceneUrl } from "./service.js";

const PAGE = 100;
const REST = 700; // ms from one look at the threads to the next
const MOST_LETTERS = 4000;
const NEW = "new"; // the field of a new thread among the fields

export class Comments {
  #of = null; // the stored scene that the threads are of
  #known = null; // ids of all comments seen so far, to tell what is new
  #fields = new Map(); // thread id → the field of its reply: what is written there outlives every repaint
  #active = null; // the thread with its field open
  #about = {}; // what a new thread is on: {elementId}, {at} or nothing, the scene
  #pins = [];

  /** `panel` and `pins` are elements, `who` tells of an account whether it is one's own. `counted(open)` hears how many threads are open,
      `toggled()` that the list was opened or closed. */
  constructor({ panel, pins, session, viewer, who, counted, toggled }) {
    Object.assign(this, { panel, pins, session, viewer, who, counted, toggled, threads: [], resolved: false });
    this.loading = new Joined(() => this.#load(), { rest: REST, room: () => session.service.room?.() ?? 0 });
    const marks = viewer.marks.bind(viewer);
    viewer.marks = () => { this.#place(); return marks(); };
    viewer.addEventListener("drawn", () => this.#paint());
    viewer.addEventListener("select", () => this.#follow());
    session.addEventListener("open", () => this.show());
    panel.addEventListener("keydown", (event) => { if (event.key === "Escape" && !event.defaultPrevented) this.viewer.stage.focus(); });
  }

  get isOpen() { return !this.panel.hidden; }

  get mayWrite() { return this.session.stored?.role !== "viewer"; }

  /** The threads of what is open now. */
  show() {
    const { stored } = this.session;
    if (this.#of === stored) return;
    this.#of = stored;
    this.#known = null;
    this.#fields.clear();
    Object.assign(this, { threads: [] });
    this.#active = null;
    this.#about = {};
    if (!stored) this.#reveal(false);
    this.#paint();
    if (stored) this.heard();
  }

  /** Something was said, resolved or deleted somewhere. */
  heard() { return this.loading.call().catch((fault) => { if (!fault.isPassing) announce(fault.message); }); }

  open(shown = true) {
    this.#reveal(shown);
    if (shown) this.#follow();
    this.#paint();
    if (!shown) this.viewer.stage.focus({ preventScroll: true });
  }

  /** A new thread: on an element, at a place (px of the picture), else on the scene. */
  begin({ elementId, at } = {}) {
    this.#about = elementId !== undefined ? { elementId } : at ? { at: rounded(at) } : {};
    this.#reveal(true);
    this.#active = null;
    this.resolved = false;
    this.#paint();
    (this.#fields.get(NEW) ?? this.panel).focus();
  }

  #reveal(shown) {
    if (this.isOpen === shown) return;
    this.panel.hidden = !shown;
    this.toggled();
  }

  async #load() {
    const { service, stored } = this.session;
    if (!stored || stored !== this.#of) return;
    const found = [];
    for (let cursor = null; ;) {
      const query = new URLSearchParams({ limit: PAGE, ...(cursor ? { cursor } : {}) });
      const { items, nextCursor } = await service.json("GET", sceneUrl(stored, `/comments?${query}`), { patient: true });
      found.push(...items);
      if (!nextCursor) break;
      cursor = nextCursor;
    }
    if (stored !== this.#of) return;
    this.threads = found;
    this.#tellNew();
    this.#paint();
  }

  /** Who else said something since the last look. */
  #tellNew() {
    const all = this.threads.flatMap((thread) => [thread, ...thread.replies].map((said) => ({ said, thread })));
    const fresh = this.#known && all.filter(({ said }) => !this.#known.has(said.commentId) && !this.who.isMe(said.author.accountId)).at(-1);
    this.#known = new Set(all.map(({ said }) => said.commentId));
    if (fresh) announce(`${fresh.said.author.name} commented ${this.#where(fresh.thread)}.`);
  }

  // What a thread is about -----------------------------------------------------------------------------------------

  #where({ elementId, at }) {
    if (at) return "at a place";
    if (elementId === null || elementId === undefined) return "on the scene";
    const element = this.#element(elementId);
    return element ? `on ${nameOf(element)}` : `on something that was deleted (${elementId})`;
  }

  #element(id) { return this.session.current?.elements?.find((element) => element.id === id); }

  /** Where a thread is, into view. */
  #show(thread) {
    const { viewer } = this;
    this.#active = thread.commentId;
    if (thread.elementId !== null && this.#element(thread.elementId)) viewer.select([thread.elementId], { show: true, open: false });
    else if (thread.at) viewer.viewport.show({ ...thread.at, width: 1, height: 1 });
    else if (thread.elementId !== null) announce("What this was about is not in the scene any more. History shows it.");
    this.#paint();
  }

  /** A new thread is on what is selected, while nothing is written. */
  #follow() {
    if (!this.isOpen || this.#fields.get(NEW)?.value || document.activeElement === this.#fields.get(NEW)) return;
    const [id] = this.viewer.selection;
    this.#about = this.viewer.selection.size === 1 ? { elementId: id } : {};
    this.#paint();
  }

  // Writing --------------------------------------------------------------------------------------------------------

  async #act(run) {
    try {
      await run(this.session.stored);
      await this.loading.call();
    } catch (fault) {
      announce(fault.message);
    }
  }

  #send(key, path, more, words) {
    return async (event) => {
      event.preventDefault();
      const field = this.#fields.get(key);
      const text = field.value.trim();
      if (!text) return field.focus();
      field.disabled = true;
      await this.#act(async (stored) => {
        await this.session.save(); // what it is about may not be kept yet
        await this.session.service.json("POST", sceneUrl(stored, path), { body: { text, ...more } });
        field.value = "";
        announce(words, { visible: false });
      });
      field.disabled = false;
      field.focus();
    };
  }

  #resolve(thread) {
    return this.#act(async (stored) => {
      const resolved = !thread.resolved;
      await this.session.service.json("PATCH", sceneUrl(stored, `/comments/${thread.commentId}`), { body: { resolved } });
      announce(resolved ? "Resolved." : "Open again.");
      this.list?.focus();
    });
  }

  #delete(comment, thread) {
    return this.#act(async (stored) => {
      await this.session.service.json("DELETE", sceneUrl(stored, `/comments/${comment.commentId}`));
      announce(comment === thread && thread.replies.length ? "Deleted, with its replies." : "Deleted.");
      this.list?.focus();
    });
  }

  #mayDelete({ author }) { return !this.session.stored.owner || this.who.isMe(author.accountId); }

  /** The field of a thread's reply, or of a new thread: the same one as long as it is needed. */
  #field(key, label) {
    if (!this.#fields.has(key)) {
      this.#fields.set(key, h("textarea", { rows: 2, maxlength: MOST_LETTERS, "aria-label": label, placeholder: label, onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); event.target.form.requestSubmit(); }
      } }));
    }
    return this.#fields.get(key);
  }

  // The list -------------------------------------------------------------------------------------------------------

  #paint() {
    const open = this.threads.filter((thread) => !thread.resolved);
    this.counted(open.length);
    this.#pinned(this.isOpen && this.resolved ? this.threads.filter((thread) => thread.resolved) : open);
    if (!this.isOpen || !this.session.stored) return;
    const held = this.panel.contains(document.activeElement) ? document.activeElement : null;
    const { scrollTop } = this.list ?? { scrollTop: 0 };
    const shown = this.threads.filter((thread) => thread.resolved === this.resolved);
    const tab = (resolved, words) => h("button", { type: "button", "aria-pressed": String(this.resolved === resolved), onclick: () => { this.resolved = resolved; this.#paint(); } },
      `${words} (${this.threads.filter((thread) => thread.resolved === resolved).length})`);
    this.list = h("ol", { class: "threads", tabindex: "-1", "aria-label": this.resolved ? "Resolved threads" : "Open threads" }, shown.map((thread) => this.#thread(thread)));
    this.panel.replaceChildren(
      h("header", {}, h("h2", {}, "Comments"), button("close", "Close the comments", () => this.open(false))),
      h("div", { class: "tabs" }, tab(false, "Open"), tab(true, "Resolved")),
      ...(this.mayWrite && !this.resolved ? [this.#composer()] : []),
      shown.length ? this.list : h("p", { class: "quiet" }, this.resolved ? "Nothing is resolved yet." : this.mayWrite ? "No open comments. K comments on what is selected, or on the place under the pointer." : "No open comments."),
    );
    this.list.scrollTop = scrollTop;
    if (held) this.#hold(held);
  }

  /** The focus stays where it was in a list that was made anew. */
  #hold(held) {
    const twin = held.isConnected ? held : [...this.panel.querySelectorAll(held.localName)].find((element) => named(element) === named(held));
    (twin ?? (this.list.isConnected ? this.list : this.panel)).focus({ preventScroll: true });
  }

  #composer() {
    const field = this.#field(NEW, "Write a comment");
    const whole = !this.#about.elementId && !this.#about.at;
    const { elementId, at } = this.#about;
    const known = elementId === undefined || this.#element(elementId) ? { ...(elementId === undefined ? {} : { elementId }), ...(at ? { at } : {}) } : {};
    return h("form", { class: "say", onsubmit: this.#send(NEW, "/comments", known, "Commented.") },
      h("p", { class: "about" }, this.#where(this.#about).replace(/^./, (letter) => letter.toUpperCase()),
        whole ? null : button("close", "On the whole scene instead", () => { this.#about = {}; this.#paint(); field.focus(); })),
      field, h("div", { class: "row end" }, h("button", { type: "submit", class: "primary" }, "Comment")));
  }

  #thread(thread) {
    const { commentId, resolved } = thread;
    const active = this.#active === commentId;
    const where = this.#where(thread);
    const gone = thread.elementId !== null && !this.#element(thread.elementId);
    const answer = () => { this.#active = active ? null : commentId; this.#paint(); this.#fields.get(this.#active)?.focus(); };
    return h("li", { class: `thread${active ? " active" : ""}`, "data-thread": commentId },
      h("button", { type: "button", class: `about${gone ? " gone" : ""}`, "aria-label": `Show: ${where}`, onclick: () => this.#show(thread) }, where.replace(/^./, (letter) => letter.toUpperCase())),
      [thread, ...thread.replies].map((said) => this.#said(said, thread)),
      !this.mayWrite ? null : h("div", { class: "row" },
        resolved ? null : h("button", { type: "button", "aria-expanded": String(active), "aria-label": `Reply ${where}`, onclick: answer }, "Reply"),
        h("button", { type: "button", "aria-label": `${resolved ? "Open again" : "Resolve"} ${where}`, onclick: () => this.#resolve(thread) }, resolved ? "Open again" : "Resolve")),
      !active || resolved || !this.mayWrite ? null : h("form", { class: "say", onsubmit: this.#send(commentId, `/comments/${commentId}/replies`, {}, "Replied.") },
        this.#field(commentId, "Write a reply"), h("div", { class: "row end" }, h("button", { type: "submit", class: "outlined" }, "Send"))));
  }

  #said(comment, thread) {
    const { author, createdAt, text } = comment;
    const name = this.who.isMe(author.accountId) ? "You" : author.name;
    const at = new Date(createdAt);
    return h("article", { class: "said" },
      h("p", { class: "by" }, h("b", {}, name), h("time", { datetime: createdAt, title: at.toLocaleString() }, ago(at)),
        this.#mayDelete(comment) ? button("trash", `Delete the comment of ${name}`, () => this.#delete(comment, thread)) : null),
      h("p", { class: "words" }, text));
  }

  // The pins -------------------------------------------------------------------------------------------------------

  /** A pin for each element, place and the scene with one of these threads. */
  #pinned(threads) {
    const groups = new Map();
    for (const thread of this.session.comparing === null ? threads : []) {
      const key = thread.at ? `at ${thread.commentId}` : thread.elementId === null ? "scene" : `on ${thread.elementId}`;
      groups.set(key, [...(groups.get(key) ?? []), thread]);
    }
    const words = ([thread, ...more]) => `${more.length ? `${more.length + 1} comments` : "Comment"} ${this.#where(thread)}`;
    this.#pins = [...groups].map(([key, found]) => {
      const former = this.#pins.find((pin) => pin.key === key)?.element;
      const element = former ?? h("button", { type: "button", class: "pin" });
      Object.assign(element, { textContent: String(found.length), title: words(found) });
      element.setAttribute("aria-label", words(found));
      element.classList.toggle("active", found.some(({ commentId }) => commentId === this.#active));
      element.onclick = () => this.#opened(found[0]);
      return { key, element, thread: found[0] };
    });
    const elements = this.#pins.map(({ element }) => element);
    if (elements.length !== this.pins.children.length || elements.some((element, index) => this.pins.children[index] !== element)) this.pins.replaceChildren(...elements);
    this.#place();
  }

  #opened(thread) {
    this.#reveal(true);
    this.#active = thread.commentId;
    this.#paint();
    const row = this.panel.querySelector(`[data-thread="${thread.commentId}"]`);
    row?.scrollIntoView({ block: "nearest" });
    (row?.querySelector("textarea") ?? row?.querySelector("button"))?.focus();
  }

  /** The pins stay at their elements, wherever these are, and while they are dragged. */
  #place() {
    const { viewer } = this;
    const stage = this.#pins.length ? viewer.stage.getBoundingClientRect() : null;
    for (const { element, thread } of this.#pins) {
      const at = this.#spot(thread, stage);
      element.hidden = !at;
      if (at) element.style.transform = `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px)`;
    }
  }

  #spot({ elementId, at }, stage) {
    const { viewport, picture } = this.viewer;
    if (at) return viewport.toStage(at);
    if (elementId === null) return viewport.toStage(viewport.page);
    const group = picture.groups.get(elementId);
    if (!group) {
      const box = this.#element(elementId) && picture.boxOf(elementId);
      return box ? viewport.toStage({ x: box.x + box.width, y: box.y }) : null;
    }
    const { right, top } = group.getBoundingClientRect();
    return { x: right - stage.x, y: top - stage.y };
  }
}

const rounded = ({ x, y }) => ({ x: Math.round(x), y: Math.round(y) });

const named = (element) => element.getAttribute("aria-label") ?? element.textContent;

/** How long ago, in words. */
function ago(at) {
  const seconds = (at - Date.now()) / 1000;
  const [unit, length] = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, each]) => -seconds >= each) ?? ["second", 1];
  if (unit === "second") return "just now";
  if (unit === "day" && -seconds > 7 * length) return at.toLocaleDateString(undefined, { dateStyle: "medium" });
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.round(seconds / length), unit);
}
