// Numbers about the memory, and all of it to take away.

import { download, get } from "../core/api.js";
import { button, empty, facts, h, section, svg } from "../core/dom.js";
import { complain } from "../core/toast.js";
import { named, number, t } from "../core/words.js";

const DAY = 86_400_000;
const LEAST = 30;
const MOST = 90;
const STATES = ["active", "archived", "superseded", "quarantined"];

export async function statsView() {
  const { data } = await get("stats");
  const take = () => download("export", "memory.jsonl").catch(complain);
  return h(
    "div",
    {},
    h("div", { class: "head" }, h("h1", { tabindex: "-1" }, t("stats.title")), button(t("export"), take, { class: "primary", "data-key": "x" })),
    h("div", { class: "tiles" }, tiles(data)),
    h("div", { class: "columns" }, byKind(data.records), section(t("stats.weights"), weights(data.weights))),
    section(t("stats.growth"), growth(data.growth)),
    data.store && store(data.store),
  );
}

function tiles(data) {
  const records = Object.values(data.records).flatMap(Object.values).reduce((sum, one) => sum + one, 0);
  const experience = Object.values(data.experience).reduce((sum, one) => sum + one, 0);
  const rate = data.injected ? `${Math.round((100 * data.referenced) / data.injected)} %` : "—";
  return [
    ["records.title", number(records)],
    ["stats.turns", number(data.turns)],
    ["stats.used", rate],
    ["experience.title", number(experience)],
    ["stats.rounds", number(data.rounds)],
    ["stats.parked", number(data.parked)],
  ].map(([key, value]) => h("div", { class: "tile" }, h("strong", {}, value), h("span", {}, t(key))));
}

function byKind(records) {
  const head = h("tr", {}, h("th", { scope: "col" }, t("kind")), STATES.map((state) => h("th", { scope: "col" }, named("state", state))));
  const rows = Object.entries(records).map(([kind, counts]) =>
    h("tr", {}, h("th", { scope: "row" }, named("kind", kind)), STATES.map((state) => h("td", { class: "number" }, counts[state] ? number(counts[state]) : "·"))),
  );
  if (!rows.length) return section(t("stats.kinds"), empty(t("stats.none")));
  return section(t("stats.kinds"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), h("tbody", {}, rows))));
}

function weights(counts) {
  const bars = counts.map((count, place) => [`${number(place / 2)}–${number((place + 1) / 2)}`, count]);
  return chart(bars, t("stats.weights"));
}

/** The days up to the last one that brought something, those without any too. */
function growth(days) {
  const known = Object.keys(days).sort();
  if (!known.length) return chart([], t("stats.growth"));
  const last = Date.parse(known.at(-1));
  const count = Math.max(LEAST, Math.min(MOST, 1 + Math.round((last - Date.parse(known[0])) / DAY)));
  const shown = Array.from({ length: count }, (_, place) => new Date(last - (count - 1 - place) * DAY).toISOString().slice(0, 10));
  return chart(shown.map((date) => [date, days[date] ?? 0]), t("stats.growth"));
}

/** Bars with a text for each, also for those who do not see them. */
function chart(bars, title) {
  if (!bars.some(([, count]) => count)) return empty(t("stats.none"));
  const most = Math.max(1, ...bars.map(([, count]) => count));
  const wide = Math.max(1, bars.length);
  const shapes = bars.map(([label, count], place) => {
    const height = (36 * count) / most;
    return svg("rect", { x: place * 10 + 1, y: 38 - height, width: 8, height: Math.max(height, count ? 1 : 0), rx: 1 }, svg("title", {}, `${label}: ${count}`));
  });
  const told = bars.filter(([, count]) => count).map(([label, count]) => `${label}: ${count}`).join(", ");
  const drawn = svg("svg", { class: "chart", viewBox: `0 0 ${wide * 10} 40`, preserveAspectRatio: "none", role: "img", "aria-label": `${title}. ${told}` }, svg("path", { class: "ground", d: `M0 38.5H${wide * 10}` }), shapes);
  return h("figure", {}, drawn, h("figcaption", {}, h("span", {}, bars[0][0]), h("span", {}, t("stats.most", number(most))), h("span", {}, bars.at(-1)[0])));
}

function store(told) {
  const failures = Object.entries(told.failures).map(([name, count]) => `${name}: ${count}`).join(", ");
  return section(
    t("stats.store"),
    facts([
      [t("stats.cache"), `${Math.round(100 * told.cache_hit_rate)} %`],
      [t("stats.disk"), told.disk_bytes === null ? null : `${number(told.disk_bytes / 1e6)} MB`],
      [t("stats.failures"), failures || "0"],
    ]),
  );
}
