// What lies between two documents, as operations; and two edits of one document as one. Nothing here touches the page.

const CREATE = { node: "createNode", edge: "createEdge", frame: "createFrame", text: "createText", image: "createImage", guide: "createGuide" };
const SCENE_MEMBERS = ["title", "canvas", "extensions"];
const REGISTRIES = [
  ["styles", "defineStyle", "removeStyle", "styleId", "style"],
  ["assets", "defineAsset", "removeAsset", "assetId", "asset"],
];
const OWN_WAYS = new Set(["schemaVersion", "$schema", "computed", "scene", "elements", "constraints", "styles", "assets"]);

export const copy = (value) => structuredClone(value);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export function same(one, other) {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((value, at) => same(value, other[at]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => name in one && name in other && same(one[name], other[name]));
}

/** A JSON Merge Patch (RFC 7396) applied to a copy. */
export function patched(target, patch) {
  if (!isObject(patch)) return copy(patch);
  const result = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = patched(result[name], value);
  }
  return result;
}

/** The merge patch that makes `after` of `before`; null when they are the same. */
export function patchBetween(before, after) {
  const patch = {};
  for (const name of Object.keys(before)) if (!(name in after)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    if (same(before[name], value)) continue;
    patch[name] = isObject(before[name]) && isObject(value) ? patchBetween(before[name], value) : value;
  }
  return Object.keys(patch).length ? patch : null;
}

export const byId = (document) => new Map(document.elements.map((element) => [element.id, element]));
const ends = (element) => [element.from?.elementId, element.to?.elementId];

/** The operations that carry `before` to `after`. */
export function operationsBetween(before, after) {
  const old = byId(before);
  const now = byId(after);
  const anew = createdAgain(before, after, old, now);
  const gone = before.elements.filter(({ id }) => !now.has(id) || anew.has(id));
  const made = after.elements.filter(({ id }) => !old.has(id) || anew.has(id));
  const doomed = new Set(gone.map(({ id }) => id));
  return [
    ...registered(before, after, false),
    ...sceneChanges(before, after),
    ...constraintChanges(before, after, false),
    ...gone.sort((one, other) => (other.kind === "edge") - (one.kind === "edge")).map(({ id }) => ({ op: "deleteElement", id })),
    ...made.flatMap(created),
    ...after.elements.flatMap((element) => changed(old.get(element.id), element, anew, doomed)),
    ...constraintChanges(before, after, true),
    ...registered(before, after, true),
  ];
}

/** Elements whose order changed are made again, with the lines at them: the order of a document has a meaning. */
function createdAgain(before, after, old, now) {
  const kept = before.elements.filter(({ id }) => now.has(id) && now.get(id).kind === old.get(id).kind).map(({ id }) => id);
  const order = after.elements.map(({ id }) => id);
  let from = order.findIndex((id, at) => id !== kept[at]);
  if (from < 0 || from >= kept.length) return new Set();
  for (;;) {
    const anew = new Set(order.slice(from).filter((id) => old.has(id)));
    const earlier = after.elements.findIndex((element, at) => at < from && element.kind === "edge" && ends(element).some((id) => anew.has(id)));
    if (earlier < 0) return anew;
    from = earlier;
  }
}

function created(element) {
  const { kind, ...members } = element;
  if (kind !== "group") return [{ op: CREATE[kind], ...members }];
  const { id, children, ...more } = members;
  const grouped = { op: "groupElements", id, children };
  return Object.keys(more).length ? [grouped, { op: "updateElement", id, ...more }] : [grouped];
}

function changed(before, after, anew, doomed) {
  if (!before || anew.has(after.id)) return [];
  const { id: _id, kind: _kind, ...patch } = patchBetween(before, after) ?? {};
  // What is deleted leaves its parent; one that is made again comes back to it.
  if ((before.children ?? []).some((id) => doomed.has(id))) patch.children = after.children;
  return Object.keys(patch).length ? [{ op: "updateElement", id: after.id, ...patch }] : [];
}

function sceneChanges(before, after) {
  const change = {};
  for (const name of SCENE_MEMBERS) differ(change, name, before.scene?.[name], after.scene?.[name]);
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!OWN_WAYS.has(name)) differ(change, name, before[name], after[name]);
  }
  return Object.keys(change).length ? [{ op: "updateScene", ...change }] : [];
}

