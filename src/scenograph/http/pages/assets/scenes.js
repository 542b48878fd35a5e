// With a key: the owner's scenes, found and opened; keeping, publishing, deleting.

import { announce, button, dialog, h } from "./dom.js";
import { keyOf, sceneUrl } from "./service.js";

const PAGE = 50;
const REST = 300;

/** The owner's scenes; resolves to {sceneId} of the one that was chosen, or {fresh: true} for a new one. */
export function chooseScene(service, session) {
  return dialog("Your scenes", (done) => {
    const list = h("ul", { class: "found scenes" });
    const more = button(null, "Show more", () => load(), { words: true, hidden: true, class: "outlined" });
    let cursor = null;
    let timer = null;
    const again = () => { cursor = null; return load(); };
    const field = h("input", { type: "search", autofocus: true, placeholder: "Find by name", "aria-label": "Title or id", oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(again, REST);
    } });
    const load = async () => {
      const asked = field.value;
      const query = new URLSearchParams({ limit: PAGE, ...(asked ? { q: asked } : {}), ...(cursor ? { cursor } : {}) });
      try {
        const { items, nextCursor } = await service.json("GET", `/v1/scenes?${query}`);
        if (field.value !== asked) return;
        if (!cursor) list.replaceChildren();
        list.append(...items.map((item) => row(item, { done, again, session })));
        if (!list.children.length) list.append(h("li", { class: "none" }, asked ? "No scene matches." : "There are no scenes yet."));
        cursor = nextCursor;
        more.hidden = !nextCursor;
      } catch (fault) {
        announce(fault.message);
      }
    };
    load();
    return [h("div", { class: "pair" }, field, button("plus", "New scene", () => done({ fresh: true }), { words: true, class: "outlined" })), list, more];
  }, { wide: true });
}

const ROLES = { viewer: "to look at", commenter: "to comment on", editor: "to edit" };

