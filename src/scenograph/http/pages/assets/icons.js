// Icons by word: the service finds keys, and draws them as a scene of icons.

import { picture } from "./allowed.js";
import { dialog, h } from "./dom.js";

const SHOWN = 24;
const REST = 250; // ms
const KEY = /^[\w-]+:\S+$/;

/** The key that was chosen, "" for none, null when the choice was left. */
export function chooseIcon(service) {
  return dialog("Choose an icon", (done) => {
    const found = h("ul", { class: "icons" });
    const look = finder(service, found, done);
    look("");
    return [h("input", { type: "search", placeholder: "database, queue, lambda …", autofocus: true, "aria-label": "Words", oninput: (event) => look(event.target.value) }), found,
      h("div", { class: "row end" }, h("button", { type: "button", onclick: () => done("") }, "No icon"))];
  }, { wide: true });
}

/** A field in a panel that is made anew while it is used: its words find icons below it, and the chosen one is tried at once. */
export class IconSearch {
  #owner = null;
  #found = null;

  constructor(service) { this.service = service; }

  /** The field of `owner`, whose icon is `value`; `set(key)` hears of every icon that is tried, "" for none. */
  field(owner, value, set) {
    if (owner !== this.#owner) {
      this.#owner = owner;
      this.#found = h("ul", { class: "icons few", "aria-label": "Icons" });
    }
    const found = this.#found;
    const rows = () => [...found.querySelectorAll("button")];
    const mark = (key) => { for (const row of rows()) row.setAttribute("aria-pressed", String(row.title === key)); };
    this.tried = (key) => { mark(key); set(key); };
    mark(value);
    const look = finder(this.service, found, (key) => this.tried(key));
    const keyed = (event) => {
      const all = rows();
      const at = all.findIndex((row) => row.getAttribute("aria-pressed") === "true");
      const by = { ArrowDown: 1, ArrowUp: at < 0 ? 0 : -1, Enter: at < 0 ? 1 : 0 }[event.key];
      if (by === undefined || !all.length) return;
      event.preventDefault();
      all[(at + by + all.length) % all.length].click();
    };
    const changed = ({ target }) => { if (target.value === "" || KEY.test(target.value)) set(target.value.trim()); };
    return h("div", {}, h("input", { type: "search", value, placeholder: "database, queue, lambda …", spellcheck: "false", autocomplete: "off", "aria-label": "Icon",
      oninput: (event) => look(event.target.value), onkeydown: keyed, onchange: changed }), found);
  }
}

/** Finds icons by words, after a rest, into a list; the last words count. */
function finder(service, found, chosen) {
  let timer = null;
  let asked = null;
  const look = async (words) => {
    asked = words;
    const { items } = await service.json("GET", `/v1/icons?q=${encodeURIComponent(words)}&limit=${SHOWN}`).catch(() => ({ items: [] }));
    if (asked !== words) return;
    const keys = items.slice(0, SHOWN).map(({ key }) => key);
    found.replaceChildren(...keys.map((key) => h("li", {}, h("button", { type: "button", title: key, onclick: () => chosen(key) }, h("span", { class: "drawn" }), h("small", {}, key)))));
    if (!keys.length) found.append(h("li", { class: "quiet" }, "No icon matches."));
    const pictures = await drawn(service, keys);
    if (asked === words) for (const [index, icon] of pictures.entries()) found.children[index]?.querySelector(".drawn")?.append(icon);
  };
  return (words) => {
    clearTimeout(timer);
    timer = setTimeout(look, REST, words);
  };
}

/** A picture of each key. One render draws them all, side by side. */
async function drawn(service, keys) {
  if (!keys.length) return [];
  const size = 48;
  const scene = {
    schemaVersion: "0.1", diagramFamily: "architecture", scene: { id: "icons", units: "px", canvas: {} },
    elements: keys.map((icon, index) => ({ id: `i${index}`, kind: "node", shape: "iconBox", icon, style: { fill: "none", stroke: "none" }, layout: { mode: "absolute", x: index * 100, y: 40, width: size, height: size } })),
  };
  const { output } = await service.json("POST", "/v1/scenes/render", { body: { scene } }).catch(() => ({ output: null }));
  if (!output) return [];
  const parsed = picture(output.content);
  return keys.map((_, index) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `${index * 100 - 2} 38 ${size + 4} ${size + 4}`);
    const shared = [...parsed.querySelectorAll(":scope > defs")].map((part) => document.importNode(part, true));
    const group = parsed.querySelector(`[data-element-id="i${index}"]`);
    svg.append(...shared, ...(group ? [document.importNode(group, true)] : []));
    return svg;
  });
}
