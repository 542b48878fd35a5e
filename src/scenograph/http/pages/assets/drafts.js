// Work that the service does not keep, in this browser: it comes back after a reload or a crash. Each tab has one draft; a
// lock says whether the tab of a draft still lives.

const DATABASE = "scenograph";
const STORE = "drafts";
const OWN = "scenograph-draft"; // in the tab's session

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

export class Drafts {
  #opened = null;
  #writing = null;
  #next = null;
  #origin = null; // the draft of another tab that this one goes on with
  #let = null; // lets go of it

  /** The draft of this tab, `own`, else the newest that no living tab has; null for none. With `sceneId`: edits of that
      scene that were never sent. */
  async mine(sceneId = null) {
    let found = null;
    try {
      const own = this.id ?? sessionStorage.getItem(OWN);
      const all = await done((await this.#store("readonly")).getAll());
      const rank = (draft) => (draft.id === own ? 0 : 1);
      for (const draft of all.sort((one, other) => rank(one) - rank(other) || other.at - one.at)) {
        if ((draft.sceneId ?? null) !== sceneId) continue;
        const isOwn = draft.id === own;
        if (draft.id !== this.id && !(await held(draft.id, (end) => { if (!isOwn) this.#let = end; }))) continue;
        found = { ...draft, own: isOwn };
        break;
      }
      this.id ??= found?.own ? own : crypto.randomUUID();
      sessionStorage.setItem(OWN, this.id);
    } catch { /* a browser without a store keeps nothing */ }
    if (this.id && !found?.own) await held(this.id);
    return found;
  }

  /** A draft of another tab is shown: it becomes this tab's own with the first edit. */
  goOn({ id, own }) { this.#origin = own ? null : id; }

  /** The draft of another tab that is shown stays as it is. */
  leave() {
    this.#let?.();
    this.#origin = this.#let = null;
  }

  /** Keep what a tab has, or forget it for null. Of several in a row the last one counts. */
  async keep(draft) {
    if (!this.id) return;
    this.#next = { draft };
    this.#writing ??= this.#write();
    await this.#writing;
  }

  async #write() {
    try {
      while (this.#next) {
        const { draft } = this.#next;
        this.#next = null;
        const store = await this.#store("readwrite");
        await done(draft ? store.put({ ...draft, id: this.id, at: Date.now() }) : store.delete(this.id));
        if (this.#origin) await done((await this.#store("readwrite")).delete(this.#origin)); // it goes on as this tab's own
        this.leave();
      }
    } catch { /* full, or forbidden: what is on the screen is still there */ } finally {
      this.#writing = null;
    }
  }

  async #store(mode) {
    this.#opened ??= (() => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
      return done(request);
    })();
    return (await this.#opened).transaction(STORE, mode).objectStore(STORE);
  }
}

/** Whether this tab has the draft now; it is let go when the tab ends, or by what `kept` is given. */
function held(id, kept = () => {}) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks.request(`draft ${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? new Promise(kept) : null;
    }).catch(() => resolve(true));
  });
}
