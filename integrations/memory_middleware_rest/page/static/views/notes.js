// Notes: Markdown files that people and agents both write, where the server keeps some.

import { call, get, Problem } from "../core/api.js";
import { button, chip, empty, field, h, select } from "../core/dom.js";
import { isEscape } from "../core/keys.js";
import { complain, isWaiting, later, say, sayQuietly } from "../core/toast.js";
import { moment, named, t } from "../core/words.js";
import { both, conflict } from "./conflict.js";

const TYPES = ["user", "feedback", "project", "reference"];

export async function notesView() {
  const list = h("div", { class: "notes" });
  const title = h("h1", { tabindex: "-1" }, t("notes.title"));
  try {
    await fill(list);
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
    return h("div", {}, title, empty(t("notes.off")));
  }
  const write = () => { if (!list.querySelector("form")) list.prepend(noteForm(null, list)); };
  return h("div", {}, h("div", { class: "head" }, title, button(`+ ${t("notes.new")}`, write, { "data-key": "n" })), list);
}

async function fill(list) {
  const { data } = await get("notes");
  const cards = data.notes.filter((note) => !isWaiting(note.filename)).map((note) => noteCard(note, list));
  const broken = data.problems.map((one) => h("p", { class: "wrong" }, `${one.filename}: ${one.message}`));
  list.replaceChildren(...cards, ...broken);
  if (!cards.length) list.append(empty(t("notes.none")));
}

function noteCard(note, list) {
  const again = () => fill(list).catch(complain);
  const remove = () => {
    const act = async (keepalive) => {
      await call("DELETE", path(note.filename), { keepalive, match: tagOf(note) }).catch((error) => { again(); throw error; });
      sayQuietly(t("notes.removed"));
    };
    later(t("removing", note.name || note.filename), note.filename, act, again);
    again();
  };
  const card = h(
    "article",
    { class: "card" },
    h("h2", {}, note.name || note.filename),
    h("p", { class: "hint" }, note.description),
    h("pre", {}, note.content),
    h("div", { class: "meta" }, chip(named("note", note.type)), note.is_stale && chip(t("notes.stale"), "state-quarantined"), chip(note.filename, "tag"), h("time", {}, moment(note.changed_at))),
    h("div", { class: "actions" }, button(t("edit"), () => card.replaceWith(noteForm(note, list))), button(t("remove"), remove, { class: "danger" })),
  );
  return card;
}

function noteForm(note, list) {
  const leave = (event) => { if (isEscape(event)) again(); };
  const again = () => fill(list).catch(complain);
  const filename = h("input", { required: true, value: note?.filename ?? "", pattern: "[^\\/\\\\]+", disabled: note !== null });
  const name = h("input", { required: true, maxlength: 500, value: note?.name ?? "" });
  const about = h("input", { required: true, maxlength: 500, value: note?.description ?? "" });
  const content = h("textarea", { rows: 8, value: note?.content ?? "" });
  const warned = h("div");
  let type = note?.type ?? "project";

  let known = note;

  async function put(seen) {
    const version = seen ? { match: tagOf(seen) } : { isNew: true };
    try {
      await call("PUT", path(filename.value), { body: { type, name: name.value, description: about.value, content: content.value }, ...version });
      say(t("saved"));
      await again();
    } catch (error) {
      if (error instanceof Problem && error.status === 412) await warn().catch(complain);
      else complain(error);
    }
  }

  async function warn() {
    const now = await current(filename.value);
    const merge = now && (() => { content.value = both(now.content, content.value); known = now; warned.replaceChildren(); content.focus(); });
    warned.replaceChildren(conflict({ theirs: now?.content, mine: content.value, keepTheirs: again, putMine: () => put(now), merge }));
  }

  return h(
    "form",
    { class: "card edit", onkeydown: leave, onsubmit: (event) => { event.preventDefault(); put(known); } },
    field(t("notes.filename"), filename),
    field(t("notes.name"), name),
    field(t("notes.about"), about),
    select(t("kind"), TYPES.map((one) => [one, named("note", one)]), type, (value) => { type = value; }),
    field(t("content"), content),
    warned,
    h("div", { class: "actions" }, h("button", { class: "primary" }, t("save")), button(t("cancel"), again)),
  );
}

/** The note as it is now; the list is asked, since a name that is still free is no error. */
async function current(filename) {
  const name = filename.normalize("NFC").trim();
  const wanted = name.endsWith(".md") ? name : `${name}.md`;
  const { data } = await get("notes");
  return data.notes.find((note) => note.filename === wanted) ?? null;
}

/** The version of a note, as the server names it. */
function tagOf(note) {
  return `"${note.version}"`;
}

function path(filename) {
  return `notes/${encodeURIComponent(filename)}`;
}
