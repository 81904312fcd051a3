// Experience: what was done, what was learned from it, and the skills that grew out of it.

import { call, get } from "../core/api.js";
import { button, chip, empty, facts, h } from "../core/dom.js";
import { complain, isWaiting, later, sayQuietly } from "../core/toast.js";
import { moment, named, number, t } from "../core/words.js";
import { graph } from "./graph.js";

const KINDS = ["episode", "pattern", "skill"];
const MOST = 60;

export async function experienceView() {
  const box = h("div");
  await fill(box);
  return box;
}

async function fill(box) {
  const pages = await Promise.all(KINDS.map((kind) => get(`${kind}s`, { limit: MOST })));
  const found = KINDS.flatMap((kind, place) => pages[place].data[`${kind}s`].map((memory) => ({ kind, memory, id: memory.id, label: label(kind, memory) })));
  const shown = found.filter((one) => !isWaiting(one.id));
  const title = [h("h1", { tabindex: "-1" }, t("experience.title")), h("p", { class: "hint" }, t("experience.hint"))];
  if (!shown.length) return box.replaceChildren(...title, empty(t("experience.none")));
  const edges = links(shown);
  const detail = h("div", { "aria-live": "polite" });
  const layers = KINDS.map((kind) => ({ title: t(`experience.${kind}s`), nodes: shown.filter((one) => one.kind === kind) }));
  const pick = (id) => detail.replaceChildren(card(shown.find((one) => one.id === id), edges, shown, () => fill(box).catch(complain)));
  const cut = pages.some(({ data }) => data.next !== null);
  return box.replaceChildren(...title, h("div", { class: "card" }, graph(layers, edges, pick)), cut ? h("p", { class: "hint" }, t("experience.cut", MOST)) : "", detail);
}

function label(kind, memory) {
  return { episode: memory.context?.goal || memory.task_id, pattern: memory.pattern, skill: memory.name }[kind];
}

function links(shown) {
  return shown.filter((one) => one.kind === "pattern").flatMap(({ id, memory }) => {
    const told = memory.links.map((link) => ({ from: id, to: link.to, relation: link.relation }));
    const linked = new Set(told.map((edge) => edge.to));
    const from = memory.source_episodes.filter((episode) => !linked.has(episode));
    return [...from.map((to) => ({ from: id, to, relation: "derived_from" })), ...told];
  });
}

function card({ kind, id, memory, label: title }, edges, shown, again) {
  const names = new Map(shown.map((one) => [one.id, one.label]));
  const near = edges.filter((edge) => edge.from === id || edge.to === id).map((edge) => {
    const other = edge.from === id ? edge.to : edge.from;
    return h("li", {}, chip(`${edge.from === id ? "→" : "←"} ${named("relation", edge.relation)}`), " ", names.get(other) ?? other);
  });
  const forget = () => {
    const act = async (keepalive) => {
      const { data } = await call("DELETE", `${kind}s/${encodeURIComponent(id)}`, { keepalive });
      sayQuietly(t("forgotten.receipt", data.id));
    };
    later(t("forgetting", title), id, act, again);
    again();
  };
  return h(
    "article",
    { class: "card" },
    h("div", { class: "meta" }, chip(t(`experience.${kind}`), `kind-${kind}`)),
    h("h2", {}, title),
    facts(rows(kind, memory)),
    near.length ? h("ul", { class: "plain-list" }, near) : null,
    h("div", { class: "actions" }, button(t("forget"), forget, { class: "danger" })),
  );
}

function rows(kind, memory) {
  if (kind === "episode") return episodeRows(memory);
  if (kind === "pattern") return patternRows(memory);
  return [
    [t("skill.description"), memory.description],
    [t("skill.prerequisites"), listing(memory.prerequisites)],
    [t("skill.steps"), listing(memory.steps, "ol")],
    [t("skill.errors"), listing(memory.common_errors.map((one) => `${one.error} → ${one.fix}`))],
    [t("skill.exit"), listing(memory.exit_criteria)],
    [t("skill.example"), memory.example_usage],
  ];
}

function episodeRows(memory) {
  return [
    [t("time"), moment(memory.timestamp)],
    [t("agent"), memory.agent],
    [t("episode.outcome"), named("outcome", memory.outcome)],
    [t("episode.actions"), listing(memory.action_log.map((one) => `${one.action} ${one.target} → ${one.result}`), "ol")],
    [t("episode.errors"), listing(memory.errors_encountered.map((one) => `${one.type}: ${one.message} → ${one.resolution}`))],
    [t("episode.files"), listing(memory.files_modified)],
    [t("importance"), number(memory.importance)],
  ];
}

function patternRows(memory) {
  return [
    [t("pattern.category"), memory.category],
    [t("pattern.conditions"), listing(memory.conditions)],
    [t("pattern.right"), memory.correct_approach],
    [t("pattern.wrong"), memory.incorrect_approach],
    [t("confidence"), number(memory.confidence)],
  ];
}

function listing(texts, tag = "ul") {
  return texts.length ? h(tag, {}, texts.map((text) => h("li", {}, text))) : null;
}
