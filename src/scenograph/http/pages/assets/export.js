// Taking a picture away: every format that the service writes, as a file or to the clipboard.

import { announce, dialog, h } from "./dom.js";

const COPIED_AS_TEXT = ["svg", "mermaid", "text"];
const SHARP = 2;

/** The rows of the menu: what can be copied, what can be downloaded. */
export function carriedAway(viewer) {
  const { formats } = viewer.source;
  return [
    { heading: "Copy" },
    { label: "Picture (PNG)", run: () => attempt(() => copyPicture(viewer)) },
    ...formats.filter(({ name }) => COPIED_AS_TEXT.includes(name)).map((format) => ({ label: format.label, run: () => attempt(() => copyText(viewer, format)) })),
    { label: "Scene (JSON)", run: () => attempt(() => copyDocument(viewer)) },
    { heading: "Download" },
    ...formats.map((format) => ({ label: format.label, hint: format.suffix, run: () => attempt(() => download(viewer, format)) })),
    { label: "Scene", hint: ".json", run: () => attempt(() => downloadDocument(viewer)) },
    { label: "Theme, background, scale, page …", run: () => downloadAs(viewer) },
  ];
}

const THEMES = [["", "The scene's own"], ["clean", "Clean"], ["dark", "Dark"], ["blueprint", "Blueprint"], ["sketch", "Sketch"]];
const GROUNDS = [["", "As the theme"], ["#ffffff", "White"], ["transparent", "None"], ["own", "A colour of your own"]];
const PAGES = [["", "As large as the picture"], ["16:9", "Slide 16:9"], ["4:3", "Slide 4:3"], ["1:1", "Square"], ["a4", "A4"], ["a4-landscape", "A4, landscape"]];
const SCALES = ["1", "2", "3", "4"].map((scale) => [scale, `${scale} ×`]);

/** A download with choices: format, theme, background, scale, page. */
async function downloadAs(viewer) {
  const { formats, paints } = viewer.source;
  const select = (rows, chosen = "") => h("select", {}, rows.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));
  const format = select(formats.map(({ name, label }) => [name, label]), "png");
  const theme = select(THEMES, viewer.theme ?? "");
  const ground = select(GROUNDS);
  const colour = h("input", { type: "color", value: "#ffffff", "aria-label": "Colour", hidden: true });
  const scale = select(SCALES, String(SHARP));
  const page = select(PAGES);
  const named = (label, field, more = null) => {
    field.ariaLabel = label; // else the words of its options are part of its name
    return h("label", { class: "field" }, h("span", {}, label), h("span", { class: "pair" }, field, more));
  };
  const able = () => { scale.disabled = format.value !== "png"; colour.hidden = ground.value !== "own"; };
  for (const field of [format, ground]) field.addEventListener("change", able);
  able();
  const sure = await dialog("Download", (done) => h("form", { onsubmit: (event) => { event.preventDefault(); done(true); } },
    named("Format", format), named("Theme", theme), paints ? named("Background", ground, colour) : null, named("Scale", scale), named("Page", page),
    h("div", { class: "row end" }, h("button", { class: "primary" }, "Download"))));
  if (!sure) return;
  const view = { ...viewer.view, ...(page.value ? { page: page.value } : {}) };
  await attempt(() => download(viewer, formats.find(({ name }) => name === format.value), {
    theme: theme.value || null, view: Object.keys(view).length ? view : undefined, scale: format.value === "png" ? Number(scale.value) : undefined,
    ...(paints && ground.value ? { background: ground.value === "own" ? colour.value : ground.value } : {}),
  }));
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
  await navigator.clipboard.writeText(await (await fileOf(viewer, format.name)).text());
  return `${format.label} is on the clipboard.`;
}

async function copyDocument(viewer) {
  await navigator.clipboard.writeText(JSON.stringify(await viewer.loaded(), null, 2));
  return "The scene is on the clipboard.";
}

async function download(viewer, format, more = {}) {
  const embed = (viewer.source.embeds ?? []).includes(format.name);
  const file = await (await fileOf(viewer, format.name, { ...more, ...(embed ? { embed } : {}) })).blob();
  await save(viewer, file, format.suffix);
  return "Downloaded.";
}

async function downloadDocument(viewer) {
  await save(viewer, new Blob([JSON.stringify(await viewer.loaded(), null, 2)], { type: "application/json" }), ".json");
  return "Downloaded.";
}

/** A file to the reader's disk: by the source's own way where its page may not download. */
async function save({ source }, blob, suffix) {
  const name = `${source.name()}${suffix}`.replace(/[^\w.~-]+/g, "-");
  if (source.handOver) return source.handOver(blob, name);
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