function differ(change, name, before, after) {
  if (same(before, after)) return;
  if (after === undefined) change[name] = null;
  else change[name] = isObject(before) && isObject(after) ? patchBetween(before, after) : after;
}

function constraintChanges(before, after, additions) {
  const old = new Map((before.constraints ?? []).map((row) => [row.id, row]));
  const now = new Map((after.constraints ?? []).map((row) => [row.id, row]));
  if (!additions) return [...old.keys()].filter((id) => !now.has(id)).map((id) => ({ op: "removeConstraint", id }));
  return [...now.values()].flatMap((row) => {
    if (!old.has(row.id)) return [{ op: "addConstraint", constraint: row }];
    const patch = patchBetween(old.get(row.id), row);
    return patch ? [{ op: "updateConstraint", id: row.id, ...patch }] : [];
  });
}

function registered(before, after, removals) {
  return REGISTRIES.flatMap(([member, define, remove, idName, valueName]) => {
    const old = before[member] ?? {};
    const now = after[member] ?? {};
    if (removals) return Object.keys(old).filter((id) => !(id in now)).map((id) => ({ op: remove, [idName]: id }));
    return Object.keys(now).filter((id) => !same(old[id], now[id])).map((id) => ({ op: define, [idName]: id, [valueName]: now[id] }));
  });
}

/**
 * Two edits of `base` as one document. Where both changed the same member it is `theirs`, and a conflict says so:
 * {id, path, mine, theirs}, by which `settled` can put mine back.
 */
export function merged(base, mine, theirs) {
  const conflicts = [];
  const rest = (document) => { const { elements: _elements, computed: _computed, ...members } = document; return members; };
  const result = three(rest(base), rest(mine), rest(theirs), null, [], conflicts);
  const [was, ours, others] = [byId(base), byId(mine), byId(theirs)];
  const elements = [];
  for (const id of new Set([...others.keys(), ...ours.keys()])) {
    const [before, my, their] = [was.get(id), ours.get(id), others.get(id)];
    if (!before) elements.push(my && their && !same(my, their) ? three({}, my, their, id, [], conflicts) : their ?? my);
    else if (my && their) elements.push(three(before, my, their, id, [], conflicts));
    else if (!my && !their) continue;
    else if (same(before, my ?? their)) continue; // the other side deleted what this side left alone
    else {
      conflicts.push({ id, path: [], mine: my ?? null, theirs: their ?? null });
      if (their) elements.push(their);
    }
  }
  return { document: whole({ ...result, elements }), conflicts };
}

/** Without lines that lost an end, and without members of a frame that are gone. */
function whole(document) {
  const there = new Set(document.elements.map(({ id }) => id));
  document.elements = document.elements
    .filter((element) => element.kind !== "edge" || ends(element).every((id) => there.has(id)))
    .map((element) => (element.children?.some((id) => !there.has(id))
      ? { ...element, children: element.children.filter((id) => there.has(id)) } : element));
  return document;
}

function three(base, mine, theirs, id, path, conflicts) {
  if (same(mine, theirs) || same(base, mine)) return theirs;
  if (same(base, theirs)) return mine;
  if (isObject(mine) && isObject(theirs)) {
    const result = {};
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
      const value = three(isObject(base) ? base[name] : undefined, mine[name], theirs[name], id, [...path, name], conflicts);
      if (value !== undefined) result[name] = value;
    }
    return result;
  }
  conflicts.push({ id, path, mine, theirs });
  return theirs;
}

/** A merged document with the conflicts that are mine put back. */
export function settled(document, mine) {
  const result = copy(document);
  for (const { id, path, mine: value } of mine) {
    if (!path.length) {
      result.elements = result.elements.filter((element) => element.id !== id);
      if (value) result.elements.push(value);
      continue;
    }
    let holder = id === null ? result : result.elements.find((element) => element.id === id);
    for (const name of path.slice(0, -1)) holder = holder[name] ??= {};
    if (value === undefined) delete holder[path.at(-1)];
    else holder[path.at(-1)] = value;
  }
  return whole(result);
}
