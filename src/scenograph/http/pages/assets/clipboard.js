// Cut, copy, paste: elements travel as a scene of their own in JSON, so that other scenes, tabs and programs can read them.

import { announce } from "./dom.js";
import { around, frameAt, inserted, outermost, taken, without } from "./edits.js";

const MARK = "elements of a scene"; // the title of a scene that is a selection
const APART = 24; // px from the original to a copy

export class Clipboard {
  #pasted = 0; // how often in a row without a pointer

  constructor(hands) { this.hands = hands; }

  /** What is selected, as text; null for nothing. */
  copied() {
    const { session: { current }, viewer: { selection, picture } } = this.hands;
    const elements = taken(current, [...selection]);
    if (!elements.length) return null;
    const bounds = Object.fromEntries(elements.filter(({ id }) => picture.bounds[id]).map(({ id }) => [id, picture.bounds[id]]));
    const { schemaVersion, diagramFamily, styles } = current;
    this.#pasted = 0;
    return JSON.stringify({ schemaVersion, ...(diagramFamily ? { diagramFamily } : {}), ...(styles ? { styles } : {}), scene: { id: "selection", title: MARK, units: "px", canvas: {} }, elements, computed: { bounds } });
  }

  /** Whether a text was a selection, which is now in the scene. */
  paste(text) {
    const found = selectionIn(text);
    if (!found || this.hands.frozen) return false;
    const { pointer, viewer: { viewport } } = this.hands;
    const boxes = Object.values(found.computed?.bounds ?? {});
    const box = boxes.length ? around(boxes) : { x: 0, y: 0, width: 0, height: 0 };
    const at = pointer && viewport.toPicture(viewport.at(pointer));
    const by = at ? { dx: at.x - box.x - box.width / 2, dy: at.y - box.y - box.height / 2 } : this.#beside();
    this.#insert(found, by, "Paste", at);
    return true;
  }

  duplicate() {
    const found = selectionIn(this.copied() ?? "");
    if (found) this.#insert(found, { dx: APART, dy: APART }, "Duplicate", null);
  }

  cut() {
    const { session, viewer, change } = this.hands;
    const ids = [...viewer.selection];
    viewer.select([], { say: false });
    change(without(session.current, outermost(session.current, ids), { content: true }), "Cut");
  }

  #beside() {
    this.#pasted += 1;
    return { dx: APART * this.#pasted, dy: APART * this.#pasted };
  }

  #insert({ elements, computed, styles }, { dx, dy }, message, at) {
    const { session, viewer, change } = this.hands;
    const bounds = Object.fromEntries(Object.entries(computed?.bounds ?? {}).map(([id, { x, y, width, height }]) => [id, { x: Math.round(x), y: Math.round(y), width, height }]));
    const parent = at ? frameAt(session.current, at, viewer.picture.bounds) : null;
    const missing = Object.fromEntries(Object.entries(styles ?? {}).filter(([name]) => !(name in (session.current.styles ?? {})) && elements.some(({ style }) => style === name)));
    const base = Object.keys(missing).length ? { ...session.current, styles: { ...session.current.styles, ...missing } } : session.current;
    const { document, ids } = inserted(base, elements, bounds, { dx: Math.round(dx), dy: Math.round(dy), parentId: parent?.id ?? null });
    for (const id of ids) {
      const { layout } = document.elements.find((element) => element.id === id);
      const from = Object.values(bounds)[0];
      if (layout?.x !== undefined && from) viewer.picture.bounds[id] ??= { x: layout.x, y: layout.y, width: layout.width ?? from.width, height: layout.height ?? from.height };
    }
    change(document, message);
    viewer.select(ids, { say: false });
    announce(`${message === "Paste" ? "Pasted" : "Duplicated"}: ${ids.length === 1 ? "one element" : `${ids.length} elements`}.`, { visible: false });
  }
}

/** The scene in a text that is a selection; null for any other text. */
function selectionIn(text) {
  if (!text.startsWith("{") || !text.includes(MARK)) return null;
  try {
    const found = JSON.parse(text);
    return found?.scene?.title === MARK && Array.isArray(found.elements) && found.elements.every((element) => typeof element?.id === "string") ? found : null;
  } catch {
    return null;
  }
}
