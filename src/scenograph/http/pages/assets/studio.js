// The studio: text beside picture, hands on it, and with a key the scenes of its owner, live.

import { announce, button, dialog, find, h } from "./dom.js";
import { Hands } from "./hands.js";
import { Inspector } from "./inspector.js";
import { listen } from "./live.js";
import { chooseScene, mayReplace, share, signIn } from "./scenes.js";
import { Service } from "./service.js";
import { Session } from "./session.js";
import { settle } from "./settling.js";
import { Source } from "./source.js";
import { Timeline } from "./timeline.js";
import { Viewer } from "./viewer.js";

const page = document.documentElement.dataset;
const WIDE = matchMedia("(min-width: 900px)");
const service = new Service({ local: page.local === "true", onwait: (seconds) => { if (seconds) announce(`The service asks to wait ${seconds} s. Nothing is lost.`); } });
const session = new Session(service, { settle: (conflicts) => settle(session, conflicts) });
const stage = find("#stage");
const viewer = new Viewer({ stage, tools: find("#tools"), details: find("#details"), source: session });
const inspector = new Inspector({ session, viewer });
const hands = new Hands({ stage, tools: find("#hands"), viewer, session });
const timeline = new Timeline(find("#timeline"), { session, viewer });
const examples = await (await fetch(new URL("examples/index.json", import.meta.url))).json();
const source = new Source(find("#source"), { session, viewer, examples });

// The card of an element holds its properties as well.
const card = viewer.card.bind(viewer);
viewer.card = (element) => [...card(element), ...(hands.frozen ? [] : [inspector.fields(element)].filter(Boolean))];

// What is drawn follows the session -------------------------------------------------------------------------------

let opened = true;
session.addEventListener("open", () => {
  viewer.folded.clear();
  viewer.focused = null;
  viewer.selection = new Set();
  opened = true;
});
for (const name of ["open", "change", "merged"]) {
  session.addEventListener(name, () => {
    viewer.document = session.current;
    document.body.classList.toggle("empty", !session.current);
    if (session.current) {
      if (opened) viewer.viewport.fitted = true;
      opened = false;
      viewer.redraw().then(() => viewer.showDetails(0));
    }
    tell();
  });
}
session.addEventListener("merged", (event) => announce(event.detail.conflicts ? "Merged; the choice is kept." : "Somebody else's edit was merged."));
session.addEventListener("refused", () => announce(`Not kept: ${session.problem.message}`, { action: { label: "Try again", run: () => session.save() } }));
for (const name of ["stored", "saving"]) session.addEventListener(name, () => tell());

function tell() {
  const { stored, current } = session;
  find("#title").textContent = current?.scene?.title || current?.scene?.id || "Untitled";
  find("#state").textContent = !stored ? (current ? "Not kept" : "") : session.unsaved ? "Keeping…" : `Kept, revision ${stored.revision}${stored.privacy === "public" ? " · public" : ""}`;
  document.title = current ? `${find("#title").textContent} · Scenograph` : "Scenograph";
  for (const [name, shown] of Object.entries({ history: stored, share: stored, keep: current && !stored })) actions[name].hidden = !shown;
  actions.key.hidden = service.signedIn;
  actions.scenes.hidden = !service.signedIn;
  watch();
}

// The actions of the bar ------------------------------------------------------------------------------------------

const attempt = (act) => async () => {
  try {
    await act();
  } catch (fault) {
    announce(fault.message);
  }
};

const actions = {
  text: button("code", "Text", () => showText(!document.body.classList.contains("with-source")), { words: true }),
  history: button("history", "History", () => timeline.open(), { words: true }),
  scenes: button("folder", "Scenes", attempt(async () => {
    const chosen = await chooseScene(service);
    if (chosen && (await mayReplace(session))) await session.openStored(chosen);
  }), { words: true }),
  key: button("key", "Sign in", attempt(async () => { if (await signIn(service)) { announce("Signed in."); tell(); } }), { words: true }),
  share: button("share", "Share", attempt(async () => { await share(session); tell(); }), { words: true }),
  keep: h("button", { type: "button", class: "primary", onclick: attempt(keep) }, "Keep"),
};
find("#actions").append(...Object.values(actions));
find("#actions").classList.add("words");

/** Keep the scene; under another id where its own is taken. */
async function keep() {
  if (!service.signedIn && !(await signIn(service))) return;
  try {
    await session.create();
  } catch (fault) {
    if (fault.code !== "scene_exists" && fault.code !== "scene_recently_deleted") throw fault;
    const id = await dialog("This id is taken", (done) => {
      const field = h("input", { type: "text", value: `${session.name()}-2`, autofocus: true, required: true, pattern: "[A-Za-z0-9][A-Za-z0-9._~:\\-]{0,127}", "aria-label": "Another id" });
      return h("form", { onsubmit: (event) => { event.preventDefault(); done(field.value); } }, h("p", { class: "quiet" }, fault.message), field,
        h("div", { class: "row end" }, h("button", { class: "primary" }, "Keep")));
    });
    if (!id) return;
    session.current = { ...session.current, scene: { ...session.current.scene, id } };
    await keep();
    source.show();
  }
  announce("Kept. Every edit from now on is kept as a revision.");
}

function showText(shown) {
  document.body.classList.toggle("with-source", shown);
  actions.text.setAttribute("aria-pressed", String(shown));
  if (shown) source.field.focus();
}

// Others' edits ---------------------------------------------------------------------------------------------------

let watching = { sceneId: null, end: new AbortController() };

function watch() {
  const sceneId = session.stored?.sceneId ?? null;
  if (sceneId === watching.sceneId) return;
  watching.end.abort();
  watching = { sceneId, end: new AbortController() };
  if (!sceneId) return;
  listen(service, sceneId, () => session.stored?.revision ?? 1, {
    signal: watching.end.signal,
    heard: attemptWith((revision) => session.heard(revision)),
    over: (reason) => announce(reason === "deleted" ? "This scene was deleted elsewhere. What you see is not stored." : "This key can no longer open the scene."),
  });
}

function attemptWith(act) { return (value) => act(value).catch((fault) => announce(fault.message)); }

// Keys, pasting and the first view --------------------------------------------------------------------------------

const writing = (event) => event.target.closest?.("input, textarea, select, dialog");
addEventListener("keydown", (event) => {
  if (writing(event) || !(event.ctrlKey || event.metaKey) || hands.frozen) return;
  const key = event.key.toLowerCase();
  if (key === "z") (event.shiftKey ? session.redo() : session.undo());
  else if (key === "y") session.redo();
  else return;
  event.preventDefault();
});
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain");
  if (writing(event) || !text?.trim()) return;
  event.preventDefault();
  source.read(text);
});
addEventListener("beforeunload", (event) => { if (session.unsaved) event.preventDefault(); });

function welcome() {
  const first = examples.flatMap((group) => group.items).slice(0, 8);
  return h("div", { class: "welcome" },
    h("h2", {}, "Paste a diagram, see it at once"),
    h("p", {}, "Mermaid, SQL tables, BPMN, draw.io or scene JSON. Nothing is kept until you say so."),
    h("p", { class: "row" }, h("button", { type: "button", class: "primary", onclick: () => showText(true) }, "Paste or write text")),
    h("h3", {}, "Or begin with an example"),
    h("ul", { class: "examples" }, first.map((item) => h("li", {}, h("button", { type: "button", onclick: attempt(() => source.example(item.file)) }, h("b", {}, item.title), h("small", {}, item.hint))))));
}

stage.after(welcome());
document.body.classList.add("empty");
showText(WIDE.matches);
source.field.blur();
tell();
