// Asking for a token, once for all requests that wait for it.

import { keepToken } from "./api.js";
import { field, h } from "./dom.js";
import { t } from "./words.js";

let asking = null;

/** Ask for a token; gives true once there is one to try. */
export function askForToken(refused) {
  asking ??= ask(refused).finally(() => { asking = null; });
  return asking;
}

function ask(refused) {
  const token = h("input", { type: "password", required: true, autocomplete: "off", spellcheck: "false" });
  return new Promise((resolve) => {
    const given = (event) => {
      event.preventDefault();
      keepToken(token.value.trim());
      dialog.remove();
      resolve(true);
    };
    const dialog = h(
      "dialog",
      { class: "sign-in", "aria-label": t("sign_in"), oncancel: (event) => event.preventDefault() },
      h(
        "form",
        { onsubmit: given },
        h("h2", {}, t("sign_in")),
        refused && h("p", { class: "wrong", role: "alert" }, t("sign_in.refused")),
        field(t("sign_in.token"), token, t("sign_in.hint")),
        h("div", { class: "actions" }, h("button", { class: "primary" }, t("sign_in"))),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
