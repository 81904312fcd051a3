"""Capitals for names in messages typed without any, where what stands before tells that it is a name."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.proper_names import (
    COMPANIES,
    GIVEN,
    PETS,
    PLACES,
    PLAIN_GIVEN,
)
from memory_middleware.remember.extraction.rules.relations import ANIMALS, RELATION_EN, relation_named

__all__ = ["is_casual", "recased"]

_W = r"[a-z\u00df-\u00ff][a-z\u00df-\u00ff'-]{1,15}"
_CASUAL = re.compile(r"^\W*[a-z]|(?<![\w'.])i(?=[\s']|$)")
_NO_NAMES = (
    "a an the this that it me him her us them you my your his their our not by after before on in at to for off "
    "out up back when if later again sick crazy whatever something anything nothing someone maybe daddy tomorrow "
    "today tonight now asap please pls lol or and but so because it's is was are actually really like just also "
    "either with from about as of old new one some any what who how why where which he she they we i sir boss "
    "dude bro mate names baby babe honey dear tonight's anytime whenever ok okay"
)
_NO_NAME = frozenset(_NO_NAMES.split())
_END = (
    r"(?=\s*(?:$|[,.!?()]|(?:and|or|but|so|btw|lol|haha|pls|please|everyone|instead|though|tho|nobody|it's"
    r"|its|he's|she's|i'm)\b))"
)
_CALLED = re.compile(
    rf"\b(?:name(?:'s|\s+is)(?:\s+actually)?|(?:called|named|call)\s+(?:him|her|it)|called|named|go(?:es)?\s+by)\s+(?P<v>{_W})(?=\W|$)",
    re.IGNORECASE,
)
_CALL_ME = re.compile(rf"\bcalls?\s+me\s+(?P<v>{_W}){_END}", re.IGNORECASE)
_I_AM = re.compile(
    rf"\b(?:i'm|i\s+am|this\s+is|it's)\s+(?P<v>{_W})(?=\s*(?:$|[,.!?(]|(?:and|btw|here|from|lol|by|again)\b))",
    re.IGNORECASE,
)
_RELATED = re.compile(
    rf"\b(?:my|our)\s+{RELATION_EN}\s*(?:,\s*|(?:is|was)\s+(?:called\s+|named\s+)?)?\s*(?P<v>{_W})(?=\W|$)",
    re.IGNORECASE,
)
_PETS = re.compile(
    rf"\b(?:dogs|cats|puppies|kittens|rabbits|bunnies|hamsters|parrots)\s*(?:[,:(]|are\s+(?:named|called)|named"
    rf"|called)\s*(?P<v>{_W})"
    rf"(?:(?:\s*,\s*|\s*,?\s+(?:and|&)\s+)(?P<v2>{_W}))?(?:(?:\s*,\s*|\s*,?\s+(?:and|&)\s+)(?P<v3>{_W}))?",
    re.IGNORECASE,
)
_HERE = re.compile(rf"^\W*(?:(?:hi|hey|hello|yo)\W+)?(?P<v>{_W})\s+here\b")
_PLACE = re.compile(
    rf"\b(?:in|from|to|near|around|outside|of|at|visiting|leaving"
    rf"|downtown)\s+(?P<v>{_W}(?:\s+{_W}(?:\s+{_W})?)?)(?=\W|$)",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    rf"\b(?:at|for|from|joined|join|joining|left|leaving|quit|by|@)\s+(?P<v>{_W})(?=\W|$)", re.IGNORECASE
)
_PROJECT = re.compile(
    rf"\bproject\s+(?P<v>{_W})(?=\s*$|\s*[,.!]|\s+(?:is|was|got|has|will|launches|ships|deadline|due|needs"
    rf"|on\s+hold)\b)",
    re.IGNORECASE,
)


def is_casual(message: str) -> bool:
    """Tell whether a message is typed without capitals, so that a small letter says nothing."""
    return _CASUAL.search(message) is not None


def recased(message: str) -> str:
    """Give a casual message with capitals where a name stands."""
    signs = list(message)
    for start, end in _names(message):
        _raise(signs, message, start, end)
    return "".join(signs)


def _names(message: str) -> list[tuple[int, int]]:
    spans = [found.span("v") for found in _CALLED.finditer(message) if found["v"].lower() not in _NO_NAME]
    spans += [found.span("v") for found in _CALL_ME.finditer(message) if found["v"].lower() not in _NO_NAME]
    spans += [found.span("v") for found in _PROJECT.finditer(message) if found["v"].lower() not in _NO_NAME]
    spans += [
        found.span("v") for p in (_I_AM, _HERE) for found in p.finditer(message) if found["v"].lower() in PLAIN_GIVEN
    ]
    spans += [found.span("v") for found in _RELATED.finditer(message) if _is_theirs(found)]
    spans += [found.span("v") for found in _COMPANY.finditer(message) if found["v"].lower() in COMPANIES]
    for found in _PETS.finditer(message):
        spans += [found.span(group) for group in ("v", "v2", "v3") if (found[group] or "").lower() in PETS | GIVEN]
    return [*spans, *_places(message)]


def _is_theirs(found: re.Match[str]) -> bool:
    name = found["v"].lower()
    return name in GIVEN or (name in PETS and relation_named(found["relation"]) in ANIMALS)


def _places(message: str) -> list[tuple[int, int]]:
    spans = []
    for found in _PLACE.finditer(message):
        words = found["v"].split()
        for count in range(len(words), 0, -1):
            place = " ".join(words[:count])
            if place.lower() in PLACES:
                spans.append((found.start("v"), found.start("v") + len(place)))
                break
    return spans


def _raise(signs: list[str], message: str, start: int, end: int) -> None:
    """Raise the first letter of each word of a span, and all of a short form such as ``nyc``."""
    if message[start:end] in ("nyc",):
        signs[start:end] = message[start:end].upper()
        return
    for at in range(start, end):
        if at == start or message[at - 1] == " ":
            signs[at] = message[at].upper() if len(message[at].upper()) == 1 else message[at]
