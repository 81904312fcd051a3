// What happened: the turns of agents, what waits, and the runs of the extractor.

import { call, get } from "../core/api.js";
import { bar, button, chip, empty, h, section } from "../core/dom.js";
import { more } from "../core/pages.js";
import { address } from "../core/route.js";
import { complain, say } from "../core/toast.js";
import { clock, day, moment, named, number, t } from "../core/words.js";

const PAGE = 20;
const RUNS = 8;
const PARTS = ["injected", "referenced", "extracted", "superseded"];

export async function timelineView() {
  const list = h("div");
  const side = h("div", { class: "side" });
  const turns = [];
  let asked = 0;
  const following = more((cursor) => load(cursor));

  async function load(cursor = null) {
    const turn = (asked += 1);
    const { data } = await get("turns", { limit: PAGE, cursor });
    if (turn !== asked) return null;
    if (!cursor) turns.length = 0;
    const place = turns.length;
    turns.push(...data.turns);
    list.replaceChildren(...days(turns));
    following.offer(data.next);
    return { next: data.next, first: list.querySelectorAll(".turn")[place] };
  }

  async function drawSide() {
    const [runs, buffer] = await Promise.all([get("runs", { limit: RUNS }), get("buffer")]);
    side.replaceChildren(waiting(buffer.data.threads, again), runsPart(runs.data, again));
  }

  const again = () => Promise.all([load(), drawSide()]).catch(complain);
  await Promise.all([load(), drawSide()]);
  return h("div", { class: "timeline" }, h("h1", { tabindex: "-1" }, t("timeline.title")), h("div", { class: "columns wide-left" }, h("div", {}, list, following.place), side));
}

function days(turns) {
  if (!turns.length) return [empty(t("timeline.none"))];
  const groups = Map.groupBy(turns, (turn) => day(turn.happened_at));
  return [...groups].map(([title, some]) => h("section", {}, h("h2", { class: "day" }, title), h("ol", { class: "turns" }, some.map(turnRow))));
}

function turnRow(turn) {
  const total = PARTS.reduce((sum, part) => sum + turn[part].length, 0);
  return h(
    "li",
    { class: "turn", tabindex: "-1" },
    h("p", { class: "text" }, turn.query || "—"),
    h("div", { class: "meta" }, h("time", {}, clock(turn.happened_at)), turn.agent && chip(turn.agent), chip(turn.session_id, "tag"), budget(turn)),
    total ? happened(turn) : null,
  );
}

/** How much of its budget the memory of a turn took. */
function budget({ tokens, budget: most }) {
  const share = tokens / most;
  const told = t("timeline.budget", number(tokens), number(most), number(100 * share, share < 0.1 ? 1 : 0));
  return h("span", { class: share > 0.9 ? "budget full" : "budget" }, bar(share, told), h("span", { "aria-hidden": "true" }, t("timeline.cost", number(tokens), number(most))));
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

function runsPart(first, again) {
  const retry = (path) => async () => {
    try {
      await call("POST", path);
      say(t("runs.retried"));
      await again();
    } catch (error) {
      complain(error);
    }
  };
  const list = h("ul", { class: "plain-list runs" });
  const all = h("div", { class: "actions" }, button(t("runs.retry_all"), retry("runs/retry")));
  const show = ({ runs, next }) => {
    const rows = runs.map((run) => runRow(run, retry));
    list.append(...rows);
    all.hidden = list.querySelectorAll(".run-parked").length < 2;
    following.offer(next);
    return { next, first: rows[0] };
  };
  const following = more(async (cursor) => show((await get("runs", { limit: RUNS, cursor })).data));
  show(first);
  return section(t("runs.title"), first.runs.length ? list : empty(t("runs.none")), following.place, all);
}

function runRow(run, retry) {
  return h(
    "li",
    { tabindex: "-1" },
    h("div", { class: "meta" }, chip(named("run", run.state), `run-${run.state}`), h("time", {}, moment(run.started_at)), h("span", {}, t("runs.told", run.round_ids.length, run.facts))),
    run.error && h("p", { class: "wrong" }, run.error),
    run.state === "parked" && button(t("runs.retry"), retry(`runs/${encodeURIComponent(run.id)}/retry`)),
  );
}
