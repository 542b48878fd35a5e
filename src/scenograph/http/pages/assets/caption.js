// The words of an element, written where they stand.

import { h } from "./dom.js";
import { withMember, wordsMember } from "./edits.js";

const NARROWEST = 130, WIDEST = 320; // px of the screen
const TITLE = 14; // px of the picture from a frame's top to the middle of its title

/** Opens the field; its words join the edits of `series`. */
export function openCaption(hands, id, { series = null } = {}) {
  const { viewer, session, stage, frozen, change } = hands;
  const element = viewer.element(id);
  let box = viewer.picture.boxOf(id);
  if (!element || !box || frozen || ["image", "guide"].includes(element.kind)) return;
  const member = wordsMember(element);
  const before = element[member] ?? "";
  const { viewport } = viewer;
  const field = h("textarea", { class: "caption", rows: "1", "aria-label": "Name", spellcheck: "false", value: before });
  const width = Math.max(NARROWEST, Math.min(WIDEST, box.width * viewport.zoom + 20));
  field.style.width = `${width}px`;
  const stand = () => {
    box = viewer.picture.boxOf(id) ?? box; // a place that the engine gave meanwhile
    const { x, y } = viewport.toStage({ x: box.x + box.width / 2, y: box.y + (element.kind === "frame" ? TITLE : box.height / 2) });
    Object.assign(field.style, { left: `${x}px`, top: `${y}px` });
  };
  stand();
  viewport.addEventListener("move", stand);
  viewer.addEventListener("drawn", stand);
  let left = false;
  const leave = (keep, byKey = true) => {
    if (left) return;
    left = true;
    const value = field.value.trim();
    field.remove();
    viewport.removeEventListener("move", stand);
    viewer.removeEventListener("drawn", stand);
    if (keep && value !== before && viewer.element(id)) {
      hands.placing.keepMiddle(id);
      change(withMember(session.current, id, member, value), "Rename", { series });
    }
    if (byKey) stage.focus({ preventScroll: true });
  };
  const fit = () => { field.style.height = "0"; field.style.height = `${field.scrollHeight + 2}px`; };
  field.addEventListener("input", fit);
  field.addEventListener("blur", () => leave(true, false));
  field.addEventListener("pointerdown", (event) => event.stopPropagation());
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") leave(false);
    else if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); leave(true); }
  });
  stage.append(field);
  fit();
  field.focus();
  field.select();
}
