// The two profiles, edited in place; a version guards each change.

import { call, get } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { complain, say } from "../core/toast.js";
import { moment, named, t } from "../core/words.js";
import { Document } from "./profile_document.js";
import { entriesPart, leafPart } from "./profile_parts.js";
import { SHAPES } from "./profile_shape.js";

export async function profileView() {
  const cards = await Promise.all(["user", "work"].map(profileCard));
  return h("div", {}, h("h1", { tabindex: "-1" }, t("profile.title")), h("p", { class: "hint" }, t("profile.hint")), h("div", { class: "columns" }, cards));
}

async function profileCard(kind) {
  const card = h("section", { class: "card profile", "aria-label": t(`profile.${kind}`) });
  const draw = async () => {
    const [{ data: content, tag }, { data: state }] = await Promise.all([get(`memories/${kind}`), get(`memories/${kind}/status`)]);
    const used = state.status === "active";
    card.replaceChildren(head(kind, used, again), ...(used ? body(new Document(kind, content, tag, again)) : [h("p", { class: "empty" }, t("profile.off"))]), past(kind, tag, again));
  };
  const again = () => draw().catch(complain);
  await draw();
  return card;
}

function head(kind, used, again) {
  const turn = async () => {
    const change = (status) => call("PUT", `memories/${kind}/status`, { body: { status } });
    try {
      await change(used ? "disabled" : "active");
      say(t(used ? "profile.now_off" : "profile.now_on"), () => change(used ? "active" : "disabled").then(again, complain));
      await again();
    } catch (error) {
      complain(error);
    }
  };
  return h("div", { class: "head" }, h("h2", {}, t(`profile.${kind}`)), button(t(used ? "profile.turn_off" : "profile.turn_on"), turn, { class: "quiet" }));
}

function body(document) {
  const shape = SHAPES[document.kind];
  const leaves = shape.filter((part) => part.type);
  return [
    h("dl", { class: "leaves" }, leaves.map((part) => leafPart(document, [part.name], part))),
    ...shape.filter((part) => part.entries).map((part) => entriesPart(document, part)),
    ...shape.filter((part) => part.group).map((part) => groupPart(document, part)),
  ];
}

function groupPart(document, part) {
  const rows = part.group.map((one) => leafPart(document, [part.name, one.name], one));
  const filled = part.group.some((one) => document.at([part.name, one.name])?.length);
  return h("details", { open: filled }, h("summary", {}, t(`field.${part.name}`)), h("dl", { class: "leaves" }, rows));
}

/** Earlier versions, read when somebody wants them. */
function past(kind, tag, again) {
  const list = h("ol", { class: "history" });
  const load = async () => {
    const { data } = await get(`memories/${kind}/history`, { limit: 20 });
    list.replaceChildren(...data.versions.map((one, place) => version(kind, one, place, tag, again)));
  };
  const opened = (event) => { if (event.target.open) load().catch(complain); };
  return h("details", { class: "past", ontoggle: opened }, h("summary", {}, t("profile.history")), list);
}

function version(kind, one, place, tag, again) {
  const bring = async () => {
    try {
      await call("PUT", `memories/${kind}`, { body: { content: one.content }, match: tag });
      say(t("profile.brought", one.version));
      await again();
    } catch (error) {
      complain(error);
    }
  };
  return h(
    "li",
    { class: place === 0 ? "now" : "" },
    h("span", {}, t("profile.version", one.version, named("by", one.source))),
    h("div", { class: "meta" }, h("time", {}, moment(one.changed_at)), place > 0 && button(t("profile.bring"), bring, { class: "link" })),
  );
}
