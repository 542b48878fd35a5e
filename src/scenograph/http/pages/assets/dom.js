// Elements from names, attributes and texts. Texts of scenes only ever become text nodes: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. `on…` attributes are listeners; true, false and null stand for present and absent attributes. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && ["value", "checked", "disabled", "hidden", "selected"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const find = (selector, inside = document) => inside.querySelector(selector);

// Strokes of 1.6 on a grid of 20.
const SYMBOLS = {
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  fit: "M3 7V4a1 1 0 0 1 1-1h3M13 3h3a1 1 0 0 1 1 1v3M17 13v3a1 1 0 0 1-1 1h-3M7 17H4a1 1 0 0 1-1-1v-3M7.5 8h5v4h-5z",
  full: "M7 3H3v4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  search: "M9 3.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M13 13l4 4",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  download: "M10 3v9.5M6 9l4 4l4-4M3.5 16.5h13",
  share: "M10 12.5V3M6.5 6L10 2.5L13.5 6M4 9.5v7h12v-7",
  undo: "M7 4L3 8l4 4M3.5 8H12a4.5 4.5 0 0 1 0 9H8",
  redo: "M13 4l4 4l-4 4M16.5 8H8a4.5 4.5 0 0 0 0 9h4",
  close: "M5 5l10 10M15 5L5 15",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  text: "M4 5V4h12v1M10 4v12M8 16h4",
  box: "M3.5 5.5a1 1 0 0 1 1-1h11a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1z",
  frame: "M5 2.5v15M15 2.5v15M2.5 5h15M2.5 15h15",
  link: "M3.5 13.5h5v-7h8M13 3l3.5 3.5L13 10",
  trash: "M4 6h12M8 6V4h4v2M5.5 6l.7 10h7.6l.7-10M8.5 9v4.5M11.5 9v4.5",
  copy: "M7.5 7.5h9v9h-9zM4.5 12.5h-1v-9h9v1",
  several: "M3 3h2.5M8 3h4M14.5 3H17v2.5M17 8v4M17 14.5V17h-2.5M12 17H8M5.5 17H3v-2.5M3 12V8M3 5.5V3",
  help: "M7.2 7.6A2.8 2.8 0 1 1 10 10.4v1.6M10 15.2v.2",
  brush: "M16.5 3.5L9 11M9 11c-2 0-3 1.200-3 3c0 1.200-1 2-2.500 2.300c1.200 .900 6.500 1.200 7.500-2.800c.3-1.400-.7-2.500-2-2.500z",
  more: "M4.500 10h.01M10 10h.01M15.500 10h.01",
  person: "M10 3.500a3.200 3.200 0 1 1 0 6.400a3.200 3.200 0 0 1 0-6.400M3.500 16.500c.6-2.800 3.200-4.200 6.500-4.200s5.900 1.400 6.500 4.200",
  align: "M3.5 3v14M6.5 5.5h9v3h-9zM6.5 11.5h6v3h-6z",
  history: "M3.5 10a6.5 6.5 0 1 0 2-4.7L3 7.5M3 3.5v4h4M10 6.5V10l2.5 1.5",
  code: "M7 5.5L2.5 10L7 14.5M13 5.5l4.5 4.5l-4.5 4.5",
  focus: "M10 2v3M10 15v3M2 10h3M15 10h3M10 6.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7",
  fold: "M4 10h12M10 2.5v5M7.5 5l2.5 2.5L12.5 5M10 17.5v-5M7.5 15l2.5-2.5l2.5 2.5",
  unfold: "M4 10h12M10 7.5v-5M7.5 5L10 2.5L12.5 5M10 12.5v5M7.5 15l2.5 2.5l2.5-2.5",
  comment: "M3.5 4.5h13v9h-7l-4 3.500v-3.500h-2z",
  leave: "M8 3.500H4v13h4M8 10h9M13.500 6.500L17 10l-3.500 3.500",
  key: "M7 9.5a3.5 3.5 0 1 0 0 .01M10.4 9.7H17.5M14.5 9.7v3",
  folder: "M2.5 5.5a1 1 0 0 1 1-1h4l2 2h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1z",
  spark: "M10 2.5l1.8 5.7l5.7 1.8l-5.7 1.8L10 17.5l-1.8-5.7L2.5 10l5.7-1.8z",
};

/** A symbol of the page's own. */
export function symbol(name) {
  return s("svg", { class: "symbol", viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: SYMBOLS[name] }));
}

/** A button with a symbol; its words are read aloud and shown as a hint, or beside it with `words: true`. */
export function button(name, label, onclick, { words = false, keys = "", ...attributes } = {}) {
  const hint = keys ? `${label} (${keys})` : label;
  return h("button", { type: "button", title: words ? null : hint, "aria-label": words ? null : label, onclick, ...attributes },
    name ? symbol(name) : null, words ? h("span", {}, label) : null);
}