function row(item, { done, again, session }) {
  const changed = new Date(item.updatedAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  const title = item.title || item.sceneId;
  const act = (run) => async () => {
    try {
      await run();
      await again();
    } catch (fault) {
      announce(fault.message);
    }
  };
  return h("li", {}, h("button", { type: "button", class: "scene", onclick: () => done({ sceneId: item.sceneId, owner: item.owner?.accountId ?? null }) },
    h("span", {}, title), h("small", {}, `${item.owner ? `${item.owner.name} shares it, ${ROLES[item.role]} · ` : ""}${item.privacyStatus === "private" ? "" : `${item.privacyStatus} · `}revision ${item.revision} · ${changed}`)),
  button("copy", `Duplicate ${title}`, act(() => duplicated(session.service, item))),
  item.owner ? button("leave", `Leave ${title}`, act(() => left(session, item))) : button("trash", `Delete ${title}`, act(() => removed(session, item.sceneId))));
}

/** Leave a scene that somebody shares, after a question. What is open stays on the screen. */
async function left(session, { sceneId, title, owner }) {
  const sure = await dialog("Leave this scene?", (answer) => [
    h("p", {}, `${owner.name} shares ${title || sceneId}. You lose it from your list; ${owner.name} can share it with you again.`),
    h("div", { class: "row end" }, h("button", { type: "button", autofocus: true, onclick: () => answer(false) }, "Stay"), h("button", { type: "button", class: "danger outlined", onclick: () => answer(true) }, "Leave")),
  ]);
  if (!sure) return;
  const scene = { sceneId, owner: owner.accountId };
  await session.service.json("DELETE", sceneUrl(scene, "/grants/me"));
  if (session.stored && keyOf(session.stored) === keyOf(scene)) session.open(session.current);
  announce("You left the scene.");
}

/** The same scene under another id, with its places. */
async function duplicated(service, { sceneId, title, owner }) {
  const { scene, computed } = await service.json("GET", sceneUrl({ sceneId, owner: owner?.accountId }, "?computed=true"));
  const stem = sceneId.replace(/-copy(-\d+)?$/, "").slice(0, 110);
  for (let number = 1; ; number++) {
    const id = number === 1 ? `${stem}-copy` : `${stem}-copy-${number}`;
    const copy = { ...scene, scene: { ...scene.scene, id, title: `${title || sceneId} (copy)` }, computed };
    try {
      await service.json("POST", "/v1/scenes", { body: copy });
      return announce("Duplicated.");
    } catch (fault) {
      if (!["scene_exists", "scene_recently_deleted"].includes(fault.code) || number > 50) throw fault;
    }
  }
}

/** Publishing and its end, with what shows the scene elsewhere. */
export function share(session) {
  const { service, stored } = session;
  const path = sceneUrl(stored);
  return dialog("Share", (done) => {
    const content = h("div", { class: "sharing" });
    const act = async (verb, status) => {
      try {
        const reply = await service.json("POST", `${path}/${verb}`);
        stored.privacy = status;
        show(reply.publicUrl);
        announce(status === "public" ? "Published." : "Private again.");
      } catch (fault) {
        announce(fault.message);
      }
    };
    const show = (address = new URL(`/s/${encodeURIComponent(stored.sceneId)}`, location.href).href) => {
      if (stored.privacy !== "public") {
        return content.replaceChildren(
          h("p", {}, "Once the scene is published, everybody who has its address can see the latest revision. Only you see the earlier ones."),
          h("div", { class: "row end" }, h("button", { type: "button", class: "primary", onclick: () => act("publish", "public") }, "Publish")));
      }
      const frame = `<iframe src="${address}/embed" width="800" height="500" style="border:0" loading="lazy"></iframe>`;
      content.replaceChildren(
        copied("Address", address), copied("To embed", frame), copied("Picture", `${address}.svg`),
        h("div", { class: "row end" }, h("button", { type: "button", class: "danger", onclick: () => act("make-private", "private") }, "Make private"),
          h("a", { class: "button primary", href: address, target: "_blank", rel: "noopener" }, "Open")));
    };
    show();
    return [content, people(service, stored), h("button", { type: "button", class: "danger end", onclick: async () => {
      try {
        if (await removed(session, stored.sceneId)) done(null);
      } catch (fault) {
        announce(fault.message);
      }
    } }, "Delete this scene")];
  });
}

/** The people that a scene is shared with: a role each, by mail address or account. */
function people(service, stored) {
  const list = h("ul", { class: "people" });
  const grantee = h("input", { type: "text", required: true, autocomplete: "off", "aria-label": "Mail address or account", placeholder: "mail address or account" });
  const role = h("select", { "aria-label": "What they may do" }, Object.entries(ROLES).map(([name, words]) => h("option", { value: name }, words)));
  const act = (run) => async (event) => {
    event?.preventDefault();
    try {
      await run();
      await load();
    } catch (fault) {
      announce(fault.message);
    }
  };
  const grantOf = (name) => sceneUrl(stored, `/grants/${encodeURIComponent(name)}`);
  const load = async () => {
    const { items } = await service.json("GET", sceneUrl(stored, "/grants"));
    list.replaceChildren(...items.map((item) => {
      const name = item.email ?? item.accountId;
      return h("li", {}, h("span", {}, `${name}, ${ROLES[item.role]}`), button("close", `Stop sharing with ${name}`, act(() => service.json("DELETE", grantOf(name)))));
    }));
  };
  load().catch((fault) => announce(fault.message));
  return h("form", { class: "sharing", onsubmit: act(async () => {
    await service.json("PUT", grantOf(grantee.value.trim()), { body: { role: role.value } });
    grantee.value = "";
  }) }, h("h3", {}, "Share with people"), list, grantee, h("div", { class: "pair" }, role, h("button", { type: "submit", class: "outlined" }, "Share")));
}

/** Whether a scene was deleted, after a question. What is open stays on the screen. */
async function removed(session, sceneId) {
  const sure = await dialog("Delete this scene?", (answer) => [
    h("p", {}, "You can restore it within 24 hours. After that it is gone."),
    h("div", { class: "row end" }, h("button", { type: "button", onclick: () => answer(false) }, "Keep it"), h("button", { type: "button", class: "danger outlined", autofocus: true, onclick: () => answer(true) }, "Delete")),
  ]);
  if (!sure) return false;
  await session.service.json("DELETE", sceneUrl({ sceneId }));
  const isOpen = session.stored?.sceneId === sceneId && !session.stored.owner;
  if (isOpen) session.open(session.current);
  announce("Deleted.", { action: { label: "Undo", run: async () => {
    try {
      await session.service.json("POST", `${sceneUrl({ sceneId })}/undelete`);
      if (isOpen) await session.openStored({ sceneId });
    } catch (fault) {
      announce(fault.message);
    }
  } } });
  return true;
}

function copied(title, value) {
  const field = h("input", { type: "text", readonly: true, value, onfocus: (event) => event.target.select() });
  return h("label", { class: "field" }, h("span", {}, title), h("span", { class: "pair" }, field,
    button(null, "Copy", async () => { await navigator.clipboard.writeText(value); announce("Copied."); }, { words: true, class: "outlined" })));
}
