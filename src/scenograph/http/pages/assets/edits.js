// Edits of a document, each from one document to another. Boxes are px of the picture. Nothing here touches the page.

import { copy } from "./operations.js";
import { contentOf, isContainer, linesAt, parentOf } from "./outline.js";

const round = (value) => Math.round(value * 2) / 2;
const placeable = (element) => element && element.kind !== "edge" && element.kind !== "guide";

function edited(document, ids, edit) {
  const wanted = new Set(ids);
  return { ...document, elements: document.elements.map((element) => (wanted.has(element.id) ? edit(copy(element)) : element)) };
}

/** These and what they hold: all that moves along. */
export function movingWith(document, ids) {
  const all = new Map(document.elements.map((element) => [element.id, element]));
  return [...new Set(ids.flatMap((id) => [id, ...contentOf(document, id)]))].filter((id) => placeable(all.get(id)) && !all.get(id).locked);
}

/** Elements at places of their own: `places` is id → {x, y}. A frame that wraps its content goes where that goes. */
export function placed(document, places) {
  return edited(document, Object.keys(places), (element) => {
    if (isContainer(element) && element.layout?.mode !== "absolute" && element.layout?.x === undefined && contentOf(document, element.id).length) return element;
    const { width, height } = element.layout ?? {};
    const size = Object.fromEntries(Object.entries({ width, height }).filter(([, value]) => value !== undefined));
    return { ...element, layout: { mode: "absolute", x: round(places[element.id].x), y: round(places[element.id].y), ...size } };
  });
}

export function moved(document, ids, dx, dy, bounds) {
  const moving = movingWith(document, ids).filter((id) => bounds[id]);
  return placed(document, Object.fromEntries(moving.map((id) => [id, { x: bounds[id].x + dx, y: bounds[id].y + dy }])));
}

/** An element with a box of its own. What a frame holds stays where it stands, also when the frame's corner moves. */
export function resized(document, id, box, bounds) {
  const held = box.x === bounds[id].x && box.y === bounds[id].y ? [] : movingWith(document, [id]).filter((inner) => inner !== id && bounds[inner]);
  const still = placed(document, Object.fromEntries(held.map((inner) => [inner, bounds[inner]])));
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(round);
  return edited(still, [id], (element) => ({ ...element, layout: { mode: "absolute", x, y, width, height } }));
}

/** A size that the engine chooses again. */
export const unsized = (document, ids) => edited(document, ids, ({ layout: { width: _width, height: _height, ...layout }, ...element }) => ({
  ...element, ...(layout.mode === "auto" || !Object.keys(layout).length ? {} : { layout }),
}));

/** A place that the engine chooses again. */
export const unplaced = (document, ids) => edited(document, ids, ({ layout: { width, height } = {}, ...element }) => ({
  ...element, ...(width !== undefined || height !== undefined ? { layout: { mode: "auto", ...(width !== undefined ? { width } : {}), ...(height !== undefined ? { height } : {}) } } : {}),
}));

const ALIGNED = {
  left: (box, all) => ({ x: all.x, y: box.y }),
  center: (box, all) => ({ x: all.x + (all.width - box.width) / 2, y: box.y }),
  right: (box, all) => ({ x: all.x + all.width - box.width, y: box.y }),
  top: (box, all) => ({ x: box.x, y: all.y }),
  middle: (box, all) => ({ x: box.x, y: all.y + (all.height - box.height) / 2 }),
  bottom: (box, all) => ({ x: box.x, y: all.y + all.height - box.height }),
};

export function aligned(document, ids, how, bounds) {
  const rows = ids.filter((id) => bounds[id]);
  const all = around(rows.map((id) => bounds[id]));
  let result = document;
  for (const id of rows) {
    const to = ALIGNED[how](bounds[id], all);
    result = moved(result, [id], to.x - bounds[id].x, to.y - bounds[id].y, bounds);
  }
  return result;
}

