// The keyboard: single keys, unless somebody is typing or has switched them off.

import { button, h } from "./dom.js";
import { t } from "./words.js";

const OFF = "memory-keys-off";

/** Listen for keys; `actions` maps a key to what it does, and buttons with data-key="e" are pressed by "e". */
export function listen(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (localStorage.getItem(OFF) && event.key !== "?") return;
    const act = actions[event.key] ?? pressed(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** Move the focus through the links of a list. */
export function step(by, event = null) {
  event?.preventDefault();
  const links = [...document.querySelectorAll("main .rows .row > a.text")];
  if (!links.length) return;
  const place = links.indexOf(document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, place < 0 ? 0 : place + by))].focus();
}

/** Whether Escape was pressed for the page; one that only ends the composition of an input method is not. */
export function isEscape(event) {
  return event.key === "Escape" && !event.isComposing && event.keyCode !== 229;
}

export function helpDialog(rows) {
  const off = h("input", {
    type: "checkbox", checked: !localStorage.getItem(OFF),
    onchange: (event) => (event.target.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")),
  });
  const dialog = h(
    "dialog",
    { "aria-label": t("keys.title"), onclose: () => dialog.remove() },
    h("h2", {}, t("keys.title")),
    h("dl", { class: "keys" }, rows.map(([keys, text]) => [h("dt", {}, keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, text)])),
    h("label", { class: "check" }, off, t("keys.on")),
    h("div", { class: "actions" }, button(t("close"), () => dialog.close(), { class: "primary" })),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function isTyping(target) {
  return target instanceof Element && target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]") !== null;
}

function pressed(key) {
  if (!/^[a-z]$/.test(key)) return null;
  const found = document.querySelector(`main [data-key="${key}"]`);
  return found ? () => found.click() : null;
}
