// Editing by hand: pick, drag, arrow keys, connect, words in place. While something is dragged one normalize is in flight
// at a time, the next after a rest, and its lines are shown over the picture.

import { announce, button, h, menuButton, s } from "./dom.js";
import { aligned, around, connected, distributed, framed, moved, movingWith, withMember, withNode, withText, without, wordsMember } from "./edits.js";
import { nameOf } from "./outline.js";

const REST = 150; // ms, R-STUDIO-3
const SLACK = 4; // px of the screen before a press is a drag
const SNAP = 6;
const STEP = 8;
const KEYS_REST = 350;
const ALIGN = [["left", "Left edges"], ["center", "Centres"], ["right", "Right edges"], ["top", "Top edges"], ["middle", "Middles"], ["bottom", "Bottom edges"]];

export class Hands {
  #press = null;
  #drag = null;
  #line = null;
  #asking = null;
  #timer = null;
  #keys = null;
  #guides = [];

  constructor({ stage, tools, viewer, session }) {
    Object.assign(this, { stage, tools, viewer, session });
    viewer.quiet = true; // presses are read here
    const narrow = matchMedia("(max-width: 640px)");
    viewer.viewport.insets = narrow.matches ? { top: 60 } : { left: 78 };
    viewer.viewport.mayPan = (event) => !this.#line && !event.shiftKey && !this.#grips(event);
    viewer.movesByArrow = () => viewer.selection.size > 0;
    const marks = viewer.marks.bind(viewer);
    viewer.marks = () => [...this.#carried(marks()), ...this.#handles(), ...this.#preview()];
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    stage.addEventListener("pointerup", (event) => this.#up(event));
    stage.addEventListener("pointercancel", () => this.#abandon());
    stage.addEventListener("dblclick", (event) => { const id = viewer.picture.at(event); if (id) this.rename(id); });
    stage.addEventListener("keydown", (event) => this.#key(event));
    viewer.addEventListener("select", () => this.#able());
    session.addEventListener("change", () => this.#able());
    session.addEventListener("open", () => this.#able());
    this.#build();
  }

  get frozen() { return !this.session.current || this.session.comparing !== null || this.viewer.view !== undefined; }

  change(document, message, options) { this.session.change(document, message, options); }

  // The toolbar ----------------------------------------------------------------------------------------------------

  #build() {
    const { session, viewer } = this;
    this.buttons = {
      undo: button("undo", "Undo", () => session.undo(), { keys: "Ctrl Z" }),
      redo: button("redo", "Redo", () => session.redo(), { keys: "Ctrl Y" }),
      box: button("box", "Add a box", () => this.addNode(), { keys: "N" }),
      connect: button("link", "Connect", () => this.connect(), { keys: "C" }),
      frame: button("frame", "Put into a frame", () => this.frame(), { keys: "G" }),
      text: button("text", "Add text", () => this.addText(), { keys: "T" }),
      align: menuButton(button("align", "Align", null), () => [
        ...ALIGN.map(([how, label]) => ({ label, run: () => this.align((document, ids, bounds) => aligned(document, ids, how, bounds)) })),
        { label: "Equal gaps across", run: () => this.align((document, ids, bounds) => distributed(document, ids, "x", bounds)) },
        { label: "Equal gaps down", run: () => this.align((document, ids, bounds) => distributed(document, ids, "y", bounds)) },
      ]),
      remove: button("trash", "Delete", () => this.remove(), { keys: "Del" }),
    };
    this.tools.append(...Object.values(this.buttons));
    this.#able();
    viewer.addEventListener("drawn", () => this.#able());
  }

  #able() {
    const { session, viewer, frozen } = this;
    const count = viewer.selection.size;
    const able = { undo: session.canUndo, redo: session.canRedo, box: true, connect: count > 0, frame: count > 0, text: true, align: count > 1, remove: count > 0 };
    for (const [name, element] of Object.entries(this.buttons)) element.disabled = frozen || !able[name];
    this.tools.hidden = !session.current;
  }

  addNode() {
    const [beside] = this.viewer.selection;
    const { document, id } = withNode(this.session.current, beside);
    this.#added(document, id, "Add a box");
  }

  addText() {
    const { viewport } = this.viewer;
    const { document, id } = withText(this.session.current, viewport.toPicture({ x: this.stage.clientWidth / 2, y: this.stage.clientHeight / 2 }));
    this.#added(document, id, "Add text");
  }

  frame() {
    const { document, id } = framed(this.session.current, [...this.viewer.selection]);
    this.#added(document, id, "Put into a frame");
  }

  /** Selected, and its words open for writing, once it is drawn. */
  #added(document, id, message) {
    this.viewer.addEventListener("drawn", () => { this.viewer.select([id]); this.rename(id); }, { once: true });
    this.change(document, message);
  }

  connect() {
    const [from, to] = [...this.viewer.selection].filter((id) => this.viewer.picture.kindOf(id) !== "edge");
    if (from && to) return this.#connected(from, to);
    if (!from) return;
    this.#line = { from, to: null, at: null };
    announce(`Choose where the line from ${nameOf(this.viewer.element(from))} leads.`);
    this.stage.classList.add("connecting");
  }

  #connected(from, to) {
    const { document, id } = connected(this.session.current, from, to);
    this.viewer.addEventListener("drawn", () => this.viewer.select([id]), { once: true });
    this.change(document, "Connect");
  }

  align(how) {
    const ids = [...this.viewer.selection].filter((id) => this.viewer.picture.kindOf(id) !== "edge");
    this.change(how(this.session.current, ids, this.viewer.picture.bounds), "Align");
  }

  remove() {
    const ids = [...this.viewer.selection];
    this.viewer.select([]);
    this.change(without(this.session.current, ids), ids.length === 1 ? "Delete" : `Delete ${ids.length} elements`);
    announce(ids.length === 1 ? "Deleted." : `${ids.length} elements deleted.`, { action: { label: "Undo", run: () => this.session.undo() } });
  }

  /** The words of an element, written where they stand. */
  rename(id) {
    const element = this.viewer.element(id);
    const box = this.viewer.picture.boxOf(id);
    if (!element || !box || this.frozen || ["image", "guide"].includes(element.kind)) return;
    const member = wordsMember(element);
    const { viewport } = this.viewer;
    const at = viewport.toStage({ x: box.x + box.width / 2, y: box.y + (element.kind === "frame" ? 14 : box.height / 2) });
    const field = h("textarea", { class: "caption", rows: "1", "aria-label": "Words", spellcheck: "false", value: element[member] ?? "" });
    const fit = () => { field.style.height = "0"; field.style.height = `${field.scrollHeight + 2}px`; };
    field.style.left = `${at.x}px`;
    field.style.top = `${at.y}px`;
    field.style.width = `${Math.max(130, Math.min(320, box.width * viewport.zoom + 20))}px`;
    let left = false;
    const leave = (keep) => {
      if (left) return;
      left = true;
      const value = field.value.trim();
      field.remove();
      if (keep && value !== (element[member] ?? "")) this.change(withMember(this.session.current, id, member, value), "Rename");
      this.stage.focus({ preventScroll: true });
    };
    field.addEventListener("input", fit);
    field.addEventListener("blur", () => leave(true));
    field.addEventListener("pointerdown", (event) => event.stopPropagation());
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") leave(false);
      else if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); leave(true); }
    });
    this.stage.append(field);
    fit();
    field.focus();
    field.select();
  }

