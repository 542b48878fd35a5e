// The studio: a canvas with hands on it, text beside it, and with a key the scenes of its owner, live.

import { follow, fragmentOf } from "./address.js";
import { announce, button, dialog, find, h } from "./dom.js";
import { Drafts } from "./drafts.js";
import { Hands } from "./hands.js";
import { Others } from "./others.js";
import { Palette } from "./palette.js";
import { Presence } from "./presence.js";
import { Service, keyOf } from "./service.js";
import { Session, blank } from "./session.js";
import { Viewer } from "./viewer.js";

const page = document.documentElement.dataset;
const ROLES = { viewer: "to look at", commenter: "to comment on", editor: "to edit" };
const WIDE = matchMedia("(min-width: 900px)");
const ADDRESS = /^\/scenes\/([^/]+)$/;
const service = new Service({ local: page.local === "true", inBrowser: page.signed === "true", onwait: (seconds) => { waiting = seconds; tell(); }, onsigned });
let waiting = 0; // s that the service asks for
const session = new Session(service, { settle: async (conflicts) => (await import("./settling.js")).settle(session, conflicts) });
const scenesOf = () => import("./scenes.js"); // what is not there at first comes when it is asked for
const accountOf = () => import("./account.js");
const drafts = new Drafts();
const stage = find("#stage");
const viewer = new Viewer({ stage, tools: find("#tools"), details: find("#details"), source: session });
const presence = new Presence({ list: find("#people"), layer: find("#pointers"), session, viewer });
const others = new Others(viewer, (accountId) => presence.nameOf(accountId));
const types = JSON.parse(find("#types").textContent);
const hands = new Hands({ stage, tools: find("#hands"), viewer, session });
const palette = new Palette(find("#palette"), { hands, types: types.nodes });
const [{ Source }, examples] = await Promise.all([import("./source.js"), fetch(new URL("examples/index.json", import.meta.url)).then((reply) => reply.json())]);
const source = new Source(find("#source"), { session, viewer, examples, mayReplace: () => mayReplace(), followed: () => remember() });

// A picture that is fitted stands clear of the palette, the tools, and the comments that lie over it.
const NARROW = matchMedia("(max-width: 640px)");
const DOCKED = matchMedia("(min-width: 1120px)"); // the comments have a column of their own
const ROOMY = matchMedia("(min-width: 1500px)"); // for the panel of the selection beside the comments
const talk = find("#comments");
const clear = () => {
  const over = !talk.hidden && !DOCKED.matches;
  viewer.viewport.insets = NARROW.matches ? { top: 66, bottom: over ? talk.offsetHeight + 12 : 130 } : { left: 160, top: 66, ...(over ? { right: talk.offsetWidth + 16 } : {}) };
  if (viewer.viewport.fitted) viewer.viewport.fit();
};
for (const size of [NARROW, DOCKED]) size.addEventListener("change", clear);
clear();

// The card of an element holds its properties as well. Beside open comments, which are then on what is selected, it has no room.
const card = viewer.card.bind(viewer);
const crowded = () => !talk.hidden && !ROOMY.matches;
let inspector = null;
viewer.card = (element) => (crowded() ? [] : [...card(element), ...(hands.frozen || !inspector ? [] : [inspector.fields(element)].filter(Boolean))]);
viewer.cardOfSeveral = (ids) => (crowded() || hands.frozen || !inspector ? [] : inspector.several(ids, hands.commands));
viewer.addEventListener("select", async () => {
  const { Inspector } = await import("./inspector.js");
  if (inspector) return;
  inspector = new Inspector({ session, viewer, types });
  inspector.commands = hands.commands;
  viewer.showDetails();
}, { once: true });
hands.pasted = (text) => source.read(text);
hands.addressOf = (id) => new URL(`${pathOf(session.stored)}#${encodeURIComponent(id)}`, location.href).href;

// What is drawn follows the session -------------------------------------------------------------------------------

