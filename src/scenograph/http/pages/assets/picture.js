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

export class Picture {
  #faces = [];
  #outlined = () => [];

  /** In `stage`, seen through `viewport`. */
  constructor(stage, viewport) {
    this.stage = stage;
    this.viewport = viewport;
    this.holder = stage.querySelector(".picture") ?? stage.appendChild(h("div", { class: "picture" }));
    this.marks = s("svg", { class: "marks", "aria-hidden": "true" });
    stage.append(this.marks);
    this.groups = new Map();
    this.labels = new Map();
    this.bounds = {};
    viewport.addEventListener("move", () => this.#place());
    if (this.svg) this.#taken();
  }

  get svg() { return this.holder.querySelector(":scope > svg"); }

  /** Show another picture; resolves when it stands there, with its fonts. */
  async show(text) {
    const [, rules = ""] = STYLE.exec(text) ?? [];
    const svg = picture(text.replace(STYLE, ""));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    const faces = facesOf(sheet);
    await Promise.all(faces.map((face) => face.load().catch(() => null)));
    for (const face of faces) document.fonts.add(face);
    for (const face of this.#faces) document.fonts.delete(face);
    this.#faces = faces;
    this.holder.replaceChildren(svg);
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

  /** These stand aside by dx and dy, px of the picture, until they are drawn anew or nothing is touched. */
  shift(ids, dx, dy) { this.#parts(ids).forEach((group) => group.setAttribute("transform", `translate(${dx} ${dy})`)); }

  untouched() { this.#parts([...this.groups.keys()]).forEach((group) => group.removeAttribute("transform")); }

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
    this.viewport.setPage({ x, y, width, height });
    this.#place();
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
