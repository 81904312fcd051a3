// One record with all around it: history, links, use and the words it came from.

import { call, get, Problem } from "../core/api.js";
import { button, chip, empty, facts, h, section } from "../core/dom.js";
import { more } from "../core/pages.js";
import { address, go } from "../core/route.js";
import { complain, later, say, sayQuietly } from "../core/toast.js";
import { known, moment, named, number, t } from "../core/words.js";
import { recordForm } from "./record_form.js";
import { marks, recordRow, weightBar } from "./record_row.js";

const USES = 20;

export async function recordView(id) {
  const box = h("div", { class: "detail" });
  await fill(box, id);
  return box;
}

async function fill(box, id) {
  try {
    const { data, tag } = await get(`records/${encodeURIComponent(id)}`);
    box.replaceChildren(...parts(box, data, tag));
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
    box.replaceChildren(h("h1", { tabindex: "-1" }, t("record.title")), empty(t("record.gone")));
  }
}

function parts(box, detail, tag) {
  const { record } = detail;
  const again = () => fill(box, record.id).catch(complain);
  const edit = () => body.replaceChildren(recordForm(record, tag, again));
  const body = h("article", { class: "card" }, h("p", { class: "said" }, record.content), h("div", { class: "meta" }, marks(record), weightBar(record)), actions(record, tag, () => edit(), again));
  return [
    h("a", { class: "back", href: "#/records" }, `← ${t("records.title")}`),
    h("h1", { tabindex: "-1", class: "small" }, t("record.title")),
    body,
    record.note && h("p", { class: "hint" }, record.note),
    h("div", { class: "columns" }, h("div", {}, about(record), linked(detail)), h("div", {}, said(detail), history(detail), edited(detail, tag, again))),
    usage(detail),
  ].filter(Boolean);
}

function actions(record, tag, edit, again) {
  const doing = (verb, back, told) => async () => {
    try {
      const made = await turned(record, verb, tag);
      say(t(told), () => turned(record, back, made.tag).catch(complain).then(again));
    } catch (error) {
      complain(error);
    }
    await again();
  };
  const shown = [button(t("edit"), edit, { "data-key": "e" })];
  if (record.state === "active") shown.push(button(t("archive"), doing("archive", "restore", "archived"), { "data-key": "a" }));
  if (record.state === "archived") shown.push(button(t("restore"), doing("restore", "archive", "restored"), { "data-key": "a" }));
  if (record.state === "quarantined") shown.push(h("a", { class: "button", href: "#/review" }, t("review.title")));
  shown.push(
    record.pinned
      ? button(t("unpin"), doing("unpin", "pin", "unpinned"), { "data-key": "p" })
      : button(t("pin"), doing("pin", "unpin", "pinned"), { "data-key": "p" }),
    button(t("forget"), () => forget(record, tag), { class: "danger", "data-key": "d" }),
  );
  return h("div", { class: "actions" }, shown);
}

function turned(record, verb, match) {
  return call("POST", `records/${encodeURIComponent(record.id)}/${verb}`, { match });
}

function forget(record, match) {
  const act = async (keepalive) => {
    const { data } = await call("DELETE", `records/${encodeURIComponent(record.id)}`, { keepalive, match });
    sayQuietly(t("forgotten.receipt", data.id));
  };
  later(t("forgetting", record.content), record.id, act, () => go("records", record.id));
  go("records");
}

function about(record) {
  const place = [record.subject, record.attribute].filter(Boolean).join(" · ");
  return section(
    t("record.about"),
    facts([
      [t("kind"), named("kind", record.kind)],
      [t("state"), named("state", record.state)],
      [t("weight"), number(record.weight)],
      [t("confidence"), number(record.confidence)],
      [t("importance"), number(record.importance)],
      [t("trust"), named("trust", record.trust)],
      [t("source"), record.source],
      [t("address"), place],
      [t("valid_from"), moment(record.valid_from)],
      [t("valid_to"), moment(record.valid_to)],
      [t("event_time"), moment(record.event_time)],
      [t("created"), moment(record.created_at)],
      [t("changed"), moment(record.updated_at)],
      [t("used"), record.access_count ? t("used.times", record.access_count, moment(record.last_accessed)) : t("used.never")],
    ]),
  );
}