let opened = true;
let restoring = false;
session.addEventListener("open", () => {
  viewer.folded.clear();
  viewer.focused = null;
  viewer.selection = new Set();
  opened = true;
  if (!restoring) drafts.leave();
});
for (const name of ["open", "change", "merged"]) {
  session.addEventListener(name, () => {
    viewer.document = session.current;
    document.body.classList.toggle("empty", !session.current?.elements?.length);
    if (opened && session.isBlank) viewer.viewport.rest();
    else if (opened) viewer.viewport.fitted = true;
    else if (name === "change" && !source.writing) viewer.viewport.fitted = false; // what is under the pointer stays there
    opened = false;
    if (session.current) viewer.redraw().then(() => viewer.showDetails(0));
    else viewer.showDetails(0);
    remember();
    tell();
  });
}
session.addEventListener("merged", (event) => others.merged(event.detail.conflicts > 0));
session.addEventListener("refused", () => announce(`Not kept: ${session.problem.message}`, { action: { label: "Try again", run: () => session.save() } }));
session.addEventListener("retry", () => viewer.redraw());
session.addEventListener("stored", () => others.own());
for (const name of ["stored", "saving"]) session.addEventListener(name, () => { remember(); tell(); });
addEventListener("online", () => viewer.redraw());
viewer.addEventListener("drawn", () => {
  const fragment = fragmentOf(viewer) || (viewer.view || location.hash.includes("=") ? "" : location.hash);
  if (session.stored && fragment !== location.hash) history.replaceState(null, "", `${location.pathname}${location.search}${fragment}`);
});

function tell() {
  const { stored, current, state } = session;
  const title = current?.scene?.title ?? "";
  const field = find("#title");
  if (document.activeElement !== field) field.value = title;
  const kept = () => `Kept, revision ${stored.revision}${stored.privacy === "public" ? " · public" : ""}${stored.role && stored.role !== "editor" ? ` · yours ${ROLES[stored.role]}` : ""}`;
  find("#state").textContent = waiting ? `Going on in ${waiting} s…` : { offline: "Offline: edits wait", unkept: session.isBlank ? "" : "Not kept", keeping: "Keeping…", kept: state === "kept" ? kept() : "" }[state];
  document.body.dataset.state = state;
  document.title = title || stored ? `${title || current.scene.id} · Scenograph` : "Scenograph";
  for (const [name, shown] of Object.entries({ history: stored, comments: stored, share: stored && !stored.owner, keep: !stored && !session.isBlank })) actions[name].hidden = !shown;
  actions.key.hidden = service.signedIn;
  actions.account.hidden = !service.signedIn || service.local;
  actions.scenes.hidden = !service.signedIn;
  actions.fresh.classList.toggle("spare", Boolean(stored)); // Scenes has it too
  find("#title").readOnly = hands.frozen;
  // Before the first view stands, a draft or a kept scene would take the place of the words.
  source.field.readOnly = find("#main").inert || !session.mayEdit;
  find("#wanted").hidden = !wanted;
  locate();
  watch();
}

/** Work that nobody keeps, and edits that are not sent, stay in this browser. */
function remember() {
  if (session.isUntouched) return;
  const worth = session.isEditable && (session.stored ? session.unsaved : session.unkept || (session.canUndo && session.current.elements.length > 0));
  drafts.keep(worth ? { ...session.remembered, text: source.remembered } : null);
}

// The address -----------------------------------------------------------------------------------------------------

/** The address of a scene in the studio; `owner` for a scene that another account shares. */
const pathOf = ({ sceneId, owner = null }) => `/scenes/${encodeURIComponent(sceneId)}${owner ? `?owner=${encodeURIComponent(owner)}` : ""}`;
let wanted = sceneOf(location); // the scene of the address, while it cannot be opened
let located = wanted && keyOf(wanted);

function sceneOf({ pathname, search }) {
  const [, id] = ADDRESS.exec(pathname) ?? [];
  try {
    return id === undefined ? null : { sceneId: decodeURIComponent(id), owner: new URLSearchParams(search).get("owner") };
  } catch {
    return null;
  }
}

/** The address of what is open; a scene that waits for a key keeps its own. */
function locate() {
  const scene = session.stored ?? wanted;
  const key = scene && keyOf(scene);
  if (key === located) return;
  located = key;
  history.pushState(null, "", scene ? pathOf(scene) : "/");
}

async function openWanted() {
  if (!wanted || !service.signedIn) return;
  const scene = wanted;
  try {
    const mine = await drafts.mine(keyOf(scene));
    await session.openStored(scene, { mine });
    wanted = null;
    await viewer.redraw();
    await follow(viewer, location.hash);
  } catch (fault) {
    if (fault.status === 404) announce("There is no scene of this address for this key.");
    else announce(fault.message);
  }
  tell();
}

