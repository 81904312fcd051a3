// How values of a profile are shown, and the fields that change them: single values, lists of entries, and groups.

import { button, field, h } from "../core/dom.js";
import { moment, named, t } from "../core/words.js";
import { VALUES } from "./profile_shape.js";

/** The field for a part: its element, what it says now as a value and as a text, and how to get there. */
export function editor(part, value, label = t(`field.${part.name}`)) {
  if (part.entries) return listEditor(part, value ?? [], label);
  if (part.group) return groupEditor(part, value ?? {}, label);
  const control = input(part, value, label);
  return { element: control, read: () => VALUES[part.type].read(control.value), text: () => control.value, focus: () => control.focus() };
}

/** A field with its name above it. */
export function labelled(part, made) {
  const label = t(`field.${part.name}`);
  if (part.group) return h("details", { class: "group" }, h("summary", {}, label), made.element);
  if (part.entries) return h("fieldset", {}, h("legend", {}, label), made.element);
  return field(label, made.element, hintText(part));
}

/** The fields of an entry, and how to read all of them at once. */
export function entryEditor(parts, entry) {
  const made = parts.map((part) => [part, editor(part, entry[part.name])]);
  return {
    rows: made.map(([part, one]) => labelled(part, one)),
    read: () => ({ ...entry, ...Object.fromEntries(made.map(([part, one]) => [part.name, one.read()])) }),
    focus: () => made[0][1].focus(),
  };
}

export function shown(part, value) {
  if (isEmpty(part, value)) return h("span", { class: "unset" }, t("unset"));
  if (part.group) return part.group.filter((one) => !isEmpty(one, value[one.name])).map((one) => h("span", { class: "piece" }, `${t(`field.${one.name}`)} ${shown(one, value[one.name])}`));
  if (part.entries) return h("ul", { class: "steps" }, value.map((entry) => h("li", {}, told(part.entries, entry))));
  if (part.type === "choice") return named(part.name, value);
  if (part.type === "moment") return moment(value);
  const text = VALUES[part.type].show(value);
  return VALUES[part.type].many ? text.split("\n").map((line) => h("span", { class: "chip" }, line)) : text;
}

/** Whether there is nothing to show: no value, or a group of which nothing says more than usual. */
export function isEmpty(part, value) {
  if (part.group) return !value || part.group.every((one) => isEmpty(one, value[one.name]));
  return value === null || value === undefined || value === "" || value === part.usual || (Array.isArray(value) && !value.length);
}

export function hintText(part) {
  if (!part.type) return null;
  const { many, hint: key } = VALUES[part.type];
  return key ? t(key) : many ? t("lines.hint") : null;
}

function told(parts, entry) {
  return parts.filter((one) => !isEmpty(one, entry[one.name])).map((one) => shown(one, entry[one.name])).join(" · ");
}

function listEditor(part, list, label) {
  const rows = [];
  const place = h("div", { class: "nested" });
  const put = (entry) => {
    const made = entryEditor(part.entries, entry);
    const drop = () => {
      rows.splice(rows.indexOf(made), 1);
      row.remove();
      add.focus();
    };
    const row = h("div", { class: "nested-row" }, made.rows, button(t("remove"), drop, { class: "danger", "aria-label": t("remove.of", entry.name ?? label) }));
    rows.push(made);
    place.insertBefore(row, add);
    return made;
  };
  const add = button(`+ ${t("add")}`, () => put({}).focus(), { class: "quiet", "aria-label": t("add.to", label) });
  place.append(add);
  list.forEach(put);
  return { element: place, read: () => rows.map((row) => row.read()), text: () => "", focus: () => add.focus() };
}

function groupEditor(part, value) {
  const made = entryEditor(part.group, value);
  return { element: h("div", { class: "nested" }, made.rows), read: made.read, text: () => "", focus: made.focus };
}

function input(part, value, label) {
  const now = VALUES[part.type].show(value);
  const props = { "aria-label": label, value: now };
  if (part.type === "choice") {
    const options = ["", ...part.options].map((one) => h("option", { value: one, selected: one === now }, one ? named(part.name, one) : "—"));
    return h("select", { "aria-label": label }, options);
  }
  if (VALUES[part.type].many) return h("textarea", { rows: 3, ...props });
  return h("input", { required: part.name === "name", ...(VALUES[part.type].props ?? { type: part.type }), ...props });
}
