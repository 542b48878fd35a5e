// What can be done with what is selected: the toolbar of editing, the context menu, and the edits behind them.

import { announce, button, menuButton, openMenu } from "./dom.js";
import { aligned, around, connected, distributed, framed, outermost, retyped, straightened, styled, unplaced, without } from "./edits.js";
import { showKeys } from "./keys.js";
import { contentOf, isContainer, mayHave } from "./outline.js";

const ALIGN = [["left", "Left edges"], ["center", "Centres"], ["right", "Right edges"], ["top", "Top edges"], ["middle", "Middles"], ["bottom", "Bottom edges"]];

export class Commands {
  constructor(root, hands, { adds }) {
    Object.assign(this, { root, hands });
    const { session, viewer } = hands;
    this.buttons = {
      undo: button("undo", "Undo", () => session.undo(), { keys: "Ctrl Z" }),
      redo: button("redo", "Redo", () => session.redo(), { keys: "Ctrl Y" }),
      several: button("several", "Select several", () => this.several(), { keys: "M", "aria-pressed": "false" }),
      ...(adds ? { box: button("box", "Add a box", () => hands.placing.node(), { keys: "N" }), text: button("text", "Add text", () => hands.placing.text(), { keys: "T" }) } : {}),
      connect: button("link", "Connect", () => this.connect(), { keys: "C" }),
      frame: button("frame", "Put into a frame", () => this.frame(), { keys: "G" }),
      align: menuButton(button("align", "Align", null), () => this.#alignRows()),
      copy: button("copy", "Duplicate", () => this.duplicate(), { keys: "Ctrl D" }),
      remove: button("trash", "Delete", () => this.remove(), { keys: "Del" }),
      help: button("help", "Keys and gestures", () => showKeys(), { keys: "?" }),
    };
    root.append(...Object.values(this.buttons));
    for (const name of ["select", "drawn"]) viewer.addEventListener(name, () => this.#able());
    for (const name of ["change", "open"]) session.addEventListener(name, () => this.#able());
    this.#able();
  }

  /** From now on each element that is picked or reached joins the others, or none does. */
  several() {
    this.hands.several = !this.hands.several;
    this.buttons.several.setAttribute("aria-pressed", String(this.hands.several));
    announce(this.hands.several ? "Several: the next elements join." : "One at a time.", { visible: false });
  }

  #able() {
    const { session, viewer, frozen } = this.hands;
    const count = viewer.selection.size;
    const able = { undo: session.canUndo, redo: session.canRedo, several: true, box: true, text: true, connect: count > 0, frame: count > 0, align: count > 1, copy: count > 0, remove: count > 0 };
    for (const [name, element] of Object.entries(this.buttons)) element.disabled = name !== "help" && (frozen || !able[name]);
    this.root.hidden = !session.current;
  }

  #alignRows() {
    const row = (label, edit) => ({ label, run: () => this.#arrange(edit) });
    return [
      ...ALIGN.map(([how, label]) => row(label, (document, ids, bounds) => aligned(document, ids, how, bounds))),
      row("Equal gaps across", (document, ids, bounds) => distributed(document, ids, "x", bounds)),
      row("Equal gaps down", (document, ids, bounds) => distributed(document, ids, "y", bounds)),
    ];
  }

  // The context menu -----------------------------------------------------------------------------------------------

  /** The menu of what is selected, at a place of the window or, by its key, beside the selection. */
  menu(at) {
    const { viewer, stage, frozen } = this.hands;
    const box = stage.getBoundingClientRect();
    const [id] = viewer.selection;
    const own = id !== undefined && viewer.picture.boxOf(id);
    const corner = own ? viewer.viewport.toStage({ x: own.x + own.width, y: own.y + own.height }) : { x: box.width / 2, y: box.height / 2 };
    const there = at ?? { x: box.x + Math.max(0, Math.min(corner.x, box.width)), y: box.y + Math.max(0, Math.min(corner.y, box.height)) };
    const rows = frozen ? [] : id === undefined ? this.#blankRows(at) : this.#rows([...viewer.selection]);
    stage.focus({ preventScroll: true });
    openMenu([...rows, ...this.#viewRows(id, at)], there, { label: id === undefined ? "Picture" : "Selection" });
  }

  #blankRows(at) {
    const { placing, session, viewer, stage } = this.hands;
    const box = stage.getBoundingClientRect();
    const place = at && { at: viewer.viewport.toPicture({ x: at.x - box.x, y: at.y - box.y }) };
    return [
      { label: "New box", hint: "N", run: () => placing.add(placing.usual, place ?? {}) },
      { label: "New text", hint: "T", run: () => placing.text(place ?? {}) },
      { label: "New frame", hint: "R", run: () => this.hands.dragOut() },
      { label: "Paste", hint: "Ctrl V", run: () => this.paste() },
      { label: "Select all", hint: "Ctrl A", run: () => viewer.select(session.current.elements.filter(({ kind }) => kind !== "edge").map(({ id }) => id)) },
    ];
  }

  #rows(ids) {
    const { hands } = this;
    const { session, viewer } = hands;
    const elements = ids.map((id) => viewer.element(id)).filter(Boolean);
    const [one] = elements;
    const isOne = elements.length === 1;
    const isLine = elements.every(({ kind }) => kind === "edge");
    const line = isOne && isLine ? [
      { label: "Move its end", run: () => hands.rewire(one.id, "to") }, { label: "Move its start", run: () => hands.rewire(one.id, "from") },
      { label: "Turn round", run: () => this.change((document) => turned(document, one.id), "Turn a line round") },
    ] : [];
    const bends = elements.some(({ waypoints }) => waypoints?.length) ? [{ label: "Straighten", run: () => this.change((document) => straightened(document, ids), "Straighten") }] : [];
    const boxed = isLine ? [] : [
      { label: isOne ? "Connect" : "Connect the first two", hint: "C", run: () => this.connect() },
      { label: "Put into a frame", hint: "G", run: () => this.frame() },
      ...(elements.some(({ layout }) => layout?.mode === "absolute") ? [{ label: "Let the engine place it", run: () => this.change((document) => unplaced(document, ids), "Unpin") }] : []),
    ];
    return [
      ...(isOne ? [{ label: "Rename", hint: "Enter", run: () => hands.rename(one.id) }] : []),
      ...line, ...bends, ...boxed,
      ...(elements.length > 1 && !isLine ? [{ label: "Align …", run: () => openMenu(this.#alignRows(), this.buttons.align, { label: "Align" }) }] : []),
      { label: "Cut", hint: "Ctrl X", run: () => this.copy(true) }, { label: "Copy", hint: "Ctrl C", run: () => this.copy() },
      { label: "Duplicate", hint: "Ctrl D", run: () => this.duplicate() },
      { label: "Delete", hint: "Del", danger: true, run: () => this.remove() },
    ].map((row) => ({ ...row, disabled: row.disabled || !session.isEditable }));
  }

  #viewRows(id, at) {
    const { viewer, session } = this.hands;
    const element = id !== undefined && viewer.element(id);
    const folds = element && isContainer(element) && contentOf(session.current, id).length > 0;
    return [
      ...(folds ? [{ label: viewer.folded.has(id) ? "Unfold" : "Fold", run: () => viewer.fold(id) }] : []),
      ...(element && element.kind !== "edge" ? [{ label: "Focus", run: () => viewer.focus(id, 1) }] : []),
      ...(viewer.focused ? [{ label: "Show all", run: () => viewer.focus(null) }] : []),
      ...(element && session.stored && this.hands.addressOf ? [{ label: "Copy link", run: () => this.copyText(this.hands.addressOf(id), "The link is on the clipboard.") }] : []),
      ...(this.hands.comment ? [{ label: "Comment", hint: "K", run: () => this.hands.comment(id === undefined ? at : null) }] : []),
      ...(element ? [] : [{ label: "Fit", hint: "0", run: () => viewer.viewport.fit() }]),
    ];
  }

  // Edits ----------------------------------------------------------------------------------------------------------

  /** An edit of the document. */
  change(edit, message) { this.hands.change(edit(this.hands.session.current), message); }

  /** What is selected and has a box. */
  get #boxed() {
    const { viewer } = this.hands;
    return [...viewer.selection].filter((id) => (viewer.element(id)?.kind ?? "edge") !== "edge"); // also of what is not drawn yet
  }

  /** A frame round what is selected, its name open. */
  frame() {
    const { session, viewer } = this.hands;
    const { document, id } = framed(session.current, outermost(session.current, this.#boxed));
    const { bounds } = viewer.picture;
    const inside = contentOf(document, id).map((inner) => bounds[inner]).filter(Boolean);
    if (inside.length) {
      const { x, y, width, height } = around(inside);
      bounds[id] = { x: x - 24, y: y - 40, width: width + 48, height: height + 64 }; // until the engine says
    }
    this.hands.change(document, "Put into a frame", { series: id });
    viewer.select([id], { say: false });
    this.hands.rename(id, { series: id });
  }

  /** The two that are selected; from one alone, or the one under the pointer, a line waits for its other end. */
  connect() {
    const [from, to] = this.#boxed;
    const { viewer: { selection, picture }, pointer } = this.hands;
    const [id] = selection;
    const under = pointer && picture.at(pointer);
    if (from && to) this.connected(from, to);
    else if (from) this.hands.lineFrom(from);
    else if (under && picture.kindOf(under) !== "edge") this.hands.lineFrom(under);
    else if (id !== undefined) this.hands.rewire(id, "to");
    else announce("Select the box where the line begins.");
  }

  connected(from, to, port, { open = true } = {}) {
    const { document, id } = connected(this.hands.session.current, from, to, port);
    this.hands.change(document, "Connect");
    this.hands.viewer.select([id], { say: false, open });
    announce("Connected.", { visible: false });
  }

  #arrange(arranged) {
    const { session, viewer, change } = this.hands;
    change(arranged(session.current, this.#boxed, viewer.picture.bounds), "Align");
  }

  style(style, message = "Set the style") {
    const ids = [...this.hands.viewer.selection];
    this.change((document) => styled(document, ids, style), message);
  }

  /** A member of all that may have it; tries of the same `series` are one step back. */
  type(member, value, series = null) {
    const { session: { current }, viewer: { selection }, change } = this.hands;
    const ids = current.elements.filter((element) => selection.has(element.id) && mayHave(element, member)).map(({ id }) => id);
    change(retyped(current, ids, member, value), `Set the ${member === "icon" ? "icon" : "type"}`, { series });
  }

  duplicate() { this.hands.clipboard.duplicate(); }

  async copy(cut = false) {
    const text = this.hands.clipboard.copied();
    if (text === null) return;
    await this.copyText(text, cut ? "Cut." : "Copied.");
    if (cut) this.hands.clipboard.cut();
  }

  async copyText(text, words) {
    try {
      await navigator.clipboard.writeText(text);
      announce(words);
    } catch {
      announce("The browser does not let this page use the clipboard; the keys work.");
    }
  }

  async paste() {
    try {
      const text = await navigator.clipboard.readText();
      if (!this.hands.clipboard.paste(text)) this.hands.pasted?.(text);
    } catch {
      announce("The browser does not let this page read the clipboard; the keys work.");
    }
  }

  remove() {
    const { session, viewer, change } = this.hands;
    const ids = [...viewer.selection];
    const one = ids.length === 1;
    viewer.select([], { say: false });
    const takeBack = change(without(session.current, ids), one ? "Delete" : `Delete ${ids.length} elements`);
    announce(one ? "Deleted." : `${ids.length} elements deleted.`, { action: { label: "Undo", run: takeBack } });
  }
}

const turned = (document, id) => ({ ...document, elements: document.elements.map((element) => (element.id === id
  ? { ...element, from: element.to, to: element.from, ...(element.waypoints ? { waypoints: [...element.waypoints].reverse() } : {}) } : element)) });
