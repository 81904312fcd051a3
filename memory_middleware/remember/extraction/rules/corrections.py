"""Corrections: ``not X but Y``, and new values said without the rest of the sentence."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.calendar_days import Moments
from memory_middleware.remember.extraction.rules.dates_en import find_day_en
from memory_middleware.remember.extraction.rules.dates_zh import find_day_zh
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.sentences import Clause, Sentence

__all__ = ["corrected", "without_old"]

_NOT_BUT = re.compile(
    r"\bnot\s+(?P<old>[^,;]{1,40}?)\s*,?\s+but\s+(?:rather\s+)?(?P<v>(?!i\b|it\b|he\b|she\b|we\b|my\b|that\b"
    r"|not\b)\S.*)",
    re.IGNORECASE,
)
_NOT_BUT_ZH = re.compile(r"(?:并)?不是(?P<old>[^,。;]{1,14})[,\s]*而(?P<v>是.*)")
_NEW_EN = re.compile(
    r"^(?:[\s,.:;!-]|(?:no+|nope|nah|sorry|actually|correction|wait|oops|whoops|my bad|my mistake"
    r"|i meant(?: to say)?|i mean|typo|well|oh|ok|and|but|it'?s|its|it is|that'?s|it should be|should be"
    r"|make (?:it|that)"
    r"|it was|i was wrong|that's wrong|in|on|at|the)\b){0,7}(?P<v>[^,;]{2,40}?)(?:\s*,?\s+(?:and\s+)?(?:not"
    r"|rather than|instead of)\s+(?:in\s+|on\s+|at\s+|the\s+)?(?P<old>[^,;]{2,40}))?\W{0,6}$",
    re.IGNORECASE,
)
_NEW_ZH = re.compile(
    r"^(?:[\s,]|不对|不是|错了|说错了?|写错了?|打错了?|记错了?|更正(?:一下)?|纠正(?:一下)?|不好意思|抱歉|对不起"
    r"|其实|应该|我是说|我的意思是|哦|啊|嗯|才|就|改成|改到|换成"
    r"|是){0,7}(?P<v>[^,。]{1,20}?)(?:,?不是(?P<old>[^,。]{1,20}))?[了啦哈的]*$"
)


def without_old(sentence: Sentence) -> tuple[Sentence, bool]:
    """Say ``not X but Y`` as ``Y``; tell whether it did."""
    found = (_NOT_BUT_ZH if sentence.language == "zh" else _NOT_BUT).search(sentence.text)
    if not found:
        return sentence, False
    start, end = found.start(), found.start("v")
    text, raw = sentence.text[:start] + sentence.text[end:], sentence.raw[:start] + sentence.raw[end:]
    return Sentence(text, raw, sentence.asked), True


def corrected(clause: Clause, said: Clause, finding: Finding, moments: Moments) -> Clause | None:
    """Put the new value that a correction names into the words that said the old one."""
    found = (_NEW_ZH if finding.language == "zh" else _NEW_EN).match(clause.text)
    if not found:
        return None
    new = clause.said(found)
    span = _old_span(said, found["old"] or finding.bare, new, finding, moments)
    if span is None or not new:
        return None
    start, end = span
    return Clause(said.text[:start] + new + said.text[end:], said.raw[:start] + new + said.raw[end:])


def _old_span(said: Clause, old: str, new: str, finding: Finding, moments: Moments) -> tuple[int, int] | None:
    at = said.text.casefold().find(old.casefold()) if old else -1
    if at >= 0 and len(said.text.casefold()) == len(said.text):
        return at, at + len(old)
    find = find_day_zh if finding.language == "zh" else find_day_en
    try:
        if find(new, moments.today) and (day := find(said.text, moments.today)):
            return day.start, day.end
    except (OverflowError, ValueError):
        return None
    return None
