// Taking a picture away: every format that the service writes, as a file or to the clipboard.

import { announce, h } from "./dom.js";

const KNOWN = {
  svg: ["SVG", "svg"], png: ["PNG", "png"], pdf: ["PDF", "pdf"], excalidraw: ["Excalidraw", "excalidraw"],
  drawio: ["draw.io", "drawio"], mermaid: ["Mermaid", "mmd"], bpmn: ["BPMN", "bpmn"], text: ["Plain text", "txt"],
  pptx: ["PowerPoint", "pptx"],
};
const COPIED_AS_TEXT = ["svg", "mermaid", "text"];
const SHARP = 2;

/** The rows of the menu: what can be copied, what can be downloaded. */
export function carriedAway(viewer) {
  const { formats } = viewer.source;
  const label = (format) => (KNOWN[format] ?? [format.toUpperCase()])[0];
  return [
    { heading: "Copy" },
    { label: "Picture (PNG)", run: () => attempt(() => copyPicture(viewer)) },
    ...COPIED_AS_TEXT.filter((format) => formats.includes(format)).map((format) => ({ label: label(format), run: () => attempt(() => copyText(viewer, format)) })),
    { label: "Scene (JSON)", run: () => attempt(() => copyDocument(viewer)) },
    { heading: "Download" },
    ...formats.map((format) => ({ label: label(format), hint: `.${(KNOWN[format] ?? [0, format])[1]}`, run: () => attempt(() => download(viewer, format)) })),
    { label: "Scene", hint: ".json", run: () => attempt(() => downloadDocument(viewer)) },
  ];
}

async function attempt(act) {
  try {
    announce(await act());
  } catch (fault) {
    announce(fault.name === "NotAllowedError" ? "The browser does not let this page use the clipboard." : fault.message);
  }
}

// In the theme that was chosen, else in the scene's own: the reader's screen may be dark, the file is for others.
const fileOf = (viewer, format, more = {}) => viewer.source.file({
  format, theme: viewer.theme, view: viewer.view, ...(format === "png" ? { scale: SHARP } : {}), ...more,
});

async function copyPicture(viewer) {
  const picture = fileOf(viewer, "png").then((reply) => reply.blob());
  await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
  return "The picture is on the clipboard.";
}

async function copyText(viewer, format) {
  await navigator.clipboard.writeText(await (await fileOf(viewer, format)).text());
  return `${(KNOWN[format] ?? [format])[0]} is on the clipboard.`;
}

async function copyDocument(viewer) {
  await navigator.clipboard.writeText(JSON.stringify(await viewer.loaded(), null, 2));
  return "The scene is on the clipboard.";
}

async function download(viewer, format) {
  const embed = (viewer.source.embeds ?? []).includes(format);
  const file = await (await fileOf(viewer, format, embed ? { embed } : {})).blob();
  await save(viewer, file, KNOWN[format]?.[1] ?? format);
  return "Downloaded.";
}

async function downloadDocument(viewer) {
  await save(viewer, new Blob([JSON.stringify(await viewer.loaded(), null, 2)], { type: "application/json" }), "json");
  return "Downloaded.";
}

/** A file to the reader's disk: by the source's own way where its page may not download. */
async function save({ source }, blob, suffix) {
  const name = `${source.name()}.${suffix}`.replace(/[^\w.~-]+/g, "-");
  if (source.handOver) return source.handOver(blob, name);
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
