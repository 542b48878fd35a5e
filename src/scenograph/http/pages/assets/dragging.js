// Elements that follow the pointer or the arrow keys: they snap to what stands near, their lines follow, and a frame that
// they are dropped on takes them. The engine finds the lines' courses after the drop.

import { announce, s } from "./dom.js";
import { around, frameAt, moved, movingWith, outermost, reparented } from "./edits.js";
import { nameOf, parentOf } from "./outline.js";
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
  #target = null; // {id} of the frame, or of none, that would take what is dragged; null where nothing changes

  constructor(hands, ids, box) {
    const { session, stage, viewer } = hands;
    Object.assign(this, { hands, ids, box, dx: 0, dy: 0 });
    this.tops = outermost(session.current, [...viewer.selection].filter((id) => ids.includes(id) || viewer.picture.kindOf(id) === "frame"));
    stage.classList.add("dragging");
  }

  edited() {
    const { session: { current }, viewer: { picture } } = this.hands;
    const there = moved(current, this.ids, this.dx, this.dy, picture.bounds);
    return this.#target ? reparented(there, this.tops, this.#target.id) : there;
  }

  /** To where the pointer is: `from` is the press. */
  move(event, from) {
    const { viewport } = this.hands.viewer;
    this.dx = (event.clientX - from.x) / viewport.zoom;
    this.dy = (event.clientY - from.y) / viewport.zoom;
    this.#guides = [];
    if (!event.altKey) this.#snap();
    this.#aim(viewport.toPicture(viewport.at(event)));
    this.#follow();
  }

  step(dx, dy) {
    this.dx += dx;
    this.dy += dy;
    this.#follow();
  }

  drop(_event, options) {
    const target = this.#target;
    this.hands.change(this.edited(), this.ids.length === 1 ? "Move" : `Move ${this.ids.length} elements`, options);
    if (target) announce(target.id ? `Now inside ${nameOf(this.hands.viewer.element(target.id))}.` : "Now outside.", { visible: false });
  }

  end() {
    this.hands.light(null);
    this.hands.stage.classList.remove("dragging");
  }

  again() { this.#follow(); }

  /** Marks of what is selected go with what is dragged. */
  carried(marks) {
    const { zoom } = this.hands.viewer.viewport;
    return [s("g", { transform: `translate(${this.dx * zoom} ${this.dy * zoom})` }, marks)];
  }

  marks() { return guides(this.hands, this.#guides); }

  /** The frame under the pointer, where it is another one than holds these now. */
  #aim(point) {
    const { session: { current }, viewer: { picture } } = this.hands;
    const id = frameAt(current, point, picture.bounds, this.ids.concat(this.tops))?.id ?? null;
    const stays = this.tops.every((top) => (parentOf(current, top)?.id ?? null) === id);
    this.#target = stays || !this.tops.length ? null : { id };
    this.hands.light(this.#target?.id ?? null);
  }

  /** Onto the edges and middles of what stands near. */
  #snap() {
    const own = Object.fromEntries([["x", this.dx], ["y", this.dy]].map(([axis, by]) => [axis, linesOf(this.box, axis).map((at) => at + by)]));
    this.#guides = snaps(this.hands, own, this.ids);
    for (const { axis, off } of this.#guides) this[`d${axis}`] += off;
  }

  #follow() { this.hands.foresee(this.edited()); }
}
