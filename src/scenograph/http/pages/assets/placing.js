// New elements: their middle where the pointer is, inside the frame there, with the field of their name open.

import { connected, frameAt, freshId, placed, reparented, withElement, withNodeBeside } from "./edits.js";

const SIZE = { width: 96, height: 48 }; // px of what the engine has not been seen to draw
const GAP = 60; // px
const FRAME = { width: 320, height: 200 };
const NAMELESS = /^(workflow|state|uiflow)\.(.*(initial|final|fork|choice|start|end|entry|exit|gateway|terminate))/i;
const ORDER_PLACES = "sequence"; // the family whose elements stand in the document's order, wherever a person puts them
const USUAL = { workflow: "workflow.task", entityRelationship: "er.entity", sequence: "sequence.lifeline", network: "network.server", orgchart: "org.person", uiflow: "uiflow.screen" };

/** What decides an element's natural size. */
const likeness = ({ kind, nodeType, shape, icon, label, content, style, extensions }) => JSON.stringify([kind, nodeType, shape, icon, label, content, style, extensions]);
const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

export class Placing {
  #wished = new Map(); // id → where its middle is to be, px of the picture, once the engine has said its size
  #sizes = new Map();

  constructor(hands) {
    this.hands = hands;
    this.type = null; // that was chosen last
    hands.session.addEventListener("open", () => { this.#wished.clear(); this.type = null; });
    hands.viewer.addEventListener("drawn", () => this.#settle());
  }

  /** N: at the pointer; where that is on an element, or there is none, beside what is selected and joined to it. */
  node(options = {}) {
    const { session, viewer, pointer } = this.hands;
    const [id] = viewer.selection;
    const like = id !== undefined && viewer.picture.kindOf(id) === "node" && !this.#onBlank(pointer) && !options.at ? viewer.element(id) : null;
    if (!like || options.element) return this.add(options.element ?? this.usual, options);
    const { document, id: made } = withNodeBeside(session.current, like);
    const { x, y, width } = viewer.picture.bounds[like.id];
    viewer.picture.bounds[made] = { x: x + width + GAP, y, ...SIZE }; // until the engine places it: its name is written at once
    return this.#made(document, made, "Add a box");
  }

  /** An element without id and place, at a point of the picture; on its own, or at the end of a line from `from`. */
  add(element, { at = this.#there(), from = null } = {}) {
    const { session, viewer } = this.hands;
    const id = freshId(session.current, element.kind);
    if (element.nodeType) this.type = element.nodeType;
    const size = this.#sizes.get(likeness(element)) ?? SIZE;
    const box = { x: at.x - size.width / 2, y: at.y - size.height / 2, ...size };
    const isPlaced = session.current.diagramFamily !== ORDER_PLACES || element.kind === "text";
    const parent = frameAt(session.current, at, viewer.picture.bounds);
    let document = withElement(session.current, { id, ...element }, parent?.id);
    if (isPlaced) {
      document = placed(document, { [id]: box });
      this.#wished.set(id, at);
    }
    viewer.picture.bounds[id] = box;
    if (from) document = connected(document, from, id).document;
    return this.#made(document, id, element.kind === "text" ? "Add text" : "Add a box");
  }

  text(options) { return this.add({ kind: "text", content: "Text" }, options); }

  /** A frame with a box of its own. */
  frame(box, children) {
    const { session } = this.hands;
    const id = freshId(session.current, "frame");
    const parent = frameAt(session.current, middleOf(box), this.hands.viewer.picture.bounds, children);
    const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round);
    const frame = { id, kind: "frame", title: "Frame", children: [], layout: { mode: "absolute", x, y, width, height } };
    let document = withElement(session.current, frame, parent?.id);
    document = reparented(document, children, id);
    this.hands.viewer.picture.bounds[id] = box;
    return this.#made(document, id, "Add a frame");
  }

  /** Where a frame without a drag would be. */
  get frameBox() {
    const { x, y } = this.#there();
    return { x: x - FRAME.width / 2, y: y - FRAME.height / 2, ...FRAME };
  }

  /** An element keeps its middle where it is, also once its size is another one. */
  keepMiddle(id) {
    const box = this.hands.viewer.picture.bounds[id];
    if (box && isFree(this.hands.viewer.element(id))) this.#wished.set(id, this.#wished.get(id) ?? middleOf(box));
  }

  /** The document's usual node: of the type that was chosen last, else like most of its nodes, else of its family. */
  get usual() {
    const { diagramFamily, elements } = this.hands.session.current;
    if (this.type) return nodeOf(this.type);
    const counts = new Map();
    for (const { kind, nodeType, shape } of elements) {
      const like = JSON.stringify({ nodeType, shape });
      if (kind === "node" && !NAMELESS.test(nodeType ?? "")) counts.set(like, (counts.get(like) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one);
    const { nodeType, ...more } = most ? JSON.parse(most[0]) : { nodeType: USUAL[diagramFamily] };
    return nodeOf(nodeType, more);
  }

  #made(document, id, message) {
    const { hands } = this;
    hands.change(document, message, { series: id });
    hands.viewer.select([id], { say: false, open: false });
    hands.rename(id, { series: id });
    return id;
  }

  #onBlank(pointer) {
    if (!pointer) return false;
    const id = this.hands.viewer.picture.at(pointer);
    return id === null || this.hands.viewer.picture.kindOf(id) === "frame";
  }

  /** The pointer's place in the picture; without one the first free place from the middle of the view on. */
  #there() {
    const { viewer: { viewport, picture }, stage, pointer } = this.hands;
    if (this.#onBlank(pointer)) return viewport.toPicture(viewport.at(pointer));
    const at = viewport.toPicture({ x: stage.clientWidth / 2, y: stage.clientHeight / 2 });
    const taken = () => Object.entries(picture.bounds).some(([id, box]) => picture.kindOf(id) !== "frame"
      && Math.abs(box.x + box.width / 2 - at.x) < (box.width + SIZE.width) / 2 + 8 && Math.abs(box.y + box.height / 2 - at.y) < (box.height + SIZE.height) / 2 + 8);
    for (let tries = 0; taken() && tries < 40; tries++) Object.assign(at, { x: at.x + (tries % 5 === 4 ? -4 * 130 : 130), y: at.y + (tries % 5 === 4 ? 80 : 0) });
    return at;
  }

  /** What is drawn says sizes; elements whose middle is elsewhere now go back to where it was. */
  #settle() {
    const { hands } = this;
    const { session, viewer: { picture, drawn } } = hands;
    for (const element of drawn?.elements ?? []) {
      const box = picture.groups.has(element.id) && picture.bounds[element.id];
      if (box && isFree(element)) this.#sizes.set(likeness(element), { width: box.width, height: box.height });
    }
    const places = {};
    for (const [id, at] of this.#wished) {
      const [was, now] = [drawn?.elements.find((element) => element.id === id), hands.viewer.element(id)];
      const box = was && picture.bounds[id];
      if (!now || !isFree(now)) this.#wished.delete(id);
      if (!box || !isFree(now ?? {}) || likeness(was) !== likeness(now)) continue;
      this.#wished.delete(id);
      const to = { x: at.x - box.width / 2, y: at.y - box.height / 2 };
      if (Math.abs(now.layout.x - to.x) > 0.6 || Math.abs(now.layout.y - to.y) > 0.6) places[id] = to;
    }
    if (Object.keys(places).length) hands.correct(placed(session.current, places), Object.keys(places));
  }
}

/** A node of a type, with a name that waits to be written. */
export function nodeOf(nodeType, more = {}) {
  return { kind: "node", ...(nodeType ? { nodeType } : {}), ...(NAMELESS.test(nodeType ?? "") ? {} : { label: "New" }), ...more };
}

/** Whether a person gave an element a place and the engine its size. */
const isFree = ({ kind, layout = {} }) => ["node", "text"].includes(kind) && layout.mode === "absolute" && layout.width === undefined && layout.height === undefined;
