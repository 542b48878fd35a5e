// The public API, as any client sees it. The key lives here, in the tab's memory, and leaves it in one header alone. A
// browser that is signed in has a cookie instead, which no script can read.

const PATIENCE = 3; // how often a refusal that says when to come again is waited for
const LONGEST_WAIT = 30; // s
const RESERVE = 3; // requests of a budget that are left for other tabs, and for what cannot wait
const WORTH_TELLING = 3; // s; shorter waits are part of an ordinary pace

/** What the service refused, in its own words. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "";
    this.body = body;
    this.diagnostics = body.diagnostics ?? [];
  }

  /** Whether the same request may succeed later: nothing was wrong with it. */
  get isPassing() { return this.status === 0 || this.status === 429 || this.status >= 500; }
}

/** Tells a scene from those of the same id that others share. */
export const keyOf = ({ sceneId, owner = null }) => (owner ? `${owner}/${sceneId}` : sceneId);

/** The address of a scene in the service; `owner` for a scene that another account shares. */
export function sceneUrl({ sceneId, owner = null }, tail = "") {
  const url = `/v1/scenes/${encodeURIComponent(sceneId)}${tail}`;
  return owner ? `${url}${tail.includes("?") ? "&" : "?"}owner=${encodeURIComponent(owner)}` : url;
}

export class Service {
  #key = null;
  #inBrowser; // whether this browser is signed in, by its cookie
  #budgets = new Map(); // name → {left, rate, at}: requests left at a time (ms), and how many come back a second

  /** `local` services ask nobody for a key; `inBrowser` where this browser is signed in. `onwait` hears how many seconds a
      call waits, and 0 when it goes on; `onsigned` that this browser was signed in, or out, elsewhere. */
  constructor({ local = false, inBrowser = false, onwait = () => {}, onsigned = () => {} } = {}) {
    this.local = local;
    this.#inBrowser = inBrowser;
    this.onwait = onwait;
    this.onsigned = onsigned;
    this.tabs = new BroadcastChannel("scenograph sign-ins");
    this.tabs.addEventListener("message", ({ data }) => this.#signed(data));
    if (inBrowser) this.tabs.postMessage(true);
    this.others = new BroadcastChannel("scenograph budgets"); // tabs that draw on the same budgets
    this.others.addEventListener("message", ({ data }) => this.#know(data));
  }

  get signedIn() { return this.local || this.#key !== null || this.#inBrowser; }

  signIn(key) { this.#key = key; }

  /** Forget the key, which nothing outside this tab knows. */
  signOut() { this.#key = null; }

  /** End the session of this browser, or `everywhere` those of all browsers, and forget the key. */
  async leave({ everywhere = false } = {}) {
    if (this.#inBrowser || everywhere) await this.json("POST", "/v1/sign-out", { body: { everywhere } });
    this.signOut();
    if (!this.#inBrowser) return;
    this.#inBrowser = false;
    this.tabs.postMessage(false);
  }

  #signed(inBrowser) {
    if (this.#inBrowser === inBrowser) return;
    this.#inBrowser = inBrowser;
    if (this.#key === null) this.onsigned(inBrowser);
  }

  /** How long a request waits, ms, until at least `least` requests are left of what the service said. */
  room(least = RESERVE) {
    const waits = [...this.#budgets.values()].map(({ left, rate, at }) => {
      const now = left + ((performance.now() - at) / 1000) * rate;
      return now >= least || rate <= 0 ? 0 : ((least - now) / rate) * 1000;
    });
    return Math.min(LONGEST_WAIT * 1000, Math.max(0, ...waits));
  }

  /** Whether there is room for a request that could be left out. */
  get hasRoom() { return [...this.#budgets.values()].every(({ left, of }) => left > of / 2); }

  /** The reply to a call, once it is a success; a Refusal else. A call waits for its turn, a `patient` one until a reserve is left as
      well, and after a 429 or 503 as long as that says. A call `apart` counts in a budget of its own, which nothing else waits for. */
  async reply(method, path, { body, accept = "application/json", signal, headers = {}, apart = false, patient = false } = {}) {
    const asked = { Accept: accept, ...headers };
    if (this.#key) asked.Authorization = `Bearer ${this.#key}`;
    if (body !== undefined) asked["Content-Type"] = "application/json";
    const sent = { method, headers: asked, signal, cache: "no-store", credentials: this.#key === null && this.#inBrowser ? "same-origin" : "omit", referrerPolicy: "no-referrer" };
    if (body !== undefined) sent.body = JSON.stringify(body);
    for (let attempt = 0; ; attempt++) {
      if (!apart) await this.#turn(patient ? RESERVE : 1, signal);
      const reply = await fetch(path, sent).catch((fault) => {
        if (fault.name === "AbortError") throw fault;
        throw new Refusal(0, { error: "The service cannot be reached.", code: "unreachable" });
      });
      if (!apart) this.#learn(reply.headers);
      if (reply.ok) return reply;
      const wait = Number(reply.headers.get("Retry-After"));
      if (![429, 503].includes(reply.status) || apart || !wait || attempt >= PATIENCE || wait > LONGEST_WAIT) throw this.#noted(await refusalOf(reply));
      await this.#wait(wait, signal);
    }
  }

  /** Wait for the turn of a request, and take it: between the last look at the budgets and the request is no other one. */
  async #turn(least, signal) {
    for (let wait; (wait = this.room(least)) > 0;) await this.#wait(wait / 1000, signal);
    this.#spend();
  }

  async #wait(seconds, signal) {
    if (seconds >= WORTH_TELLING) this.onwait(Math.ceil(seconds));
    await pause(seconds * 1000, signal);
    if (seconds >= WORTH_TELLING) this.onwait(0);
  }

  #noted(refusal) {
    if (refusal.code === "session_ended") this.#signed(false);
    return refusal;
  }

  async json(method, path, options) { return (await this.reply(method, path, options)).json(); }

  /** What is left of each budget: the headers `RateLimit` and `RateLimit-Policy`. */
  #learn(headers) {
    const policies = rowsOf(headers.get("RateLimit-Policy"));
    const rows = [...rowsOf(headers.get("RateLimit"))].map(([name, { r }]) => [name, r, policies.get(name) ?? {}]).filter(([, , { q, w }]) => q && w);
    if (!rows.length) return;
    const known = rows.map(([name, left, { q, w }]) => [name, { left, of: q, rate: q / w }]);
    this.#know(known);
    this.others.postMessage(known);
  }

  /** A request that is under way counts, here and in the other tabs. */
  #spend() {
    const now = performance.now();
    const rows = [...this.#budgets].map(([name, { left, of, rate, at }]) => [name, { left: Math.min(of, left + ((now - at) / 1000) * rate) - 1, of, rate }]);
    if (!rows.length) return;
    this.#know(rows);
    this.others.postMessage(rows);
  }

  #know(rows) { for (const [name, budget] of rows) this.#budgets.set(name, { ...budget, at: performance.now() }); }
}

/** `"name";r=6;t=4, …` as name → {r: 6, t: 4}. */
function rowsOf(header) {
  return new Map((header ?? "").split(",").map((row) => {
    const [name, ...parts] = row.trim().split(";");
    return [name.replaceAll('"', ""), Object.fromEntries(parts.map((part) => part.trim().split("=")).map(([key, value]) => [key, Number(value)]))];
  }).filter(([name]) => name));
}

async function refusalOf(reply) {
  return new Refusal(reply.status, await reply.json().catch(() => ({})));
}

/** Some milliseconds; an AbortError when `signal` ends them. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}
