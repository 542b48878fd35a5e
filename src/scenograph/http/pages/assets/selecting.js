// Choosing elements: by a click, by a frame drawn round them, by arrow keys from one to the next.

import { s } from "./dom.js";
import { around, insideOf } from "./edits.js";

const BOXED = ["node", "text", "image"];

/** The element that was clicked alone; with Shift it joins or leaves the others. */
export function pick(viewer, id, event) {
  const chosen = id !== null && viewer.element(id) ? [id] : [];
  if (!event.shiftKey && !event.several) return viewer.select(chosen);
  const selection = new Set(viewer.selection);
  for (const one of chosen) if (!selection.delete(one)) selection.add(one);
  viewer.select(selection);
}

export function pickAll({ viewer, session }) {
  viewer.select(session.current.elements.filter((element) => element.kind !== "edge").map((element) => element.id));
}

/** The nearest element in a direction; undefined where there is none. */
export function nearest({ viewer, session }, id, [x, y]) {
  const { bounds } = viewer.picture;
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const here = viewer.picture.boxOf(id);
  if (!here) return undefined;
  const [hx, hy] = middle(here);
  const ranked = session.current.elements.filter((element) => element.id !== id && BOXED.includes(element.kind) && bounds[element.id]).map((element) => {
    const [ox, oy] = middle(bounds[element.id]);
    const along = (ox - hx) * x + (oy - hy) * y;
    return { id: element.id, along, cost: along + 2 * Math.abs((ox - hx) * y + (oy - hy) * x) };
  }).filter(({ along }) => along > 1).sort((one, other) => one.cost - other.cost);
  return ranked[0]?.id;
}

/** The next element of the document, or the one before; undefined after the last. */
export function following({ viewer, session }, backwards) {
  const shown = session.current.elements.map(({ id }) => id).filter((id) => viewer.picture.groups.has(id));
  const at = shown.indexOf([...viewer.selection].at(-1));
  return at < 0 ? shown.at(backwards ? -1 : 0) : shown[at + (backwards ? -1 : 1)];
}

export function walk(hands, id, arrow) {
  const next = nearest(hands, id, arrow);
  if (next !== undefined) reach(hands, next);
}

/** The element that the keys come to: selected alone, or with the others while several are selected. */
export function reach({ viewer, several }, id) {
  viewer.select([...(several ? [...viewer.selection].filter((other) => other !== id) : []), id]);
}

/** A frame drawn from a press on: what lies wholly inside is selected. */
export class Marquee {
  #area = null; // px of the stage

  constructor(hands) { this.hands = hands; }

  move(event, from) {
    const { viewport } = this.hands.viewer;
    const corners = [viewport.at({ clientX: from.x, clientY: from.y }), viewport.at(event)];
    this.#area = around(corners.map((at) => ({ ...at, width: 0, height: 0 })));
    this.hands.repaint();
  }

  drop({ shiftKey }) {
    const { viewer, session } = this.hands;
    const { viewport, picture } = viewer;
    const from = viewport.toPicture(this.#area);
    const to = viewport.toPicture({ x: this.#area.x + this.#area.width, y: this.#area.y + this.#area.height });
    const inside = insideOf(session.current, { ...from, width: to.x - from.x, height: to.y - from.y }, picture.bounds);
    viewer.select([...(shiftKey ? viewer.selection : []), ...inside]);
  }

  end() {}

  marks() { return this.#area ? [s("rect", { class: "marquee", ...this.#area })] : []; }
}
