// Talking to the API. A token is kept for this tab alone, and asked for when the server wants one.

import { told } from "./problem.js";
import { t } from "./words.js";

const BASE = "api/v1";
const TOKEN = "memory-token";

let signIn = async () => false;

export class Problem extends Error {
  constructor(status, answer) {
    super(told(answer) || `HTTP ${status}`);
    this.status = status;
    this.code = answer?.code ?? null;
  }
}

export function onSignIn(ask) {
  signIn = ask;
}

export function keepToken(token) {
  if (token) sessionStorage.setItem(TOKEN, token);
  else sessionStorage.removeItem(TOKEN);
}

export function hasToken() {
  return sessionStorage.getItem(TOKEN) !== null;
}

/** Ask for something; `match` names the version that is meant, and `isNew` that there must be none yet. */
export async function call(method, path, { body, match, isNew = false, keepalive = false } = {}) {
  const answer = await sent(method, path, { body, match, isNew, keepalive });
  const data = answer.status === 204 ? null : await answer.json();
  return { data, tag: answer.headers.get("ETag") };
}

export async function get(path, query = {}) {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== null && one !== undefined && one !== "") asked.append(name, one);
  }
  return call("GET", asked.size ? `${path}?${asked}` : path);
}

export async function download(path, filename) {
  const blob = await (await sent("GET", path, {})).blob();
  save(blob, filename);
}

export function save(blob, filename) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function sent(method, path, options) {
  for (let tries = 0; ; tries += 1) {
    const token = sessionStorage.getItem(TOKEN);
    const answer = await fetch(`${BASE}/${path}`, request(method, token, options)).catch(() => null);
    if (answer === null) throw new Problem(0, { detail: t("unreachable") });
    if (answer.ok) return answer;
    const isOther = token !== sessionStorage.getItem(TOKEN); // somebody has signed in since this was sent
    if (answer.status === 429 && tries < 3) await pause(Number(answer.headers.get("Retry-After")) || 1);
    else if (answer.status !== 401 || !(isOther || (await signIn(token !== null)))) throw await problem(answer);
  }
}

function request(method, token, { body, match, isNew, keepalive }) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (match) headers["If-Match"] = match;
  if (isNew) headers["If-None-Match"] = "*";
  return { method, headers, keepalive, cache: "no-store", body: body === undefined ? undefined : JSON.stringify(body) };
}

async function problem(answer) {
  const told = await answer.json().catch(() => null);
  return new Problem(answer.status, told);
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