addEventListener("popstate", async () => {
  const scene = sceneOf(location);
  const key = scene && keyOf(scene);
  if (key === located) return;
  if (!(await mayReplace())) return history.forward();
  located = key;
  wanted = scene;
  if (!scene) session.open(blank());
  else await openWanted();
});
addEventListener("hashchange", () => follow(viewer, location.hash));

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
  fresh: button("plus", "New", attempt(startAnew), { words: true }),
  comments: button("comment", "Comments", attempt(async () => { const list = await commentsOf(); list.open(!list.isOpen); }), { words: true, "aria-controls": "comments" }),
  history: button("history", "History", attempt(async () => (await timelineOf()).open()), { words: true }),
  scenes: button("folder", "Scenes", attempt(scenes), { words: true }),
  share: button("share", "Share", attempt(async () => { await (await scenesOf()).share(session); tell(); }), { words: true }),
  key: button("key", "Sign in", attempt(enter), { words: true }),
  account: button("person", "Account", attempt(account), { words: true }),
  keep: h("button", { type: "button", class: "primary", onclick: attempt(keep) }, "Keep"),
};
find("#actions").append(...Object.values(actions));
find("#actions").classList.add("words");

let timeline = null;

async function timelineOf() {
  const { Timeline } = await import("./timeline.js");
  return (timeline ??= new Timeline(find("#timeline"), { session, viewer, nameOf: others.nameOf }));
}

// Comments --------------------------------------------------------------------------------------------------------

let comments = null;

async function commentsOf() {
  const { Comments } = await import("./comments.js");
  return (comments ??= new Comments({ panel: find("#comments"), pins: find("#pins"), session, viewer, who: presence, toggled: () => { clear(); viewer.showDetails(0); }, counted: (open) => {
    const words = open ? `Comments, ${open} open` : "Comments";
    find("span", actions.comments).textContent = open ? `Comments ${open}` : "Comments";
    actions.comments.setAttribute("aria-label", words);
    actions.comments.setAttribute("aria-pressed", String(!talk.hidden));
  } }));
}

/** A comment on what is selected, else on a place of the window or under the pointer. */
hands.comment = attemptWith(async (there = hands.pointer && { x: hands.pointer.clientX, y: hands.pointer.clientY }) => {
  if (!session.stored) return announce("Keep the scene first; then you can comment on it.");
  const list = await commentsOf();
  if (!list.mayWrite) return announce("You can look at this scene and its comments; its owner can let you comment.");
  const [id] = viewer.selection;
  const { x, y } = stage.getBoundingClientRect();
  list.begin(id !== undefined ? { elementId: id } : { at: there && viewer.viewport.toPicture({ x: there.x - x, y: there.y - y }) });
});

/** Whether another scene may take the place of what is open: a question where that would be lost. */
async function mayReplace({ unsent = false } = {}) {
  if (!session.unkept && !unsent) return true;
  const words = unsent ? "Some edits have not reached the service yet. They would be lost." : "It is not kept anywhere. Keep or download it first, or let it go.";
  return (await dialog(unsent ? "Leave these edits?" : "Replace this diagram?", (answer) => [
    h("p", {}, words),
    h("div", { class: "row end" }, h("button", { type: "button", autofocus: true, onclick: () => answer(false) }, "Go on with it"),
      h("button", { type: "button", class: "danger outlined", onclick: () => answer(true) }, unsent ? "Leave" : "Replace")),
  ])) === true;
}

async function startAnew() {
  if (!(await mayReplace())) return;
  wanted = null;
  session.open(blank());
  stage.focus();
}

async function scenes() {
  const chosen = await (await scenesOf()).chooseScene(service, session);
  if (!chosen || !(await mayReplace())) return;
  wanted = null;
  if (chosen.fresh) session.open(blank());
  else await session.openStored(chosen);
  stage.focus();
}

async function enter() {
  if (!(await (await accountOf()).signIn(service))) return;
  announce("Signed in.");
  tell();
  await openWanted();
}

/** This browser was signed in, or out, in another tab or by the service. What is open stays on the screen. */
function onsigned(isIn) {
  if (!find("#actions").childElementCount) return; // the first view, which is not there yet, shows it
  if (isIn) find("dialog[aria-label='Sign in']")?.close();
  announce(isIn ? "Signed in." : "This browser is not signed in any more.");
  tell();
  openWanted();
}

async function account() {
  const chosen = await (await accountOf()).account(service);
  if (chosen) await leave(chosen === "everywhere");
}

/** The key and the session are over, and with them what only they show. */
async function leave(everywhere) {
  await session.work.idle();
  if (session.unsaved && !(await mayReplace({ unsent: true }))) return;
  await service.leave({ everywhere });
  wanted = null;
  if (session.stored) session.open(blank());
  announce("Signed out.");
  tell();
}