function said(detail) {
  const thread = detail.record.provenance.thread_id;
  const rows = detail.said_in.map((one) => h("blockquote", {}, one.content, h("footer", {}, moment(one.created_at))));
  return section(t("record.said"), thread && h("p", { class: "hint" }, t("thread.of", thread)), rows.length ? rows : empty(t("record.said_none")));
}

function history(detail) {
  const rows = detail.history.map((one) =>
    h(
      "li",
      { class: one.id === detail.record.id ? "now" : "" },
      h("a", { href: address("records", one.id) }, one.content),
      h("div", { class: "meta" }, chip(named("state", one.state), `state-${one.state}`), h("time", {}, span(one))),
    ),
  );
  return section(t("record.history"), rows.length ? h("ol", { class: "history" }, rows) : empty(t("record.history_none")));
}

function span(record) {
  const from = moment(record.valid_from ?? record.created_at);
  return record.valid_to ? `${from} – ${moment(record.valid_to)}` : t("since", from);
}

function linked(detail) {
  const rows = [
    ...detail.links.map((link) => recordRow(link.record, chip(`→ ${named("relation", link.relation)}`))),
    ...detail.linked_from.map((record) => recordRow(record, chip(`← ${t("linked_from")}`))),
  ];
  return section(t("record.links"), rows.length ? h("ul", { class: "rows" }, rows) : empty(t("record.links_none")));
}

/** What people changed in it by hand; each change can be taken back, with those after it. */
function edited(detail, tag, again) {
  if (!detail.edits.length) return null;
  const undo = (edit) => async () => {
    const path = `records/${encodeURIComponent(detail.record.id)}/undo`;
    try {
      const made = await call("POST", `${path}?edit=${edit.version}`, { match: tag });
      say(t("undone"), () => call("POST", path, { match: made.tag }).catch(complain).then(again));
    } catch (error) {
      complain(error);
    }
    await again();
  };
  const rows = detail.edits.map((edit) =>
    h(
      "li",
      {},
      Object.keys(edit.before).map((name) => h("div", { class: "change" }, h("small", {}, known(name) ?? known(`field.${name}`) ?? name), h("del", {}, worded(edit.before[name])), h("ins", {}, worded(edit.after[name])))),
      h("div", { class: "meta" }, h("time", {}, moment(edit.changed_at)), button(t("undo.this"), undo(edit), { class: "link" })),
    ),
  );
  return section(t("record.edits"), h("ol", { class: "history edits" }, rows));
}

function worded(value) {
  if (value === null || value === "" || (Array.isArray(value) && !value.length)) return t("unset");
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return Array.isArray(value) ? value.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ") : value;
}

function usage(detail) {
  const head = h("tr", {}, ["time", "query", "use", "thread"].map((key) => h("th", { scope: "col" }, t(key))));
  const body = h("tbody");
  const show = (entries) => {
    const rows = entries.map(usageRow);
    body.append(...rows);
    return rows[0];
  };
  const path = `records/${encodeURIComponent(detail.record.id)}/usage`;
  const following = more(async (cursor) => {
    const { data } = await get(path, { limit: USES, cursor });
    return { next: data.next, first: show(data.usage) };
  });
  get(path, { limit: USES }).then(({ data }) => { show(data.usage); following.offer(data.next); }, complain);
  return section(t("record.usage"), detail.usage.length ? [h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), body)), following.place] : empty(t("record.usage_none")));
}

function usageRow(one) {
  const use = chip(t(one.was_referenced ? "used.referenced" : "used.injected"), one.was_referenced ? "good" : "");
  return h("tr", { tabindex: "-1" }, h("td", {}, moment(one.used_at)), h("td", {}, one.query || "—"), h("td", {}, use), h("td", {}, one.session_id));
}
