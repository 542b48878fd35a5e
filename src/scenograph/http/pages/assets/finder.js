// Finding an element by its words: a list that is also the picture's outline for who does not see it.

import { dialog, h } from "./dom.js";
import { described, nameOf, typeOf } from "./outline.js";

const SHOWN = 200;

/** Opens the list of all elements at once, since letters typed meanwhile are meant for it, and fills it when the promise
    `loading` brings the document; Enter pressed before that takes the first match then. `choose(id)` hears the element. */
export async function openFinder(loading, choose) {
  const chosen = await dialog("Find an element", (done) => {
    const list = h("ul", { class: "found", id: "found", role: "listbox", "aria-label": "Elements" });
    const field = h("input", {
      type: "search", placeholder: "Name, type or id", autofocus: true, role: "combobox", "aria-controls": "found",
      "aria-expanded": "true", "aria-label": "Name, type or id", autocomplete: "off", spellcheck: "false",
    });
    let at = 0;
    let rows = [];
    let document;
    let entered = false;
    const say = (text) => list.replaceChildren(h("li", { class: "none" }, text));
    const show = () => {
      if (document === undefined) return;
      rows = ranked(document, field.value).slice(0, SHOWN);
      at = Math.min(at, Math.max(0, rows.length - 1));
      list.replaceChildren(...rows.map((element, index) => h("li", {
        role: "option", id: `found-${index}`, "aria-selected": String(index === at), "aria-label": described(document, element),
        onclick: () => done(element.id),
      }, h("span", {}, nameOf(element)), h("small", {}, typeOf(element)))));
      if (!rows.length) say("No element matches.");
      field.setAttribute("aria-activedescendant", rows.length ? `found-${at}` : "");
      list.children[at]?.scrollIntoView({ block: "nearest" });
    };
    field.addEventListener("input", () => { at = 0; entered = false; show(); });
    field.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && rows.length) { at = (at + step + rows.length) % rows.length; show(); event.preventDefault(); }
      else if (event.key === "Enter") { event.preventDefault(); entered = true; take(); }
    });
    const take = () => { if (entered && rows[at]) done(rows[at].id); };
    say("Loading the elements …");
    loading.then((found) => { document = found; show(); take(); }, (fault) => say(fault.message));
    return [field, list];
  });
  if (chosen !== null) choose(chosen);
}

function ranked(document, words) {
  const asked = words.trim().toLocaleLowerCase();
  const text = (element) => `${nameOf(element)}\n${element.id}\n${typeOf(element)}`.toLocaleLowerCase();
  const fitting = (document?.elements ?? []).filter((element) => element.kind !== "guide" && text(element).includes(asked));
  const order = (element) => (element.kind === "edge" ? 2 : 0) + (nameOf(element).toLocaleLowerCase().startsWith(asked) ? 0 : 1);
  return fitting.sort((one, other) => order(one) - order(other));
}
