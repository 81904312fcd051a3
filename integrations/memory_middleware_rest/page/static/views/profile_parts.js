// The pieces of a profile: values that turn into a field when touched, and lists of entries.

import { button, h } from "../core/dom.js";
import { isEscape } from "../core/keys.js";
import { t } from "../core/words.js";
import { conflict } from "./conflict.js";
import { editor, entryEditor, hintText, isEmpty, shown } from "./profile_inputs.js";
import { VALUES } from "./profile_shape.js";

/** One value; a click turns it into a field, Enter saves, Escape leaves it. */
export function leafPart(document, path, part) {
  const label = t(`field.${part.name}`);
  const value = document.at(path);
  const place = h("dd");
  const touch = () => button(shown(part, value), open, { class: "inline", "aria-label": t("edit.of", label) });
  const show = () => place.replaceChildren(touch());
  const leave = () => {
    show();
    place.firstChild.focus();
  };
  const open = () => {
    const made = editor(part, value, label);
    const warned = h("div");
    const hint = hintText(part);
    place.replaceChildren(form([made.element, hint && h("small", {}, hint)], warned, () => stored(document, path, part, made, warned), leave));
    made.focus();
  };
  show();
  return [h("dt", {}, label), place];
}

/** A list such as people or projects: a card for each, a form to change one. */
export function entriesPart(document, part) {
  const list = document.at([part.name]) ?? [];
  const place = h("div", { class: "entries" });
  const opened = (old, entry) => {
    const made = entryForm(document, part, entry, show);
    old.replaceWith(made.element);
    made.focus();
  };
  const show = () => {
    const cards = list.map((entry) => {
      const card = entryCard(document, part, entry, () => opened(card, entry));
      return card;
    });
    const add = button(`+ ${t("add")}`, () => opened(add, {}), { class: "quiet", "aria-label": t("add.to", t(`field.${part.name}`)) });
    place.replaceChildren(h("h3", {}, t(`field.${part.name}`)), ...cards, add);
  };
  show();
  return place;
}

function entryCard(document, part, entry, edit) {
  const rest = part.entries.filter((one) => one.name !== "name" && !isEmpty(one, entry[one.name]));
  const kept = () => document.at([part.name]).filter((one) => one !== entry);
  const remove = () => document.put([part.name], kept(), () => document.again());
  return h(
    "div",
    { class: "entry" },
    h("strong", {}, entry.name),
    rest.map((one) => h("span", { class: one.group ? "part about" : "part" }, one.group ? null : h("small", {}, t(`field.${one.name}`)), " ", shown(one, entry[one.name]))),
    h("span", { class: "tail" }, button("✎", edit, { class: "plain", "aria-label": t("edit.of", entry.name) }), button("×", remove, { class: "plain", "aria-label": t("remove.of", entry.name) })),
  );
}

function entryForm(document, part, entry, show) {
  const warned = h("div");
  const fields = entryEditor(part.entries, entry);
  const save = () => {
    const made = read(fields, warned);
    if (made === null) return;
    const put = (now) => document.put([part.name], placed(now, entry, made), warn);
    const warn = (now) => {
      const theirs = (now ?? []).map((one) => one.name).join(", ");
      warned.replaceChildren(conflict({ theirs, mine: made.name, keepTheirs: document.again, putMine: () => put(now ?? []) }));
    };
    put(document.at([part.name]) ?? []);
  };
  return { element: form(fields.rows, warned, save, show), focus: fields.focus };
}

/** A list with an entry in the place of the old one, which may stand elsewhere by now, or at the end. */
function placed(list, old, made) {
  const at = list.findIndex((one) => one === old || (old.name && one.name === old.name));
  return at < 0 ? [...list, made] : list.toSpliced(at, 1, made);
}

function stored(document, path, part, made, warned) {
  const warn = (now) => {
    const theirs = VALUES[part.type].show(now);
    warned.replaceChildren(
      conflict({ theirs, mine: made.text(), keepTheirs: document.again, putMine: () => stored(document, path, part, made, warned) }),
    );
  };
  const value = read({ read: () => [made.read()] }, warned);
  if (value !== null) document.put(path, value[0], warn);
}

/** Read fields, or tell which text cannot be read. */
function read(fields, warned) {
  try {
    return fields.read();
  } catch (error) {
    warned.replaceChildren(h("p", { class: "wrong", role: "alert" }, t("unreadable", error.message)));
    return null;
  }
}

function form(rows, warned, save, cancel) {
  const submitted = (event) => {
    event.preventDefault();
    save();
  };
  const pressed = (event) => { if (isEscape(event)) cancel(); };
  return h(
    "form",
    { class: "edit", onsubmit: submitted, onkeydown: pressed },
    rows,
    warned,
    h("div", { class: "actions" }, h("button", { class: "primary" }, t("save")), button(t("cancel"), cancel)),
  );
}
