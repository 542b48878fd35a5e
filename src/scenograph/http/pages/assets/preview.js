// What the engine would make of an edit while it is still being made: one request is in flight at a time, the next after
// a rest (R-STUDIO-3). Its lines are shown over the picture.

import { s } from "./dom.js";

const REST = 150; // ms

export class Preview {
  #asking = null;
  #timer = null;
  #over = false;

  /** `edited()` gives the document as it would be, `shown(reply)` hears each answer: {computed, diagnostics}. */
  constructor(session, { edited, shown }) {
    Object.assign(this, { session, edited, shown });
    this.computed = null;
    this.changed = false; // since the last question
  }

  ask() {
    this.changed = true;
    this.computed = null; // of an earlier place
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), REST);
  }

  end() {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  async #ask() {
    if (this.#asking || this.session.service.hasRoom === false) return;
    this.#asking = new AbortController();
    this.changed = false;
    try {
      const reply = await this.session.laidOut(this.edited(), this.#asking.signal);
      if (this.#over || this.changed) return;
      this.computed = reply.computed;
      this.shown(reply);
    } catch { /* the drop tells */ } finally {
      this.#asking = null;
    }
    if (this.changed && !this.#over) this.ask();
  }

  /** The lines as they would run, px of the stage. */
  marks(viewport) {
    return Object.values(this.computed?.edgePaths ?? {}).map(({ points }) => s("polyline", { class: "routed",
      points: points.map((point) => { const at = viewport.toStage(point); return `${at.x},${at.y}`; }).join(" ") }));
  }
}
