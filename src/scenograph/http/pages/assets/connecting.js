// A line that is drawn from an element to another: by the pointer from a handle; from C on to a click, or by Alt and arrow
// keys and Enter.

import { announce, s } from "./dom.js";
import { nameOf } from "./outline.js";
import { nearest } from "./selecting.js";

const AWAY = 14; // px of the screen between an outline and its handles
const SIDES = [[0.5, 0, 0, -AWAY], [1, 0.5, AWAY, 0], [0.5, 1, 0, AWAY], [0, 0.5, -AWAY, 0]];

const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** The handles of a node that is selected. */
export function handlesOf({ viewer: { picture, viewport } }, id) {
  const box = picture.kindOf(id) === "node" && picture.boxOf(id);
  if (!box) return [];
  return SIDES.map(([across, down, dx, dy]) => {
    const at = viewport.toStage({ x: box.x + box.width * across, y: box.y + box.height * down });
    return s("circle", { class: "handle", cx: at.x + dx, cy: at.y + dy, r: 5, "data-handle": id });
  });
}

export class Line {
  #to = null;
  #at = null;

  constructor(hands, from) {
    Object.assign(this, { hands, from });
    hands.stage.classList.add("connecting");
  }

  /** Where it begins is told to who does not see it. */
  tell() {
    announce(`Choose where the line from ${nameOf(this.hands.viewer.element(this.from))} leads.`);
    return this;
  }

  move(event) {
    const { picture, viewport } = this.hands.viewer;
    const over = picture.at(event);
    this.#at = viewport.at(event);
    this.#to = over !== null && over !== this.from && picture.kindOf(over) !== "edge" ? over : null;
    this.hands.repaint();
  }

  /** To the next element in a direction. */
  toward(arrow) {
    const { viewer } = this.hands;
    const next = nearest(this.hands, this.#to ?? this.from, arrow);
    if (next === undefined || next === this.from) return;
    this.#to = next;
    this.#at = viewer.viewport.toStage(middleOf(viewer.picture.boxOf(next)));
    announce(`To ${nameOf(viewer.element(next))}; Enter draws the line.`, { visible: false });
    this.hands.repaint();
  }

  /** Where the pointer is; without one, where the keys came to. */
  drop(event) {
    if (event) this.move(event);
    if (this.#to) this.hands.commands.connected(this.from, this.#to);
  }

  end() { this.hands.stage.classList.remove("connecting"); }

  marks() {
    const { picture, viewport } = this.hands.viewer;
    const box = this.#at && picture.boxOf(this.from);
    if (!box) return [];
    const from = viewport.toStage(middleOf(box));
    return [this.#to && picture.frame(this.#to, "selected"), s("path", { class: "aim", d: `M${from.x} ${from.y}L${this.#at.x} ${this.#at.y}` })];
  }
}
