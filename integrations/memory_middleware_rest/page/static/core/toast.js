// Short messages, and things that are done a little later so that they can still be undone.

import { button, h } from "./dom.js";
import { t } from "./words.js";

const SHOWN = 8000;
const place = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
const waiting = new Set();

let current = null;

export function toastPlace() {
  return place;
}

/** Whether something is about to be forgotten, so that lists leave it out already. */
export function isWaiting(id) {
  return waiting.has(id);
}

/** Say something; `undo` takes back what was already done. */
export function say(text, undo = null) {
  show(text, { undo, settle: () => {} });
}

/** Say something unless another message stands there that somebody may want to undo. */
export function sayQuietly(text) {
  if (!current) say(text);
}

/** Do something once the message goes away; until then nothing has happened and it can be undone. */
export function later(text, id, act, undone) {
  waiting.add(id);
  const settle = async (keepalive = false) => {
    try {
      await act(keepalive);
    } finally {
      waiting.delete(id);
    }
  };
  const undo = () => {
    waiting.delete(id);
    undone();
  };
  show(text, { undo, settle });
}

export function undoLast() {
  if (!current?.undo) return;
  const { undo } = current;
  close();
  undo();
}

/** Finish what waits, because the page goes away or the next message comes. */
export function settleNow(keepalive = false) {
  if (!current) return Promise.resolve();
  const { settle } = current;
  close();
  return settle(keepalive).catch((error) => complain(error));
}

/** Tell what went wrong, beside the message that may still be there. */
export function complain(error) {
  const gone = () => shown.remove();
  const shown = h(
    "div",
    { class: "toast error", role: "alert" },
    h("span", {}, error.message || String(error)),
    button("×", gone, { class: "plain", "aria-label": t("close") }),
  );
  place.append(shown);
  setTimeout(gone, 2 * SHOWN);
}

function show(text, { undo, settle }) {
  settleNow();
  const shown = h(
    "div",
    { class: "toast" },
    h("span", {}, text),
    undo && button(t("undo"), undoLast, { class: "link" }),
    button("×", () => settleNow(), { class: "plain", "aria-label": t("close") }),
  );
  current = { undo, settle: async (...args) => settle(...args), shown, timer: null };
  const begin = () => { if (current?.shown === shown) current.timer = setTimeout(() => settleNow(), SHOWN); };
  const hold = () => { if (current?.shown === shown) clearTimeout(current.timer); };
  shown.addEventListener("pointerenter", hold);
  shown.addEventListener("focusin", hold);
  shown.addEventListener("pointerleave", () => { hold(); begin(); });
  shown.addEventListener("focusout", () => { hold(); begin(); });
  place.append(shown);
  begin();
}

function close() {
  clearTimeout(current.timer);
  current.shown.remove();
  current = null;
}

addEventListener("pagehide", () => settleNow(true));
// What went wrong in one view says nothing in the next.
addEventListener("hashchange", () => place.querySelectorAll(".error").forEach((one) => one.remove()));
