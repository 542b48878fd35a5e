// The toolbar of editing, and what its buttons do to the document and to what is selected.

import { announce, button, menuButton } from "./dom.js";
import { aligned, connected, distributed, framed, withNode, withText, without } from "./edits.js";

const ALIGN = [["left", "Left edges"], ["center", "Centres"], ["right", "Right edges"], ["top", "Top edges"], ["middle", "Middles"], ["bottom", "Bottom edges"]];

export class Commands {
  constructor(root, hands) {
    Object.assign(this, { root, hands });
    const { session, viewer } = hands;
    this.buttons = {
      undo: button("undo", "Undo", () => session.undo(), { keys: "Ctrl Z" }),
      redo: button("redo", "Redo", () => session.redo(), { keys: "Ctrl Y" }),
      box: button("box", "Add a box", () => this.addNode(), { keys: "N" }),
      connect: button("link", "Connect", () => this.connect(), { keys: "C" }),
      frame: button("frame", "Put into a frame", () => this.frame(), { keys: "G" }),
      text: button("text", "Add text", () => this.addText(), { keys: "T" }),
      align: menuButton(button("align", "Align", null), () => [
        ...ALIGN.map(([how, label]) => ({ label, run: () => this.#arrange((document, ids, bounds) => aligned(document, ids, how, bounds)) })),
        { label: "Equal gaps across", run: () => this.#arrange((document, ids, bounds) => distributed(document, ids, "x", bounds)) },
        { label: "Equal gaps down", run: () => this.#arrange((document, ids, bounds) => distributed(document, ids, "y", bounds)) },
      ]),
      remove: button("trash", "Delete", () => this.remove(), { keys: "Del" }),
    };
    root.append(...Object.values(this.buttons));
    for (const name of ["select", "drawn"]) viewer.addEventListener(name, () => this.#able());
    for (const name of ["change", "open"]) session.addEventListener(name, () => this.#able());
    this.#able();
  }

  #able() {
    const { session, viewer, frozen } = this.hands;
    const count = viewer.selection.size;
    const able = { undo: session.canUndo, redo: session.canRedo, box: true, connect: count > 0, frame: count > 0, text: true, align: count > 1, remove: count > 0 };
    for (const [name, element] of Object.entries(this.buttons)) element.disabled = frozen || !able[name];
    this.root.hidden = !session.current;
  }

  /** What is selected and has a box. */
  get #boxed() {
    const { selection, picture } = this.hands.viewer;
    return [...selection].filter((id) => picture.kindOf(id) !== "edge");
  }

  addNode() {
    const [beside] = this.hands.viewer.selection;
    this.#added(withNode(this.hands.session.current, beside), "Add a box");
  }

  addText() {
    const { viewer: { viewport }, stage, session } = this.hands;
    const middle = viewport.toPicture({ x: stage.clientWidth / 2, y: stage.clientHeight / 2 });
    this.#added(withText(session.current, middle), "Add text");
  }

  frame() {
    const { session, viewer } = this.hands;
    this.#added(framed(session.current, [...viewer.selection]), "Put into a frame");
  }

  /** Selected, and its words open for writing, once it is drawn. */
  #added({ document, id }, message) {
    this.hands.viewer.addEventListener("drawn", () => { this.hands.viewer.select([id]); this.hands.rename(id); }, { once: true });
    this.hands.change(document, message);
  }

  /** The two that are selected; from one alone a line waits for its other end. */
  connect() {
    const [from, to] = this.#boxed;
    if (from && to) this.connected(from, to);
    else if (from) this.hands.lineFrom(from);
  }

  connected(from, to) {
    const { document, id } = connected(this.hands.session.current, from, to);
    this.hands.viewer.addEventListener("drawn", () => this.hands.viewer.select([id]), { once: true });
    this.hands.change(document, "Connect");
  }

  #arrange(arranged) {
    const { session, viewer, change } = this.hands;
    change(arranged(session.current, this.#boxed, viewer.picture.bounds), "Align");
  }

  remove() {
    const { session, viewer, change } = this.hands;
    const ids = [...viewer.selection];
    const one = ids.length === 1;
    viewer.select([]);
    const takeBack = change(without(session.current, ids), one ? "Delete" : `Delete ${ids.length} elements`);
    announce(one ? "Deleted." : `${ids.length} elements deleted.`, { action: { label: "Undo", run: takeBack } });
  }
}
