// What is moved or resized keeps to the edges and middles of what stands near.

import { s } from "./dom.js";

const REACH = 6; // px of the screen
const SIZES = { x: "width", y: "height" };

/** The edges and the middle of a box along an axis. */
export const linesOf = (box, axis) => [box[axis], box[axis] + box[SIZES[axis]] / 2, box[axis] + box[SIZES[axis]]];

/** For each axis the line that one of `own` ({x: […], y: […]}, px of the picture) is nearest to: {axis, line, off}. */
export function snaps({ viewer: { picture, viewport } }, own, except) {
  const reach = REACH / viewport.zoom;
  const still = Object.keys(picture.bounds).filter((id) => !except.includes(id) && picture.kindOf(id) !== "frame").map((id) => picture.bounds[id]);
  return Object.entries(own).flatMap(([axis, mine]) => {
    const near = still.flatMap((box) => linesOf(box, axis)).flatMap((line) => mine.map((at) => ({ axis, line, off: line - at })))
      .filter(({ off }) => Math.abs(off) < reach);
    return near.length ? [near.reduce((best, one) => (Math.abs(one.off) < Math.abs(best.off) ? one : best))] : [];
  });
}

/** The lines that were kept to, across the stage. */
export function guides({ stage, viewer: { viewport } }, found) {
  return found.map(({ axis, line }) => {
    const at = viewport.toStage({ x: line, y: line })[axis];
    return s("path", { class: "guide", d: axis === "x" ? `M${at} 0V${stage.clientHeight}` : `M0 ${at}H${stage.clientWidth}` });
  });
}
