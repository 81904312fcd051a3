// All records: searched, filtered, sorted, page by page.

import { get } from "../core/api.js";
import { bar, empty, h, select } from "../core/dom.js";
import { step } from "../core/keys.js";
import { more } from "../core/pages.js";
import { here, note } from "../core/route.js";
import { complain, isWaiting } from "../core/toast.js";
import { named, number, t } from "../core/words.js";
import { addRecord } from "./record_add.js";
import { recordRow } from "./record_row.js";

const KINDS = ["fact", "preference", "project", "feedback", "reference", "dialogue"];
const STATES = ["active", "archived", "superseded", "quarantined"];
const SORTS = ["updated", "created", "weight", "used"];
const TOLD = KINDS.filter((kind) => kind !== "dialogue");
const PAGE = 25;

export async function recordsView() {
  const chosen = Object.fromEntries(here().query);
  const list = h("ul", { class: "rows" });
  let asked = 0;
  const following = more((cursor) => load(cursor));

  async function load(cursor = null) {
    const turn = (asked += 1);
    list.setAttribute("aria-busy", "true");
    try {
      const { rows, next } = chosen.q ? await searched(chosen) : await listed(chosen, cursor);
      if (turn !== asked) return null;
      if (!cursor) list.replaceChildren();
      list.append(...rows);
      if (!list.children.length) list.append(h("li", {}, nothing(chosen)));
      following.offer(next);
      return { next, first: rows[0]?.querySelector("a") };
    } finally {
      if (turn === asked) list.removeAttribute("aria-busy");
    }
  }

  function choose(name, value) {
    chosen[name] = value;
    note("records", chosen);
    load().catch(complain);
  }

  await load();
  return h(
    "div",
    {},
    h("div", { class: "head" }, h("h1", { tabindex: "-1" }, t("records.title")), addRecord(() => load().catch(complain))),
    tools(chosen, choose),
    list,
    following.place,
  );
}

/** What stands where nothing is: what to do about it, or that the filters leave nothing. */
function nothing(chosen) {
  if (chosen.q) return empty(t("records.none_found"));
  const narrowed = ![undefined, "", "all"].includes(chosen.kind) || ![undefined, "active", "all"].includes(chosen.state);
  return empty(t(narrowed ? "records.none_chosen" : "records.none"));
}

function tools(chosen, choose) {
  let timer = null;
  const typed = (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      choose("q", event.target.value.trim());
      sort.lastChild.disabled = Boolean(chosen.q);
    }, 200);
  };
  const search = h("input", {
    type: "search", id: "search", value: chosen.q ?? "", placeholder: t("records.search"), "aria-label": t("records.search"), oninput: typed,
    onkeydown: (event) => { if (event.key === "ArrowDown") step(0, event); },
  });
  const sort = select(t("sort"), SORTS.map((one) => [one, named("sort", one)]), chosen.sort ?? "updated", (value) => choose("sort", value));
  sort.lastChild.disabled = Boolean(chosen.q); // what was searched for comes by its score
  return h(
    "form",
    { class: "tools", role: "search", onsubmit: (event) => event.preventDefault() },
    search,
    select(t("kind"), [["", t("kind.told")], ["all", t("all")], ...KINDS.map((kind) => [kind, named("kind", kind)])], chosen.kind ?? "", (value) => choose("kind", value)),
    select(t("state"), [...STATES.map((state) => [state, named("state", state)]), ["all", t("all")]], chosen.state ?? "active", (value) => choose("state", value)),
    sort,
  );
}

function filters(chosen) {
  const kinds = { "": TOLD, all: [] };
  return { kind: kinds[chosen.kind ?? ""] ?? chosen.kind, state: chosen.state === "all" ? STATES : chosen.state };
}

async function listed(chosen, cursor) {
  const { data } = await get("records", { ...filters(chosen), sort: chosen.sort, limit: PAGE, cursor });
  return { rows: data.records.filter((record) => !isWaiting(record.id)).map((record) => recordRow(record)), next: data.next };
}

async function searched(chosen) {
  const { data } = await get("search", { ...filters(chosen), q: chosen.q, explain: true, limit: PAGE });
  const found = data.found.filter((one) => !isWaiting(one.record.id));
  return { rows: found.map((one) => recordRow(one.record, why(one))), next: null };
}

/** What speaks for a record: each signal as a bar, those against it marked. */
function why(found) {
  const told = Object.entries(found.signals).filter(([, value]) => value !== 0);
  const most = Math.max(...told.map(([, value]) => Math.abs(value)));
  const rows = told.sort((one, other) => other[1] - one[1]).map(([name, value]) => [
    h("dt", {}, named("signal", name)),
    h("dd", { class: value < 0 ? "against" : "" }, bar(Math.abs(value) / most, number(value)), h("span", {}, number(value))),
  ]);
  return h(
    "details",
    { class: "why" },
    h("summary", {}, t("why", number(found.score))),
    h("dl", { class: "signals" }, rows),
    h("p", { class: "hint" }, t("why.more", number(found.cosine ?? 0), number(Math.min(1, found.coverage ?? 0)))),
  );
}
