// What happened: the turns of agents, what waits, and the runs of the extractor.

import { call, get } from "../core/api.js";
import { bar, button, chip, empty, h, section } from "../core/dom.js";
import { address } from "../core/route.js";
import { complain, say } from "../core/toast.js";
import { clock, day, moment, named, number, t } from "../core/words.js";

const PAGE = 20;
const PARTS = ["injected", "referenced", "extracted", "superseded"];

export async function timelineView() {
  const box = h("div", { class: "timeline" });
  let limit = PAGE;
  const draw = async () => {
    const [turns, runs, buffer] = await Promise.all([get("turns", { limit }), get("runs"), get("buffer")]);
    const shown = turns.data.turns;
    const more = shown.length >= limit && limit < 200 ? button(t("more"), grow, { class: "wide" }) : null;
    const side = h("div", { class: "side" }, waiting(buffer.data.threads, again), runsPart(runs.data.runs, again));
    box.replaceChildren(h("h1", { tabindex: "-1" }, t("timeline.title")), h("div", { class: "columns wide-left" }, h("div", {}, ...days(shown), more ?? ""), side));
  };
  const again = () => draw().catch(complain);
  const grow = () => { limit += PAGE * 2; again(); };
  await draw();
  return box;
}

function days(turns) {
  if (!turns.length) return [empty(t("timeline.none"))];
  const most = Math.max(1, ...turns.map((turn) => turn.tokens));
  const groups = Map.groupBy(turns, (turn) => day(turn.happened_at));
  return [...groups].map(([title, some]) => h("section", {}, h("h2", { class: "day" }, title), h("ol", { class: "turns" }, some.map((turn) => turnRow(turn, most)))));
}

function turnRow(turn, most) {
  const total = PARTS.reduce((sum, part) => sum + turn[part].length, 0);
  const tokens = t("timeline.tokens", number(turn.tokens), number(most));
  return h(
    "li",
    { class: "turn" },
    h("p", { class: "text" }, turn.query || "—"),
    h("div", { class: "meta" }, h("time", {}, clock(turn.happened_at)), turn.agent && chip(turn.agent), chip(turn.session_id, "tag"), turn.tokens ? [bar(turn.tokens / most, tokens), h("span", {}, t("timeline.cost", number(turn.tokens)))] : null),
    total ? happened(turn) : null,
  );
}

function happened(turn) {
  const told = PARTS.filter((part) => turn[part].length);
  const lists = h("div");
  const opened = (event) => { if (event.target.open && !lists.children.length) fill(turn, told, lists).catch(complain); };
  return h("details", { ontoggle: opened }, h("summary", {}, told.map((part) => chip(`${t(`turn.${part}`)} ${turn[part].length}`, `turn-${part}`))), lists);
}

async function fill(turn, told, lists) {
  const ids = [...new Set(told.flatMap((part) => turn[part]))].slice(0, 40);
  const texts = new Map(await Promise.all(ids.map(async (id) => [id, await textOf(id)])));
  const row = (id) => h("li", {}, texts.get(id) ? h("a", { href: address("records", id) }, texts.get(id)) : h("span", { class: "unset" }, t("record.gone")));
  lists.replaceChildren(...told.map((part) => h("div", {}, h("h3", {}, t(`turn.${part}`)), h("ul", { class: "plain-list" }, turn[part].filter((id) => texts.has(id)).map(row)))));
}

async function textOf(id) {
  try {
    return (await get(`records/${encodeURIComponent(id)}`)).data.record.content;
  } catch {
    return null;
  }
}

function waiting(threads, again) {
  const rows = Object.entries(threads).map(([name, count]) => h("li", {}, name, " ", chip(t("rounds", count))));
  const extract = async () => {
    try {
      const { data } = await call("POST", "buffer/extract");
      say(t("buffer.done", data.reduce((sum, one) => sum + one.rounds, 0), data.reduce((sum, one) => sum + one.added.length, 0)));
      await again();
    } catch (error) {
      complain(error);
    }
  };
  return section(t("buffer.title"), rows.length ? [h("ul", { class: "plain-list" }, rows), h("div", { class: "actions" }, button(t("buffer.extract"), extract))] : empty(t("buffer.none")));
}

function runsPart(runs, again) {
  const retry = (path) => async () => {
    try {
      await call("POST", path);
      say(t("runs.retried"));
      await again();
    } catch (error) {
      complain(error);
    }
  };
  const parked = runs.filter((run) => run.state === "parked");
  const all = parked.length > 1 && h("div", { class: "actions" }, button(t("runs.retry_all"), retry("runs/retry")));
  return section(t("runs.title"), runs.length ? h("ul", { class: "plain-list runs" }, runs.map((run) => runRow(run, retry))) : empty(t("runs.none")), all);
}

function runRow(run, retry) {
  return h(
    "li",
    {},
    h("div", { class: "meta" }, chip(named("run", run.state), `run-${run.state}`), h("time", {}, moment(run.started_at)), h("span", {}, t("runs.told", run.round_ids.length, run.facts))),
    run.error && h("p", { class: "wrong" }, run.error),
    run.state === "parked" && button(t("runs.retry"), retry(`runs/${encodeURIComponent(run.id)}/retry`)),
  );
}
