// Whose edit came in, and what it changed: marked for a while, with the name.

import { announce, s } from "./dom.js";
import { nameOf } from "./outline.js";

const SHOWN = 4000; // ms
const MOST_NAMED = 3;

export class Others {
  #news = null; // {name, ids} of an edit that is told and not merged yet
  #shown = null;
  #timer = null;

  /** `nameOf(accountId)` tells the name of who is, or was, here. */
  constructor(viewer, nameOf) {
    this.viewer = viewer;
    this.nameOf = (author) => (author && nameOf(author.accountId)) ?? author?.keyName ?? "Somebody else";
    const marks = viewer.marks.bind(viewer);
    viewer.marks = () => [...marks(), ...this.#marks()];
  }

  /** An edit of somebody was told; the picture does not show it yet. */
  heard({ author, changedElementIds }) { this.#news = { name: this.nameOf(author), ids: changedElementIds ?? [] }; }

  /** What was told last was this page's own edit. */
  own() { this.#news = null; }

  /** It is in the document. */
  merged(isSettled) {
    this.#shown = this.#news ?? { name: "Somebody else", ids: [] };
    this.#news = null;
    const { name, ids } = this.#shown;
    const elements = ids.map((id) => this.viewer.element(id)).filter(Boolean);
    const words = elements.slice(0, MOST_NAMED).map(nameOf).join(", ");
    const changed = words ? ` changed ${words}${elements.length > MOST_NAMED ? ` and ${elements.length - MOST_NAMED} more` : ""}` : "'s edit was merged";
    announce(isSettled ? "Merged; the choice is kept." : `${name}${changed}.`);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#shown = null; this.#repaint(); }, SHOWN);
    this.#repaint();
  }

  #repaint() { this.viewer.picture.outline(() => this.viewer.marks()); }

  #marks() {
    const { name, ids } = this.#shown ?? { ids: [] };
    const { picture, viewport } = this.viewer;
    const first = ids.map((id) => picture.boxOf(id)).find(Boolean);
    const at = first && viewport.toStage(first);
    return [...ids.map((id) => picture.frame(id, "others", 7)), at ? s("text", { class: "others", x: at.x, y: at.y - 12 }, name) : null];
  }
}
