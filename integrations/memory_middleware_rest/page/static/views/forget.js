// Forgetting on purpose: first what would go, then the deed, then a receipt.

import { call, get, save } from "../core/api.js";
import { button, facts, field, h, select } from "../core/dom.js";
import { complain } from "../core/toast.js";
import { moment, t } from "../core/words.js";

const WAYS = ["query", "thread_id", "source", "ids", "everything"];
const SHOWN = 20;

export async function forgetView() {
  let way = "query";
  const text = h("input", { required: true });
  const labelled = field(t("way.query"), text);
  const sources = h("input", { type: "checkbox", checked: true });
  const profile = h("input", { type: "checkbox" });
  const result = h("div", { "aria-live": "polite" });
  const chosen = (value) => {
    way = value;
    labelled.hidden = value === "everything";
    text.required = value !== "everything";
    labelled.firstChild.textContent = t(`way.${value}`);
    result.replaceChildren();
  };
  const asked = () => ({ [way]: value(way, text.value), with_sources: sources.checked, with_profile: profile.checked });
  const ask = async (event) => {
    event.preventDefault();
    await shown(asked(), result).catch(complain);
  };
  return h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("forget.title")),
    h("p", { class: "hint" }, t("forget.hint")),
    h(
      "form",
      { class: "card edit", onsubmit: ask },
      select(t("forget.by"), WAYS.map((one) => [one, t(`way.${one}`)]), way, chosen),
      labelled,
      h("label", { class: "check" }, sources, t("forget.sources")),
      h("label", { class: "check" }, profile, t("forget.profile")),
      h("div", { class: "actions" }, h("button", { class: "primary" }, t("forget.dry"))),
    ),
    result,
  );
}

function value(way, text) {
  if (way === "everything") return true;
  return way === "ids" ? text.split(/[\s,，]+/).filter(Boolean) : text.trim();
}

async function shown(body, result) {
  const { data } = await call("POST", "forget", { body: { ...body, dry_run: true } });
  const nothing = !size(data);
  const go = async () => {
    try {
      const done = await call("POST", "forget", { body });
      result.replaceChildren(receipt(done.data));
    } catch (error) {
      complain(error);
    }
  };
  result.replaceChildren(
    h(
      "section",
      { class: "card" },
      h("h2", {}, nothing ? t("forget.nothing") : t("forget.would")),
      told(data),
      await contents(data.records),
      nothing ? null : h("div", { class: "actions" }, button(t("forget.now", size(data)), go, { class: "danger solid" }), button(t("cancel"), () => result.replaceChildren())),
    ),
  );
}

function receipt(data) {
  const blob = () => save(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }), `${data.id}.json`);
  return h(
    "section",
    { class: "card receipt" },
    h("h2", {}, `✓ ${t("receipt.title")}`),
    told(data),
    h("p", { class: "hint" }, t("receipt.id", data.id, moment(data.at))),
    h("div", { class: "actions" }, button(t("receipt.save"), blob)),
  );
}

function told(data) {
  return facts([
    [t("receipt.records"), String(data.records.length)],
    [t("receipt.derived"), some(data.derived.length)],
    [t("receipt.experience"), some(data.experience.length)],
    [t("receipt.profile"), data.profile.join(", ")],
    [t("receipt.rounds"), some(data.rounds)],
    [t("receipt.short_term"), some(data.short_term)],
    [t("receipt.turns"), some(data.turns)],
    [t("receipt.said_in"), some(data.said_in.length)],
    [t("receipt.cut"), some(Object.values(data.cut).reduce((sum, one) => sum + one, 0))],
    [t("receipt.kept"), data.kept.join(", ")],
  ]);
}

function some(count) {
  return count ? String(count) : null;
}

function size(data) {
  return data.records.length + data.experience.length + data.profile.length + data.rounds + data.short_term + data.turns;
}

async function contents(ids) {
  const found = await Promise.all(ids.slice(0, SHOWN).map((id) => get(`records/${encodeURIComponent(id)}`)));
  const rows = found.map(({ data }) => h("li", {}, data.record.content));
  if (ids.length > SHOWN) rows.push(h("li", { class: "unset" }, t("and_more", ids.length - SHOWN)));
  return h("ul", { class: "plain-list" }, rows);
}