/** Equal gaps along an axis, between the first and the last. */
export function distributed(document, ids, axis, bounds) {
  const size = axis === "x" ? "width" : "height";
  const rows = ids.filter((id) => bounds[id]).sort((one, other) => bounds[one][axis] - bounds[other][axis]);
  const all = around(rows.map((id) => bounds[id]));
  const gap = (all[size] - rows.reduce((sum, id) => sum + bounds[id][size], 0)) / (rows.length - 1);
  let at = all[axis];
  let result = document;
  for (const id of rows) {
    const by = at - bounds[id][axis];
    result = moved(result, [id], axis === "x" ? by : 0, axis === "y" ? by : 0, bounds);
    at += bounds[id][size] + gap;
  }
  return result;
}

export function around(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return { x, y, width: Math.max(...boxes.map((box) => box.x + box.width)) - x, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

/** Without these, the lines at them, and their membership anywhere. */
export function without(document, ids) {
  const gone = new Set(ids);
  for (const id of ids) for (const { edge } of linesAt(document, id)) gone.add(edge.id);
  const elements = document.elements.filter((element) => !gone.has(element.id)).map((element) => {
    const name = element.children ? "children" : "childIds";
    return element[name]?.some((id) => gone.has(id)) ? { ...element, [name]: element[name].filter((id) => !gone.has(id)) } : element;
  });
  return { ...document, elements };
}

export function freshId(document, stem) {
  const taken = new Set(document.elements.map(({ id }) => id));
  for (let number = 1; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}

const edgeBetween = (document, from, to, like) => ({
  id: freshId(document, "line"), kind: "edge", from: { elementId: from }, to: { elementId: to },
  ...(like?.edgeType ? { edgeType: like.edgeType } : {}), ...(like?.endpoints ? { endpoints: like.endpoints } : document.defaults?.edge?.endpoints || like ? {} : { endpoints: { endArrow: "triangle" } }),
});

/** A line between two elements, of the type that the document's lines have. */
export function connected(document, from, to) {
  const edge = edgeBetween(document, from, to, document.elements.find((element) => element.kind === "edge"));
  return { document: { ...document, elements: [...document.elements, edge] }, id: edge.id };
}

/** A new node; where one is selected it hangs on that, beside it in the same frame and of the same type. */
export function withNode(document, beside) {
  const like = beside && document.elements.find((element) => element.id === beside && element.kind === "node");
  const id = freshId(document, "node");
  const node = { id, kind: "node", ...(like?.nodeType ? { nodeType: like.nodeType } : {}), label: "New" };
  let result = { ...document, elements: [...document.elements, node] };
  const parent = like && parentOf(document, like.id);
  if (parent) result = edited(result, [parent.id], (element) => ({ ...element, children: [...(element.children ?? element.childIds ?? []), id] }));
  if (like) result = connected(result, like.id, id).document;
  return { document: result, id };
}

export function withText(document, at) {
  const id = freshId(document, "text");
  return { document: { ...document, elements: [...document.elements, { id, kind: "text", content: "Text", layout: { mode: "absolute", x: round(at.x), y: round(at.y) } }] }, id };
}

/** A frame round elements of one parent. */
export function framed(document, ids) {
  const id = freshId(document, "frame");
  const parent = ids.length ? parentOf(document, ids[0]) : null;
  const children = ids.filter((child) => parentOf(document, child)?.id === parent?.id && placeable(document.elements.find((element) => element.id === child)));
  let result = { ...document, elements: [...document.elements, { id, kind: "frame", title: "Frame", children }] };
  if (parent) result = edited(result, [parent.id], (element) => ({ ...element, children: [...(element.children ?? []).filter((child) => !children.includes(child)), id] }));
  return { document: result, id };
}

/** Which member holds an element's words. */
export function wordsMember(element) {
  if (element.kind === "frame") return "title";
  if (element.kind === "text") return element.text !== undefined && element.content === undefined ? "text" : "content";
  return "label";
}

export function withMember(document, id, name, value) {
  return edited(document, [id], (element) => {
    if (value === undefined || value === "") delete element[name];
    else element[name] = value;
    return element;
  });
}
