// The page: its frame, its views, and the way between them.

import { get, hasToken, keepToken, onSignIn } from "./core/api.js";
import { button, empty, h } from "./core/dom.js";
import { helpDialog, listen, step } from "./core/keys.js";
import { go, here } from "./core/route.js";
import { askForToken } from "./core/sign_in.js";
import { applyTheme, switchTheme } from "./core/theme.js";
import { complain, settleNow, toastPlace, undoLast } from "./core/toast.js";
import { currentLanguage, switchLanguage, t } from "./core/words.js";
import { experienceView } from "./views/experience.js";
import { forgetView } from "./views/forget.js";
import { notesView } from "./views/notes.js";
import { profileView } from "./views/profile.js";
import { recordView } from "./views/record.js";
import { recordsView } from "./views/records.js";
import { reviewView } from "./views/review.js";
import { statsView } from "./views/stats.js";
import { timelineView } from "./views/timeline.js";

const GROUPS = [
  ["nav.knows", { records: recordsView, profile: profileView, notes: notesView, experience: experienceView }],
  ["nav.happened", { timeline: timelineView }],
  ["nav.care", { review: reviewView, forget: forgetView, stats: statsView }],
];
const VIEWS = Object.assign({}, ...GROUPS.map(([, views]) => views));
const NAMES = Object.keys(VIEWS);

const main = h("main", { id: "main" });
let shown = 0;

function frame() {
  document.documentElement.lang = currentLanguage() === "zh" ? "zh-Hans" : "en";
  const nav = h("nav", { "aria-label": t("nav") }, GROUPS.map(([title, views]) => [h("h2", {}, t(title)), h("ul", {}, Object.keys(views).map(link))]));
  const out = hasToken() && button(t("sign_out"), signOut, { class: "quiet" });
  const tools = h(
    "div",
    { class: "switches" },
    button(currentLanguage() === "en" ? "中文" : "English", turnLanguage, { class: "quiet", lang: currentLanguage() === "en" ? "zh" : "en" }),
    button("◐", switchTheme, { class: "quiet", "aria-label": t("theme"), title: t("theme") }),
    button("?", help, { class: "quiet", "aria-label": t("keys.title"), title: t("keys.title") }),
    out,
  );
  const brand = h("a", { class: "brand", href: "#/records" }, h("img", { src: "page/icon.svg", alt: "", width: 28, height: 28 }), h("span", {}, t("title")), h("small", { id: "owner" }));
  document.body.replaceChildren(h("a", { class: "skip", href: "#main", onclick: skip }, t("skip")), h("header", {}, brand, tools), nav, main, toastPlace());
}

function link(view) {
  const badge = view === "review" ? h("b", { class: "badge", id: "waiting", hidden: true }) : null;
  return h("li", {}, h("a", { href: `#/${view}`, "data-view": view }, t(`${view}.title`), badge));
}

function skip(event) {
  event.preventDefault();
  main.querySelector("h1")?.focus();
}

async function show(focus = true) {
  const turn = (shown += 1);
  const { view, id } = here();
  const make = view === "records" && id !== null ? () => recordView(id) : VIEWS[view] ?? recordsView;
  main.setAttribute("aria-busy", "true");
  if (!main.children.length) main.append(h("p", { class: "empty", role: "status" }, t("loading")));
  const made = await make().catch((error) => h("div", {}, h("h1", { tabindex: "-1" }, t("failed")), empty(error.message)));
  if (turn !== shown) return;
  main.replaceChildren(made);
  main.removeAttribute("aria-busy");
  mark(view);
  if (focus) {
    scrollTo(0, 0);
    main.querySelector("h1")?.focus({ preventScroll: true });
  }
}

function mark(view) {
  for (const one of document.querySelectorAll("nav a")) {
    if (one.dataset.view === view) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  }
  document.querySelector("nav a[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  document.title = `${t(`${view in VIEWS ? view : "records"}.title`)} · ${t("title")}`;
}

/** Whose memory it is, and how much waits for their word. */
async function greet() {
  const [stats, review] = await Promise.all([get("stats"), get("review", { limit: 50 })]);
  document.getElementById("owner").textContent = stats.data.owner_id;
  const waiting = review.data.entries.length;
  const badge = document.getElementById("waiting");
  badge.hidden = waiting === 0;
  badge.textContent = review.data.next ? `${waiting}+` : String(waiting);
}

function turnLanguage() {
  switchLanguage();
  frame();
  show(false);
  greet().catch(complain);
}

async function signOut() {
  await settleNow();
  keepToken(null);
  location.reload();
}

function find() {
  if (here().view === "records" && here().id === null) document.getElementById("search")?.focus();
  else {
    go("records");
    addEventListener("hashchange", () => setTimeout(() => document.getElementById("search")?.focus(), 150), { once: true });
  }
}

function help() {
  helpDialog([
    [`1 – ${NAMES.length}`, t("keys.views")],
    ["/", t("keys.search")],
    ["j k", t("keys.step")],
    ["n", t("keys.new")],
    ["e", t("keys.edit")],
    ["a", t("keys.archive")],
    ["p", t("keys.pin")],
    ["d", t("keys.forget")],
    ["u", t("keys.undo")],
    ["x", t("keys.export")],
    ["l", t("keys.language")],
    ["t", t("keys.theme")],
    ["?", t("keys.help")],
  ]);
}

applyTheme();
onSignIn(askForToken);
frame();
listen({
  "?": help, "/": find, j: () => step(1), k: () => step(-1), u: undoLast, l: turnLanguage, t: switchTheme,
  ...Object.fromEntries(NAMES.map((view, place) => [String(place + 1), () => go(view)])),
});
addEventListener("hashchange", () => show());
addEventListener("memory-reviewed", () => greet().catch(complain));
show(false).then(() => { frame(); mark(here().view); return greet(); }).catch(complain);
