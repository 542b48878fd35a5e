// Editing by hand: which gesture a press or a key begins, and what is drawn over the picture meanwhile.
//
// A gesture has move(event, press) and drop(event) for the pointer, abandon() where it has changed the picture, end(),
// marks() to be drawn over it, and carried(marks) where the marks of what is selected follow it.

import { openCaption } from "./caption.js";
import { Commands } from "./commands.js";
import { Line, handlesOf } from "./connecting.js";
import { dragOf } from "./dragging.js";
import { Resize, gripsOf, mayResize } from "./resizing.js";
import { Marquee, pick, pickAll, walk } from "./selecting.js";

const SLACK = 4; // px of the screen before a press is a drag
const STEP = 8;
const KEYS_REST = 350; // ms; steps add up while the keys are pressed, a rest makes them one edit
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Hands {
  #press = null;
  #gesture = null;
  #keys = null; // the timer of a gesture by keys
  #stepping = null; // what the keys do

  constructor({ stage, tools, viewer, session }) {
    Object.assign(this, { stage, viewer, session });
    this.change = (document, message, options) => session.change(document, message, options);
    this.repaint = () => viewer.picture.outline(() => viewer.marks());
    this.commands = new Commands(tools, this);
    viewer.quiet = true; // presses are read here
    const narrow = matchMedia("(max-width: 640px)");
    viewer.viewport.insets = narrow.matches ? { top: 60 } : { left: 78 };
    viewer.viewport.mayPan = (event) => !this.#gesture && !event.shiftKey && !this.#grips(event);
    viewer.movesByArrow = () => viewer.selection.size > 0;
    const marks = viewer.marks.bind(viewer);
    viewer.marks = () => this.#marks(marks());
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", () => this.#abandon());
    stage.addEventListener("dblclick", (event) => { const id = viewer.picture.at(event); if (id) this.rename(id); });
    stage.addEventListener("keydown", (event) => this.#key(event));
  }

  get frozen() { return !this.session.isEditable || this.session.comparing !== null || this.viewer.view !== undefined; }

  rename(id) { openCaption(this, id); }

  lineFrom(id) { this.#begin(new Line(this, id).tell()); }

  #marks(selected) {
    const gesture = this.#gesture;
    if (gesture) return [...(gesture.carried?.(selected) ?? selected), ...gesture.marks()];
    const [id] = this.viewer.selection;
    return this.viewer.selection.size !== 1 || this.frozen ? selected : [...selected, ...handlesOf(this, id), ...gripsOf(this, id)];
  }

  #begin(gesture) { this.#gesture = gesture; }

  #end() {
    clearTimeout(this.#keys);
    const gesture = this.#gesture;
    this.#gesture = this.#press = this.#keys = null;
    gesture?.end();
    this.repaint();
  }

  #abandon() {
    this.#gesture?.abandon?.();
    this.#end();
  }

  // The pointer ----------------------------------------------------------------------------------------------------

  /** Whether a press takes hold of an element: anything but a line, and a frame only once it is selected. */
  #grips(event) {
    if (event.target.closest?.("[data-handle], [data-grip], .caption")) return true;
    const id = this.viewer.picture.at(event);
    if (id === null || this.frozen) return false;
    const kind = this.viewer.picture.kindOf(id);
    return kind !== "edge" && (kind !== "frame" || this.viewer.selection.has(id));
  }

  #down(event) {
    if (event.button !== 0 || event.target.closest?.(".caption")) return;
    this.#settle();
    if (!event.isPrimary) return this.#abandon(); // a second finger zooms
    this.stage.focus({ preventScroll: true });
    const { handle, grip } = event.target.closest?.("[data-handle], [data-grip]")?.dataset ?? {};
    this.#press = { id: this.viewer.picture.at(event), x: event.clientX, y: event.clientY, grips: this.#grips(event), wide: event.shiftKey, grip };
    if (!handle) return;
    this.#begin(new Line(this, handle));
    this.stage.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const press = this.#press;
    if (this.#keys) return;
    if (this.#gesture) return this.#gesture.move(event, press);
    if (!press || !event.buttons || Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLACK) return;
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
    if (press && !press.grip) pick(this.viewer, press.id, event);
  }

  // Keys -----------------------------------------------------------------------------------------------------------

  #key(event) {
    if (event.target.closest(".caption") || this.frozen) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const arrow = ARROWS[event.key];
    const [id] = this.viewer.selection;
    let act = null;
    if (event.ctrlKey || event.metaKey) act = { a: () => pickAll(this) }[key];
    else if (arrow && id !== undefined) act = this.#byArrow(id, arrow, event);
    else if (event.altKey) return;
    else act = this.#plain(id)[key];
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!arrow) this.#settle();
    act();
  }

  /** What a key does by itself; most need an element that is selected. */
  #plain(id) {
    const { commands } = this;
    if (this.#gesture && !this.#keys) return { Escape: () => this.#abandon(), Enter: this.#gesture.toward && (() => this.#finish(null)) };
    const always = { n: () => commands.addNode(), t: () => commands.addText() };
    if (id === undefined) return always;
    const [remove, rename] = [() => commands.remove(), () => this.rename(id)];
    return { ...always, c: () => commands.connect(), g: () => commands.frame(), Delete: remove, Backspace: remove, Enter: rename, F2: rename };
  }

  #byArrow(id, arrow, { altKey, shiftKey }) {
    const gesture = this.#keys ? null : this.#gesture;
    if (gesture) return gesture.toward && (() => gesture.toward(arrow));
    if (altKey && !shiftKey) return () => walk(this, id, arrow);
    if (altKey) return () => this.#steps("size", arrow, STEP, () => (mayResize(this.viewer, id) ? new Resize(this, "se") : null));
    return () => this.#steps("place", arrow, shiftKey ? 1 : STEP, () => dragOf(this));
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
  }
}
