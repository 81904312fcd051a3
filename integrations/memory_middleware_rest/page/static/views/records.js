// All records: searched, filtered, sorted, page by page.

import { get } from "../core/api.js";
import { bar, button, empty, h, select } from "../core/dom.js";
import { step } from "../core/keys.js";
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
  const more = h("div", { class: "more" });
  let asked = 0;

  async function load(cursor = null) {
    const turn = (asked += 1);
    try {
      const { rows, next } = chosen.q ? await searched(chosen) : await listed(chosen, cursor);
      if (turn !== asked) return;
      if (!cursor) list.replaceChildren();
      list.append(...rows);
      if (!list.children.length) list.append(h("li", {}, empty(t(chosen.q ? "records.none_found" : "records.none"))));
      more.replaceChildren(...(next ? [button(t("more"), () => load(next), { class: "wide" })] : []));
    } catch (error) {
      complain(error);
    }
  }

  function choose(name, value) {
    chosen[name] = value;
    note("records", chosen);
    load();
  }

  await load();
  return h(
    "div",
    {},
    h("div", { class: "head" }, h("h1", { tabindex: "-1" }, t("records.title")), addRecord(() => load())),
    tools(chosen, choose),
    list,
    more,
  );
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
    h("p", { class: "hint" }, t("why.more", number(found.cosine ?? 0), number(found.coverage ?? 0))),
  );
}