/** Keep the scene; under another id where its own is taken. */
async function keep() {
  if (session.isBlank) return;
  if (session.stored) return session.save();
  if (!service.signedIn && !(await (await accountOf()).signIn(service))) return;
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

const title = find("#title");
title.addEventListener("change", () => {
  const { scene } = session.current;
  const { title: _title, ...rest } = scene;
  const words = title.value.trim();
  session.change({ ...session.current, scene: words ? { ...rest, title: words } : rest }, "Rename the scene");
});
title.addEventListener("keydown", (event) => {
  if (event.key === "Escape") title.value = session.current.scene?.title ?? "";
  if (event.key === "Escape" || event.key === "Enter") stage.focus();
});

// Others' edits ---------------------------------------------------------------------------------------------------

let watching = { key: null, end: new AbortController() };

async function watch() {
  const { stored } = session;
  const key = stored ? keyOf(stored) : null;
  if (key === watching.key) return;
  watching.end.abort();
  watching = { key, end: new AbortController() };
  if (!stored) return;
  const { signal } = watching.end;
  commentsOf().then((list) => list.show());
  const { listen } = await import("./live.js");
  if (!signal.aborted) listen(service, stored, () => session.stored?.revision ?? 1, {
    tab: service.local ? null : presence.tab,
    signal,
    heard: {
      message: attemptWith((news) => {
        if (news.revision > session.stored.revision) others.heard(news); // not one's own
        return session.heard(news.revision);
      }),
      comments: () => comments?.heard(),
      presence: (news) => presence.heard(news),
      grants: ({ role }) => granted(stored, role),
    },
    over: (reason) => { presence.heard({ you: null, people: [] }); announce(OVER[reason] ?? "This key can no longer open the scene."); },
  });
}

const OVER = { deleted: "This scene was deleted elsewhere. What you see is not stored.", grant_withdrawn: "You can no longer open the scene: it is not shared with you any more. What you see is not stored." };

/** Another role on a shared scene, from now on. */
function granted(stored, role) {
  if (!stored.owner || role === stored.role || session.stored !== stored) return;
  stored.role = role;
  announce(`The scene is yours ${ROLES[role]} now.`);
  session.dispatchEvent(new Event("change"));
}

function attemptWith(act) { return (value) => act(value).catch((fault) => { if (!fault.isPassing) announce(fault.message); }); }

// Keys and the clipboard ------------------------------------------------------------------------------------------

const writing = (event) => event.target.closest?.("input, textarea, select, dialog, [role=menu]");
const CONTROLS = "button, a, summary";

// The keys of the picture work wherever the focus is, except where they would mean something else.
addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return;
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key.toLowerCase() === "s") {
    event.preventDefault();
    return attempt(keep)();
  }
  if (writing(event) || stage.contains(event.target)) return;
  const isLetter = event.key.length === 1 && event.key !== " ";
  if (event.target.closest?.(CONTROLS) && !control && !isLetter) return;
  if (event.key === "Tab") return;
  if (!hands.keyed(event)) viewer.keyed(event);
});

const marked = () => String(getSelection()) !== "";
for (const name of ["copy", "cut"]) {
  addEventListener(name, (event) => {
    const text = writing(event) || marked() ? null : hands.clipboard.copied();
    if (text === null) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", text);
    if (name === "cut" && !hands.frozen) hands.clipboard.cut();
  });
}
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain");
  if (writing(event) || !text?.trim()) return;
  event.preventDefault();
  if (!hands.clipboard.paste(text)) source.read(text);
});
addEventListener("beforeunload", (event) => { if (session.unsaved) event.preventDefault(); });

// The first view --------------------------------------------------------------------------------------------------

find("#hint").append(button("code", "Paste or write text", () => showText(true), { words: true, class: "outlined" }));
showText(WIDE.matches);
session.open(blank());
// Nothing takes a gesture yet: the draft, or the kept scene, would take its place.
if (wanted) await openWanted();
else {
  const draft = await drafts.mine();
  if (draft) {
    restoring = true;
    session.remember(draft, { untouched: !draft.own });
    restoring = false;
    if (draft.text) await source.goOn(draft.text);
    drafts.goOn(draft);
    announce("What you drew is back. It is kept in this browser only.");
  }
}
find("#main").inert = false;
stage.focus({ preventScroll: true });
palette.show();
tell();
