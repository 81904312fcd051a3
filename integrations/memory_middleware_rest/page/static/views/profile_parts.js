// The pieces of a profile: values that turn into a field when touched, and lists of entries.

import { button, field, h } from "../core/dom.js";
import { named, t } from "../core/words.js";
import { conflict } from "./conflict.js";
import { VALUES } from "./profile_shape.js";

/** One value; a click turns it into a field, Enter saves, Escape leaves it. */
export function leafPart(document, path, part) {
  const label = t(`field.${part.name}`);
  const value = document.at(path);
  const place = h("dd");
  const show = () => place.replaceChildren(button(shown(part, value), open, { class: "inline", "aria-label": t("edit.of", label) }));
  const open = () => {
    const control = input(part, value, label);
    const warned = h("div");
    const save = () => stored(document, path, part, control, warned);
    place.replaceChildren(form([control, hint(part)], warned, save, show));
    control.focus();
  };
  show();
  return [h("dt", {}, label), place];
}

/** A list such as people or projects: a card for each, a form to change one. */
export function entriesPart(document, part) {
  const list = document.at([part.name]) ?? [];
  const place = h("div", { class: "entries" });
  const editing = (index) => entryForm(document, part, index, show);
  const show = () => {
    const cards = list.map((entry, index) => entryCard(document, part, entry, () => cards[index].replaceWith(editing(index))));
    const add = button(`+ ${t("add")}`, () => add.replaceWith(editing(list.length)), { class: "quiet", "aria-label": t("add.to", t(`field.${part.name}`)) });
    place.replaceChildren(h("h3", {}, t(`field.${part.name}`)), ...cards, add);
  };
  show();
  return place;
}

function entryCard(document, part, entry, edit) {
  const rest = part.entries.filter((one) => one.name !== "name" && !isEmpty(entry[one.name]));
  const kept = () => document.at([part.name]).filter((one) => one !== entry);
  const remove = () => document.put([part.name], kept(), () => document.again());
  return h(
    "div",
    { class: "entry" },
    h("strong", {}, entry.name),
    rest.map((one) => h("span", { class: "part" }, h("small", {}, t(`field.${one.name}`)), " ", shown(one, entry[one.name]))),
    h("span", { class: "tail" }, button("✎", edit, { class: "plain", "aria-label": t("edit.of", entry.name) }), button("×", remove, { class: "plain", "aria-label": t("remove.of", entry.name) })),
  );
}

function entryForm(document, part, index, show) {
  const list = document.at([part.name]) ?? [];
  const entry = list[index] ?? {};
  const warned = h("div");
  const controls = part.entries.map((one) => [one, input(one, entry[one.name], t(`field.${one.name}`))]);
  const rows = controls.map(([one, control]) => field(t(`field.${one.name}`), control, hintText(one)));
  const save = () => {
    const made = { ...entry };
    try {
      for (const [one, control] of controls) made[one.name] = VALUES[one.type].read(control.value);
    } catch (error) {
      warned.replaceChildren(h("p", { class: "wrong", role: "alert" }, t("unreadable", error.message)));
      return;
    }
    const put = (now) => document.put([part.name], now.toSpliced(Math.min(index, now.length), 1, made), warn);
    const warn = (now) => {
      const theirs = (now ?? []).map((one) => one.name).join(", ");
      warned.replaceChildren(conflict({ theirs, mine: made.name, keepTheirs: document.again, putMine: () => put(now ?? []) }));
    };
    put(list);
  };
  return form(rows, warned, save, show);
}

function stored(document, path, part, control, warned) {
  const warn = (now) => {
    const theirs = VALUES[part.type].show(now);
    warned.replaceChildren(
      conflict({ theirs, mine: control.value, keepTheirs: document.again, putMine: () => stored(document, path, part, control, warned) }),
    );
  };
  try {
    document.put(path, VALUES[part.type].read(control.value), warn);
  } catch (error) {
    warned.replaceChildren(h("p", { class: "wrong", role: "alert" }, t("unreadable", error.message)));
  }
}

function form(rows, warned, save, cancel) {
  const submitted = (event) => {
    event.preventDefault();
    save();
  };
  const pressed = (event) => { if (event.key === "Escape") cancel(); };
  return h(
    "form",
    { class: "edit", onsubmit: submitted, onkeydown: pressed },
    rows,
    warned,
    h("div", { class: "actions" }, h("button", { class: "primary" }, t("save")), button(t("cancel"), cancel)),
  );
}

function input(part, value, label) {
  const now = VALUES[part.type].show(value);
  const props = { "aria-label": label, value: now };
  if (part.type === "choice") {
    const options = ["", ...part.options].map((one) => h("option", { value: one, selected: one === now }, one ? named(part.name, one) : "—"));
    return h("select", { "aria-label": label }, options);
  }
  if (VALUES[part.type].many) return h("textarea", { rows: 3, ...props });
  return h("input", { type: part.type === "text" ? "text" : part.type, required: part.name === "name", ...props });
}

function shown(part, value) {
  if (isEmpty(value)) return h("span", { class: "unset" }, t("unset"));
  if (part.type === "choice") return named(part.name, value);
  const text = VALUES[part.type].show(value);
  return VALUES[part.type].many ? text.split("\n").map((line) => h("span", { class: "chip" }, line)) : text;
}

function hint(part) {
  const text = hintText(part);
  return text && h("small", {}, text);
}

function hintText(part) {
  const { many, hint: key } = VALUES[part.type];
  return key ? t(key) : many ? t("lines.hint") : null;
}

function isEmpty(value) {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);
}
