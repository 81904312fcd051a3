// What the server says went wrong, in the reader's language.

import { currentLanguage, known, t } from "./words.js";

/** One sentence about a problem: its own in English, else that of its code, or what is wrong with each field. */
export function told(answer) {
  if (!answer) return null;
  const fields = (answer.errors ?? []).map(blamed);
  if (currentLanguage() === "en") {
    const own = typeof answer.detail === "string" ? answer.detail : fields.join("; ");
    return own || known(`problem.${answer.code}`) || answer.title;
  }
  const own = known(`problem.${answer.code}`) ?? (typeof answer.detail === "string" ? answer.detail : answer.title);
  return fields.length && answer.code === "unfit-request" ? fields.join(t("problem_and")) : own;
}

function blamed({ field, loc, type, msg }) {
  const name = loc?.findLast((step) => typeof step === "string");
  const label = known(`field.${name}`) ?? known(name) ?? field;
  return t("problem_field", label, currentLanguage() === "en" ? msg : known(`fault.${type}`) ?? t("fault.value_error"));
}
