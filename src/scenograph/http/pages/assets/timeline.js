// The revisions of a stored scene: a slider through them, what changed, and the way back.

import { announce, button, h } from "./dom.js";
import { sceneUrl } from "./service.js";

const REST = 200;

export class Timeline {
  #timer = null;

  /** `nameOf(author)` tells who wrote a revision. */
  constructor(root, { session, viewer, nameOf }) {
    Object.assign(this, { root, session, viewer, nameOf });
    this.slider = h("input", { type: "range", min: 1, step: 1, "aria-label": "Revision" });
    this.words = h("output", { class: "quiet" });
    this.marked = h("input", { type: "checkbox", checked: true });
    this.back = h("button", { type: "button", class: "outlined", onclick: () => this.#restore() }, "Restore");
    root.append(this.slider, this.words, h("label", { class: "check" }, this.marked, "Show what changed"), this.back,
      button("close", "Leave the history", () => this.close()));
    const moved = () => { clearTimeout(this.#timer); this.#tell(); this.#timer = setTimeout(() => this.#show(), REST); };
    this.slider.addEventListener("input", moved);
    this.marked.addEventListener("change", moved);
    session.addEventListener("open", () => { root.hidden = true; });
  }

  get shown() { return Number(this.slider.value); }

  async open() {
    try {
      const history = await this.session.service.json("GET", sceneUrl(this.session.stored, "/revisions?limit=100"));
      this.entries = new Map(history.revisions.map((entry) => [entry.revision, entry]));
      this.slider.max = history.currentRevision;
      this.slider.min = Math.max(1, Math.min(...this.entries.keys()));
      this.slider.value = history.currentRevision;
      this.root.hidden = false;
      this.#tell();
      this.slider.focus();
      await this.#show();
    } catch (fault) {
      announce(fault.message);
    }
  }

  async close() {
    this.root.hidden = true;
    this.session.comparing = null;
    await this.viewer.redraw();
    this.viewer.select([]);
  }

  #tell() {
    const entry = this.entries.get(this.shown);
    const at = entry ? new Date(entry.createdAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "";
    const { added = 0, removed = 0, modified = 0 } = entry?.summary ?? {};
    const counts = [[added, "added"], [removed, "removed"], [modified, "changed"]].filter(([count]) => count).map(([count, word]) => `${count} ${word}`);
    const author = entry?.author && `by ${this.nameOf(entry.author)}`;
    this.words.replaceChildren(h("b", {}, `Revision ${this.shown}`), ` ${[at, author, entry?.message, counts.join(", ")].filter(Boolean).join(" · ")}`);
    this.slider.setAttribute("aria-valuetext", this.words.textContent);
    this.back.disabled = this.shown === Number(this.slider.max);
  }

  async #show() {
    const from = this.marked.checked && this.shown > 1 ? this.shown - 1 : null;
    this.session.comparing = { revision: this.shown, from };
    this.viewer.select([], { say: false });
    await this.viewer.redraw();
  }

  async #restore() {
    const revision = this.shown;
    try {
      await this.session.restore(revision);
      announce(`Revision ${revision} is restored as the newest.`);
    } catch (fault) {
      announce(fault.message);
    }
  }
}
