// Editing by hand: which gesture a press or a key begins, and what is drawn over the picture meanwhile.
//
// A gesture has move(event, press) and drop(event) for the pointer, abandon() where it has changed more than marks, end(),
// marks() to be drawn over it, and carried(marks) where the marks of what is selected follow it.

import { Bend, bendByKeys, bendsOf } from "./bending.js";
import { openCaption } from "./caption.js";
import { Clipboard } from "./clipboard.js";
import { Commands } from "./commands.js";
import { Line, handlesOf } from "./connecting.js";
import { dragOf } from "./dragging.js";
import { Framing } from "./framing.js";
import { showKeys } from "./keys.js";
import { described, linesAt } from "./outline.js";
import { Pending } from "./pending.js";
import { Placing } from "./placing.js";
import { Resize, gripsOf, mayResize } from "./resizing.js";
import { Marquee, following, pick, pickAll, reach, walk } from "./selecting.js";

const SLACK = 4; // px of the screen before a press is a drag
const STEP = 8;
const KEYS_REST = 350; // ms; steps add up while the keys are pressed, a rest makes them one edit
const LONG_PRESS = 550; // ms of a finger until the menu opens
const CORRECTED = 1500; // ms until a corrected place is kept by itself
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Hands {
  #press = null;
  #gesture = null;
  #armed = null; // the gesture that the next press begins
  #keys = null; // the timer of a gesture by keys
  #stepping = null; // what the keys do
  #leaving = false; // after Escape, Tab leaves the picture
  #foreseen = false;

  /** `adds`: the toolbar has buttons that add, where there is no palette. */
  constructor({ stage, tools, viewer, session, adds = false }) {
    Object.assign(this, { stage, viewer, session, pointer: null, several: false });
    this.change = (document, message, options) => session.change(document, message, options);
    this.repaint = () => viewer.picture.outline(() => viewer.marks());
    this.pending = new Pending(viewer);
    this.placing = new Placing(this);
    this.clipboard = new Clipboard(this);
    this.commands = new Commands(tools, this, { adds });
    viewer.quiet = true; // presses are read here
    viewer.picture.options = (id) => (!tools.hidden && viewer.element(id) ? described(viewer.document, viewer.element(id)) : null);
    viewer.viewport.mayPan = (event) => !this.#gesture && !this.#armed && !event.shiftKey && !this.several && !this.#grips(event);
    viewer.movesByArrow = () => viewer.selection.size > 0;
    const marks = viewer.marks.bind(viewer);
    viewer.marks = () => [...this.pending.marks(), ...this.#marks(marks())];
    viewer.addEventListener("drawn", () => this.#again());
    session.addEventListener("change", () => this.#again());
    this.#listen(stage);
  }

  #listen(stage) {
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => { this.pointer = { clientX: event.clientX, clientY: event.clientY }; this.#move(event); });
    stage.addEventListener("pointerleave", () => { this.pointer = null; });
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", () => this.#abandon());
    stage.addEventListener("dragstart", (event) => event.preventDefault()); // the browser's own drag would end the gesture
    stage.addEventListener("dblclick", (event) => this.#doubled(event));
    stage.addEventListener("contextmenu", (event) => this.#menu(event));
    stage.addEventListener("keydown", (event) => { if (this.keyed(event)) event.stopImmediatePropagation(); }, true);
  }

  get frozen() { return !this.session.isEditable || this.session.comparing !== null || this.viewer.view !== undefined; }

  /** The field of an element's words opens, once it stands somewhere; what it says joins the edits of `series`. */
  rename(id, options) {
    if (this.viewer.picture.boxOf(id)) return openCaption(this, id, options);
    this.viewer.addEventListener("drawn", () => { if (this.viewer.element(id)) this.rename(id, options); }, { once: true });
  }

  lineFrom(id) { this.#begin(new Line(this, id).tell()); }

  /** The end of a line (`from`, `to`) waits for another element. */
  rewire(id, which) {
    const edge = this.viewer.element(id);
    this.#begin(new Line(this, edge[which === "to" ? "from" : "to"].elementId, { edge: id, which }).tell());
  }

  dragOut() {
    this.#armed = () => new Framing(this);
    this.stage.classList.add("connecting");
  }

  /** A document that may come, over the picture of the one that is. */
  foresee(document) {
    this.#foreseen = true;
    this.pending.show(document);
    this.repaint();
  }

  /** The element that would take what is dragged. */
  light(id) {
    const { groups } = this.viewer.picture;
    for (const [other, group] of groups) if (other !== id) delete group.dataset.dropTarget;
    const group = groups.get(id);
    if (group) group.dataset.dropTarget = "";
  }

  /** Places as the engine's sizes want them: no edit of their own, kept with the next one. */
  correct(document, ids) {
    this.session.correct(document);
    this.viewer.document = document;
    this.#again();
    if (ids.some((id) => linesAt(document, id).length)) this.viewer.redraw();
    clearTimeout(this.correcting);
    this.correcting = setTimeout(() => this.session.save(), CORRECTED);
  }

  /** What is not drawn yet, over what is. */
  #again() {
    const { drawn, view } = this.viewer;
    const { current, comparing } = this.session;
    const differs = drawn && current !== drawn && !view && comparing === null && this.session.isEditable;
    if (differs) this.pending.settle(current);
    if (this.#foreseen && this.#gesture) return this.#gesture.again?.();
    this.pending.show(differs ? current : null);
    this.repaint();
  }

  #marks(selected) {
    const gesture = this.#gesture;
    if (gesture) return [...(gesture.carried?.(selected) ?? selected), ...gesture.marks()];
    const [id] = this.viewer.selection;
    if (this.viewer.selection.size !== 1 || this.frozen) return selected;
    return [...selected, ...bendsOf(this, id), ...handlesOf(this, id), ...gripsOf(this, id)];
  }

  #begin(gesture) { this.#gesture = gesture; }

  #end() {
    clearTimeout(this.#keys);
    clearTimeout(this.pressing);
    const gesture = this.#gesture;
    this.#gesture = this.#press = this.#keys = this.#armed = null;
    this.#foreseen = false;
    gesture?.end();
    this.stage.classList.remove("connecting");
    this.repaint();
  }

  #abandon() {
    this.#gesture?.abandon?.();
    this.#end();
    this.#again();
  }

  // The pointer ----------------------------------------------------------------------------------------------------

  /** Whether a press takes hold of an element: anything but a line, and a frame only once it is selected. */
  #grips(event) {
    if (event.target.closest?.("[data-handle], [data-grip], .caption")) return true;
    const id = this.viewer.picture.at(event);
    if (id === null || this.frozen) return false;
    const kind = this.viewer.picture.kindOf(id);
    return kind !== "edge" && (kind !== "frame" || this.viewer.selection.has(id) || event.target.localName === "text");
  }

  #down(event) {
    if (event.button !== 0 || event.target.closest?.(".caption")) return;
    this.#settle();
    if (!event.isPrimary) return this.#abandon(); // a second finger zooms
    this.stage.focus({ preventScroll: true });
    this.pointer = { clientX: event.clientX, clientY: event.clientY };
    if (this.#gesture) return; // a line by C ends where the press ends
    const { handle, bend, piece } = event.target.closest?.("[data-handle]")?.dataset ?? {};
    const { grip } = event.target.closest?.("[data-grip]")?.dataset ?? {};
    this.#press = { id: this.viewer.picture.at(event), x: event.clientX, y: event.clientY, grips: this.#grips(event), wide: event.shiftKey || this.several, grip };
    if (event.pointerType === "touch" && !this.#armed) this.pressing = setTimeout(() => { this.#abandon(); this.#menu(event); }, LONG_PRESS);
    const begun = handle && !this.frozen ? this.#handled(handle, { bend, piece }) : this.#armed?.();
    if (!begun) return;
    this.#armed = null;
    this.#begin(begun);
    this.stage.setPointerCapture(event.pointerId);
  }

  /** What a handle of the one selected element begins. */
  #handled(name, part) {
    const [id] = this.viewer.selection;
    if (name === "bend") return new Bend(this, id, part);
    if (name !== "from" && name !== "to") return new Line(this, id);
    return new Line(this, this.viewer.element(id)[name === "to" ? "from" : "to"].elementId, { edge: id, which: name });
  }

  #move(event) {
    const press = this.#press;
    if (this.#keys) return;
    const far = press && Math.hypot(event.clientX - press.x, event.clientY - press.y) >= SLACK;
    if (far) clearTimeout(this.pressing);
    if (this.#gesture) return this.#gesture.move(event, press ?? { x: event.clientX, y: event.clientY });
    if (!far || !event.buttons) return;
    const gesture = this.#pulled(press);
    if (!gesture) { this.#press = null; return; } // the picture is panned
    this.#begin(gesture);
    this.stage.setPointerCapture(event.pointerId);
    gesture.move(event, press);
  }

  /** What begins when a press is pulled. */
  #pulled({ id, wide, grips, grip }) {
    if (grip) return new Resize(this, grip);
    if (!grips) return wide ? new Marquee(this) : null;
    if (this.frozen) return null;
    if (!this.viewer.selection.has(id)) this.viewer.select([id], { say: false });
    return dragOf(this);
  }

  #up(event) {
    if (this.#keys) return;
    if (this.#gesture) return this.#finish(event);
    const press = this.#press;
    this.#end();
    if (press && !press.grip) pick(this.viewer, press.id, { shiftKey: event.shiftKey, several: this.several });
  }

  /** On a name or a box: its words. On blank, also inside a frame: a new box. */
  #doubled(event) {
    if (event.target.closest?.(".caption, [data-handle], [data-grip]") || this.frozen) return;
    const id = this.viewer.picture.at(event);
    const isBlank = id === null || (this.viewer.picture.kindOf(id) === "frame" && event.target.localName !== "text");
    if (isBlank) this.placing.add(this.placing.usual, { at: this.viewer.viewport.toPicture(this.viewer.viewport.at(event)) });
    else this.rename(id);
  }

  /** The menu of what is under the pointer; by its key, of what is selected. */
  #menu(event) {
    if (event.target.closest?.(".caption")) return;
    event.preventDefault?.();
    this.#abandon();
    const byKey = event.button === -1 || event.button === undefined || (event.clientX === 0 && event.clientY === 0);
    const id = byKey ? null : this.viewer.picture.at(event);
    if (!byKey && !(id !== null && this.viewer.selection.has(id))) this.viewer.select(id !== null && this.viewer.element(id) ? [id] : []);
    this.commands.menu(byKey ? null : { x: event.clientX, y: event.clientY });
  }

  // Keys -----------------------------------------------------------------------------------------------------------

  /** Whether a key was for the hands. */
  keyed(event) {
    if (event.target.closest?.(".caption") || event.defaultPrevented) return false;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = this.#act(key, event);
    if (key !== "Shift") this.#leaving = key === "Escape";
    if (!act) return false;
    event.preventDefault();
    if (!ARROWS[event.key]) this.#settle();
    act();
    return true;
  }

  #act(key, event) {
    const [id] = this.viewer.selection;
    if (key === "?") return () => showKeys();
    if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) return () => this.commands.menu(null);
    if (key === "Tab" && !event.ctrlKey) return this.#tabbed(event);
    if (key === "k" && this.comment && !event.ctrlKey && !event.metaKey && !event.altKey) return () => this.comment();
    if (this.frozen) return null;
    if (event.ctrlKey || event.metaKey) return this.#withControl(key, event);
    const arrow = ARROWS[event.key];
    if (arrow && id !== undefined) return this.#byArrow(id, arrow, event);
    if (arrow && this.#gesture?.toward && !this.#keys) return () => this.#gesture.toward(arrow);
    return event.altKey ? null : this.#plain(id)[key] ?? null;
  }

  /** Through the elements in the document's order; after the last, or after Escape, out of the picture. */
  #tabbed(event) {
    if (this.#leaving || !this.viewer.document || event.target !== this.stage) return null;
    const next = following(this, event.shiftKey);
    return next === undefined ? null : () => reach(this, next);
  }

  #withControl(key, { shiftKey }) {
    const { session, commands } = this;
    return { a: () => pickAll(this), z: () => (shiftKey ? session.redo() : session.undo()), y: () => session.redo(), d: () => commands.duplicate() }[key] ?? null;
  }

  /** What a key does by itself; most need an element that is selected. */
  #plain(id) {
    const { commands, placing } = this;
    if (this.#armed) return { Escape: () => this.#abandon(), Enter: () => { const gesture = this.#armed(); this.#abandon(); gesture.end(); gesture.drop(null); } };
    if (this.#gesture && !this.#keys) return { Escape: () => this.#abandon(), Enter: this.#gesture.toward && (() => this.#finish(null)) };
    const always = { n: () => placing.node(), t: () => placing.text(), r: () => this.dragOut(), c: () => commands.connect(), m: () => commands.several() };
    if (id === undefined) return always;
    const [remove, rename] = [() => commands.remove(), () => this.rename(id)];
    return { ...always, g: () => commands.frame(), Delete: remove, Backspace: remove, Enter: rename, F2: rename };
  }

  #byArrow(id, arrow, { altKey, shiftKey }) {
    const gesture = this.#keys ? null : this.#gesture;
    if (gesture) return gesture.toward && (() => gesture.toward(arrow));
    if (altKey && !shiftKey) return () => walk(this, [...this.viewer.selection].at(-1), arrow);
    if (altKey) return () => this.#steps("size", arrow, STEP, () => (mayResize(this.viewer, id) ? new Resize(this, "se") : null));
    const isLine = this.viewer.selection.size === 1 && this.viewer.element(id)?.kind === "edge";
    return () => this.#steps("place", arrow, shiftKey ? 1 : STEP, () => (isLine ? bendByKeys(this, id) : dragOf(this)));
  }

  /** A step of the gesture that the keys go on with, or of one that `begun` gives. */
  #steps(what, [x, y], step, begun) {
    if (this.#stepping !== what) this.#settle();
    this.#stepping = what;
    if (!this.#keys) this.#begin(begun());
    if (!this.#gesture) return;
    this.#gesture.step(x * step, y * step);
    clearTimeout(this.#keys);
    this.#keys = setTimeout(() => this.#settle(), KEYS_REST);
  }

  /** What the keys moved becomes an edit. */
  #settle() {
    if (this.#keys) this.#finish(null, { series: "keys" });
  }

  #finish(event, options) {
    const gesture = this.#gesture;
    this.#end();
    gesture.drop(event, options);
    this.#again();
    if (event) this.viewer.showDetails(0); // it gives way at once
  }
}