  // The pointer ----------------------------------------------------------------------------------------------------

  /** Whether a press takes hold of an element: anything but a line, and a frame only once it is selected. */
  #grips(event) {
    if (event.target.closest?.("[data-handle], .caption")) return true;
    const id = this.viewer.picture.at(event);
    if (id === null || this.frozen) return false;
    const kind = this.viewer.picture.kindOf(id);
    return kind !== "edge" && (kind !== "frame" || this.viewer.selection.has(id));
  }

  #down(event) {
    if (event.button !== 0 || event.target.closest?.(".caption")) return;
    if (!event.isPrimary) return this.#abandon(); // a second finger zooms
    this.stage.focus({ preventScroll: true });
    const handle = event.target.closest?.("[data-handle]");
    if (handle) {
      this.#line = { from: handle.dataset.handle, to: null, at: null };
      this.stage.setPointerCapture(event.pointerId);
      return;
    }
    const id = this.viewer.picture.at(event);
    this.#press = { id, x: event.clientX, y: event.clientY, grips: this.#grips(event), wide: event.shiftKey };
  }

  #move(event) {
    if (this.#line) return this.#aim(event);
    if (this.#drag) return this.#pull(event);
    const press = this.#press;
    if (!press || !event.buttons || Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLACK) return;
    if (press.wide && !press.grips) this.#drag = { marquee: true };
    else if (press.grips && !this.frozen) this.#lift(press);
    else { this.#press = null; return; } // the picture is panned
    this.stage.setPointerCapture(event.pointerId);
    this.#pull(event);
  }

  #lift({ id }) {
    if (!this.viewer.selection.has(id)) this.viewer.select([id], { say: false });
    const ids = movingWith(this.session.current, [...this.viewer.selection]);
    const { bounds } = this.viewer.picture;
    const still = Object.keys(bounds).filter((other) => !ids.includes(other) && this.viewer.picture.kindOf(other) !== "frame");
    this.#drag = { ids, box: around(ids.map((one) => bounds[one]).filter(Boolean)), still: still.map((other) => bounds[other]), dx: 0, dy: 0 };
    if (!ids.length || !Number.isFinite(this.#drag.box.x)) { this.#drag = null; this.#press = null; announce("This is locked, or the engine places it as a whole."); }
    else this.stage.classList.add("dragging");
  }

  #pull(event) {
    const { viewport } = this.viewer;
    const press = this.#press;
    if (this.#drag.marquee) {
      const box = this.stage.getBoundingClientRect();
      this.#drag.area = around([{ x: press.x - box.left, y: press.y - box.top, width: 0, height: 0 }, { ...viewport.at(event), width: 0, height: 0 }]);
      return this.viewer.picture.outline(() => this.viewer.marks());
    }
    this.#drag.dx = (event.clientX - press.x) / viewport.zoom;
    this.#drag.dy = (event.clientY - press.y) / viewport.zoom;
    this.#guides = [];
    if (!event.altKey) this.#snap();
    this.#follow();
    this.#ask();
  }

  /** Onto the edges and middles of what stands near. */
  #snap() {
    const drag = this.#drag;
    const reach = SNAP / this.viewer.viewport.zoom;
    for (const [axis, size, by] of [["x", "width", "dx"], ["y", "height", "dy"]]) {
      const lines = (box) => [box[axis], box[axis] + box[size] / 2, box[axis] + box[size]];
      const own = lines(drag.box).map((at) => at + drag[by]);
      let best = null;
      for (const box of drag.still) {
        for (const [index, line] of lines(box).entries()) {
          const off = line - own[index];
          if (Math.abs(off) < reach && (!best || Math.abs(off) < Math.abs(best.off))) best = { off, line };
        }
      }
      if (!best) continue;
      drag[by] += best.off;
      this.#guides.push({ axis, line: best.line });
    }
  }

  /** What is dragged follows the pointer; the lines at it wait for the engine. */
  #follow() {
    const { picture } = this.viewer;
    const { ids, dx, dy } = this.#drag;
    for (const id of ids) for (const parts of [picture.groups, picture.labels]) parts.get(id)?.setAttribute("transform", `translate(${dx} ${dy})`);
    const moving = new Set(ids);
    for (const element of this.session.current.elements) {
      if (element.kind !== "edge") continue;
      const ends = [element.from?.elementId, element.to?.elementId].filter((end) => moving.has(end)).length;
      for (const parts of [picture.groups, picture.labels]) {
        const group = parts.get(element.id);
        if (ends === 2 && !this.#drag.computed) group?.setAttribute("transform", `translate(${dx} ${dy})`);
        else group?.classList.toggle("stale", ends > 0 || Boolean(this.#drag.computed));
      }
    }
    picture.outline(() => this.viewer.marks());
  }

  #ask() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#placed(), REST);
  }

  async #placed() {
    const drag = this.#drag;
    if (!drag || this.#asking) return;
    this.#asking = new AbortController();
    const at = [drag.dx, drag.dy];
    try {
      const after = moved(this.session.current, drag.ids, drag.dx, drag.dy, this.viewer.picture.bounds);
      const computed = await this.session.normalized({ ...after, ...(this.session.sketch ? { computed: this.session.sketch } : {}) }, undefined, this.#asking.signal);
      if (this.#drag === drag) { drag.computed = computed; this.#follow(); }
    } catch { /* the drop tells */ } finally {
      this.#asking = null;
    }
    if (this.#drag === drag && (at[0] !== drag.dx || at[1] !== drag.dy)) this.#ask();
  }

  #up(event) {
    if (this.#line) return this.#land(event);
    const [press, drag] = [this.#press, this.#drag];
    this.#stop();
    if (drag?.marquee) this.#caught(drag.area, event);
    else if (drag) this.change(moved(this.session.current, drag.ids, drag.dx, drag.dy, this.viewer.picture.bounds), drag.ids.length === 1 ? "Move" : `Move ${drag.ids.length} elements`);
    else if (press) this.#pick(press.id, event);
  }

  #pick(id, event) {
    const chosen = id !== null && this.viewer.element(id) ? [id] : [];
    if (!event.shiftKey) return this.viewer.select(chosen);
    const selection = new Set(this.viewer.selection);
    for (const one of chosen) if (!selection.delete(one)) selection.add(one);
    this.viewer.select(selection);
  }

  #caught(area, event) {
    if (!area) return;
    const { viewport, picture } = this.viewer;
    const from = viewport.toPicture(area);
    const to = viewport.toPicture({ x: area.x + area.width, y: area.y + area.height });
    const inside = this.session.current.elements.filter(({ id, kind }) => {
      const box = kind === "edge" ? null : picture.bounds[id];
      return box && box.x >= from.x && box.y >= from.y && box.x + box.width <= to.x && box.y + box.height <= to.y;
    });
    this.viewer.select([...(event.shiftKey ? this.viewer.selection : []), ...inside.map(({ id }) => id)]);
  }

  /** Everything back to where it was before the press. */
  #abandon() {
    const { picture } = this.viewer;
    if (this.#drag) for (const parts of [picture.groups, picture.labels]) for (const group of parts.values()) group.removeAttribute("transform");
    this.#stop();
  }

  #stop() {
    clearTimeout(this.#timer);
    const { picture } = this.viewer;
    for (const parts of [picture.groups, picture.labels]) for (const group of parts.values()) group.classList.remove("stale");
    this.#drag = null;
    this.#press = null;
    this.#line = null;
    this.#guides = [];
    this.stage.classList.remove("dragging", "connecting");
    picture.outline(() => this.viewer.marks());
  }

  // Connecting -----------------------------------------------------------------------------------------------------

  #aim(event) {
    const over = this.viewer.picture.at(event);
    this.#line.at = this.viewer.viewport.at(event);
    this.#line.to = over !== null && over !== this.#line.from && this.viewer.picture.kindOf(over) !== "edge" ? over : null;
    this.viewer.picture.outline(() => this.viewer.marks());
  }

  #land(event) {
    this.#aim(event);
    const { from, to } = this.#line;
    this.#stop();
    if (to) this.#connected(from, to);
  }

  #handles() {
    const [id] = this.viewer.selection;
    if (this.viewer.selection.size !== 1 || this.#drag || this.frozen || this.#line || this.viewer.picture.kindOf(id) !== "node") return [];
    const box = this.viewer.picture.boxOf(id);
    if (!box) return [];
    const sides = [[0.5, 0, 0, -14], [1, 0.5, 14, 0], [0.5, 1, 0, 14], [0, 0.5, -14, 0]];
    return sides.map(([across, down, dx, dy]) => {
      const at = this.viewer.viewport.toStage({ x: box.x + box.width * across, y: box.y + box.height * down });
      return s("circle", { class: "handle", cx: at.x + dx, cy: at.y + dy, r: 5, "data-handle": id });
    });
  }

  /** Marks of what is selected go with what is dragged. */
  #carried(marks) {
    const { dx = 0, dy = 0 } = this.#drag ?? {};
    const { zoom } = this.viewer.viewport;
    return dx || dy ? [s("g", { transform: `translate(${dx * zoom} ${dy * zoom})` }, marks)] : marks;
  }

  #preview() {
    const { viewport, picture } = this.viewer;
    const shown = [];
    if (this.#drag?.area) shown.push(s("rect", { class: "marquee", ...this.#drag.area }));
    for (const { axis, line } of this.#guides) {
      const at = viewport.toStage({ x: line, y: line })[axis];
      shown.push(axis === "x" ? s("path", { class: "guide", d: `M${at} 0V${this.stage.clientHeight}` }) : s("path", { class: "guide", d: `M0 ${at}H${this.stage.clientWidth}` }));
    }
    for (const { points } of Object.values(this.#drag?.computed?.edgePaths ?? {})) {
      shown.push(s("polyline", { class: "routed", points: points.map((point) => { const at = viewport.toStage(point); return `${at.x},${at.y}`; }).join(" ") }));
    }
    if (this.#line?.at) {
      const box = picture.boxOf(this.#line.from);
      const from = viewport.toStage({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
      if (this.#line.to) shown.push(picture.frame(this.#line.to, "selected"));
      shown.push(s("path", { class: "aim", d: `M${from.x} ${from.y}L${this.#line.at.x} ${this.#line.at.y}` }));
    }
    return shown;
  }

  // Keys -----------------------------------------------------------------------------------------------------------

  #key(event) {
    if (event.target.closest(".caption") || this.frozen) return;
    const command = event.ctrlKey || event.metaKey;
    const selected = this.viewer.selection.size > 0;
    const [id] = this.viewer.selection;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    let act = null;
    if (command) act = { a: () => this.viewer.select(this.session.current.elements.filter((element) => element.kind !== "edge").map((element) => element.id)) }[key];
    else if (event.altKey) act = arrow && selected ? () => this.#walk(id, arrow) : null;
    else if (arrow && selected) act = () => this.#nudge(arrow, event.shiftKey ? 1 : STEP);
    else act = { n: () => this.addNode(), t: () => this.addText(), c: selected && (() => this.connect()), g: selected && (() => this.frame()),
      Delete: selected && (() => this.remove()), Backspace: selected && (() => this.remove()),
      Enter: selected && (() => this.rename(id)), F2: selected && (() => this.rename(id)), Escape: this.#line && (() => this.#stop()) }[key];
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }

  /** Steps add up while the keys are pressed; a rest makes them one edit. */
  #nudge([x, y], step) {
    if (!this.#keys) {
      this.#lift({ id: [...this.viewer.selection][0] });
      if (!this.#drag) return;
      this.#keys = true;
    }
    this.#drag.dx += x * step;
    this.#drag.dy += y * step;
    this.#follow();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const drag = this.#drag;
      this.#keys = null;
      this.#stop();
      if (drag) this.change(moved(this.session.current, drag.ids, drag.dx, drag.dy, this.viewer.picture.bounds), "Move", { series: "keys" });
    }, KEYS_REST);
  }

  /** To the nearest element that way. */
  #walk(id, [x, y]) {
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const here = this.viewer.picture.boxOf(id);
    if (!here) return;
    const [hx, hy] = middle(here);
    const ranked = this.session.current.elements.filter((element) => element.id !== id && ["node", "text", "image"].includes(element.kind) && this.viewer.picture.bounds[element.id]).map((element) => {
      const [ox, oy] = middle(this.viewer.picture.bounds[element.id]);
      const along = (ox - hx) * x + (oy - hy) * y;
      return { id: element.id, along, cost: along + 2 * Math.abs((ox - hx) * y + (oy - hy) * x) };
    }).filter(({ along }) => along > 1).sort((one, other) => one.cost - other.cost);
    if (ranked.length) this.viewer.select([ranked[0].id]);
  }
}
