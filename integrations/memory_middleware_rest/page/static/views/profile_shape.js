// What the two profiles hold, and how each kind of value is shown as text and read again.

const WINDOW = /^(.*?)\s*(\d{1,2}:\d{2})\s*[-–—至到]\s*(\d{1,2}:\d{2})$/;

function lines(text) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean);
}

function oneWindow(line) {
  const found = WINDOW.exec(line);
  if (!found) throw new RangeError(line);
  const weekdays = found[1].split(/[\s,，]+/).filter(Boolean).map((one) => one.toLowerCase());
  return { weekdays, start: found[2].padStart(5, "0"), end: found[3].padStart(5, "0") };
}

function toldWindow({ weekdays, start, end }) {
  return `${weekdays.length ? `${weekdays.join(", ")} ` : ""}${start}–${end}`;
}

/** For each kind of value: its text, and the value of a text; an empty text clears. */
export const VALUES = {
  text: { show: (value) => value ?? "", read: (text) => text.trim() || null },
  number: { show: (value) => (value ?? "").toString(), read: (text) => (text.trim() ? Number(text) : null) },
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

const PERSON = ["name", "relationship", "role", "preferred_contact_channel", "notes"].map(text);

export const SHAPES = {
  user: [
    text("occupation"),
    text("timezone"),
    text("primary_language"),
    texts("interests"),
    texts("avoid_topics"),
    texts("custom_rules"),
    entries("people", PERSON),
    entries("places", [text("name"), text("category"), text("address"), text("timezone"), number("commute_minutes"), choice("preference", ["like", "neutral", "avoid"]), text("notes")]),
    entries("recurring_routines", [text("name"), text("description"), text("cadence"), windows("time_windows"), text("importance")]),
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
      { name: "deadline", type: "date" }, texts("collaborators"), text("notes"),
    ]),
    entries("team_members", PERSON),
    group("work_habits", [
      windows("available_hours"), windows("deep_work_blocks"), windows("preferred_meeting_windows"), windows("no_meeting_windows"),
      numbers("preferred_meeting_duration_minutes"), text("notification_channel"), text("notes"),
    ]),
  ],
};
