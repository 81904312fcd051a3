// Editing a record; who was slower sees what the other wrote instead of overwriting it.

import { call, get, Problem } from "../core/api.js";
import { button, field, h } from "../core/dom.js";
import { isEscape } from "../core/keys.js";
import { complain, say } from "../core/toast.js";
import { t } from "../core/words.js";
import { both, conflict } from "./conflict.js";

export function recordForm(record, tag, again) {
  const content = h("textarea", { rows: 4, required: true, value: record.content });
  const tags = h("input", { value: record.tags.join(", ") });
  const importance = h("input", { type: "range", min: 0, max: 1, step: 0.05, value: String(record.importance) });
  const warned = h("div");
  const path = `records/${encodeURIComponent(record.id)}`;

  const wanted = () => ({
    content: content.value.trim(),
    tags: tags.value.split(/[,，]/).map((one) => one.trim()).filter(Boolean),
    importance: Number(importance.value),
  });

  let known = tag;

  async function put(match) {
    try {
      const made = await call("PATCH", path, { body: wanted(), match });
      say(t("saved"), () => call("POST", `${path}/undo`, { match: made.tag }).catch(complain).then(again));
      await again();
    } catch (error) {
      if (error instanceof Problem && error.status === 412) await warn();
      else complain(error);
    }
  }

  async function warn() {
    const now = await get(path);
    warned.replaceChildren(
      conflict({
        theirs: now.data.record.content, mine: content.value, keepTheirs: again, putMine: () => put(now.tag),
        merge: () => { content.value = both(now.data.record.content, content.value); known = now.tag; warned.replaceChildren(); content.focus(); },
      }),
    );
  }

  const form = h(
    "form",
    { class: "edit", onsubmit: (event) => { event.preventDefault(); put(known); } },
    field(t("content"), content),
    field(t("tags"), tags, t("tags.hint")),
    field(t("importance"), importance),
    warned,
    h("div", { class: "actions" }, h("button", { class: "primary" }, t("save")), button(t("cancel"), again)),
  );
  form.addEventListener("keydown", (event) => { if (isEscape(event)) again(); });
  requestAnimationFrame(() => content.focus());
  return form;
}
