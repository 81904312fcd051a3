// Telling the agent something by hand.

import { call } from "../core/api.js";
import { button, field, h, select } from "../core/dom.js";
import { complain, say } from "../core/toast.js";
import { named, t } from "../core/words.js";

const KINDS = ["fact", "preference", "project", "feedback", "reference"];

export function addRecord(done) {
  const text = h("textarea", { rows: 3, required: true, maxlength: 20000 });
  let kind = "fact";
  const dialog = h("dialog", { "aria-label": t("add.title") });
  const send = async (event) => {
    event.preventDefault();
    try {
      await call("POST", "records", { body: { content: text.value.trim(), kind } });
    } catch (error) {
      complain(error);
      return;
    }
    dialog.close();
    text.value = "";
    say(t("add.done"));
    done();
  };
  dialog.append(
    h(
      "form",
      { onsubmit: send },
      h("h2", {}, t("add.title")),
      field(t("content"), text, t("add.hint")),
      select(t("kind"), KINDS.map((one) => [one, named("kind", one)]), kind, (value) => { kind = value; }),
      h("div", { class: "actions" }, h("button", { class: "primary" }, t("add")), button(t("cancel"), () => dialog.close())),
    ),
  );
  return h("div", {}, button(`+ ${t("add.title")}`, () => dialog.showModal(), { "data-key": "n" }), dialog);
}
