// A window onto a picture: zoom about the pointer, pan, pinch, fit. Points are px of the picture or of the stage.

const LEAST = 0.05;
const MOST = 8;
const STEP = 1.25;
const MARGIN = 32;
const TOOLS = 76; // px below the picture that the toolbar takes
const LINE = 16; // px that a wheel's line stands for

export class Viewport extends EventTarget {
  #pointers = new Map();
  #held = null; // the finger that presses what may not pan: alone it moves nothing, with a second one it zooms

  /** `stage` is the element that clips; `mayPan(event)` says whether a press of the main button moves the picture. */
  constructor(stage, { mayPan = () => true } = {}) {
    super();
    this.stage = stage;
    this.mayPan = mayPan;
    this.page = { x: 0, y: 0, width: 1, height: 1 };
    this.insets = {};
    this.zoom = 1;
    this.x = 0;
    this.y = 0;
    this.fitted = true; // follows the size of the stage until somebody moves the picture
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.#press(event));
    stage.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, (event) => this.#release(event));
    new ResizeObserver(() => this.fitted ? this.fit() : this.#moved()).observe(stage);
  }

  /** The picture's page, px: its view box. What is in view stays where it is unless all of it was. */
  setPage(page) {
    this.page = page;
    if (this.fitted) this.fit();
    else this.#moved();
  }

  /** An empty picture in its own size; nothing that comes into it moves the view. */
  rest() {
    this.fitted = false;
    Object.assign(this, { zoom: 1, x: 0, y: 0 });
    this.#moved();
  }

  toStage({ x, y }) { return { x: this.x + x * this.zoom, y: this.y + y * this.zoom }; }

  toPicture({ x, y }) { return { x: (x - this.x) / this.zoom, y: (y - this.y) / this.zoom }; }

  /** Where an event happened on the stage. */
  at(event) {
    const box = this.stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  zoomTo(zoom, about = this.#middle()) {
    const fixed = this.toPicture(about);
    this.fitted = false;
    this.zoom = Math.min(MOST, Math.max(LEAST, zoom));
    this.x = about.x - fixed.x * this.zoom;
    this.y = about.y - fixed.y * this.zoom;
    this.#moved();
  }

  zoomIn() { this.zoomTo(this.zoom * STEP); }

  zoomOut() { this.zoomTo(this.zoom / STEP); }

  pan(dx, dy) {
    this.fitted = false;
    this.x += dx;
    this.y += dy;
    this.#moved();
  }

  /** The whole picture, never larger than it is. */
  fit() {
    this.fitted = true;
    const { page } = this;
    const { left, top, width, height } = this.#room();
    this.zoom = Math.max(LEAST, Math.min(1, width / page.width, height / page.height));
    this.x = left + (width - page.width * this.zoom) / 2 - page.x * this.zoom;
    this.y = top + (height - page.height * this.zoom) / 2 - page.y * this.zoom;
    this.#moved();
  }

  /** A box into the middle of the free part, at a size at which it can be read. */
  show(box) {
    this.fitted = false;
    const { left, top, width, height } = this.#room();
    const fitting = Math.min(width / (box.width + 160), height / (box.height + 160));
    this.zoom = Math.max(LEAST, Math.min(Math.max(this.zoom, 1), fitting));
    this.x = left + width / 2 - (box.x + box.width / 2) * this.zoom;
    this.y = top + height / 2 - (box.y + box.height / 2) * this.zoom;
    this.#moved();
  }

  /** A box back into view, by as little as it takes, where `covered` (px of the stage), at the right or the bottom, hides it. */
  reveal(box, covered) {
    const { x, y } = this.toStage(box);
    const [width, height] = [box.width * this.zoom, box.height * this.zoom];
    const hidden = x + width + MARGIN > covered.x && x < covered.x + covered.width && y + height + MARGIN > covered.y && y < covered.y + covered.height;
    if (!hidden) return;
    const room = this.#room();
    const by = (from, size, least, most) => Math.max(most - MARGIN - from - size, Math.min(0, least - from));
    if (covered.width > this.stage.clientWidth * 0.6) this.pan(0, by(y, height, room.top, covered.y)); // a sheet at the bottom
    else this.pan(by(x, width, room.left, covered.x), 0);
  }

  /** The part of the stage that no toolbar stands on. */
  #room() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const aside = Math.min(MARGIN, width * 0.03);
    const { left = aside, top = aside, right = aside, bottom = TOOLS } = this.insets;
    return { left, top, width: Math.max(1, width - left - right), height: Math.max(1, height - top - bottom) };
  }

  #middle() { return { x: this.stage.clientWidth / 2, y: this.stage.clientHeight / 2 }; }

  #moved() { this.dispatchEvent(new Event("move")); }

  #wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? LINE : 1;
    // A mouse's wheel zooms; two fingers on a touchpad pan, and pinch to zoom, which browsers tell as ctrlKey.
    const steps = Math.abs(event.deltaY) >= 50 && event.deltaX === 0;
    if (event.ctrlKey || event.metaKey || steps) {
      const amount = Math.max(-60, Math.min(60, event.deltaY * unit));
      this.zoomTo(this.zoom * Math.exp(-amount * (event.ctrlKey && !steps ? 0.012 : 0.004)), this.at(event));
    } else this.pan(-event.deltaX * unit, -event.deltaY * unit);
  }

  #press(event) {
    const pans = event.button === 1 || (event.button === 0 && this.mayPan(event));
    if (!pans && event.pointerType !== "touch") return;
    if (!pans && this.#pointers.size === 0) this.#held = event.pointerId;
    this.#pointers.set(event.pointerId, this.at(event));
  }

  #drag(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    if (event.buttons === 0) return this.#release(event);
    const now = this.at(event);
    if (this.#pointers.size === 1 && this.#held !== event.pointerId) {
      if (!this.stage.hasPointerCapture(event.pointerId)) {
        if (Math.hypot(now.x - before.x, now.y - before.y) < 4) return; // a click
        this.stage.setPointerCapture(event.pointerId);
        this.stage.classList.add("panning");
      }
      this.pan(now.x - before.x, now.y - before.y);
    } else if (this.#pointers.size === 2) this.#pinch(event.pointerId, before, now);
    this.#pointers.set(event.pointerId, now);
  }

  #pinch(id, before, now) {
    const [other] = [...this.#pointers].filter(([key]) => key !== id).map(([, at]) => at);
    const spread = (at) => Math.hypot(at.x - other.x, at.y - other.y);
    if (spread(before) > 0) this.zoomTo((this.zoom * spread(now)) / spread(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  #release(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#held === event.pointerId) this.#held = null;
    this.stage.classList.remove("panning");
  }
}
