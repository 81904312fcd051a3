// The words of the page, in the language that the reader chose.

import { EN } from "../words/en.js";
import { ZH } from "../words/zh.js";

const LANGUAGES = { en: EN, zh: ZH };
const KEPT = "memory-language";

let language = localStorage.getItem(KEPT) ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
if (!(language in LANGUAGES)) language = "en";

export function currentLanguage() {
  return language;
}

export function switchLanguage() {
  language = language === "en" ? "zh" : "en";
  localStorage.setItem(KEPT, language);
}

export function t(key, ...values) {
  const text = LANGUAGES[language][key] ?? key;
  return text.replace(/\{(\d)\}/g, (_, place) => values[place] ?? "");
}

/** A text if there is one, else null. */
export function known(key) {
  return LANGUAGES[language][key] ?? null;
}

/** A label for a value of the API, such as t("kind.fact"); an unknown value is shown as it is. */
export function named(group, value) {
  const text = LANGUAGES[language][`${group}.${value}`];
  return text ?? String(value).replaceAll("_", " ");
}

export function moment(text) {
  if (!text) return null;
  const form = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
  return form.format(new Date(text));
}

export function day(text) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "full" }).format(new Date(text));
}

export function clock(text) {
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(new Date(text));
}

export function number(value, digits = 2) {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);
}

function locale() {
  return language === "zh" ? "zh-CN" : "en-GB";
}
