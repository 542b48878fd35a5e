// The properties of an element, from the published schema: one field a property, in the schema's own words.

import { button, h } from "./dom.js";
import { unplaced, unsized } from "./edits.js";
import { IconSearch } from "./icons.js";
import { copy } from "./operations.js";
import { mayHave, typeOf } from "./outline.js";

const DEFINITIONS = { node: "Node", edge: "Edge", frame: "Frame", text: "Text", image: "Image", guide: "Guide", group: "Group" };
const FIRST = ["label", "title", "content", "nodeType", "edgeType", "containerType", "shape", "icon", "router", "endpoints", "style"];
const NOT_HERE = new Set(["id", "kind", "children", "childIds"]);
const TITLES = {
  nodeType: "Type", edgeType: "Type", containerType: "Type", zIndex: "In front", label: "Text", title: "Text", content: "Text", router: "Course", endpoints: "Arrows", startArrow: "At the start", endArrow: "At the end",
  forceLabel: "Always show the text", layout: "Place and size", from: "Start", to: "End", elementId: "Element", locked: "Fixed in place", stroke: "Line", strokeWidth: "Line width", cornerRadius: "Round corners",
  textColor: "Text colour", dash: "Dashes", labelBackground: "Behind the text", href: "Address", waypoints: "Bends", name: "Name that is not drawn", attachedTo: "Sits on",
};
const SHAPES = ["rect", "roundedRect", "ellipse", "diamond", "cylinder", "pill", "hexagon", "parallelogram", "cloud", "tube", "box3d"];
const LONG = 500; // a text that may be longer has a field of several lines

let schema = null;

// What is painted is chosen as a pair: a fill and the stroke that goes with it, as they are drawn.
const PAIRS = [
  ["White", "#ffffff", "#475569"], ["Grey", "#f1f5f9", "#64748b"], ["Blue", "#dbeafe", "#2563eb"], ["Teal", "#ccfbf1", "#0f766e"],
  ["Green", "#dcfce7", "#15803d"], ["Yellow", "#fef3c7", "#b45309"], ["Red", "#fee2e2", "#b91c1c"], ["Purple", "#ede9fe", "#6d28d9"],
];

/** The fields of an element; `edited(element, message)` hears of each change. */
export class Inspector {
  /** `commands` is set where colours can be given in one click; `types` is {nodes, lines}, each family → types. */
  constructor({ session, viewer, types = { nodes: {}, lines: {} } }) {
    Object.assign(this, { session, viewer, types, commands: null });
    this.open = new Set(["style"]);
    this.icons = new IconSearch(session.service);
  }

  async load() {
    schema ??= this.session.service.json("GET", "/schemas/scene.schema.json");
    this.schema = await schema;
  }

