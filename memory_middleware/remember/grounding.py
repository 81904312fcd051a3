"""Whether what an extractor wrote stands in the rounds it cites, and in whose words."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

from memory_middleware.remember.sentences import sentences_of
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.record import TrustTier
from memory_middleware.storage.terms import has_cjk, is_common, terms_of

__all__ = ["is_users_own", "missing_names", "retracted_by", "said_by", "stands_in", "telling_terms"]

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
# Words with which people end something, deny it, take it back, or agree that it is over.
_OVER = re.compile(
    r"\b(?:no|not|never|none|without|cannot|quit\w*|left|leav\w+|resign\w*|retir\w+|stop\w*|cancel\w*|drop\w*|end\w*|"
    r"over|finish\w*|done|gone|sold|gave|broke\w*|split|divorc\w+|died|dead|passed|fired|laid|lost|former\w*|ex|past|"
    r"used to|any ?more|longer|instead|actually|wrong|mistake\w*|incorrect|untrue|false|kidding|joking|joke|jk|lied|"
    r"made (?:it|that) up|take (?:it|that) back|forget|ignore|disregard|scratch|remove|delete|un\w+ed|moved|switch\w*|"
    r"yes|yeah|yep|right|correct|exactly|true|indeed)\b|n['’]t\b|"
    r"不|没|無|无|别|非|辞|离|退|停|取消|结束|完|卖|分手|去世|过世|死|丢|前任|曾|以前|玩笑|逗|骗|编的|错|误|忘|删|戒|"
    r"改|换|搬|撤|收回|算了|对|是的|嗯|好的",
    re.IGNORECASE,
)
# A statement about oneself, and no question.
_SELF = re.compile(r"(?:\b(?:i|i['’]m|my|we|our)\b|我|咱)[^.!?。！？\n]*(?:[.!。！\n]|\Z)", re.IGNORECASE)
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


def retracted_by(content: str, rounds: Sequence[Dialogue]) -> TrustTier:
    """Tell in whose words a content ends: the user's, unless only a tool or the assistant says so of it."""
    user, agent, tool = (_ending(content, tier, rounds) for tier in _TIERS)
    # Tools do not repeat what the user said, so what they alone say of it is theirs.
    if (tool or 0.0) >= 0.5 and not user:
        return TrustTier.TOOL
    return TrustTier.USER if is_users_own(rounds) or not agent else TrustTier.ASSISTANT


def is_users_own(rounds: Sequence[Dialogue]) -> bool:
    """Tell whether the user says in rounds that something is over, or anything about themselves."""
    return any(_OVER.search(one.user_query) or _SELF.search(one.user_query) for one in rounds)


def _ending(content: str, tier: TrustTier, rounds: Sequence[Dialogue]) -> float | None:
    """Tell how much of a content stands in the sentences of somebody that end something; none if there are none."""
    sentences = (part for one in rounds for part in sentences_of(_words_of(tier, one)) if _OVER.search(part))
    return max((stands_in(content, part) for part in sentences), default=None)


def stands_in(content: str, text: str) -> float:
    """Tell which part of the telling words of a content stands in a text."""
    wanted = telling_terms(content)
    return len(wanted & _terms(text)) / len(wanted) if wanted else 0.0


@functools.lru_cache(256)
def telling_terms(content: str) -> frozenset[str]:
    """Give the words by which a content is told, without those that an extractor adds by itself."""
    return frozenset(term for term in terms_of(content.replace("用户", " ")) if term not in _OWN)


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
