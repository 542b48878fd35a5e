// Elements that follow the pointer or the arrow keys: they snap to what stands near, and the lines at them wait for the engine.

import { announce, s } from "./dom.js";
import { around, moved, movingWith } from "./edits.js";
import { Preview } from "./preview.js";
import { guides, linesOf, snaps } from "./snapping.js";

/** The drag of what is selected, with all that it holds; null, and why is said, where nothing of it may move. */
export function dragOf(hands) {
  const { viewer, session } = hands;
  const ids = movingWith(session.current, [...viewer.selection]);
  const boxes = ids.map((id) => viewer.picture.bounds[id]).filter(Boolean);
  if (boxes.length) return new Drag(hands, ids, around(boxes));
  announce("This is locked, or the engine places it as a whole.");
  return null;
}

class Drag {
  #guides = [];

  constructor(hands, ids, box) {
    const { session, stage } = hands;
    Object.assign(this, { hands, ids, box, dx: 0, dy: 0 });
    this.preview = new Preview(session, { edited: () => this.edited(), shown: () => this.#follow() });
    stage.classList.add("dragging");
  }

  edited() { return moved(this.hands.session.current, this.ids, this.dx, this.dy, this.hands.viewer.picture.bounds); }

  /** To where the pointer is: `from` is the press. */
  move(event, from) {
    const { zoom } = this.hands.viewer.viewport;
    this.dx = (event.clientX - from.x) / zoom;
    this.dy = (event.clientY - from.y) / zoom;
    this.#guides = [];
    if (!event.altKey) this.#snap();
    this.#follow();
    this.preview.ask();
  }

  step(dx, dy) {
    this.dx += dx;
    this.dy += dy;
    this.#follow();
  }

  drop(_event, options) {
    this.hands.change(this.edited(), this.ids.length === 1 ? "Move" : `Move ${this.ids.length} elements`, options);
  }

  /** Everything back to where it was before the press. */
  abandon() { this.hands.viewer.picture.untouched(); }

  end() {
    this.preview.end();
    this.hands.viewer.picture.fade(null);
    this.hands.stage.classList.remove("dragging");
  }

  /** Marks of what is selected go with what is dragged. */
  carried(marks) {
    const { zoom } = this.hands.viewer.viewport;
    return [s("g", { transform: `translate(${this.dx * zoom} ${this.dy * zoom})` }, marks)];
  }

  marks() {
    return [...guides(this.hands, this.#guides), ...this.preview.marks(this.hands.viewer.viewport)];
  }

  /** Onto the edges and middles of what stands near. */
  #snap() {
    const own = Object.fromEntries([["x", this.dx], ["y", this.dy]].map(([axis, by]) => [axis, linesOf(this.box, axis).map((at) => at + by)]));
    this.#guides = snaps(this.hands, own, this.ids);
    for (const { axis, off } of this.#guides) this[`d${axis}`] += off;
  }

  #follow() {
    const { viewer: { picture }, session } = this.hands;
    const moving = new Set(this.ids);
    const lines = session.current.elements.filter(({ kind }) => kind === "edge");
    const ends = ({ from, to }) => [from?.elementId, to?.elementId].filter((end) => moving.has(end)).length;
    const along = this.preview.computed ? [] : lines.filter((line) => ends(line) === 2);
    picture.shift([...this.ids, ...along.map(({ id }) => id)], this.dx, this.dy);
    picture.fade(lines.filter((line) => this.preview.computed || ends(line) === 1).map(({ id }) => id));
    this.hands.repaint();
  }
}
