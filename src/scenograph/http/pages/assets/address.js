// What the fragment of an address shows: `#<elementId>` an element, `#focus=<ids>&depth=<n>` and `#collapse=<ids>` a view.

const VIEW = /^(focus|depth|collapse)=/;

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** {element} or {focus, depth, collapse}; {} for no fragment. */
export function wishedBy(hash) {
  const text = hash.replace(/^#/, "");
  if (!text) return {};
  if (!VIEW.test(text)) return { element: decoded(text) };
  const parts = new Map(text.split("&").map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
  const ids = (name) => (parts.get(name) ?? "").split(",").filter(Boolean).map(decoded);
  const depth = Number.parseInt(parts.get("depth") ?? "1", 10);
  return { focus: ids("focus"), depth: Number.isFinite(depth) ? Math.max(0, depth) : 1, collapse: ids("collapse") };
}

/** The fragment of what a viewer shows; "" for the whole. */
export function fragmentOf({ folded, focused }) {
  const list = (ids) => [...ids].map(encodeURIComponent).join(",");
  const parts = [];
  if (focused) parts.push(`focus=${list(focused.ids)}`, `depth=${focused.depth}`);
  if (folded.size) parts.push(`collapse=${list(folded)}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Show what a fragment says. An element that is not there is not looked for. */
export async function follow(viewer, hash) {
  const { element, focus = [], depth = 1, collapse = [] } = wishedBy(hash);
  await viewer.loaded();
  if (element === undefined) {
    const known = (ids) => ids.filter((id) => viewer.element(id));
    viewer.folded = new Set(known(collapse));
    viewer.focused = known(focus).length ? { ids: known(focus), depth } : null;
    if (viewer.view || viewer.showsPart) {
      viewer.viewport.fitted = true;
      await viewer.redraw();
    }
    viewer.showsPart = viewer.view !== undefined;
  } else if (viewer.element(element)) viewer.select([element], { show: true });
}
