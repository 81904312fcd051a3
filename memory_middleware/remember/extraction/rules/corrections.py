"""Corrections: ``not X but Y``, and new values said without the rest of the sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_middleware.remember.extraction.rules.calendar_days import Moments
from memory_middleware.remember.extraction.rules.dates_en import find_day_en
from memory_middleware.remember.extraction.rules.dates_zh import find_day_zh
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.sentences import Clause, Sentence

__all__ = ["Swap", "bare_value", "corrected", "swap_of", "without_old"]

_NOT_BUT = re.compile(
    r"\bnot\s+(?P<old>[^,;]{1,40}?)\s*,?\s+but\s+(?:rather\s+)?"
    r"(?P<v>(?!i\b|it\b|he\b|she\b|we\b|my\b|that\b|not\b)\S.*)",
    re.IGNORECASE,
)
_NOT_BUT_ZH = re.compile(r"(?:并)?不是(?P<old>[^,。;]{1,14})[,\s]*而(?P<v>是.*)")
_NOT_OLD_ZH = re.compile(
    r"(?P<v>[^。;]{0,12}?我[^,。;]{0,3}(?:住|叫|姓|用|属|在|养|是(?=\d))[^,。;不]{1,12}?)[,\s]*(?:而)?不是[^,。;我你他她]{1,10}$"
)
_SWAP = re.compile(
    r"^\W{0,6}(?:(?:no+|nope|nah|sorry|actually|wait|correction|oops)\W{1,3}){0,3}"
    r"(?:it'?s|it is|that'?s|i meant|i mean|make it|make that)\s+(?:in\s+|on\s+|at\s+|the\s+)?(?P<v>[^,;]{1,40}?)"
    r"\s*,?\s+(?:and\s+)?not\s+(?:in\s+|on\s+|at\s+|the\s+)?(?P<old>[^,;]{1,40}?)\W{0,3}$",
    re.IGNORECASE,
)
_LEAD_ZH = (
    r"(?:[\s,]|哎+[呀哟]?|诶|呃|啊呀|不不|不对|错了|说错了?|写错了?|打错了?|记错了?|更正(?:一下)?|纠正(?:一下)?|不好意思|抱歉|对不起|其实"
    r"|应该|我是说"
    r"|刚才|刚刚|我的意思是|哦|啊|嗯|才|就|改成|改到|换成){0,6}"
)
_SWAP_ZH = re.compile(
    rf"^{_LEAD_ZH}(?:不是(?P<old>[^,。是]{{1,15}})[,\s]*(?:而|应该)?是(?P<v>[^,。]{{1,15}}?)"
    rf"|是(?P<v2>[^,。]{{1,15}}?),?\s*(?:而)?不是(?P<old2>[^,。]{{1,15}}?))[了啦哈的]{{0,3}}$"
)
_NEW = re.compile(
    r"^(?:[\s,.:;!-]|(?:no+|nope|nah|sorry|actually|correction|wait|oops|whoops|my bad|my mistake|i meant(?: to say)?"
    r"|i mean|typo|well|oh|ok|and|but|it'?s|its|it is|that'?s|it should be|should be|make (?:it|that)|it was"
    r"|i was wrong"
    r"|that's wrong|in|on|at|the)\b){0,9}(?P<v>[^,;]{2,40}?)\W{0,6}$",
    re.IGNORECASE,
)
_NEW_ZH = re.compile(rf"^{_LEAD_ZH}(?:是|为)?(?P<v>[^,。]{{1,20}}?)[了啦哈的]{{0,3}}$")


# A value alone has no subject and no verb.
_NO_VALUE = re.compile(
    r"\b(?:i|i'm|i've|we|you|they|he|she|it|is|are|was|were|have|haven't|has|had|do|don't|did|didn't|can|can't|will|would"
    r"|been|no+|nope|nah|sorry|wait|yes|yeah|ok|by the way|thanks|way|what|why|how)\b|[我你他她]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Swap:
    """The new value that a correction names, and the old one if it names that too."""

    new: str
    old: str = ""


def without_old(sentence: Sentence) -> tuple[Sentence, bool]:
    """Say ``not X but Y`` as ``Y``; tell whether it did."""
    found = (_NOT_BUT_ZH if sentence.language == "zh" else _NOT_BUT).search(sentence.text)
    if not found:
        return _without_last(sentence)
    start, end = found.start(), found.start("v")
    text, raw = sentence.text[:start] + sentence.text[end:], sentence.raw[:start] + sentence.raw[end:]
    return Sentence(text, raw, sentence.asked), True


def _without_last(sentence: Sentence) -> tuple[Sentence, bool]:
    """Say ``我住城西不是城东`` as ``我住城西``."""
    found = _NOT_OLD_ZH.match(sentence.text) if sentence.language == "zh" else None
    if not found:
        return sentence, False
    return Sentence(found["v"], sentence.raw[: found.end("v")], sentence.asked), True


def swap_of(clause: Clause, language: str) -> Swap | None:
    """Read ``it's X, not Y``, which says nothing else."""
    found = (_SWAP_ZH if language == "zh" else _SWAP).match(clause.text)
    if not found:
        return None
    second = "v2" in found.re.groupindex and found["v2"] is not None
    new, old = ("v2", "old2") if second else ("v", "old")
    return Swap(clause.said(found, new), clause.said(found, old))


def bare_value(clause: Clause, language: str) -> Swap | None:
    """Read a correction that says nothing but the new value."""
    found = (_NEW_ZH if language == "zh" else _NEW).match(clause.text)
    if not found or not clause.said(found) or _NO_VALUE.search(clause.said(found)):
        return None
    return Swap(clause.said(found))


def corrected(swap: Swap, said: Clause, finding: Finding, moments: Moments) -> Clause | None:
    """Put the new value of a correction into the words that said the old one."""
    span = _old_span(swap, said, finding, moments)
    if span is None:
        return None
    start, end = span
    return Clause(said.text[:start] + swap.new + said.text[end:], said.raw[:start] + swap.new + said.raw[end:])


def _old_span(swap: Swap, said: Clause, finding: Finding, moments: Moments) -> tuple[int, int] | None:
    if not swap.old and finding.day:
        return _day_span(swap.new, said, finding.language, moments)
    folded, old = said.text.casefold(), (swap.old or finding.value).casefold()
    at = folded.find(old) if old and len(folded) == len(said.text) else -1
    return (at, at + len(old)) if at >= 0 else None


def _day_span(new: str, said: Clause, language: str, moments: Moments) -> tuple[int, int] | None:
    find = find_day_zh if language == "zh" else find_day_en
    try:
        day = find(said.text, moments.today) if find(new, moments.today) else None
    except (OverflowError, ValueError):
        return None
    return (day.start, day.end) if day else None
