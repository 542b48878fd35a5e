// Every gesture and its key, for who asks.

import { dialog, h } from "./dom.js";

const MAC = /Mac|iP(hone|ad)/.test(navigator.userAgent);
const CONTROL = MAC ? "Cmd" : "Ctrl";
const KEYS = [
  ["Make", [
    ["N", "a box where the pointer is; on a selected box, one joined to it", "double click"],
    ["T", "text where the pointer is"],
    ["R", "a frame, dragged out; Enter makes one"],
    ["G", "a frame around the selection"],
    ["C", "a line from the selection: then a click, or arrow keys and Enter", "drag a dot"],
  ]],
  ["Change", [
    ["Enter", "the name; Enter ends, Shift Enter is a new line, Escape leaves it", "double click"],
    ["Arrows", "move by 8 px, with Shift by 1; of a line: its bend", "drag"],
    ["Shift Alt Arrows", "size", "drag a corner"],
    [`${CONTROL} X, C, V`, "cut, copy, paste where the pointer is"],
    [`${CONTROL} D`, "duplicate"],
    ["Delete", "delete"],
    [`${CONTROL} Z, Y`, "undo, redo"],
    [`${CONTROL} S`, "keep"],
  ]],
  ["Select", [
    ["Tab", "the next element; Escape, then Tab leaves the picture"],
    ["Alt Arrows", "the nearest element that way"],
    ["M", "several: the elements that follow join, until M again", "Shift and click"],
    [`${CONTROL} A`, "all", "Shift and drag"],
    ["Menu key", "what can be done with it", "right click, or hold"],
  ]],
  ["Look", [["/", "find"], ["0", "fit"], ["1", "full size"], ["+  −", "zoom", "wheel, pinch"], ["F", "full screen"], ["K", "comment on what is selected, else on the place under the pointer"], ["?", "these keys"]]],
];

export function showKeys() {
  return dialog("Keys and gestures", () => h("div", { class: "keys" }, KEYS.map(([title, rows]) => h("section", {}, h("h3", {}, title),
    h("dl", {}, rows.map(([key, words, gesture]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, words, gesture ? h("small", {}, ` · ${gesture}`) : null)))))),
  ), { wide: true });
}
