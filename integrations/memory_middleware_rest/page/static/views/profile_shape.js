// What the two profiles hold, and how each kind of value is shown as text and read again.

import { named } from "../core/words.js";

const WINDOW = /^(.*?)\s*(\d{1,2}:\d{2})\s*[-–—至到]\s*(\d{1,2}:\d{2})$/;

function lines(text) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean);
}

function oneWindow(line) {
  const found = WINDOW.exec(line);
  if (!found) throw new RangeError(line);
  const weekdays = found[1].split(/[\s,，、]+/).filter(Boolean).map((one) => one.toLowerCase());
  return { weekdays, start: found[2].padStart(5, "0"), end: found[3].padStart(5, "0") };
}

function toldWindow({ weekdays, start, end }) {
  const told = weekdays.map((one) => named("day", one)).join(named("day", "and"));
  return `${told ? `${told} ` : ""}${start}–${end}`;
}

/** A moment as a field for date and time shows it: in the reader's own zone, to the minute. */
function local(value) {
  if (!value) return "";
  const moment = new Date(value);
  return new Date(moment - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** For each kind of value: its text, and the value of a text; an empty text clears. */
export const VALUES = {
  text: { show: (value) => value ?? "", read: (text) => text.trim() || null },
  number: { show: (value) => (value ?? "").toString(), read: (text) => (text.trim() ? Number(text) : null) },
  share: { show: (value) => (value ?? 1).toString(), read: (text) => (text.trim() ? Number(text) : 1), props: { type: "number", min: 0, max: 1, step: "any" } },
  moment: { show: local, read: (text) => (text ? new Date(text).toISOString() : null), props: { type: "datetime-local" } },
  choice: { show: (value) => value ?? "", read: (text) => text || null },
  date: { show: (value) => value ?? "", read: (text) => text || null },
  texts: { show: (value) => (value ?? []).join("\n"), read: lines, many: true },
  numbers: { show: (value) => (value ?? []).join("\n"), read: (text) => lines(text).map(Number), many: true },
  windows: { show: (value) => (value ?? []).map(toldWindow).join("\n"), read: (text) => lines(text).map(oneWindow), many: true, hint: "windows.hint" },
};

const text = (name) => ({ name, type: "text" });
const texts = (name) => ({ name, type: "texts" });
const windows = (name) => ({ name, type: "windows" });
const number = (name) => ({ name, type: "number" });
const numbers = (name) => ({ name, type: "numbers" });
const choice = (name, options) => ({ name, type: "choice", options });
const entries = (name, fields) => ({ name, entries: fields });
const group = (name, fields) => ({ name, group: fields });

const date = (name) => ({ name, type: "date" });

const META = group("meta", [text("source"), { name: "confidence", type: "share", usual: 1 }, { name: "last_updated_at", type: "moment" }]);
const PERSON = [...["name", "relationship", "role", "preferred_contact_channel", "notes"].map(text), META];
const MILESTONE = [text("name"), date("due_date"), text("status"), text("notes")];

export const SHAPES = {
  user: [
    text("occupation"),
    text("timezone"),
    text("primary_language"),
    texts("interests"),
    texts("avoid_topics"),
    texts("custom_rules"),
    entries("people", PERSON),
    entries("places", [text("name"), text("category"), text("address"), text("timezone"), number("commute_minutes"), choice("preference", ["like", "neutral", "avoid"]), text("notes"), META]),
    entries("recurring_routines", [text("name"), text("description"), text("cadence"), windows("time_windows"), text("importance"), META]),
    group("preferences", [text("communication_style"), texts("language_preference"), text("location_preference"), text("work_lifestyle"), texts("notification_preference")]),
    group("scheduling_preferences", [
      windows("productive_windows"), windows("preferred_meeting_windows"), windows("no_meeting_windows"), windows("deep_work_windows"),
      numbers("preferred_meeting_duration_minutes"), number("meeting_buffer_minutes"), number("max_meetings_per_day"), text("notes"),
    ]),
  ],
  work: [
    text("occupation"),
    texts("expertise"),
    texts("preferred_tools"),
    text("team_context"),
    texts("work_rules"),
    entries("current_projects", [
      text("name"), text("description"), choice("status", ["planned", "active", "paused", "completed"]), text("priority"),
      date("deadline"), texts("collaborators"), entries("key_milestones", MILESTONE), text("notes"), META,
    ]),
    entries("team_members", PERSON),
    group("work_habits", [
      windows("available_hours"), windows("deep_work_blocks"), windows("preferred_meeting_windows"), windows("no_meeting_windows"),
      numbers("preferred_meeting_duration_minutes"), text("notification_channel"), text("notes"),
    ]),
  ],
};