/** Says a sentence to who cannot see what changed, and shows it for a while where `visible`; answers with what shows it. */
export function announce(sentence, { visible = true, action = null } = {}) {
  const spoken = find("#spoken");
  if (spoken) spoken.textContent = sentence;
  const notes = find("#notes");
  if (!visible || !notes) return null;
  const note = h("div", { class: "note" }, h("span", {}, sentence));
  if (action) note.append(h("button", { type: "button", onclick: () => { note.remove(); action.run(); } }, action.label));
  notes.replaceChildren(note);
  setTimeout(() => note.remove(), action ? 12000 : 5000);
  return note;
}

let closeOpen = null;

/** A menu of rows {label, hint, run, checked, disabled, swatch} or {heading}, beside a place {x, y} of the window or an
    element. Arrow keys and first letters walk, Escape closes; `closed(byKey)` hears of its end. */
export function openMenu(rows, beside, { label = "Menu", closed = () => {} } = {}) {
  closeOpen?.(false);
  const before = document.activeElement;
  const close = (byKey) => {
    if (!menu.isConnected) return;
    menu.remove();
    closeOpen = null;
    document.removeEventListener("pointerdown", outside, true);
    if (byKey) before?.focus({ preventScroll: true });
    closed(byKey);
  };
  const outside = (event) => { if (!menu.contains(event.target) && !(beside instanceof Element && beside.contains(event.target))) close(false); };
  const menu = h("div", { class: "menu", role: "menu", "aria-label": label }, rows.map((row) => (row.heading
    ? h("div", { class: "heading", role: "presentation" }, row.heading)
    : h("button", { type: "button", role: row.checked === undefined ? "menuitem" : "menuitemradio", tabindex: "-1", class: row.danger ? "danger" : null,
      "aria-checked": row.checked === undefined ? null : String(row.checked), "aria-disabled": row.disabled ? "true" : null,
      onclick: () => { if (!row.disabled) { close(true); row.run(); } } },
    h("span", {}, row.label), row.hint ? h("small", {}, row.hint) : null))));
  menu.addEventListener("keydown", (event) => walk(event, menu, close));
  menu.addEventListener("contextmenu", (event) => event.preventDefault());
  document.body.append(menu);
  place(menu, beside instanceof Element ? beside.getBoundingClientRect() : { left: beside.x, top: beside.y, bottom: beside.y });
  document.addEventListener("pointerdown", outside, true);
  closeOpen = close;
  (find("[aria-checked=true]", menu) ?? find("button", menu))?.focus();
  return close;
}

/** A menu below its button. */
export function menuButton(opener, rows) {
  opener.setAttribute("aria-haspopup", "menu");
  opener.setAttribute("aria-expanded", "false");
  let close = null;
  opener.addEventListener("click", async () => {
    if (close) return close(true);
    opener.focus();
    const made = rows();
    close = openMenu(made.then ? await made : made, opener, { label: opener.getAttribute("aria-label") ?? opener.textContent, closed: () => { close = null; opener.setAttribute("aria-expanded", "false"); } });
    opener.setAttribute("aria-expanded", "true");
  });
  return opener;
}

function walk(event, open, close) {
  const all = [...open.querySelectorAll("button")];
  const at = all.indexOf(document.activeElement);
  const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey ? [...all.slice(at + 1), ...all.slice(0, at + 1)].find((row) => row.textContent.toLowerCase().startsWith(event.key.toLowerCase())) : null;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key] ?? (letter ? all.indexOf(letter) : undefined);
  if (to !== undefined) all[(to + all.length) % all.length].focus();
  else if (event.key === "Escape") close(true);
  else if (event.key === "Tab") close(true);
  if (event.key !== "Enter" && event.key !== " ") event.preventDefault();
  event.stopPropagation();
}

/** Puts a floating panel beside a box of the window, and within it. */
function place(panel, at) {
  const size = panel.getBoundingClientRect();
  const below = at.bottom + 6 + size.height <= innerHeight;
  panel.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  panel.style.top = `${below ? at.bottom + 6 : Math.max(8, Math.min(at.top - 6 - size.height, innerHeight - size.height - 8))}px`;
}

/** A modal dialog with a heading; resolves to what `done` was called with, null when it was left. */
export function dialog(title, build, { wide = false } = {}) {
  return new Promise((resolve) => {
    let answer = null;
    const box = h("dialog", { class: wide ? "wide" : null, "aria-label": title });
    const end = () => { box.remove(); resolve(answer); };
    // The event of closing comes later than keys that were pressed meanwhile; the answer must not.
    const done = (value) => { answer = value; box.close(); end(); };
    box.append(
      h("header", {}, h("h2", {}, title), button("close", "Close", () => done(null))),
      h("div", { class: "content" }, build(done)),
    );
    box.addEventListener("close", end);
    box.addEventListener("click", (event) => { if (event.target === box) done(null); });
    document.body.append(box);
    box.showModal();
    find("[autofocus]", box)?.focus();
  });
}
