// A picture's text as elements of the page. What pictures are made of passes, and nothing else, whoever wrote the text:
// elements and attributes by name, addresses by their form, of style sheets none.

const SVG = "http://www.w3.org/2000/svg";
const DEEPEST = 200; // levels
const words = (text) => new Set(text.split(" "));
const ELEMENTS = words("svg g defs path rect circle ellipse line polyline polygon text tspan use image linearGradient radialGradient stop clipPath title desc a");
const ATTRIBUTES = words(
  "id x y x1 y1 x2 y2 cx cy r rx ry dx dy d points width height viewBox preserveAspectRatio transform opacity fill fill-opacity fill-rule " +
    "stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin clip-path clip-rule offset stop-color " +
    "stop-opacity gradientUnits gradientTransform font-family font-size font-weight font-style text-anchor text-rendering letter-spacing direction " +
    "unicode-bidi xml:space role aria-hidden aria-label aria-labelledby data-element-id data-kind data-label-for target rel",
);
const ADDRESSES = { a: /^(https?|mailto):/i, use: /^#/, image: /^data:image\/(png|jpeg|gif|webp);base64,/i };
const ELSEWHERE = /url\s*\(\s*["']?(?!#)/i;

/** The picture that a text describes; an empty one where it describes none. */
export function picture(text) {
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  return taken(documentElement, 0) ?? document.createElementNS(SVG, "svg");
}

function taken(element, depth) {
  const { localName: name, namespaceURI } = element;
  if (namespaceURI !== SVG || !ELEMENTS.has(name) || depth > DEEPEST) return null;
  const made = document.createElementNS(SVG, name);
  for (const { name: attribute, namespaceURI: space, value } of element.attributes) {
    const passes = attribute === "href" ? ADDRESSES[name]?.test(value) : ATTRIBUTES.has(attribute) && !ELSEWHERE.test(value);
    if (passes) made.setAttributeNS(space, attribute, value);
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE) made.append(...[taken(child, depth + 1)].filter(Boolean));
  }
  return made;
}
