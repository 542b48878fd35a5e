// The palette: what a diagram is made of, to be clicked or dragged to its place.

import { button, find, h, menuButton, s } from "./dom.js";
import { frameAt } from "./edits.js";
import { typeOf } from "./outline.js";
import { nodeOf } from "./placing.js";

export const FAMILIES = [
  ["architecture", "Architecture", ""], ["workflow", "Workflow", "workflow"], ["entityRelationship", "Tables", "er"], ["sequence", "Sequence", "sequence"],
  ["network", "Network", "network"], ["orgchart", "Organization", "org"], ["uiflow", "Screens", "uiflow"],
];
const NOTATIONS = [["uml", "Classes"], ["state", "States"]];
const SHOWN = 12; // types with a button of their own; the others are in a menu
const SLACK = 4; // px of the screen before a press is a drag
const SHAPES = ["rect", "roundedRect", "ellipse", "diamond", "cylinder", "pill", "hexagon", "parallelogram", "cloud", "tube", "box3d"];

// Outlines on a grid of 24 by 20, by what a type's name says.
const OUTLINES = [
  [/database|storage|bucket|cylinder/i, "M4 5c0-3 16-3 16 0v10c0 3-16 3-16 0zM4 5c0 3 16 3 16 0"],
  [/queue|topic|tube/i, "M6 5h13c3 0 3 10 0 10H6c-3 0-3-10 0-10c3 0 3 10 0 10"],
  [/actor|user$|person|vacant/i, "M12 9.500a3.500 3.500 0 1 1 0-7a3.500 3.500 0 0 1 0 7M5 18c0-8 14-8 14 0z"],
  [/cloud|internet|cdn|external/i, "M7 16a4 4 0 0 1-.5-8a5.500 5.500 0 0 1 10.600 0A4 4 0 0 1 17 16z"],
  [/^(workflow|uiflow|state)\..*(gateway|decision|choice)|^diamond|relationship/i, "M12 2l9 8l-9 8l-9-8z"],
  [/start$|initial|entry|timer|error|signal|ellipse|attribute/i, "M12 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14z"],
  [/end$|final|exit|terminate/i, "M12 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM12 5.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 0 0 0-9z"],
  [/note|annotation|dataobject/i, "M5 3h10l4 4v10H5zM15 3v4h4"],
  [/entity|class|interface|enum|department/i, "M4 3h16v14H4zM4 8h16M4 12.500h16"],
  [/lifeline/i, "M7 2h10v5H7zM12 7v12"],
  [/screen|modal|client/i, "M3 3h18v14H3zM3 7h18"],
  [/function|hexagon/i, "M7 3h10l4 7l-4 7H7l-4-7z"],
  [/loadBalancer|router|switch|firewall|accessPoint|subnet/i, "M3 7h18v7H3zM7 10.500h.01M11 10.500h6"],
  [/parallelogram/i, "M7 4h14l-4 12H3z"],
  [/pill/i, "M8 5h8a5 5 0 0 1 0 10H8A5 5 0 0 1 8 5z"],
  [/fork/i, "M3 9h18v2H3z"],
  [/box3d/i, "M3 7l4-4h14v10l-4 4H3zM3 7h14v10M17 7l4-4"],
  [/^rect/i, "M3 4h18v12H3z"],
];
const BOX = "M5 4h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z";

const words = (type) => typeOf({ nodeType: type }).replace(/^./, (letter) => letter.toUpperCase());
const outline = (name) => s("svg", { class: "symbol", viewBox: "0 0 24 20", "aria-hidden": "true" }, s("path", { d: OUTLINES.find(([form]) => form.test(name))?.[1] ?? BOX }));

/** A button with its word below its symbol. */
function named(made, label) {
  made.append(h("small", { "aria-hidden": "true" }, label));
  return made;
}

export class Palette {
  #ghost = null;
  #family = null;

  /** `types` is prefix → node types, those of any family under "". */
  constructor(root, { hands, types }) {
    Object.assign(this, { root, hands, types });
    for (const name of ["open", "change"]) hands.session.addEventListener(name, () => this.show());
    this.show();
  }