  /** The panel of one element, or null before the schema is here. */
  fields(element) {
    if (!this.schema) {
      this.load().then(() => this.viewer.showDetails(), () => null);
      return null;
    }
    const properties = Object.entries(this.#resolved({ $ref: `#/$defs/${DEFINITIONS[element.kind]}` }).properties ?? {})
      .filter(([name, property]) => !NOT_HERE.has(name) && !property.deprecated);
    properties.sort(([one], [other]) => rank(one) - rank(other));
    const shown = properties.filter(([name]) => FIRST.includes(name) || name in element);
    const more = properties.filter(([name]) => !FIRST.includes(name) && !(name in element));
    return h("form", { class: "fields", onsubmit: (event) => event.preventDefault() },
      this.commands && element.kind !== "guide" ? this.swatches(this.commands) : null,
      shown.map(([name, property]) => this.#field(element, [name], property)), this.#given(element),
      more.length ? this.#folded(element, "more", "More", more) : null,
      h("p", { class: "quiet" }, `id ${element.id}`));
  }

  /** What can be done with several elements at once: colours, dashes, and the edits of `commands`. */
  several(ids, commands) {
    const kinds = new Set(ids.map((id) => this.viewer.element(id)?.kind));
    const boxes = [...kinds].some((kind) => kind !== "edge");
    const act = (label, run) => button(null, label, run, { words: true, class: "outlined" });
    return [
      h("header", {}, h("div", {}, h("p", { class: "kind" }, "Selection"), h("h2", {}, `${ids.length} elements`)), button("close", "Close", () => this.viewer.select([]))),
      this.swatches(commands),
      kinds.has("node") ? this.#shared(ids, "nodeType", "Type", this.types.nodes) : null,
      kinds.has("node") ? this.#shared(ids, "shape", "Shape", { "": SHAPES }) : null,
      kinds.has("node") ? this.#iconOfSeveral(ids) : null,
      kinds.has("edge") ? this.#shared(ids, "edgeType", kinds.size > 1 ? "Type of lines" : "Type", this.types.lines) : null,
      h("div", { class: "actions" }, boxes ? [act("Connect", () => commands.connect()), act("Frame", () => commands.frame())] : null, act("Duplicate", () => commands.duplicate()), act("Delete", () => commands.remove())),
    ].filter(Boolean);
  }

  /** A choice for several elements at once: what all of them have now, and what they can have, by family. */
  #shared(ids, member, label, groups) {
    const has = new Set(ids.map((id) => this.viewer.element(id)).filter((element) => element && mayHave(element, member)).map((element) => element[member] ?? ""));
    const [now] = has;
    const option = (value) => h("option", { value, selected: has.size === 1 && value === now }, title(typeOf({ nodeType: value })));
    const all = Object.entries(groups).map(([family, values]) => (family ? h("optgroup", { label: title(family) }, values.map(option)) : values.map(option)));
    return h("label", { class: "field" }, h("span", {}, label), h("select", { name: member, onchange: (event) => this.commands.type(member, event.target.value || undefined) },
      has.size > 1 ? h("option", { value: "", disabled: true, selected: true }, "several") : null, h("option", { value: "", selected: has.size === 1 && !now }, "default"), all.flat()));
  }

  #iconOfSeveral(ids) {
    const has = new Set(ids.map((id) => this.viewer.element(id)).filter((element) => element?.kind === "node").map(({ icon }) => icon ?? ""));
    return h("div", { class: "field" }, h("span", {}, "Icon"), this.icons.field(ids.join(" "), has.size === 1 ? [...has][0] : "", (key) => this.commands.type("icon", key || undefined, "icons")));
  }

  /** Colours in one click. */
  swatches(commands) {
    return h("div", { class: "swatches", role: "group", "aria-label": "Colours" },
      PAIRS.map(([name, fill, stroke]) => {
        const made = h("button", { type: "button", title: name, "aria-label": name, onclick: () => commands.style({ fill, stroke }, "Set the colour") });
        made.style.setProperty("--fill", fill);
        made.style.setProperty("--stroke", stroke);
        return made;
      }),
      button("close", "No colour", () => commands.style({ fill: null, stroke: null }, "Set the colour")),
      button(null, "Dashed", () => commands.style({ dash: [6, 4] }), { words: true }), button(null, "Solid", () => commands.style({ dash: null }), { words: true }));
  }

