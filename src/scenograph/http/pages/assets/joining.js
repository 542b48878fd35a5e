// Work that is asked for more often than it need be done: one run at a time, and one for all that was asked meanwhile.

import { pause } from "./service.js";

export class Joined {
  #running = null;
  #next = null;
  #last = -Infinity;

  /** `run()` does the work; from the start of one run to the next are at least `rest` ms, and as many more as `room()` says. */
  constructor(run, { rest, room = () => 0 }) {
    Object.assign(this, { run, rest, room });
  }

  /** Ask for the work; resolves to what the run that began after the question gave. */
  call() { return (this.#next ??= this.#soon()); }

  /** Whether work is asked for or under way. */
  get busy() { return this.#next !== null || this.#running !== null; }

  /** Resolves once nothing is asked for any more. */
  async idle() { while (this.busy) await (this.#next ?? this.#running).catch(() => null); }

  async #soon() {
    await this.#running?.catch(() => null);
    for (let wait = 0; ;) {
      wait = Math.max(this.#last + this.rest - performance.now(), this.room());
      await pause(Math.max(0, wait));
      if (wait <= 0) break;
    }
    this.#next = null;
    this.#last = performance.now();
    this.#running = this.run();
    try {
      return await this.#running;
    } finally {
      this.#running = null;
    }
  }
}
