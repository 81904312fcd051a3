// The review queue: what waits for the owner's word.

import { call, get } from "../core/api.js";
import { button, chip, empty, h } from "../core/dom.js";
import { more } from "../core/pages.js";
import { address } from "../core/route.js";
import { complain, isWaiting, later, sayQuietly } from "../core/toast.js";
import { moment, named, t } from "../core/words.js";

const PAGE = 25;

export async function reviewView() {
  const list = h("div");
  let asked = 0;
  const following = more((cursor) => load(cursor));
  const load = async (cursor = null) => {
    const turn = (asked += 1);
    const { data } = await get("review", { limit: PAGE, cursor });
    if (turn !== asked) return null;
    const cards = data.entries.filter((entry) => !isWaiting(entry.record.id)).map((entry) => card(entry, again));
    if (!cursor) list.replaceChildren();
    list.append(...cards);
    if (!list.children.length) list.append(empty(t("review.none")));
    following.offer(data.next);
    return { next: data.next, first: cards[0]?.querySelector("button") };
  };
  const again = () => load().catch(complain);
  await load();
  return h("div", {}, h("h1", { tabindex: "-1" }, t("review.title")), h("p", { class: "hint" }, t("review.hint")), list, following.place);
}

function card({ record, reason, contradicts }, again) {
  const deciding = (verb, told) => () => {
    const act = async (keepalive) => {
      await call("POST", `review/${encodeURIComponent(record.id)}/${verb}`, { keepalive, match: "*" });
      sayQuietly(t(`review.${verb}ed`));
      dispatchEvent(new Event("memory-reviewed"));
    };
    later(t(told, record.content), record.id, act, again);
    again();
  };
  return h(
    "article",
    { class: "card review" },
    h("p", { class: "said" }, record.content),
    h("div", { class: "meta" }, chip(named("kind", record.kind), `kind-${record.kind}`), chip(named("trust", record.trust)), h("time", {}, moment(record.created_at))),
    reason && h("p", { class: "hint" }, t("review.reason", reason)),
    contradicts.length ? h("div", {}, h("h3", {}, t("review.contradicts")), contradicts.map((one) => h("blockquote", {}, h("a", { href: address("records", one.id) }, one.content)))) : null,
    h(
      "div",
      { class: "actions" },
      button(t("review.accept"), deciding("accept", "review.accepting"), { class: "primary" }),
      button(t("forget"), deciding("reject", "forgetting"), { class: "danger" }),
      h("a", { class: "button", href: address("records", record.id) }, t("details")),
    ),
  );
}
