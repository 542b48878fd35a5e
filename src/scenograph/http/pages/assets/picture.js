// The picture in the page: the service's SVG made into elements, which element is where, and what is marked.
//
// Its fonts are made from their bytes, and nothing else is taken from its style sheet, so that the page's policy needs no
// exception for styles or fonts.

import { picture } from "./allowed.js";
import { h, s } from "./dom.js";
import { bytesOf } from "./rendered.js";

const REACH = 12; // px of the screen round a line that count as the line
const STYLE = /<style>([^<]*)<\/style>/;
const DATA = "[data-element-id]";
const PARTS = "[data-element-id], [data-label-for]";
const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "transform", "clip-path"];
const FACE = ["family", "weight", "style", "unicodeRange"]; // a family's name holds a hash of its letters

export class Picture {
  #faces = [];
  #outlined = () => [];
  #aside = new Map();
  #chosen = new Set();

  /** In `stage`, seen through `viewport`. */
  constructor(stage, viewport) {
    this.stage = stage;
    this.viewport = viewport;
    this.holder = stage.querySelector(".picture") ?? stage.appendChild(h("div", { class: "picture" }));
    this.marks = s("svg", { class: "marks", "aria-hidden": "true" });
    stage.append(this.marks);
    this.options = null; // where elements can be selected: the words for an element's id, null for one that cannot
    this.groups = new Map();
    this.labels = new Map();
    this.standing = {}; // id → box where it is drawn, px of the picture
    this.bounds = {}; // id → box where it is to be
    this.paths = {}; // id of a line → {points, router}
    viewport.addEventListener("move", () => this.#place());
    if (this.svg) this.#taken();
  }

  get svg() { return this.holder.querySelector(":scope > svg"); }

  /** Show another picture; resolves when it stands there, with its fonts. What is the same in both stays as it is. */
  async show(text) {
    const [, rules = ""] = STYLE.exec(text) ?? [];
    const svg = picture(text.replace(STYLE, ""));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    const faces = facesOf(sheet).map((face) => this.#faces.find((known) => FACE.every((name) => known[name] === face[name])) ?? face);
    await Promise.all(faces.filter(({ status }) => status === "unloaded").map((face) => face.load().catch(() => null)));
    for (const face of faces) document.fonts.add(face);
    for (const face of this.#faces) if (!faces.includes(face)) document.fonts.delete(face);
    this.#faces = faces;
    if (this.svg) renew(this.svg, svg);
    else this.holder.replaceChildren(svg);
    this.#taken();
  }

  /** The elements at a point of the window, the topmost first; lines count a little beside themselves. */
  at({ clientX, clientY }) {
    const hit = document.elementsFromPoint(clientX, clientY).find((element) => this.holder.contains(element));
    const group = hit?.closest(`${DATA}, [data-label-for]`);
    const id = group?.dataset.elementId ?? group?.dataset.labelFor ?? null;
    if (id !== null && (this.kindOf(id) !== "frame" || hit.tagName === "text")) return id;
    return this.#lineNear(clientX, clientY) ?? id;
  }

  kindOf(id) { return this.groups.get(id)?.dataset.kind; }

  /** The box of an element, px of the picture: the computed one where it is known. */
  boxOf(id) {
    const known = this.bounds[id];
    if (known) return known;
    const group = this.groups.get(id);
    if (!group) return null;
    const { x, y, width, height } = group.getBBox();
    return { x, y, width, height };
  }

  /** Draws marks over the picture, and again whenever it moves. `draw` gives SVG elements in px of the stage. */
  outline(draw) {
    this.#outlined = draw;
    this.#mark();
  }

  /** Only these elements, with their labels, at full strength; all of them for null. */
  dim(ids) {
    this.holder.classList.toggle("dimmed", ids !== null);
    for (const parts of [this.groups, this.labels]) {
      for (const [id, group] of parts) group.classList.toggle("lit", ids?.has(id) ?? false);
    }
  }

  /** Elements stand aside, or are gone, until they are drawn anew: `offsets` is id → {dx, dy}, px of the picture, or null. */
  offset(offsets) {
    for (const id of new Set([...this.#aside.keys(), ...offsets.keys()])) {
      const now = offsets.get(id);
      for (const group of this.#parts([id])) {
        if (now) group.setAttribute("transform", `translate(${now.dx} ${now.dy})`);
        else group.removeAttribute("transform");
        group.classList.toggle("gone", now === null);
      }
    }
    this.#aside = offsets;
  }

  /** These are faint, because others take their place; none of them for null. */
  fade(ids) {
    const faint = new Set(this.#parts(ids ?? []));
    for (const group of this.#parts([...this.groups.keys()])) group.classList.toggle("stale", faint.has(group));
  }

  #parts(ids) { return ids.flatMap((id) => [this.groups.get(id), this.labels.get(id)]).filter(Boolean); }

  /** The box of an element as a mark. */
  frame(id, name, grow = 4) {
    if (this.kindOf(id) === "edge") return this.#trace(id, name);
    const box = this.boxOf(id);
    if (!box) return null;
    const at = this.viewport.toStage(box);
    const { zoom } = this.viewport;
    return s("rect", { class: name, x: at.x - grow, y: at.y - grow, width: box.width * zoom + 2 * grow, height: box.height * zoom + 2 * grow, rx: 6 });
  }

  #trace(id, name) {
    const { zoom, x, y } = this.viewport;
    return s("g", { class: `${name} line`, transform: `translate(${x} ${y}) scale(${zoom})` },
      [...(this.groups.get(id)?.querySelectorAll("path") ?? [])].map((path) => s("path", { d: path.getAttribute("d") })));
  }

  #taken() {
    const { svg } = this;
    const { x, y, width, height } = svg.viewBox.baseVal;
    for (const name of ["title", "desc"]) this.#spoken(svg, name);
    if (svg.querySelector("a")) svg.setAttribute("role", "graphics-document"); // the links of an img cannot be reached
    this.groups = new Map([...svg.querySelectorAll(DATA)].map((group) => [group.dataset.elementId, group]));
    this.labels = new Map([...svg.querySelectorAll("[data-label-for]")].map((group) => [group.dataset.labelFor, group]));
    this.#aside = new Map();
    this.#told();
    this.viewport.setPage({ x, y, width, height });
    this.#place();
  }

  /** Which elements are selected, for who does not see the marks. */
  select(ids, stage = this.stage) {
    this.#chosen = new Set(ids);
    this.#told();
    const last = [...ids].at(-1);
    const group = this.options && this.groups.get(last);
    if (group) stage.setAttribute("aria-activedescendant", group.id);
    else stage.removeAttribute("aria-activedescendant");
  }

  /** Elements as options of a list, where they can be selected. */
  #told() {
    const words = new Map([...this.groups.keys()].map((id) => [id, this.options?.(id) ?? null]).filter(([, said]) => said !== null));
    const list = words.size ? { role: "listbox", "aria-multiselectable": "true", "aria-label": "Elements" } : {};
    for (const name of ["role", "aria-multiselectable", "aria-label"]) {
      if (list[name]) this.holder.setAttribute(name, list[name]);
      else this.holder.removeAttribute(name);
    }
    if (!words.size) return;
    this.svg.setAttribute("role", "presentation");
    this.svg.removeAttribute("aria-label");
    let number = 0;
    for (const [id, said] of words) {
      const group = this.groups.get(id);
      for (const link of group.querySelectorAll("a")) link.replaceWith(...link.childNodes); // a click selects; the panel has the link
      const told = { id: `element-${++number}`, role: "option", "aria-label": said, "aria-selected": String(this.#chosen.has(id)) };
      for (const [name, value] of Object.entries(told)) if (group.getAttribute(name) !== value) group.setAttribute(name, value);
    }
  }

  /** A title inside an SVG pops up under every pointer; it is read aloud from an attribute as well. */
  #spoken(svg, name) {
    const element = svg.querySelector(`:scope > ${name}`);
    if (!element) return;
    if (name === "title") svg.setAttribute("aria-label", element.textContent);
    svg.removeAttribute("aria-labelledby");
    element.remove();
  }

  #place() {
    const { svg, viewport } = this;
    if (!svg) return;
    const { page, zoom } = viewport;
    const corner = viewport.toStage(page);
    svg.style.width = `${page.width * zoom}px`;
    svg.style.height = `${page.height * zoom}px`;
    this.holder.style.transform = `translate(${corner.x}px, ${corner.y}px)`;
    this.#mark();
  }

  #mark() { this.marks.replaceChildren(...this.#outlined().filter(Boolean)); }

  #lineNear(x, y) {
    for (const distance of [0, 3, 6, REACH / 2 + 2, REACH]) {
      for (const [dx, dy] of [[0, 0], [distance, 0], [-distance, 0], [0, distance], [0, -distance]]) {
        const hit = document.elementsFromPoint(x + dx, y + dy).map((element) => (this.holder.contains(element) ? element.closest(DATA) : null));
        const line = hit.find((group) => group?.dataset.kind === "edge");
        if (line) return line.dataset.elementId;
      }
    }
    return null;
  }
}

/** Makes one picture like another, and leaves alone what is the same in both. */
function renew(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "style") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const known = new Map(keyed(old));
  let at = old.firstChild;
  for (const [key, child] of keyed(fresh)) {
    const twin = known.get(key);
    const kept = twin && renewed(twin, child) ? twin : child;
    if (kept === at) at = at.nextSibling;
    else old.insertBefore(kept, at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** Whether an element became like another one and stays; the group of a part always does, whatever is drawn in it. */
function renewed(twin, child) {
  if (child.localName !== "g") return isSame(twin, child);
  if (!child.matches(PARTS)) renew(twin, child);
  else if (!isSame(twin, child)) {
    for (const name of DRAWN) if (twin.hasAttribute(name) && !child.hasAttribute(name)) twin.removeAttribute(name);
    for (const { name, value } of child.attributes) twin.setAttribute(name, value);
    twin.replaceChildren(...child.childNodes);
  }
  return true;
}

/** The children of an element, each with a name that it has in every picture. */
function keyed(parent) {
  const counts = new Map();
  return [...parent.children].map((child) => {
    const name = `${child.localName} ${child.dataset.elementId ?? ""} ${child.dataset.labelFor ?? ""}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return [`${name} ${counts.get(name)}`, child];
  });
}

/** Whether a part is drawn as another one; what a page adds to a part does not count. */
function isSame(part, fresh) {
  return [...fresh.attributes].every(({ name, value }) => part.getAttribute(name) === value) && part.childNodes.length === fresh.childNodes.length
    && [...fresh.childNodes].every((child, index) => child.isEqualNode(part.childNodes[index]));
}

/** The fonts that a picture brings, taken out of its style sheet. */
function facesOf(sheet) {
  const faces = [];
  for (let index = sheet.cssRules.length - 1; index >= 0; index--) {
    const rule = sheet.cssRules[index];
    const [, base64] = rule instanceof CSSFontFaceRule ? /base64,([^"')]+)/.exec(rule.style.getPropertyValue("src")) ?? [] : [];
    if (!base64) continue;
    const said = (name) => rule.style.getPropertyValue(name) || undefined;
    const family = said("font-family").replace(/^["']|["']$/g, "");
    faces.push(new FontFace(family, bytesOf(base64), { weight: said("font-weight"), style: said("font-style"), unicodeRange: said("unicode-range") }));
  }
  return faces;
}
