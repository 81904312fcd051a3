// Lists that come a page at a time.

import { button, h } from "./dom.js";
import { complain } from "./toast.js";
import { t } from "./words.js";

/**
 * The place of the button under a list that loads what comes next.
 * `load(cursor)` shows a page and gives the cursor after it and its first new element, to which the focus goes; or null
 * if another list stands there by now, which has a button of its own.
 */
export function more(load) {
  const place = h("div", { class: "more" });
  const offer = (next) => place.replaceChildren(...(next ? [button(t("more"), (event) => grow(event.currentTarget, next), { class: "wide" })] : []));
  const grow = async (pressed, cursor) => {
    pressed.disabled = true;
    try {
      const shown = await load(cursor);
      if (shown === null) return;
      offer(shown.next);
      shown.first?.focus({ preventScroll: true });
    } catch (error) {
      pressed.disabled = false;
      complain(error);
    }
  };
  return { place, offer };
}
