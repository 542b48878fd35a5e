// A size given by hand: by a grip at a corner, the opposite one standing still, or by keys from the lower right corner.

import { announce, s } from "./dom.js";
import { around, movingWith, resized } from "./edits.js";
import { Preview } from "./preview.js";
import { guides, snaps } from "./snapping.js";

const CORNERS = { nw: [0, 0], ne: [1, 0], se: [1, 1], sw: [0, 1] };
const RESIZABLE = ["node", "frame", "text", "image"];
const LEAST = 16; // px
const PADDING = 24, TITLE = 40; // px that a frame keeps round its content, and above it, unless it has less
const GROW = 4; // px of the screen between an outline and its mark
const NARROWEST = 22; // px of the screen; what is smaller there has no room for grips

export const mayResize = (viewer, id) => RESIZABLE.includes(viewer.picture.kindOf(id)) && !viewer.element(id)?.locked && Boolean(viewer.picture.boxOf(id));

/** The grips of an element that is selected. */
export function gripsOf({ viewer }, id) {
  const { picture, viewport } = viewer;
  const box = mayResize(viewer, id) && picture.boxOf(id);
  if (!box || Math.min(box.width, box.height) * viewport.zoom < NARROWEST) return [];
  return Object.entries(CORNERS).flatMap(([corner, [across, down]]) => {
    const at = viewport.toStage({ x: box.x + box.width * across, y: box.y + box.height * down });
    const [x, y] = [at.x + (across ? GROW : -GROW), at.y + (down ? GROW : -GROW)];
    return [
      s("rect", { class: "grip", x: x - 4, y: y - 4, width: 8, height: 8, rx: 2 }),
      s("circle", { class: `reach ${corner}`, cx: x, cy: y, r: 9, "data-grip": corner }),
    ];
  });
}

export class Resize {
  #guides = [];
  #needed = null; // px of height that its words need at this width, as far as the engine has said

  /** Of the one element that is selected, by a corner. */
  constructor(hands, corner) {
    const { viewer, session, stage } = hands;
    const [id] = viewer.selection;
    Object.assign(this, { hands, id, corner: CORNERS[corner], before: viewer.picture.boxOf(id), dx: 0, dy: 0 });
    this.box = this.before;
    this.inside = contentRoom(hands, id, this.before);
    this.preview = new Preview(session, { edited: () => this.edited(), shown: (reply) => this.#answered(reply) });
    stage.classList.add("dragging");
  }

  edited() { return resized(this.hands.session.current, this.id, this.box, this.hands.viewer.picture.bounds); }

  move(event, from) {
    const { zoom } = this.hands.viewer.viewport;
    this.#grow((event.clientX - from.x) / zoom, (event.clientY - from.y) / zoom);
    if (!event.altKey) this.#snap();
    this.hands.repaint();
    this.preview.ask();
  }

  step(dx, dy) {
    this.#grow(this.dx + dx, this.dy + dy);
    this.hands.repaint();
    this.preview.ask();
  }

  drop(_event, options) {
    const short = this.#short;
    this.hands.change(this.edited(), "Resize", options);
    announce(this.#said, { visible: short !== "" });
  }

  end() {
    this.preview.end();
    this.hands.viewer.picture.fade(null);
    this.hands.stage.classList.remove("dragging");
  }

  carried() { return []; }

  marks() {
    const { viewport } = this.hands.viewer;
    const { x, y } = viewport.toStage(this.box);
    const [width, height] = [this.box.width * viewport.zoom, this.box.height * viewport.zoom];
    return [...this.preview.marks(viewport), s("rect", { class: "selected sized", x, y, width, height, rx: 4 }),
      s("text", { class: "size", x: x + width / 2, y: y + height + 20 }, this.#said), ...guides(this.hands, this.#guides)];
  }

  /** The corner this far from where it was at first, as far as the least size allows. */
  #grow(dx, dy) {
    const { before, inside, corner: [across, down] } = this;
    const moved = (from, to, far, by, low, high) => (far ? [from, Math.max(to + by, from + LEAST, high)] : [Math.min(from + by, to - LEAST, low), to]);
    const [left, right] = moved(before.x, before.x + before.width, across, dx, inside.left, inside.right);
    const [top, bottom] = moved(before.y, before.y + before.height, down, dy, inside.top, inside.bottom);
    this.box = { x: left, y: top, width: right - left, height: bottom - top };
    [this.dx, this.dy] = [across ? right - before.x - before.width : left - before.x, down ? bottom - before.y - before.height : top - before.y];
    this.#guides = [];
    this.#needed = null;
  }

  #snap() {
    const { box, corner: [across, down] } = this;
    const found = snaps(this.hands, { x: [box.x + across * box.width], y: [box.y + down * box.height] }, [this.id]);
    const off = (axis) => found.find((one) => one.axis === axis)?.off ?? 0;
    this.#grow(this.dx + off("x"), this.dy + off("y"));
    this.#guides = found;
  }

  #answered({ computed, diagnostics }) {
    const { session: { current }, viewer: { picture } } = this.hands;
    const short = diagnostics.find(({ code, elementId }) => code === "TEXT_OVERFLOW" && elementId === this.id);
    this.#needed = short?.data.requiredHeight ?? null;
    if (computed) picture.fade(current.elements.filter(({ kind }) => kind === "edge").map(({ id }) => id));
    this.hands.repaint();
  }

  get #said() { return `${Math.round(this.box.width)} × ${Math.round(this.box.height)}${this.#short}`; }

  /** What is too small, or as small as it can be. */
  get #short() {
    if (this.#needed) return `: its words need a height of ${Math.ceil(this.#needed)}`;
    const { box, inside } = this;
    const least = [[box.x, inside.left], [box.y, inside.top], [box.x + box.width, inside.right], [box.y + box.height, inside.bottom]];
    if (this.dx === 0 && this.dy === 0) return "";
    return least.some(([edge, limit], side) => edge === limit && this.#moves(side)) ? ": as small as its content allows"
      : box.width === LEAST || box.height === LEAST ? ": as small as it can be" : "";
  }

  #moves(side) { return this.corner[side % 2] === (side > 1 ? 1 : 0); }
}

/** How far the sides of a frame may come in: its content and the room round it stay inside. */
function contentRoom({ session, viewer: { picture: { bounds } } }, id, box) {
  const held = movingWith(session.current, [id]).filter((inner) => inner !== id && bounds[inner]);
  if (!held.length) return { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const content = around(held.map((inner) => bounds[inner]));
  const [right, bottom] = [content.x + content.width, content.y + content.height];
  const kept = (gap, most) => Math.max(0, Math.min(gap, most));
  return {
    left: content.x - kept(content.x - box.x, PADDING), top: content.y - kept(content.y - box.y, TITLE),
    right: right + kept(box.x + box.width - right, PADDING), bottom: bottom + kept(box.y + box.height - bottom, PADDING),
  };
}