  /** What was given by hand can be left to the engine again. */
  #given({ id, layout = {} }) {
    const back = (given, label, edit, message) => given && button(null, label, () => this.session.change(edit(this.session.current, [id]), message), { words: true, class: "outlined" });
    return [back(layout.mode === "absolute" || layout.x !== undefined, "Let the engine place it", unplaced, "Unpin"),
      back(layout.width !== undefined || layout.height !== undefined, "Let the engine size it", unsized, "Natural size")].filter(Boolean);
  }

  #folded(element, key, title, properties, path = []) {
    const box = h("details", { open: this.open.has(key), ontoggle: (event) => this.open[event.target.open ? "add" : "delete"](key) }, h("summary", {}, title));
    box.append(h("div", {}, properties.map(([name, property]) => this.#field(element, [...path, name], property))));
    return box;
  }

  #field(element, path, raw) {
    const property = this.#resolved(raw);
    const name = path.at(-1);
    const words = TITLES[name] ?? title(name);
    const value = path.reduce((holder, part) => holder?.[part], element);
    const hint = raw.description ?? property.description ?? "";
    const set = (next) => this.#set(element.id, path, next, words);
    if (property.type === "object" && property.properties && typeof value !== "string") {
      const inner = Object.entries(property.properties).filter(([, part]) => !part.deprecated);
      return this.#folded(element, path.join("."), words, inner, path);
    }
    const input = this.#input(name, property, value, set, element.id);
    const field = h(name === "icon" ? "div" : "label", { class: "field", title: hint }, h("span", {}, words), input);
    for (const part of field.querySelectorAll("input, select, textarea")) part.setAttribute("name", [...path, part.type].join(" ")); // the panel finds it again
    return field;
  }

  #input(name, property, value, set, id) {
    const choices = property.enum ?? property.anyOf?.find((part) => part.enum)?.enum;
    if (name === "icon") return this.icons.field(id, value ?? "", (key) => set(key || undefined));
    if (isColour(property)) return this.#colour(value, set);
    if (property.enum) return this.#select(choices, value, set);
    if (property.type === "boolean") return this.#select(["true", "false"], value === undefined ? undefined : String(value), (next) => set(next === undefined ? undefined : next === "true"));
    if (property.type === "number" || property.type === "integer") return number(property, value, set);
    if (property.type === "string") return text(property, value, set, name.endsWith("Type") ? this.#known(name) : null);
    return json(value, set);
  }

  #select(choices, value, set) {
    return h("select", { onchange: (event) => set(event.target.value || undefined) },
      h("option", { value: "" }, "default"), choices.map((choice) => h("option", { value: choice, selected: choice === value }, choice)));
  }

  #colour(value, set) {
    const hex = /^#[0-9a-f]{6}$/i.test(value ?? "") ? value : "#888888";
    return h("span", { class: "pair" },
      h("input", { type: "color", value: hex, "aria-label": "Choose a colour", onchange: (event) => set(event.target.value) }),
      h("input", { type: "text", value: value ?? "", placeholder: "default", spellcheck: "false", onchange: (event) => set(event.target.value.trim() || undefined) }));
  }

  #known(name) {
    const words = new Set(this.session.current.elements.map((element) => element[name]).filter((word) => typeof word === "string"));
    const types = { nodeType: this.types.nodes, edgeType: this.types.lines }[name] ?? {};
    for (const type of Object.values(types).flat()) words.add(type);
    return [...words].sort();
  }

  /** The member at a path, of a copy; objects that become empty go. */
  #set(id, path, value, title) {
    const document = { ...this.session.current, elements: this.session.current.elements.map((element) => {
      if (element.id !== id) return element;
      const result = copy(element);
      assign(result, path, value);
      return result;
    }) };
    this.session.change(document, `Set ${title.toLowerCase()}`, { series: path[0] === "icon" ? `icon of ${id}` : null });
  }

  #resolved(property) {
    const reference = property.$ref ?? property.allOf?.find((part) => part.$ref)?.$ref ?? property.anyOf?.find((part) => part.$ref)?.$ref;
    return reference ? { ...this.schema.$defs[reference.split("/").at(-1)], colour: reference.endsWith("/Color") } : property;
  }
}

const title = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().replace(/^./, (letter) => letter.toUpperCase());
const rank = (name) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
const isColour = (property) => property.colour === true;

function assign(holder, [name, ...rest], value) {
  if (rest.length) {
    const inner = holder[name] !== null && typeof holder[name] === "object" ? holder[name] : {};
    assign(inner, rest, value);
    if (Object.keys(inner).length) holder[name] = inner;
    else delete holder[name];
  } else if (value === undefined) delete holder[name];
  else holder[name] = value;
}

function number({ minimum, maximum, type }, value, set) {
  return h("input", { type: "number", value: value ?? "", min: minimum, max: maximum, step: type === "integer" ? 1 : "any", placeholder: "default",
    onchange: (event) => { if (event.target.reportValidity()) set(event.target.value === "" ? undefined : Number(event.target.value)); } });
}

let lists = 0;

function text({ maxLength }, value, set, known) {
  const change = (event) => set(event.target.value === "" ? undefined : event.target.value);
  if (maxLength > LONG) return h("textarea", { rows: String(Math.min(5, (value ?? "").split("\n").length)), maxlength: maxLength, onchange: change, value: value ?? "" });
  if (!known?.length) return h("input", { type: "text", value: value ?? "", maxlength: maxLength, onchange: change });
  const list = `known-${++lists}`;
  return h("span", {}, h("input", { type: "text", value: value ?? "", maxlength: maxLength, list, onchange: change }), h("datalist", { id: list }, known.map((word) => h("option", { value: word }))));
}

function json(value, set) {
  return h("textarea", { rows: value === undefined ? "1" : "3", spellcheck: "false", class: "code", value: value === undefined ? "" : JSON.stringify(value), onchange: (event) => {
    try {
      event.target.setCustomValidity("");
      set(event.target.value.trim() ? JSON.parse(event.target.value) : undefined);
    } catch {
      event.target.setCustomValidity("This is not JSON.");
      event.target.reportValidity();
    }
  } });
}
