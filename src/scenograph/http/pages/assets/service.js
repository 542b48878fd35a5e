// The public API, as any client sees it. The key lives here, in the tab's memory, and leaves it in one header alone.

const PATIENCE = 3; // how often a refusal that says when to come again is waited for
const LONGEST_WAIT = 30;

/** What the service refused, in its own words. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body.error ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "";
    this.body = body;
    this.diagnostics = body.diagnostics ?? [];
  }
}

export class Service {
  #key = null;

  /** `local` services ask nobody for a key. `onwait` hears how many seconds a call waits, and 0 when it goes on. */
  constructor({ local = false, onwait = () => {} } = {}) {
    this.local = local;
    this.onwait = onwait;
  }

  get signedIn() { return this.local || this.#key !== null; }

  signIn(key) { this.#key = key; }

  signOut() { this.#key = null; }

  /** The reply to a call, once it is a success; a Refusal else. A 429 or 503 that says when is waited for. */
  async reply(method, path, { body, accept = "application/json", signal, headers = {} } = {}) {
    const asked = { Accept: accept, ...headers };
    if (this.#key) asked.Authorization = `Bearer ${this.#key}`;
    if (body !== undefined) asked["Content-Type"] = "application/json";
    const sent = { method, headers: asked, signal, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" };
    if (body !== undefined) sent.body = JSON.stringify(body);
    for (let attempt = 0; ; attempt++) {
      const reply = await fetch(path, sent).catch((fault) => {
        if (fault.name === "AbortError") throw fault;
        throw new Refusal(0, { error: "The service cannot be reached.", code: "unreachable" });
      });
      if (reply.ok) return reply;
      const wait = Number(reply.headers.get("Retry-After"));
      if (![429, 503].includes(reply.status) || !wait || attempt >= PATIENCE || wait > LONGEST_WAIT) throw await refusalOf(reply);
      this.onwait(wait);
      await pause(wait * 1000, signal);
      this.onwait(0);
    }
  }

  async json(method, path, options) { return (await this.reply(method, path, options)).json(); }
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
