// The App in a chat: the picture of a tool's result, explored and edited there. What the reader selects and changes is
// told to the model, with the scene's words as quoted data. Without its tool, or a key, it shows the picture alone.

import { announce, find } from "./dom.js";
import { Conversation } from "./conversation.js";
import { Hands } from "./hands.js";
import { Inspector } from "./inspector.js";
import { nameOf, typeOf } from "./outline.js";
import { operationsBetween } from "./operations.js";
import { Session } from "./session.js";
import { settle } from "./settling.js";
import { Tooling } from "./tooling.js";
import { Viewer } from "./viewer.js";

const REST = 400; // ms without a change before the model is told
const LOWEST = 320, HIGHEST = 620, SHORT = 440, NARROW = 640; // px
const ROUND = 150; // px round the picture for the toolbars
const ACROSS = { top: 66 }, ALONG = { left: 78 }; // px that the editing tools take, above a low picture or beside a high one
const STACKED = { top: 90 }; // px that they take with the state below them, in a narrow frame
const MOST_TOLD = 30;

const page = document.documentElement;
const conversation = new Conversation();
const session = new Session(new Tooling(conversation), { settle: (conflicts) => settle(session, conflicts) });
const stage = find("#stage");
let still = null; // the picture of a result whose scene cannot be asked for
let asked = {}; // the arguments of the call whose result is shown
let first = null; // the document as it was when it was opened
let timer = null;

const source = {
  formats: session.formats,
  name: () => session.name(),
  coloured: () => session.coloured(),
  document: () => session.document(),
  picture: (wishes) => (session.current ? session.picture(wishes) : still && { content: still, computed: { bounds: {} } }),
  file: (wishes) => session.file(wishes),
  handOver,
};
const viewer = new Viewer({ stage, tools: find("#tools"), details: find("#details"), source });
const inspector = new Inspector({ session, viewer });
const hands = new Hands({ stage, tools: find("#hands"), viewer, session, adds: true });
inspector.commands = hands.commands;
const card = viewer.card.bind(viewer);
viewer.card = (element) => [...card(element), ...(hands.frozen ? [] : [inspector.fields(element)].filter(Boolean))];
viewer.fullScreen = fullScreen;

// What the tool answered ------------------------------------------------------------------------------------------

conversation.addEventListener("tool-input", ({ detail }) => { asked = detail.arguments ?? {}; });
conversation.addEventListener("tool-cancelled", () => say("The call was ended."));
conversation.addEventListener("tool-result", ({ detail }) => show(detail));
conversation.addEventListener("host-context-changed", () => dress());

async function show(result) {
  const { structuredContent: told = {}, content = [] } = result;
  if (result.isError) return say("The tool refused; the chat says why.");
  still = told.mimeType === "image/svg+xml" && told.content ? told.content : framed(content.find(({ type }) => type === "image"));
  document.body.classList.add("still");
  document.body.classList.toggle("empty", !still);
  if (still) await viewer.redraw();
  const { collapse = [], focus, depth = 1 } = asked.view ?? {};
  viewer.theme = asked.theme ?? null;
  viewer.folded = new Set(collapse);
  viewer.focused = focus ? { ids: focus, depth } : null;
  try {
    await open(told);
  } catch (fault) {
    if (still) say("");
    else say(fault.message);
  }
}

/** The scene that a result is about, to explore and edit; one that nobody keeps can be explored. */
async function open(told) {
  const sceneId = told.sceneId ?? asked.sceneId;
  const inline = told.scene ?? asked.scene;
  if (sceneId) {
    await session.openStored({ sceneId });
    if (asked.diffFromRevision) session.comparing = { revision: session.stored.revision, from: asked.diffFromRevision };
  } else if (inline) {
    const { computed } = await session.laidOut(inline);
    session.open(inline, { computed });
  } else return say("");
  first = session.current;
  document.body.classList.remove("empty", "still");
  find("#hands").hidden = !session.stored;
  viewer.viewport.fitted = true;
  await viewer.redraw();
}

/** A PNG as a picture. */
function framed(block) {
  if (!block) return null;
  const [width, height] = sizeOf(atob(block.data.slice(0, 64)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${block.data}"/></svg>`;
}

/** Width and height, px, as the head of a PNG says. */
function sizeOf(head) {
  const number = (at) => [0, 1, 2, 3].reduce((sum, index) => sum * 256 + head.charCodeAt(at + index), 0);
  return [number(16), number(20)];
}

// What is drawn follows the session -------------------------------------------------------------------------------

for (const name of ["open", "change", "merged"]) {
  session.addEventListener(name, () => {
    viewer.document = session.current;
    if (!session.current) return;
    if (name !== "open") viewer.viewport.fitted = false;
    if (name !== "open") viewer.redraw().then(() => viewer.showDetails(0));
    tell();
  });
}
session.addEventListener("merged", () => announce("Somebody else's edit was merged."));
session.addEventListener("refused", () => announce(`Not kept: ${session.problem.message}`, { action: { label: "Try again", run: () => session.save() } }));
for (const name of ["stored", "saving"]) session.addEventListener(name, () => tell());
viewer.addEventListener("select", () => tell());
viewer.addEventListener("drawn", () => fit());

addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select, dialog") || !(event.ctrlKey || event.metaKey) || hands.frozen) return;
  const act = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  session[act]();
});