  /** The buttons of the document's family. */
  show() {
    const { session } = this.hands;
    const family = session.current?.diagramFamily ?? "architecture";
    this.root.inert = this.hands.frozen;
    if (family === this.#family) return;
    this.#family = family;
    const [, label = family, prefix = ""] = FAMILIES.find(([name]) => name === family) ?? [];
    const all = this.types[prefix] ?? [];
    const kind = h("button", { type: "button", class: "family", title: "Kind of diagram" }, h("span", {}, label), s("svg", { class: "symbol small", viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: "M6 8l4 4l4-4" })));
    this.root.replaceChildren(
      menuButton(kind, () => FAMILIES.map(([name, title]) => ({ label: title, checked: name === family, run: () => this.#choose(name) }))),
      ...all.slice(0, SHOWN).map((type) => this.#button(words(type), outline(type), () => nodeOf(type))),
      this.#menu("More", "more", () => this.#more(all)),
      this.#menu("Shapes", "spark", () => SHAPES.map((shape) => ({ label: words(shape), run: () => this.#add({ kind: "node", shape, label: "New" }) }))),
      this.#button("Frame", outline("frame"), null, () => this.hands.dragOut(), "R"),
      this.#button("Free text", s("svg", { class: "symbol", viewBox: "0 0 24 20", "aria-hidden": "true" }, s("path", { d: "M6 5V4h12v1M12 4v12M10 16h4" })), () => ({ kind: "text", content: "Text" }), null, "T"),
      named(button("search", "Icon", () => this.#icon()), "Icon"),
    );
    this.root.querySelector("[aria-label=Frame] path").setAttribute("stroke-dasharray", "3 2.500");
  }

  #more(all) {
    const row = (type) => ({ label: words(type), run: () => this.#add(nodeOf(type)) });
    const others = [...NOTATIONS.map(([prefix, title]) => [title, this.types[prefix]]), ...(this.#family === "architecture" ? [] : [["In any diagram", this.types[""]]])];
    return [...all.slice(SHOWN).map(row), ...others.flatMap(([heading, types]) => [{ heading }, ...types.map(row)])];
  }

  #menu(label, name, rows) { return menuButton(named(button(name, label, null), label), rows); }

  /** A button that a click or a drag to the picture makes an element of. */
  #button(label, drawn, element, run = () => this.#add(element()), keys = "") {
    const made = h("button", { type: "button", title: keys ? `${label} (${keys})` : label, "aria-label": label, onclick: () => { if (!made.dataset.dragged) run(); } }, drawn, h("small", { "aria-hidden": "true" }, label));
    if (element) made.addEventListener("pointerdown", (event) => this.#press(event, made, element));
    return made;
  }

  #choose(family) {
    const { session } = this.hands;
    session.change({ ...session.current, diagramFamily: family }, "Choose the kind of diagram");
  }

  /** In the middle of the view, or where there is room beside it. */
  #add(element) {
    this.hands.pointer = null;
    this.hands.placing.add(element);
  }

  async #icon() {
    const { chooseIcon } = await import("./icons.js");
    const key = await chooseIcon(this.hands.session.service);
    if (key) this.#add(nodeOf(undefined, { icon: key, label: key.split(":").at(-1).replace(/[-_]/g, " ") }));
  }

  // Dragging a button to the picture ---------------------------------------------------------------------------------

  #press(from, made, element) {
    if (from.button !== 0) return;
    delete made.dataset.dragged;
    made.setPointerCapture(from.pointerId);
    const end = new AbortController();
    const listen = (name, heard) => made.addEventListener(name, heard, { signal: end.signal });
    listen("pointermove", (event) => {
      if (!this.#ghost && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < SLACK) return;
      made.dataset.dragged = "true";
      this.#carry(event, made);
    });
    listen("pointerup", (event) => {
      end.abort();
      const dropped = this.#ghost;
      this.#putDown();
      if (dropped && this.#isOver(event)) this.hands.placing.add(element(), { at: this.#at(event) });
    });
    listen("pointercancel", () => { end.abort(); this.#putDown(); });
  }

  #carry(event, made) {
    if (!this.#ghost) {
      this.#ghost = h("div", { class: "ghost" }, made.firstElementChild.cloneNode(true));
      document.body.append(this.#ghost);
    }
    Object.assign(this.#ghost.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
    const { session: { current }, viewer: { picture } } = this.hands;
    this.hands.light(this.#isOver(event) ? frameAt(current, this.#at(event), picture.bounds)?.id ?? null : null);
  }

  #putDown() {
    this.#ghost?.remove();
    this.#ghost = null;
    this.hands.light(null);
  }

  #isOver({ clientX, clientY }) {
    const { stage } = this.hands;
    const box = stage.getBoundingClientRect();
    const covered = find("#palette").getBoundingClientRect();
    const inside = ({ left, right, top, bottom }) => clientX > left && clientX < right && clientY > top && clientY < bottom;
    return inside(box) && !inside(covered);
  }

  #at(event) { const { viewport } = this.hands.viewer; return viewport.toPicture(viewport.at(event)); }
}
