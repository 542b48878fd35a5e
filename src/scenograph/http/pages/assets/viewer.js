// What every frame can do with a picture: zoom, pan, find, look at an element and its neighbours, fold and focus, choose
// a theme, take the picture away. Where pictures and documents come from is the `source`'s affair.

import { announce, button, h, menuButton } from "./dom.js";
import { openFinder } from "./finder.js";
import { contentOf, described, isContainer, linesAt, nameOf, parentOf, typeOf } from "./outline.js";
import { Picture } from "./picture.js";
import { Viewport } from "./viewport.js";

const THEMES = [["clean", "Clean"], ["dark", "Dark"], ["blueprint", "Blueprint"], ["sketch", "Sketch"]];
const PAN = 48;
const SECOND_CLICK = 450; // ms
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * `source` has: `picture({theme, view})` → {content, computed?}; `file({format, theme, view, scale, embed})` → Response;
 * `document()` → the scene's document, as a promise; `coloured()`: whether its
 * author chose colours, so that the reader's scheme must not; `name()`; `formats`, each with `name`, `label` and `suffix`; `embeds`: formats of
 * downloads that carry the scene, none if left out.
 */
export class Viewer extends EventTarget {
  #asked = 0;
  #shown = 0;

  constructor({ stage, tools, details, source, mayPan }) {
    super();
    Object.assign(this, { stage, tools, details, source });
    this.theme = null; // as the document wishes, in the reader's scheme
    this.folded = new Set();
    this.focused = null;
    this.selection = new Set();
    this.document = null;
    this.scrolled = 0; // px of the card
    details?.addEventListener("scroll", () => { this.scrolled = details.scrollTop; });
    this.viewport = new Viewport(stage, { mayPan });
    this.picture = new Picture(stage, this.viewport);
    this.picture.outline(() => this.marks());
    this.#buildTools();
    stage.addEventListener("click", (event) => this.#clicked(event));
    stage.addEventListener("keydown", (event) => this.keyed(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (!this.theme) this.redraw(); });
  }

  /** What of the scene is shown (R-VIEW-1); undefined for all of it. */
  get view() {
    const view = {};
    if (this.folded.size) view.collapse = [...this.folded];
    if (this.focused) Object.assign(view, { focus: this.focused.ids, depth: this.focused.depth });
    return Object.keys(view).length ? view : undefined;
  }

  /** The theme to draw in; null leaves it to the document. */
  get shownTheme() {
    if (this.theme) return this.theme;
    return !this.source.coloured() && isDark() ? "dark" : null;
  }

  /** Draw anew. What is drawn meanwhile of an earlier state is shown as well, never an earlier one after a later one. */
  async redraw() {
    const turn = ++this.#asked;
    this.stage.setAttribute("aria-busy", "true");
    try {
      const drawn = await this.source.picture({ theme: this.shownTheme, view: this.view });
      if (turn < this.#shown || !drawn) return;
      this.#shown = turn;
      await this.picture.show(drawn.content);
      if (drawn.computed) Object.assign(this.picture, { standing: drawn.computed.bounds ?? {}, bounds: { ...drawn.computed.bounds }, paths: drawn.computed.edgePaths ?? {} });
      this.drawn = drawn.document ?? this.document;
      this.stage.dataset.ground = groundOf(this.picture.svg);
      this.#afterwards();
    } catch (fault) {
      if (fault.name === "AbortError") return;
      announce(fault.message);
    } finally {
      if (turn === this.#asked) this.stage.setAttribute("aria-busy", "false");
    }
  }

  /** `show` brings the first one into view, `say` tells it, `open` opens its card. */
  select(ids, { show = false, say = true, open = true } = {}) {
    this.opens = open;
    this.selection = new Set(ids);
    const [id] = this.selection;
    if (show && id !== undefined) {
      const box = this.picture.boxOf(id);
      if (box) this.viewport.show(box);
    }
    this.#lit();
    this.picture.select(this.selection);
    this.picture.outline(() => this.marks());
    if (say && this.selection.size && this.document) {
      const element = this.element(id);
      announce(this.selection.size > 1 ? `${this.selection.size} elements` : element ? described(this.document, element) : id, { visible: false });
    }
    this.showDetails();
    this.dispatchEvent(new Event("select"));
  }

  element(id) { return this.document?.elements.find((element) => element.id === id); }

  /** Marks over the picture, px of the stage; frames that do more add theirs. */
  marks() { return [...this.selection].map((id) => this.picture.frame(id, "selected")); }

  async loaded() { return (this.document ??= await this.source.document()); }

  async fold(id) {
    if (!this.folded.delete(id)) this.folded.add(id);
    announce(this.folded.has(id) ? "Folded." : "Unfolded.", { visible: false });
    await this.redraw();
    this.showDetails();
  }

  async focus(id, depth = 1) {
    this.focused = id === null ? null : { ids: [id], depth };
    this.viewport.fitted = true;
    await this.redraw();
    this.showDetails();
  }

  chooseTheme(theme) {
    this.theme = theme;
    return this.redraw();
  }

  /** The card of the one element that is selected; `wait`: as long as a second click may come, ms. */
  showDetails(wait = SECOND_CLICK) {
    if (!this.details) return;
    const [id] = this.selection;
    const element = this.selection.size === 1 && this.document ? this.element(id) : null;
    const shown = !this.opens ? [] : element ? this.card(element) : this.selection.size > 1 ? this.cardOfSeveral([...this.selection]) : [];
    this.details.hidden = !shown.length;
    if (!shown.length) return;
    const held = heldIn(this.details, this.scrolled);
    this.details.replaceChildren(...shown);
    if (this.shownId === id) held();
    this.shownId = id;
    clearTimeout(this.revealing);
    this.#reveal(id, { moves: !wait });
    if (wait) this.revealing = setTimeout(() => this.#reveal(id), wait);
  }

  /** The card must not hide what it is about: it goes to the other side at once, and only where it hides that there as well
      the picture gives way, if it `moves` yet. A second click still finds it where the first one did. */
  #reveal(id, { moves = true } = {}) {
    const box = this.selection.has(id) && !this.details.hidden && this.#shownBox(id);
    const hidden = () => [...this.selection].filter((one) => { const seen = this.#shownBox(one); return seen && this.#covers(seen); }).length;
    const covered = box && !this.stage.matches(".dragging") ? hidden() : 0;
    if (!covered) return;
    const side = this.details.classList.contains("left");
    this.details.classList.toggle("left", !side);
    const there = hidden();
    if (!there) return;
    this.details.classList.toggle("left", this.selection.size > 1 && (there < covered ? !side : side));
    if (!moves || !this.#covers(box)) return;
    const { x, y } = this.viewport.toPicture(box);
    this.viewport.reveal({ x, y, width: box.width / this.viewport.zoom, height: box.height / this.viewport.zoom }, this.#cardBox);
  }

  /** Where an element is seen now, px of the stage: also one whose new place is not drawn yet. */
  #shownBox(id) {
    const group = this.picture.groups.get(id);
    return group ? this.#onStage(group) : null;
  }

  #onStage(element) {
    const stage = this.stage.getBoundingClientRect();
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x - stage.x, y: y - stage.y, width, height };
  }

  /** Where the card is, px of the stage. */
  get #cardBox() { return this.#onStage(this.details); }

  #covers({ x, y, width, height }) {
    const card = this.#cardBox;
    return x < card.x + card.width && x + width > card.x && y < card.y + card.height && y + height > card.y;
  }

  /** What can be done with several elements; frames that edit say. */
  cardOfSeveral() { return []; }

  /** What is known of an element, and what can be done with its view. */
  card(element) {
    const parent = parentOf(this.document, element.id);
    return [
      h("header", {}, h("div", {}, h("p", { class: "kind" }, typeOf(element)), h("h2", {}, nameOf(element))),
        button("close", "Close", () => this.select([]))),
      this.viewActions(element),
      this.#links(element),
      parent ? this.#list("Inside", [[parent, ""]]) : null,
      ...this.#neighbours(element),
    ].filter(Boolean);
  }

  viewActions(element) {
    if (element.kind === "edge") return null;
    const depth = this.focused?.ids[0] === element.id ? this.focused.depth : 0;
    const folds = isContainer(element) && contentOf(this.document, element.id).length > 0;
    return h("div", { class: "actions" },
      folds ? button(this.folded.has(element.id) ? "unfold" : "fold", this.folded.has(element.id) ? "Unfold" : "Fold", () => this.fold(element.id), { words: true }) : null,
      button("focus", depth ? "Further" : "Focus", () => this.focus(element.id, depth + 1), { words: true }),
      this.focused ? button(null, "Show all", () => this.focus(null), { words: true }) : null);
  }

  #links(element) {
    const href = element.link?.href;
    if (typeof href !== "string" || !/^(https?:\/\/|mailto:)/i.test(href)) return null;
    return h("p", {}, h("a", { href, target: "_blank", rel: "noopener noreferrer" }, element.link.title || href));
  }

  #neighbours(element) {
    if (element.kind === "edge") {
      const ends = [element.from, element.to].map((end) => this.element(end?.elementId)).filter(Boolean);
      return [this.#list("Connects", ends.map((end) => [end, ""]))];
    }
    const lines = linesAt(this.document, element.id).filter(({ other }) => other);
    const rows = (outgoing) => lines.filter((line) => line.outgoing === outgoing).map(({ edge, other }) => [other, edge.label ?? ""]);
    const inside = isContainer(element) ? (element.children ?? element.childIds ?? []).map((id) => this.element(id)).filter(Boolean).map((child) => [child, ""]) : [];
    return [this.#list("Leads to", rows(true)), this.#list("Comes from", rows(false)), this.#list("Holds", inside)];
  }

  #list(title, rows) {
    if (!rows.length) return null;
    return h("section", {}, h("h3", {}, title), h("ul", {}, rows.map(([element, words]) => h("li", {},
      h("button", { type: "button", onclick: () => this.select([element.id], { show: true }) }, nameOf(element)),
      words ? h("small", {}, String(words).replace(/\s+/g, " ")) : null))));
  }

  #lit() {
    if (!this.selection.size || !this.document || this.quiet) return this.picture.dim(null);
    const lit = new Set(this.selection);
    for (const id of this.selection) {
      for (const inner of contentOf(this.document, id)) lit.add(inner);
      for (const { edge, other } of linesAt(this.document, id)) { lit.add(edge.id); if (other) lit.add(other.id); }
      const element = this.element(id);
      if (element?.kind === "edge") for (const end of [element.from, element.to]) lit.add(end?.elementId);
    }
    this.picture.dim(lit);
  }

  #afterwards() {
    this.selection = new Set([...this.selection].filter((id) => this.picture.groups.has(id) || this.element(id)));
    this.#lit();
    this.picture.select(this.selection);
    this.dispatchEvent(new Event("drawn"));
  }

