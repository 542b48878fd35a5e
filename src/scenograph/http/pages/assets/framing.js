// A frame that is dragged out: it takes what lies wholly inside.

import { s } from "./dom.js";
import { around, insideOf, outermost } from "./edits.js";

const LEAST = 24; // px of the picture

export class Framing {
  #box = null; // px of the picture

  constructor(hands) {
    this.hands = hands;
    hands.stage.classList.add("connecting");
  }

  move(event, from) {
    const { viewport } = this.hands.viewer;
    const corners = [{ clientX: from.x, clientY: from.y }, event].map((at) => viewport.toPicture(viewport.at(at)));
    this.#box = around(corners.map((at) => ({ ...at, width: 0, height: 0 })));
    this.hands.repaint();
  }

  drop() {
    const { placing } = this.hands;
    const { width = 0, height = 0 } = this.#box ?? {};
    const box = Math.min(width, height) < LEAST ? placing.frameBox : this.#box;
    placing.frame(box, this.#inside(box));
  }

  /** The keys' way: a frame of an ordinary size. */
  toward() {}

  end() { this.hands.stage.classList.remove("connecting"); }

  marks() {
    if (!this.#box) return [];
    const { picture, viewport } = this.hands.viewer;
    const { x, y } = viewport.toStage(this.#box);
    const { width, height } = this.#box;
    return [s("rect", { class: "marquee", x, y, width: width * viewport.zoom, height: height * viewport.zoom, rx: 6 }), ...this.#inside(this.#box).map((id) => picture.frame(id, "selected"))];
  }

  #inside(box) {
    const { session: { current }, viewer: { picture } } = this.hands;
    return outermost(current, insideOf(current, box, picture.bounds));
  }
}
