// What a reader sees when somebody else changed the same thing meanwhile.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";

/** Both texts, and what can be done: keep theirs, put mine, or (with `merge`) make one of both by hand. */
export function conflict({ theirs, mine, keepTheirs, putMine, merge = null }) {
  return h(
    "div",
    { class: "conflict", role: "alert" },
    h("strong", {}, t("conflict.title")),
    h("div", { class: "sides" }, side(t("conflict.theirs"), theirs), side(t("conflict.mine"), mine)),
    h(
      "div",
      { class: "actions" },
      button(t("conflict.keep"), keepTheirs, { class: "primary" }),
      merge && button(t("conflict.merge"), merge),
      button(t("conflict.put"), putMine),
    ),
  );
}

/** Two texts in one, for somebody to make one of them. */
export function both(theirs, mine) {
  return theirs.includes(mine) ? theirs : mine.includes(theirs) ? mine : `${theirs.trimEnd()}\n\n${mine}`;
}

function side(title, text) {
  return h("div", {}, h("span", { class: "label" }, title), h("p", { class: "quote" }, text || "—"));
}
