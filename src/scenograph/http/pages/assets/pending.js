// What an edit will change, shown before the service has drawn it: elements at their new places, lines that follow, boxes
// that are new, and nothing of what is deleted.

import { s } from "./dom.js";
import { contentOf, isContainer } from "./outline.js";

const given = ({ layout }) => (layout?.mode === "absolute" || (layout?.x !== undefined && layout.mode === undefined) ? layout : null);

export class Pending {
  #lines = [];
  #boxes = [];

  constructor(viewer) { this.viewer = viewer; }

  /** Show a document over the picture of another one; null shows the picture alone. */
  show(document) {
    const { picture } = this.viewer;
    const offsets = document ? this.#offsets(document) : new Map();
    picture.offset(offsets);
    const lines = document?.elements.filter(({ kind }) => kind === "edge") ?? [];
    this.#lines = lines.map((line) => this.#followed(line, offsets)).filter(Boolean);
    picture.fade(this.#lines.map(({ id }) => id));
    this.#boxes = document?.elements.filter((element) => element.kind !== "edge" && !picture.groups.has(element.id) && given(element)) ?? [];
  }

  /** The boxes of a document's elements, as far as they are known: those drawn, at the places that it gives. */
  settle(document) {
    const { picture } = this.viewer;
    for (const [id, by] of this.#offsets(document)) {
      const box = by && picture.standing[id];
      if (box) picture.bounds[id] = { ...box, x: box.x + by.dx, y: box.y + by.dy };
    }
  }

  /** Elements that are elsewhere, id → {dx, dy}, or gone, id → null. */
  #offsets(document) {
    const { picture, drawn } = this.viewer;
    const before = new Map((drawn?.elements ?? []).map((element) => [element.id, element]));
    const now = new Map(document.elements.map((element) => [element.id, element]));
    const offsets = new Map([...picture.groups.keys()].filter((id) => before.has(id) && !now.has(id)).map((id) => [id, null]));
    for (const [id, element] of now) {
      const place = element.kind !== "edge" && given(element);
      const was = place && picture.groups.has(id) && ((before.has(id) && given(before.get(id))) || picture.standing[id]);
      if (was && (place.x !== was.x || place.y !== was.y)) offsets.set(id, { dx: place.x - was.x, dy: place.y - was.y });
    }
    for (const [id, element] of now) {
      if (!isContainer(element) || offsets.has(id) || given(element)) continue;
      const moved = contentOf(document, id).filter((inner) => now.get(inner)?.kind !== "edge" && !isContainer(now.get(inner) ?? {})).map((inner) => offsets.get(inner));
      const [first] = moved;
      if (first && moved.every((by) => by && Math.abs(by.dx - first.dx) < 1 && Math.abs(by.dy - first.dy) < 1)) offsets.set(id, first);
    }
    this.#alongside(document, offsets);
    return offsets;
  }

  /** Lines whose ends both move alike go with them. */
  #alongside({ elements }, offsets) {
    for (const { kind, id, from, to } of elements) {
      if (kind !== "edge") continue;
      const [one, other] = [offsets.get(from?.elementId), offsets.get(to?.elementId)];
      if (one && other && one.dx === other.dx && one.dy === other.dy) offsets.set(id, one);
    }
  }

  /** A line as it is until the engine finds its route: {id, points}, px of the picture; null where nothing changes. */
  #followed({ id, from, to }, offsets) {
    const path = this.viewer.picture.paths[id];
    const ends = [from, to].map((end) => offsets.get(end?.elementId));
    if (offsets.has(id) || !path || (!ends[0] && !ends[1])) return null;
    let points = path.points;
    if (ends[1]) points = ended(points, ends[1]);
    if (ends[0]) points = ended([...points].reverse(), ends[0]).reverse();
    return { id, points };
  }

  marks() {
    const { viewport } = this.viewer;
    const at = (point) => viewport.toStage(point);
    return [
      ...this.#lines.map(({ points }) => s("polyline", { class: "following", points: points.map(at).map(({ x, y }) => `${x},${y}`).join(" ") })),
      ...this.#boxes.map((element) => {
        const box = this.viewer.picture.boxOf(element.id) ?? { width: 96, height: 48, ...element.layout };
        const { x, y } = at(box);
        const [width, height] = [box.width * viewport.zoom, box.height * viewport.zoom];
        const words = element.label ?? element.title ?? element.content ?? "";
        return s("g", { class: "coming" }, s("rect", { x, y, width, height, rx: 8 }), s("text", { x: x + width / 2, y: y + height / 2, "font-size": 14 * viewport.zoom }, String(words).split("\n")[0]));
      }),
    ];
  }
}

/** A path whose last point goes by {dx, dy}: its last two segments keep their directions. */
function ended(points, { dx, dy }) {
  const last = points.at(-1);
  const end = { x: last.x + dx, y: last.y + dy };
  if (points.length < 3) {
    const [start] = points;
    const level = Math.abs(last.x - start.x) >= Math.abs(last.y - start.y);
    const slanted = last.x !== start.x && last.y !== start.y;
    if (slanted) return [start, end];
    const middle = level ? (start.x + end.x) / 2 : (start.y + end.y) / 2;
    return level ? [start, { x: middle, y: start.y }, { x: middle, y: end.y }, end] : [start, { x: start.x, y: middle }, { x: end.x, y: middle }, end];
  }
  const knee = points.at(-2);
  const level = Math.abs(knee.y - last.y) < Math.abs(knee.x - last.x);
  return [...points.slice(0, -2), level ? { x: knee.x, y: end.y } : { x: end.x, y: knee.y }, end];
}
