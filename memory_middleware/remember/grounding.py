"""Whether what an extractor wrote stands in the rounds it cites, and in whose words."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.record import TrustTier
from memory_middleware.storage.terms import has_cjk, is_common, terms_of

__all__ = ["missing_names", "said_by", "stands_in"]

_NAME = re.compile(r"(?<![\w'’])[A-ZÀ-ÖØ-Þ][\w'’\-]*[\w]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# A Chinese character before a number is no word boundary.
_DATE = re.compile(r"(?<!\d)\d{4}-\d{1,2}-\d{1,2}(?:T[\d:.Z+\-]*)?|\d{4}年(?:\d{1,2}月)?(?:\d{1,2}[日号])?|\b\d{4}\b")
_QUOTED = re.compile(r"[\"“「『]([^\"”」』]{2,80})[\"”」』]")
# Words that an extractor adds by itself: whom it is about, and when.
_OWN_WORDS = (
    "user users the he she it they his her their i monday tuesday wednesday thursday friday saturday sunday january "
    "february march april may june july august september october november december mon tue wed thu fri sat sun jan "
    "feb mar apr jun jul aug sep sept oct nov dec utc"
)
_OWN = frozenset(_OWN_WORDS.split())
_DIGITS = {
    word: str(at)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty",
        "零 一 二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五 十六 十七 十八 十九 二十",
    )
    for at, word in enumerate(words.split())
} | {"两": "2", "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "首": "1", "first": "1", "second": "2"}
_TIERS = (TrustTier.USER, TrustTier.ASSISTANT, TrustTier.TOOL)


def missing_names(content: str, rounds: Sequence[Dialogue]) -> list[str]:
    """List the names, numbers and quoted words of a fact that none of its rounds holds.

    Dates are not looked for: a fact says ``2026-05-03`` where the round says ``next Sunday``.
    """
    said = "\n".join(_words_of(tier, one) for one in rounds for tier in _TIERS)
    folded = _fold(said)
    numbers = _numbers(folded)
    plain = _DATE.sub(" ", content)
    wanted = [name for name in _names(plain) if _fold(name) not in folded and not _stem_stands(name, folded)]
    wanted += [number for number in _NUMBER.findall(plain) if not _number_stands(number, numbers)]
    return wanted + [text for text in _QUOTED.findall(plain) if _fold(text) not in folded]


def said_by(content: str, rounds: Sequence[Dialogue]) -> TrustTier:
    """Tell in whose words a fact stands: the user's if they hold nearly as much of it as anybody's."""
    held = [stands_in(content, "\n".join(_words_of(tier, one) for one in rounds)) for tier in _TIERS]
    best = max(held)
    if best <= 0.0:
        return TrustTier.ASSISTANT
    return next(tier for tier, part in zip(_TIERS, held, strict=True) if part >= 0.6 * best)


def stands_in(content: str, text: str) -> float:
    """Tell which part of the telling words of a content stands in a text."""
    wanted = {term for term in terms_of(content.replace("用户", " ")) if term not in _OWN}
    if not wanted:
        return 0.0
    return len(wanted & _terms(text)) / len(wanted)


@functools.lru_cache(64)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms_of(text))


def _words_of(tier: TrustTier, one: Dialogue) -> str:
    return {
        TrustTier.USER: one.user_query,
        TrustTier.ASSISTANT: one.assistant_response,
        TrustTier.TOOL: one.tool_text,
    }[tier]


def _names(text: str) -> list[str]:
    found = []
    for match in _NAME.finditer(text):
        starts = not text[: match.start()].strip() or text[: match.start()].rstrip()[-1:] in ".!?:"
        name = match.group(0).removesuffix("'s").removesuffix("’s")
        if name.casefold() not in _OWN and not (starts and is_common(name.casefold())) and not has_cjk(name):
            found.append(name)
    return found


def _stem_stands(name: str, folded: str) -> bool:
    """Allow for endings and another case: "Berliner" for "Berlin", "Lisbon's" for "lisbon"."""
    root = _fold(name)[: max(4, len(name) - 3)]
    return len(name) >= 5 and root in folded


def _number_stands(number: str, numbers: frozenset[str]) -> bool:
    plain = number.replace(",", "").lstrip("0") or "0"
    return plain in numbers or any(part.lstrip("0") in numbers for part in re.split(r"[:.]", plain) if part)


@functools.lru_cache(64)
def _numbers(folded: str) -> frozenset[str]:
    digits = {found.replace(",", "").lstrip("0") or "0" for found in _NUMBER.findall(folded)}
    parts = {part.lstrip("0") or "0" for found in digits for part in re.split(r"[:.]", found)}
    words = {number for word, number in _DIGITS.items() if word in folded}
    return frozenset(digits | parts | words)


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