  #buildTools() {
    const percent = h("button", { type: "button", class: "percent", title: "Zoom" });
    const choose = menuButton(percent, () => [
      { label: "Fit", hint: "0", run: () => this.viewport.fit() },
      ...[0.5, 1, 2].map((zoom) => ({ label: `${zoom * 100} %`, hint: zoom === 1 ? "1" : "", run: () => this.viewport.zoomTo(zoom) })),
    ]);
    const themes = menuButton(button("theme", "Theme", null), () => [
      { label: "Automatic", checked: this.theme === null, run: () => this.chooseTheme(null) },
      ...THEMES.map(([name, label]) => ({ label, checked: this.theme === name, run: () => this.chooseTheme(name) })),
    ]);
    this.exporter = menuButton(button("download", "Copy or download", null), async () => (await import("./export.js")).carriedAway(this));
    this.tools.append(
      button("minus", "Zoom out", () => this.viewport.zoomOut(), { keys: "−" }), choose,
      button("plus", "Zoom in", () => this.viewport.zoomIn(), { keys: "+" }),
      button("fit", "Fit", () => this.viewport.fit(), { keys: "0" }),
      h("span", { class: "gap" }),
      button("search", "Find", () => this.find(), { keys: "/" }), themes, this.exporter,
      button("full", "Full screen", () => this.fullScreen(), { keys: "F" }),
    );
    const tell = () => {
      percent.textContent = `${Math.round(this.viewport.zoom * 100)} %`;
      percent.setAttribute("aria-label", `Zoom ${percent.textContent}`);
    };
    this.viewport.addEventListener("move", tell);
    tell();
  }

  find() {
    openFinder(this.loaded(), (id) => { this.select([id], { show: true }); this.stage.focus(); });
  }

  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => announce("Full screen is not allowed here."));
  }

  async #clicked(event) {
    if (this.quiet || event.defaultPrevented) return;
    const id = this.picture.at(event);
    if (event.target.closest("a") && id) return; // a link of the picture opens
    try {
      await this.loaded();
    } catch (fault) {
      return announce(fault.message);
    }
    this.select(id === null || !this.element(id) ? [] : [id]);
  }

  /** The keys of looking. */
  keyed(event) {
    if (event.defaultPrevented || event.target.closest("input, textarea, select, [contenteditable]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    const act = {
      "+": () => this.viewport.zoomIn(), "=": () => this.viewport.zoomIn(), "-": () => this.viewport.zoomOut(),
      0: () => this.viewport.fit(), 1: () => this.viewport.zoomTo(1), "/": () => this.find(), f: () => this.fullScreen(),
      Escape: () => (this.selection.size ? this.select([]) : this.focused ? this.focus(null) : null),
    }[event.key] ?? (arrow && !this.movesByArrow?.() ? () => this.viewport.pan(-arrow[0] * PAN, -arrow[1] * PAN) : null);
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** Puts the focus, and what is being written, into the same field of a panel that was made anew, and scrolls it as before
    by a figure that is known: asking the panel would lay out the page. */
function heldIn(panel, scrollTop) {
  const at = panel.contains(document.activeElement) ? document.activeElement : null;
  const like = (element) => element.getAttribute("name") ?? element.getAttribute("title") ?? element.textContent;
  return () => {
    if (scrollTop) panel.scrollTop = scrollTop;
    const fresh = at && [...panel.querySelectorAll(at.localName)].find((element) => like(element) === like(at));
    if (!fresh || document.activeElement === fresh) return;
    fresh.focus({ preventScroll: true });
    if (!("selectionStart" in at) || at.value === fresh.value) return;
    fresh.value = at.value;
    fresh.addEventListener("blur", () => fresh.dispatchEvent(new Event("change")), { once: true }); // the browser knows of no change
  };
}

/** Whether the page is dark: as its frame says, else as the reader's system does. */
function isDark() {
  const said = document.documentElement.style.colorScheme;
  return said ? said === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** The colour of a picture's page, for what lies round it. */
function groundOf(svg) {
  const fill = svg.querySelector(":scope > rect")?.getAttribute("fill") ?? "";
  document.documentElement.style.setProperty("--picture-ground", fill || "transparent");
  return fill;
}