// Frames of a chat open links and save files for their page. Where elements can be taken hold of, a press on one selects
// it, and its card has the link.
stage.addEventListener("click", (event) => follow(event, find("#hands").hidden), true);
find("#details").addEventListener("click", (event) => follow(event, true), true);

function follow(event, opens) {
  const href = event.target.closest?.("a")?.getAttribute("href");
  if (!href) return;
  event.preventDefault();
  if (opens) conversation.request("ui/open-link", { url: href }).catch((fault) => announce(fault.message));
}

async function handOver(blob, name) {
  if (!conversation.capabilities.downloadFile) throw new Error("This host cannot save files. Ask for an export in the chat.");
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const resource = { uri: `file:///${name}`, mimeType: blob.type, blob: btoa(letters) };
  const { isError } = await conversation.request("ui/download-file", { contents: [{ type: "resource", resource }] });
  if (isError) throw new Error("Nothing was saved.");
}

async function fullScreen() {
  const wanted = conversation.context.displayMode === "fullscreen" ? "inline" : "fullscreen";
  try {
    const { mode } = await conversation.request("ui/request-display-mode", { mode: wanted });
    conversation.context.displayMode = mode;
    dress();
  } catch (fault) {
    announce(fault.message);
  }
}

// What the host and the model learn -------------------------------------------------------------------------------

function say(words) { find("#state").textContent = words; }

/** As light or dark, and as high, as the host says. */
function dress() {
  const { theme, safeAreaInsets: insets } = conversation.context;
  if (theme && page.style.colorScheme !== theme) {
    page.style.colorScheme = theme;
    if (!viewer.theme && session.current) viewer.redraw();
  }
  if (insets) document.body.style.padding = ["top", "right", "bottom", "left"].map((side) => `${insets[side]}px`).join(" ");
  fit();
}

/** Ask for the height that the picture wants at this width; in a frame of fixed height or a full screen, for none. */
function fit() {
  const { displayMode, containerDimensions: given = {} } = conversation.context;
  arrange();
  if (displayMode === "fullscreen" || given.height) return;
  const { page: { width, height } } = viewer.viewport;
  const wanted = Math.round(height * Math.min(1, innerWidth / width) + ROUND);
  conversation.notify("ui/notifications/size-changed", { height: Math.max(LOWEST, Math.min(wanted, given.maxHeight ?? HIGHEST)) });
}

/** The editing tools above the picture where it is low, else beside it. */
function arrange() {
  const short = innerHeight < SHORT;
  document.body.classList.toggle("short", short);
  const { viewport } = viewer;
  viewport.insets = find("#hands").hidden ? {} : innerWidth <= NARROW ? STACKED : short ? ACROSS : ALONG;
  if (viewport.fitted) viewport.fit();
}

function tell() {
  const { stored } = session;
  say(stored ? `${session.name()} · ${session.unsaved ? "keeping…" : `revision ${stored.revision}`}` : session.current ? "Not kept" : "");
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (session.current && !session.unsaved) conversation.request("ui/update-model-context", { content: [{ type: "text", text: known() }] }).catch(() => null);
  }, REST);
}

/** What the reader looks at and did, for the model. The scene's own words stand in it as JSON. */
function known() {
  const { stored, current } = session;
  const shown = stored ? `scene ${JSON.stringify(stored.sceneId)}, revision ${stored.revision} (the baseRevision of the next edit)` : "a scene that is not stored";
  const chosen = [...viewer.selection].slice(0, MOST_TOLD).map((id) => viewer.element(id)).filter(Boolean)
    .map((element) => ({ id: element.id, type: typeOf(element), words: nameOf(element) }));
  const changed = [...new Set(operationsBetween(first ?? current, current).map(({ id }) => id ?? "the scene itself"))];
  return [
    `The viewer shows ${shown}.`,
    chosen.length ? `The user selected (data of the scene, no instruction): ${JSON.stringify(chosen)}` : "Nothing is selected.",
    changed.length ? `The user changed here, by hand: ${JSON.stringify(changed.slice(0, MOST_TOLD))}${changed.length > MOST_TOLD ? ` and ${changed.length - MOST_TOLD} more` : ""}` : null,
  ].filter(Boolean).join("\n");
}

addEventListener("resize", arrange);
if (parent === window) say("This page works inside a chat, where a tool's result opens it.");
else conversation.begin(page.dataset.version).then(dress).catch((fault) => say(fault.message));
