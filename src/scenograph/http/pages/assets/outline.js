// What people call the elements of a document, and how they hang together.

/** The words by which a person knows an element. */
export function nameOf(element) {
  const words = element.label ?? element.title ?? element.content ?? element.text ?? element.name;
  return (typeof words === "string" && words.trim() && words.replace(/\s*\n\s*/g, " ")) || element.id;
}

/** What it is: its type without the family, or its kind. */
export function typeOf(element) {
  const type = element.nodeType ?? element.edgeType ?? element.containerType ?? element.kind;
  return String(type).replace(/^\w+\./, "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

export const isContainer = (element) => element.kind === "frame" || element.kind === "group";
export const membersOf = (element) => element.children ?? element.childIds ?? [];

/** The element that holds another, or undefined. */
export const parentOf = (document, id) => document.elements.find((element) => isContainer(element) && membersOf(element).includes(id));

/** Whether a type, shape or icon says something of an element. */
export const mayHave = ({ kind }, member) => kind === ({ edgeType: "edge", containerType: "frame" }[member] ?? "node");

/** The ids of all that a container holds, at any depth. */
export function contentOf(document, id) {
  const found = new Set();
  const open = [id];
  const all = new Map(document.elements.map((element) => [element.id, element]));
  while (open.length) {
    const element = all.get(open.pop());
    for (const child of element && isContainer(element) ? membersOf(element) : []) {
      if (!found.has(child)) { found.add(child); open.push(child); }
    }
  }
  return [...found];
}

/** The lines at an element, with who is at the other end: {edge, other, outgoing}. */
export function linesAt(document, id) {
  const all = new Map(document.elements.map((element) => [element.id, element]));
  return document.elements.filter((element) => element.kind === "edge").flatMap((edge) => {
    const [from, to] = [edge.from?.elementId, edge.to?.elementId];
    if (from !== id && to !== id) return [];
    return [{ edge, other: all.get(from === id ? to : from), outgoing: from === id }];
  });
}

/** A sentence for who does not see the picture. */
export function described(document, element) {
  if (element.kind === "edge") {
    const all = new Map(document.elements.map((one) => [one.id, one]));
    const [from, to] = [element.from, element.to].map((end) => nameOf(all.get(end?.elementId) ?? { id: end?.elementId ?? "nothing" }));
    return `Line from ${from} to ${to}${element.label ? `: ${nameOf(element)}` : ""}`;
  }
  const lines = linesAt(document, element.id).length;
  const holds = isContainer(element) ? `, holds ${membersOf(element).length}` : "";
  return `${nameOf(element)}, ${typeOf(element)}${holds}${lines ? `, ${lines} ${lines === 1 ? "line" : "lines"}` : ""}`;
}
