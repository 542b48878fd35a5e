// Edits of a document, each from one document to another. Boxes are px of the picture. Nothing here touches the page.

import { copy } from "./operations.js";
import { contentOf, isContainer, linesAt, membersOf, parentOf } from "./outline.js";

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

/** Without these, the lines at them, and their membership anywhere; with `content`, without what they hold. */
export function without(document, ids, { content = false } = {}) {
  const all = content ? ids.flatMap((id) => [id, ...contentOf(document, id)]) : ids;
  const gone = new Set(all);
  for (const id of all) for (const { edge } of linesAt(document, id)) gone.add(edge.id);
  const held = (element) => membersOf(element).flatMap((id) => {
    const inner = gone.has(id) && document.elements.find((one) => one.id === id);
    return !gone.has(id) ? [id] : inner && isContainer(inner) ? held(inner) : [];
  });
  const elements = document.elements.filter((element) => !gone.has(element.id)).map((element) => {
    const name = element.children ? "children" : "childIds";
    return element[name]?.some((id) => gone.has(id)) ? { ...element, [name]: held(element) } : element;
  });
  return { ...document, elements };
}

export function freshId(document, stem) {
  const taken = new Set(document.elements.map(({ id }) => id));
  for (let number = 1; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`;
}

const counted = ({ cardinality } = {}) => (cardinality ? { cardinality } : {});

const edgeBetween = (document, from, to, like) => ({
  id: freshId(document, "line"), kind: "edge", from: { elementId: from, ...counted(like?.from) }, to: { elementId: to, ...counted(like?.to) },
  ...(like?.edgeType ? { edgeType: like.edgeType } : {}), ...(like?.endpoints ? { endpoints: like.endpoints } : document.defaults?.edge?.endpoints || like ? {} : { endpoints: { endArrow: "triangle" } }),
});

/** A line between two elements, of the type that the document's lines have; at a side of the second where `port` names it. */
export function connected(document, from, to, port) {
  const edge = edgeBetween(document, from, to, document.elements.find((element) => element.kind === "edge"));
  if (port) edge.to.port = port;
  return { document: { ...document, elements: [...document.elements, edge] }, id: edge.id };
}

/** With an element more, in a frame where `parentId` names one. */
export function withElement(document, element, parentId = null) {
  const there = { ...document, elements: [...document.elements, element] };
  return parentId === null ? there : reparented(there, [element.id], parentId);
}

/** These inside another container, or at the top level for null; last among what it holds. */
export function reparented(document, ids, parentId) {
  return { ...document, elements: document.elements.map((element) => {
    if (!isContainer(element)) return element;
    const rest = membersOf(element).filter((id) => !ids.includes(id));
    const all = element.id === parentId ? [...rest, ...ids.filter((id) => id !== parentId)] : rest;
    if (all.length === membersOf(element).length && element.id !== parentId) return element;
    const { childIds: _childIds, ...members } = element;
    return { ...members, children: all };
  }) };
}

/** Those of these that no other of them holds. */
export function outermost(document, ids) {
  const held = new Set(ids.flatMap((id) => contentOf(document, id)));
  return ids.filter((id) => !held.has(id));
}

/** The innermost frame at a point that may take these: none of them, nor what they hold. */
export function frameAt(document, { x, y }, bounds, except = []) {
  const own = new Set(except);
  const open = document.elements.filter(({ kind, id }) => kind === "frame" && !own.has(id) && bounds[id])
    .filter(({ id }) => x >= bounds[id].x && y >= bounds[id].y && x <= bounds[id].x + bounds[id].width && y <= bounds[id].y + bounds[id].height);
  const area = ({ id }) => bounds[id].width * bounds[id].height;
  return open.reduce((best, frame) => (!best || area(frame) < area(best) ? frame : best), null);
}

/** A new node beside another one: joined to it, in the same frame and of the same type. */
export function withNodeBeside(document, like) {
  const id = freshId(document, "node");
  const node = { id, kind: "node", ...(like.nodeType ? { nodeType: like.nodeType } : {}), ...(like.shape ? { shape: like.shape } : {}), label: "New" };
  return { document: connected(withElement(document, node, parentOf(document, like.id)?.id), like.id, id).document, id };
}

/** A line one end of which (`from`, `to`) goes to another element or side: {id, port?}. */
export const rewired = (document, edgeId, end, { id, port }) => edited(document, [edgeId], (edge) => {
  const { port: _port, column: _column, ...rest } = edge[end];
  const there = edge[end].elementId === id ? rest : { ...(rest.cardinality ? { cardinality: rest.cardinality } : {}), ...(rest.label ? { label: rest.label } : {}) };
  return { ...edge, [end]: { ...there, elementId: id, ...(port ? { port } : {}) } };
});

/** A line through points of one's own. */
export const bent = (document, id, points) => edited(document, [id], (edge) => ({ ...edge, router: "polyline", waypoints: points.map(({ x, y }) => ({ x: round(x), y: round(y) })) }));

/** Lines whose course the engine finds again. */
export const straightened = (document, ids) => edited(document, ids, ({ waypoints: _waypoints, router, ...edge }) => (router && router !== "polyline" ? { ...edge, router } : edge));

/** What lies wholly inside a box. */
export function insideOf(document, box, bounds) {
  return document.elements.filter(({ id, kind }) => {
    const own = kind === "edge" ? null : bounds[id];
    return own && own.x >= box.x && own.y >= box.y && own.x + own.width <= box.x + box.width && own.y + own.height <= box.y + box.height;
  }).map(({ id }) => id);
}

/** These and what they hold, with the lines among them: what a copy of them has. */
export function taken(document, ids) {
  const all = new Set(ids.flatMap((id) => [id, ...contentOf(document, id)]));
  return document.elements.filter(({ id, kind, from, to }) => (kind === "edge" ? all.has(from?.elementId) && all.has(to?.elementId) : all.has(id))).map(copy);
}

/** Elements of elsewhere under ids of this document, with their places (id → box) gone by dx and dy, in a frame where
    `parentId` names one. Answers with the new ids of the outermost. */
export function inserted(document, elements, bounds, { dx, dy, parentId = null }) {
  const ids = new Map();
  let result = document;
  for (const { id } of elements) {
    const fresh = result.elements.some((element) => element.id === id) || [...ids.values()].includes(id) ? freshId({ elements: [...result.elements, ...[...ids.values()].map((one) => ({ id: one }))] }, id.replace(/-\d+$/, "")) : id;
    ids.set(id, fresh);
  }
  const end = (one) => ({ ...one, elementId: ids.get(one.elementId) });
  const known = (list) => list.filter((id) => ids.has(id)).map((id) => ids.get(id));
  const made = elements.map(({ metadata, ...element }) => {
    const { source: _source, ...own } = metadata ?? {}; // a copy did not come from there
    return {
      ...copy(element), id: ids.get(element.id), ...(Object.keys(own).length ? { metadata: own } : {}),
      ...(element.kind === "edge" ? { from: end(element.from), to: end(element.to), ...(element.waypoints ? { waypoints: element.waypoints.map(({ x, y }) => ({ x: x + dx, y: y + dy })) } : {}) } : {}),
      ...(isContainer(element) ? { children: known(membersOf(element)), childIds: undefined } : {}),
      ...(element.attachedTo && ids.has(element.attachedTo.elementId) ? { attachedTo: end(element.attachedTo) } : {}),
    };
  }).map((element) => JSON.parse(JSON.stringify(element)));
  result = { ...document, elements: [...document.elements, ...made] };
  const places = Object.fromEntries(elements.filter(({ id }) => bounds[id]).map(({ id }) => [ids.get(id), { x: bounds[id].x + dx, y: bounds[id].y + dy }]));
  result = placed(result, places);
  const tops = outermost(result, made.filter(({ kind }) => kind !== "edge").map(({ id }) => id));
  return { document: parentId === null ? result : reparented(result, tops, parentId), ids: tops.length ? tops : made.map(({ id }) => id) };
}

/** With members of a style; null takes one away. */
export const styled = (document, ids, style) => edited(document, ids, (element) => {
  const named = typeof element.style === "string" ? document.styles?.[element.style] ?? {} : element.style ?? {};
  const { style: _style, ...rest } = element;
  const all = Object.fromEntries(Object.entries({ ...named, ...style }).filter(([, value]) => value !== null));
  return Object.keys(all).length ? { ...rest, style: all } : rest;
});

/** Another type (`nodeType`, `edgeType`, `shape`), or none for undefined. */
export const retyped = (document, ids, member, value) => edited(document, ids, ({ [member]: _old, ...element }) => (value === undefined ? element : { ...element, [member]: value }));

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
