// A line from an element to another, or to a new box on blank: by the pointer from a handle; from C on to a click, or by
// Alt and arrow keys and Enter. The ends of a line that is there move in the same way.

import { announce, s } from "./dom.js";
import { rewired } from "./edits.js";
import { nameOf } from "./outline.js";
import { nearest } from "./selecting.js";

const AWAY = 14; // px of the screen between an outline and its handles
const NEAR = 14; // px of the screen round the middle of a side that choose this side
const SIDES = { top: [0.5, 0, 0, -AWAY], right: [1, 0.5, AWAY, 0], bottom: [0.5, 1, 0, AWAY], left: [0, 0.5, -AWAY, 0] };
const TOUCH = matchMedia("(pointer: coarse)");

const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** A dot that can be taken hold of; on a touch screen with a finger's width round it. */
export function handle({ x, y }, name, { faint = false, ...data } = {}) {
  return s("g", { class: faint ? "handle faint" : "handle", "data-handle": name, ...data },
    s("circle", { class: "reach", cx: x, cy: y, r: TOUCH.matches ? 22 : 9 }), s("circle", { class: "dot", cx: x, cy: y, r: faint ? 4 : 5 }));
}

/** The handles of a node or a frame that is selected: a line begins at each. */
export function handlesOf({ viewer: { picture, viewport } }, id) {
  const box = ["node", "frame"].includes(picture.kindOf(id)) && picture.boxOf(id);
  if (!box) return [];
  return Object.entries(SIDES).map(([side, [across, down, dx, dy]]) => {
    const at = viewport.toStage({ x: box.x + box.width * across, y: box.y + box.height * down });
    return handle({ x: at.x + dx, y: at.y + dy }, side);
  });
}

export class Line {
  #to = null; // {id, port?} of the element that it would lead to
  #at = null; // px of the stage

  /** From an element; or the end `which` (`from`, `to`) of the line `edge`, which moves. */
  constructor(hands, from, { edge = null, which = "to" } = {}) {
    Object.assign(this, { hands, from, edge, which });
    hands.stage.classList.add("connecting");
  }

  /** Where it begins is told to who does not see it. */
  tell() {
    this.note = announce(this.edge ? "Choose where the line ends." : `Choose where the line from ${nameOf(this.hands.viewer.element(this.from))} leads.`);
    return this;
  }

  move(event) {
    const { picture, viewport } = this.hands.viewer;
    const over = picture.at(event);
    this.#at = viewport.at(event);
    const found = over !== null && picture.kindOf(over) !== "edge"; // the same box is the end of a loop
    this.#to = found ? { id: over, port: this.#sideOf(over) } : null;
    this.hands.light(this.#to?.id ?? null);
    this.hands.repaint();
  }

  /** The side whose middle is under the pointer; undefined leaves it to the engine. */
  #sideOf(id) {
    const { picture, viewport } = this.hands.viewer;
    const box = picture.kindOf(id) === "node" && picture.boxOf(id);
    if (!box) return undefined;
    return Object.entries(SIDES).find(([, [across, down]]) => {
      const { x, y } = viewport.toStage({ x: box.x + box.width * across, y: box.y + box.height * down });
      return Math.hypot(x - this.#at.x, y - this.#at.y) <= NEAR;
    })?.[0];
  }

  /** To the next element in a direction. */
  toward(arrow) {
    const { viewer } = this.hands;
    const next = nearest(this.hands, this.#to?.id ?? this.from, arrow);
    if (next === undefined || next === this.from) return;
    this.#to = { id: next };
    this.#at = viewer.viewport.toStage(middleOf(viewer.picture.boxOf(next)));
    announce(`To ${nameOf(viewer.element(next))}; Enter draws the line.`, { visible: false });
    this.hands.light(next);
    this.hands.repaint();
  }

  /** Where the pointer is; without one, where the keys came to. */
  drop(event) {
    const { hands, edge } = this;
    if (event) this.move(event);
    hands.light(null);
    const to = this.#to;
    if (edge && to) hands.change(rewired(hands.session.current, edge, this.which, to), "Move the end of a line");
    else if (edge) announce("A line ends at a box: nothing changed.");
    else if (to) hands.commands.connected(this.from, to.id, to.port, { open: !this.note }); // by the key the next line follows: no panel takes its room
    else if (this.#at && event) hands.placing.node({ at: hands.viewer.viewport.toPicture(this.#at), from: this.from });
  }

  end() {
    this.note?.remove();
    this.hands.light(null);
    this.hands.stage.classList.remove("connecting");
  }

  marks() {
    const { picture, viewport } = this.hands.viewer;
    const box = this.#at && picture.boxOf(this.from);
    if (!box) return [];
    const from = viewport.toStage(middleOf(box));
    const over = this.#to && picture.kindOf(this.#to.id) === "node" ? picture.boxOf(this.#to.id) : null;
    const dots = over ? Object.entries(SIDES).map(([side, [across, down]]) => {
      const at = viewport.toStage({ x: over.x + over.width * across, y: over.y + over.height * down });
      return s("circle", { class: side === this.#to.port ? "side chosen" : "side", cx: at.x, cy: at.y, r: side === this.#to.port ? 7 : 4 });
    }) : [];
    return [this.#to && picture.frame(this.#to.id, "selected"), s("path", { class: "aim", d: `M${from.x} ${from.y}L${this.#at.x} ${this.#at.y}` }), ...dots];
  }
}
