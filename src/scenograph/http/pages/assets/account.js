// Signing in and out, and the account: what it may hold, its keys, its browsers.

import { announce, button, dialog, h } from "./dom.js";

const offers = (way) => way in document.documentElement.dataset; // the ways in that the service has
const UNITS = ["bytes", "kB", "MB", "GB"];
const MOST_LETTERS = 100; // of a key's name

/** Asks who is there: by a mailed link, the organization or a key. Resolves to true once a key is known to open. */
export function signIn(service) {
  return dialog("Sign in", (done) => [byMail(service), byOrganization(), byKey(service, done)].filter(Boolean));
}

function byMail(service) {
  if (!offers("mail")) return null;
  const field = h("input", { type: "email", autofocus: true, required: true, autocomplete: "email", placeholder: "you@example.org" });
  const told = h("p", { class: "quiet", role: "status" }, "You get a mail with a link, and stay signed in in this browser.");
  const wrong = h("p", { class: "error", role: "alert" });
  return h("form", { onsubmit: tried(wrong, async () => {
    await service.json("POST", "/v1/sign-in", { body: { email: field.value.trim() }, apart: true });
    told.textContent = "If this address has an account, the mail is on its way. Open its link in this browser within 15 minutes.";
  }) }, h("label", { class: "field" }, h("span", {}, "E-mail address"), field), told, wrong,
  h("div", { class: "row end" }, h("button", { class: "primary" }, "Send me a link")));
}

function byOrganization() {
  if (!offers("oidc")) return null;
  const back = new URLSearchParams({ returnTo: location.pathname + location.search });
  return h("div", { class: "way" }, h("a", { class: "button", href: `/v1/oidc/start?${back}` }, "Sign in with your organization"));
}

function byKey(service, done) {
  const others = Boolean(offers("mail") || offers("oidc"));
  const field = h("input", { type: "password", autofocus: !offers("mail"), autocomplete: "off", spellcheck: "false", placeholder: "dsp_sk_…", "aria-label": "API key", required: true });
  const wrong = h("p", { class: "error", role: "alert" });
  return h("form", { class: others ? "way" : null, onsubmit: tried(wrong, async () => {
    service.signIn(field.value.trim());
    try {
      await service.json("GET", "/v1/scenes?limit=1");
      done(true);
    } catch (fault) {
      service.signOut();
      field.select();
      throw fault;
    }
  }) }, h("p", { class: "quiet" }, `${others ? "Or with an API key: it" : "The key"} stays in this tab. It is forgotten when you close the tab.`), field, wrong,
  h("div", { class: "row end" }, h("button", { class: others ? "outlined" : "primary" }, "Sign in")));
}

/** The account; resolves to "out" or "everywhere" for who wants to sign out. */
export function account(service) {
  return dialog("Account", (done) => {
    const about = h("p", {});
    const uses = h("dl", { class: "uses" });
    const keys = h("ul", { class: "found" });
    const made = h("p", { class: "made", role: "status" });
    const load = async () => {
      const told = await service.json("GET", "/v1/account");
      about.replaceChildren(told.email ?? told.accountId, ...(told.emailVerifiedAt || !told.email ? [] : [h("small", {}, " not confirmed yet")]));
      uses.replaceChildren(...[["Scenes", told.scenes, counted], ["Stored", told.storedBytes, sized], ["Keys", told.keys, counted]].map(([name, { used, limit }, shown]) =>
        h("div", {}, h("dt", {}, name), h("dd", {}, limit === null ? shown(used) : `${shown(used)} of ${shown(limit)}`))));
      const { items } = await service.json("GET", "/v1/auth/keys");
      keys.replaceChildren(...items.map((key) => rowOf(key, { service, load, made })));
    };
    const name = h("input", { type: "text", required: true, maxlength: MOST_LETTERS, placeholder: "build server", "aria-label": "What the new key is for" });
    const wrong = h("p", { class: "error", role: "alert" });
    const adding = h("form", { onsubmit: tried(wrong, async () => {
      const { key } = await service.json("POST", "/v1/auth/keys", { body: { name: name.value } });
      name.value = "";
      made.replaceChildren("Copy the new key now; it is shown this once. ", h("code", {}, key), " ", button("copy", "Copy the key", () => navigator.clipboard.writeText(key).then(() => announce("Copied."))));
      await load();
    }) }, h("div", { class: "pair" }, name, h("button", { class: "outlined" }, "Make a key")), wrong);
    load().catch((fault) => { wrong.textContent = fault.message; });
    return [about, uses, h("h3", {}, "API keys"), keys, made, adding, h("div", { class: "row end" },
      h("button", { type: "button", class: "danger", onclick: () => done("everywhere") }, "Sign out everywhere"),
      h("button", { type: "button", class: "primary", onclick: () => done("out") }, "Sign out"))];
  });
}

function rowOf(key, { service, load, made }) {
  const used = key.lastUsedAt ? `used ${day(key.lastUsedAt)}` : "never used";
  const revoke = async () => {
    const sure = await dialog("Revoke this key?", (answer) => [
      h("p", {}, `What uses ${key.name} can open nothing any more. This cannot be undone.`),
      h("div", { class: "row end" }, h("button", { type: "button", autofocus: true, onclick: () => answer(false) }, "Keep it"), h("button", { type: "button", class: "danger outlined", onclick: () => answer(true) }, "Revoke")),
    ]);
    if (!sure) return;
    try {
      await service.json("DELETE", `/v1/auth/keys/${encodeURIComponent(key.id)}`);
      made.replaceChildren();
      await load();
    } catch (fault) {
      announce(fault.message);
    }
  };
  return h("li", {}, h("span", { class: "scene" }, h("span", {}, key.name), h("small", {}, `made ${day(key.createdAt)} · ${used}`)), button("trash", `Revoke ${key.name}`, revoke));
}

const counted = (number) => number.toLocaleString();

const day = (time) => new Date(time).toLocaleDateString(undefined, { dateStyle: "medium" });

function sized(bytes) {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)));
  return `${Math.round((bytes / 1000 ** power) * 10) / 10} ${UNITS[power]}`;
}

/** A form's action; a refusal is told in the form. */
function tried(wrong, act) {
  return async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      await act();
    } catch (fault) {
      wrong.textContent = fault.message;
    }
  };
}
