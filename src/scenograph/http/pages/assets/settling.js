// A conflict of two edits, put to a person.

import { dialog, h } from "./dom.js";

/** Which of two edits of the same place counts; resolves to the conflicts in which mine does. */
export function settle(session, conflicts) {
  const words = (value) => (value === null || value === undefined ? "(nothing)" : typeof value === "string" ? value : JSON.stringify(value));
  return dialog("Somebody else changed the same things", (done) => {
    const rows = conflicts.map((conflict) => {
      const group = crypto.randomUUID();
      const mine = h("input", { type: "radio", name: group });
      const theirs = h("input", { type: "radio", name: group, checked: true });
      const where = conflict.id === null ? "The scene" : conflict.id;
      return { conflict, mine, element: h("fieldset", {}, h("legend", {}, conflict.path.length ? `${where}: ${conflict.path.join(" ")}` : where),
        h("label", {}, theirs, h("span", {}, h("b", {}, "Theirs "), words(conflict.path.length ? conflict.theirs : conflict.theirs && "changed"))),
        h("label", {}, mine, h("span", {}, h("b", {}, "Mine "), words(conflict.path.length ? conflict.mine : conflict.mine && "changed")))) };
    });
    const take = () => done(rows.filter(({ mine }) => mine.checked).map(({ conflict }) => conflict));
    return [h("p", { class: "quiet" }, "Everything else is merged. Choose a version for each of these. The history keeps every revision."),
      ...rows.map(({ element }) => element),
      h("div", { class: "row end" }, h("button", { type: "button", onclick: () => { for (const { mine } of rows) mine.checked = true; } }, "All mine"),
        h("button", { type: "button", class: "primary", autofocus: true, onclick: take }, "Merge"))];
  });
}
