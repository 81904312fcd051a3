"""First person into third person, so that a sentence stands without its author."""

from __future__ import annotations

import re

__all__ = ["about_their", "about_user", "third_person"]

_IRREGULAR = {
    "have": "has",
    "do": "does",
    "go": "goes",
    "am": "is",
    "'m": "is",
    "'ve": "has",
    "don't": "doesn't",
    "haven't": "hasn't",
}
_SAME = frozenset(
    ["can", "can't", "cannot", "will", "won't", "would", "could", "should", "must", "might", "may", "was", "wasn't"]
)
_PAST = re.compile(
    r"(?:\w{2,}ed|went|got|had|did|bought|left|lost|made|met|moved|paid|put|saw|sold|sent|took|told|won|wrote"
    r"|found|gave|kept)$"
)
_HISS = re.compile(r"(?:s|sh|ch|x|z|o)$")
_ADVERB = re.compile(r"(?:\w+ly|always|never|often|also|just|still|now|already|really|sometimes|both|only)$")
_FIRST = (
    (re.compile(r"\bi'm\b|\bi am\b|\bim\b(?=\s)", re.IGNORECASE), "the user is"),
    (re.compile(r"\bi've\b", re.IGNORECASE), "the user has"),
    (re.compile(r"\bi'll\b", re.IGNORECASE), "the user will"),
    (re.compile(r"\bi'd\b", re.IGNORECASE), "the user would"),
    (re.compile(r"\bmy\b", re.IGNORECASE), "the user's"),
    (re.compile(r"\bour\b", re.IGNORECASE), "the user's group's"),
    (re.compile(r"\bwe\b", re.IGNORECASE), "the user's group"),
    (re.compile(r"\bmine\b", re.IGNORECASE), "the user's"),
    (re.compile(r"\bme\b|\bmyself\b", re.IGNORECASE), "the user"),
)
_I_VERB = re.compile(
    r"\bi\s+((?:\w+ly|always|never|often|also|just|still|now|already|really|only)\s+)?([a-z']+)", re.IGNORECASE
)


def third_person(phrase: str) -> str | None:
    """Put a verb phrase into the third person: ``go running`` becomes ``goes running``; none if it has no verb."""
    words = phrase.split()
    at = next((at for at, word in enumerate(words) if not _ADVERB.match(word)), None)
    if at is None:
        return None
    words[at] = _conjugated(words[at])
    said = " ".join(words)
    return re.sub(r"\bmy\b", "their", re.sub(r"\bme\b", "them", said))


def _conjugated(verb: str) -> str:
    lower = verb.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if lower in _SAME or _PAST.match(lower):
        return lower
    if _HISS.search(lower):
        return f"{lower}es"
    if re.search(r"[^aeiou]y$", lower):
        return f"{lower[:-1]}ies"
    return f"{lower}s"


def about_their(phrase: str) -> str:
    """Rewrite what is the author's in a phrase, and begin it small unless it begins with a name."""
    text = re.sub(r"\bmy\b", "the user's", phrase, flags=re.IGNORECASE)
    return re.sub(r"^(?:On|Every|Each|In|At|Once|Twice|Daily)\b", lambda found: found[0].lower(), text)


def about_user(text: str) -> str:
    """Rewrite a statement of the owner about themselves as one about the user."""
    for pattern, instead in _FIRST:
        text = pattern.sub(instead, text)
    text = _I_VERB.sub(lambda found: f"the user {found[1] or ''}{_conjugated(found[2])}", text)
    text = text.strip(" .,;:")
    return f"{text[0].upper()}{text[1:]}." if text else text
