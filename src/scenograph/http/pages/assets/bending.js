// The course of a line by hand: its ends go to other elements or sides, its bends where a person wants them.

import { announce, s } from "./dom.js";
import { handle } from "./connecting.js";
import { bent, straightened } from "./edits.js";

const SHORT = 28; // px of the screen; a shorter piece has no handle of its own
const FLAT = 6; // px of the screen from the straight line at which a bend is gone

const between = (one, other) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** The handles of a line that is selected: its ends, its bends, and the middles of its pieces, where a bend can begin. */
export function bendsOf({ viewer }, id) {
  const points = pointsOf(viewer, id);
  if (!points) return [];
  const on = points.map((point) => viewer.viewport.toStage(point));
  const count = (viewer.element(id).waypoints ?? []).length;
  const given = isGiven(viewer, id) ? on.slice(1, 1 + count).map((at, index) => handle(at, "bend", { "data-bend": index })) : [];
  const pieces = on.slice(1).map((to, index) => [on[index], to, index]).filter(([from, to]) => Math.hypot(to.x - from.x, to.y - from.y) > SHORT);
  return [
    ...pieces.map(([from, to, index]) => handle(between(from, to), "bend", { faint: true, "data-piece": index })),
    ...given, handle(on[0], "from"), handle(on.at(-1), "to"),
  ];
}

const pointsOf = ({ picture }, id) => (picture.kindOf(id) === "edge" && picture.paths[id]?.points?.length > 1 ? picture.paths[id].points : null);
const isGiven = ({ picture }, id) => picture.paths[id]?.router === "polyline";

export class Bend {
  #points; // of the whole line, px of the picture
  #moving; // indexes of the points that follow the pointer
  #axis = null; // along which alone they may move

  /** From a handle's `bend` or `piece`. */
  constructor(hands, id, { bend, piece }) {
    Object.assign(this, { hands, id, dx: 0, dy: 0 });
    this.#points = pointsOf(hands.viewer, id).map((point) => ({ ...point }));
    if (bend !== undefined) this.#moving = [Number(bend) + 1];
    else this.#begin(Number(piece));
    this.from = this.#moving.map((index) => ({ ...this.#points[index] }));
    hands.stage.classList.add("connecting");
  }

  /** A piece between two corners moves as a whole, across itself; any other gets a bend in its middle. */
  #begin(piece) {
    const [one, other] = this.#points.slice(piece, piece + 2);
    const straight = one.x === other.x ? "x" : one.y === other.y ? "y" : null;
    if (straight && piece > 0 && piece < this.#points.length - 2) {
      this.#axis = straight;
      this.#moving = [piece, piece + 1];
    } else {
      this.#points.splice(piece + 1, 0, between(one, other));
      this.#moving = [piece + 1];
    }
  }

  move(event, from) {
    const { zoom } = this.hands.viewer.viewport;
    this.#go((event.clientX - from.x) / zoom, (event.clientY - from.y) / zoom);
  }

  step(dx, dy) { this.#go(this.dx + dx, this.dy + dy); }

  #go(dx, dy) {
    [this.dx, this.dy] = [this.#axis === "y" ? 0 : dx, this.#axis === "x" ? 0 : dy];
    this.#moving.forEach((index, at) => { this.#points[index] = { x: this.from[at].x + this.dx, y: this.from[at].y + this.dy }; });
    this.hands.viewer.picture.fade([this.id]);
    this.hands.repaint();
  }

  drop(_event, options) {
    const [at] = this.#moving;
    const flat = this.#moving.length === 1 && away(this.#points[at], this.#points[at - 1], this.#points[at + 1]) * this.hands.viewer.viewport.zoom < FLAT;
    const bends = this.#points.slice(1, -1).filter((_, index) => !flat || index !== at - 1);
    const { current } = this.hands.session;
    this.hands.change(bends.length ? bent(current, this.id, bends) : straightened(current, [this.id]), "Bend a line", options);
    if (flat) announce("The bend is gone.", { visible: false });
  }

  end() {
    this.hands.viewer.picture.fade(null);
    this.hands.stage.classList.remove("connecting");
  }

  carried() { return []; }

  marks() {
    const { viewport } = this.hands.viewer;
    const on = this.#points.map((point) => viewport.toStage(point));
    return [s("polyline", { class: "routed", points: on.map(({ x, y }) => `${x},${y}`).join(" ") }), ...this.#moving.map((index) => handle(on[index], "bend"))];
  }
}

/** How far a point is from the line through two others. */
function away(point, one, other) {
  const [x, y] = [other.x - one.x, other.y - one.y];
  const length = Math.hypot(x, y);
  return length ? Math.abs(x * (point.y - one.y) - y * (point.x - one.x)) / length : Infinity;
}

/** A bend for the keys: the one that is there, else one in the middle of the longest piece. */
export function bendByKeys(hands, id) {
  const { viewer } = hands;
  const points = pointsOf(viewer, id);
  if (!points) return null;
  if (isGiven(viewer, id) && viewer.element(id).waypoints?.length) return new Bend(hands, id, { bend: 0 });
  const lengths = points.slice(1).map((to, index) => Math.hypot(to.x - points[index].x, to.y - points[index].y));
  return new Bend(hands, id, { piece: lengths.indexOf(Math.max(...lengths)) });
}
