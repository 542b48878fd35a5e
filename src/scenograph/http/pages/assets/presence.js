// Who has the kept scene open: names in the bar, what they have selected and where they point, on the picture.

import { announce, h } from "./dom.js";
import { pause, sceneUrl } from "./service.js";

const APART = 350; // ms from one word on where this tab is to the next
const MOST_SHOWN = 4; // people in the bar
const MOST_SELECTED = 50;
const COLOURS = ["#0369a1", "#c2410c", "#7c3aed", "#4d7c0f", "#be185d", "#0f766e", "#b45309", "#4338ca"]; // white on them: 5 to 1 at least

export class Presence {
  #here = []; // people of other accounts, by tab
  #names = new Map(); // account → name, also of who left
  #me = null;
  #pointers = new Map(); // tab → its pointer on the picture
  #at = null; // the pointer of this tab, px of the picture
  #telling = false;
  #again = false;

  /** `list` is in the bar, `layer` over the picture. */
  constructor({ list, layer, session, viewer }) {
    Object.assign(this, { list, layer, session, viewer });
    this.tab = [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const marks = viewer.marks.bind(viewer);
    viewer.marks = () => [...this.#marks(), ...marks()];
    viewer.addEventListener("select", () => this.#tell());
    viewer.stage.addEventListener("pointermove", (event) => this.#point(viewer.viewport.toPicture(viewer.viewport.at(event))));
    viewer.stage.addEventListener("pointerleave", () => this.#point(null));
    viewer.viewport.addEventListener("move", () => this.#place(true));
    session.addEventListener("open", () => { if (!session.stored) this.heard({ you: null, people: [] }); });
  }

  isMe(accountId) { return accountId === this.#me; }

  /** The name of another account; undefined where it was never here. */
  nameOf(accountId) { return this.#names.get(accountId); }

  /** Who is here now, as the stream tells: {you, people}. */
  heard({ you, people }) {
    this.#me = people.find(({ id }) => id === you)?.accountId ?? this.#me;
    const before = new Set(this.#here.map(({ accountId }) => accountId));
    const others = people.filter(({ accountId }) => accountId !== this.#me);
    const came = others.filter(({ accountId }) => !before.has(accountId));
    this.#here = coloured(others);
    for (const { accountId, name } of others) this.#names.set(accountId, name);
    if (came.length) announce(`${came.map(({ name }) => name).join(", ")} ${came.length > 1 ? "are" : "is"} here.`, { visible: false });
    this.#paint();
    if (came.length) this.#tell();
  }

  #paint() {
    const people = [...new Map(this.#here.map((person) => [person.accountId, person])).values()];
    this.list.hidden = !people.length;
    const more = people.length - MOST_SHOWN;
    this.list.replaceChildren(...people.slice(0, more > 0 ? MOST_SHOWN - 1 : MOST_SHOWN).map((person) => tinted(h("li", { title: `${person.name}, ${ROLES[person.role]}` },
      h("span", { "aria-hidden": "true" }, person.name.slice(0, 1).toUpperCase()), h("span", { class: "unseen" }, `${person.name}, ${ROLES[person.role]}`)), person.colour)),
    ...(more > 0 ? [h("li", { title: people.slice(MOST_SHOWN - 1).map(({ name }) => name).join(", ") }, `+${more + 1}`)] : []));
    this.#place(false);
    this.viewer.picture.outline(() => this.viewer.marks());
  }

  #marks() {
    return this.#here.flatMap(({ selection, colour }) => selection.map((id) => {
      const mark = this.viewer.picture.frame(id, "person", 6);
      return mark && tinted(mark, colour);
    }));
  }

  /** Pointers glide to where they are told; with the picture they move at once. */
  #place(atOnce) {
    const { viewport } = this.viewer;
    const pointing = this.session.comparing === null ? this.#here.filter(({ at }) => at) : [];
    for (const [id, pointer] of this.#pointers) {
      if (pointing.some((person) => person.id === id)) continue;
      pointer.remove();
      this.#pointers.delete(id);
    }
    for (const { id, name, at, colour } of pointing) {
      const fresh = !this.#pointers.has(id);
      if (fresh) this.#pointers.set(id, tinted(h("div", { class: "pointer", "data-person": name }, h("span", {}, name.split("@")[0])), colour));
      const pointer = this.#pointers.get(id);
      const { x, y } = viewport.toStage(at);
      pointer.classList.toggle("gliding", !atOnce && !fresh);
      pointer.style.transform = `translate(${x}px, ${y}px)`;
      if (fresh) this.layer.append(pointer);
    }
  }

  // Where this tab is ----------------------------------------------------------------------------------------------

  #point(at) {
    this.#at = at && { x: Math.round(at.x), y: Math.round(at.y) };
    this.#tell();
  }

  /** A few words a second, and none while nobody else is here. */
  async #tell() {
    if (this.#telling) { this.#again = true; return; }
    const { stored, service } = this.session;
    if (!stored || !this.#here.length) return;
    this.#telling = true;
    do {
      this.#again = false;
      const body = { tab: this.tab, selection: [...this.viewer.selection].slice(0, MOST_SELECTED), at: this.#at };
      await service.json("POST", sceneUrl(stored, "/presence"), { body, apart: true }).catch(() => null); // the next word says it all
      await pause(APART);
    } while (this.#again && this.session.stored === stored && this.#here.length);
    this.#telling = false;
  }
}

const ROLES = { owner: "owner", editor: "can edit", commenter: "can comment", viewer: "can look" };

/** People with a colour each, the same for all tabs of an account and on every screen that shows the same people. */
function coloured(people) {
  const accounts = [...new Set(people.map(({ accountId }) => accountId))].sort();
  const taken = new Map();
  for (const account of accounts) {
    const wished = [...account].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 9973, 7) % COLOURS.length;
    const free = COLOURS.map((_, index) => COLOURS[(wished + index) % COLOURS.length]).find((colour) => ![...taken.values()].includes(colour));
    taken.set(account, free ?? COLOURS[wished]);
  }
  return people.map((person) => ({ ...person, colour: taken.get(person.accountId) }));
}

function tinted(element, colour) {
  element.style.setProperty("--person", colour);
  return element;
}
