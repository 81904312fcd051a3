// What a reader sees when somebody else changed the same thing meanwhile.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";

export function conflict({ theirs, mine, keepTheirs, putMine }) {
  return h(
    "div",
    { class: "conflict", role: "alert" },
    h("strong", {}, t("conflict.title")),
    h("div", { class: "sides" }, side(t("conflict.theirs"), theirs), side(t("conflict.mine"), mine)),
    h("div", { class: "actions" }, button(t("conflict.keep"), keepTheirs, { class: "primary" }), button(t("conflict.put"), putMine)),
  );
}

function side(title, text) {
  return h("div", {}, h("span", { class: "label" }, title), h("p", { class: "quote" }, text || "—"));
}
