// One record in a list: what it says, and in small what it is.

import { bar, chip, h } from "../core/dom.js";
import { address } from "../core/route.js";
import { moment, named, number, t } from "../core/words.js";

const CEILING = 5;

export function recordRow(record, extra = null) {
  return h(
    "li",
    { class: "row" },
    h("a", { class: "text", href: address("records", record.id) }, record.content),
    h("div", { class: "meta" }, marks(record), h("span", { class: "tail" }, weightBar(record), h("time", { datetime: record.updated_at }, moment(record.updated_at)))),
    extra,
  );
}

export function marks(record) {
  return [
    chip(named("kind", record.kind), `kind-${record.kind}`),
    record.state !== "active" && chip(named("state", record.state), `state-${record.state}`),
    record.pinned && chip(t("pinned"), "pinned"),
    record.tags.map((tag) => chip(`#${tag}`, "tag")),
  ];
}

/** Weights grow by use from 1 to 5; the root keeps the small ones apart. */
export function weightBar(record) {
  const told = t("weight.of", number(record.weight));
  return h("span", { class: "weight" }, h("span", { "aria-hidden": "true" }, told), bar(Math.sqrt(record.weight / CEILING), told));
}
