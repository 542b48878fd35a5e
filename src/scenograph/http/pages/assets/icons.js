// Choosing an icon: the service finds keys by words, and draws them as a scene of icons.

import { picture } from "./allowed.js";
import { dialog, h } from "./dom.js";

const SHOWN = 24;
const REST = 300;

/** The key that was chosen, "" for none, null when the choice was left. */
export function chooseIcon(service, value) {
  return dialog("Choose an icon", (done) => {
    const found = h("ul", { class: "icons" });
    let timer = null;
    const field = h("input", { type: "search", value: value.split(":").at(-1), placeholder: "database, queue, lambda …", autofocus: true, "aria-label": "Words", oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(look, REST);
    } });
    const look = async () => {
      const asked = field.value;
      const { items } = await service.json("GET", `/v1/icons?q=${encodeURIComponent(asked)}&limit=${SHOWN}`).catch(() => ({ items: [] }));
      if (field.value !== asked) return;
      const keys = items.slice(0, SHOWN).map(({ key }) => key);
      found.replaceChildren(...keys.map((key) => h("li", {}, h("button", { type: "button", title: key, onclick: () => done(key) }, h("span", { class: "drawn" }), h("small", {}, key)))));
      if (!keys.length) found.append(h("li", { class: "quiet" }, "No icon matches."));
      for (const [index, picture] of (await drawn(service, keys)).entries()) found.children[index]?.querySelector(".drawn")?.append(picture);
    };
    look();
    return [field, found, h("div", { class: "row end" }, h("button", { type: "button", onclick: () => done("") }, "No icon"))];
  }, { wide: true });
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
