"""Memories that are rules for the form of answers, and how an answer shows that it follows one."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from memory_middleware.remember.references.answer import Answer
from memory_middleware.remember.references.lexicon import lexicon
from memory_middleware.remember.references.memory import Memory
from memory_middleware.remember.references.question import Question
from memory_middleware.remember.references.reading import read_text
from memory_middleware.storage.terms import has_cjk

__all__ = ["followed_rule"]


@dataclass(frozen=True, slots=True)
class _Form:
    """A form that a rule may ask for: how the rule says it, and how an answer looks that has it."""

    name: str
    cue: re.Pattern[str]
    shown: re.Pattern[str]


def _form(name: str, cue: str, shown: str) -> _Form:
    return _Form(name, re.compile(cue, re.IGNORECASE), re.compile(shown, re.MULTILINE))


_FORMS = (
    _form("table", r"\b(?:as|in) (?:a )?(?:markdown )?tables?\b|\btabular\b|表格", r"^\s{0,3}\|.*\|\s*$"),
    _form("bullets", r"\bbullet(?:ed)?\b|要点|分点|项目符号", r"^\s{0,6}[-*•] .*\n+\s{0,6}[-*•] "),
    _form("numbered list", r"\bnumbered (?:list|steps?)\b|编号", r"^\s{0,6}\d{1,2}[.)、].*\n+\s{0,6}\d{1,2}[.)、]"),
    _form("ISO date", r"\bISO\b|YYYY-MM-DD", r"(?<!\d)\d{4}-[01]\d-[0-3]\d(?!\d)"),
    _form(
        "24-hour clock",
        r"\b24[- ]?h(?:ours?)?\b|24 ?小时制",
        r"(?<![\d:])(?:0\d|1[3-9]|2[0-3]):[0-5]\d(?![\d:]| ?[ap]m)",
    ),
    _form("12-hour clock", r"\b12[- ]?h(?:ours?)?\b|\bam/pm\b|12 ?小时制", r"\d ?[ap]\.?m\b|[上下]午\s?\d"),
    _form("metric units", r"\bmetric\b|公制", r"\d ?(?:km|kg|cm|mm|°C|metres|meters|litres|公里|公斤|厘米)"),
    _form("emoji", r"\bemojis?\b|表情", "[\U0001f300-\U0001faff\u2600-\u27bf]"),
)
_FENCE = re.compile(r"^\s{0,3}```([A-Za-z+#]{1,20})", re.MULTILINE)
_CODE = re.compile(r"\bcode\b|\bsnippets?\b|\bexamples?\b|代码|示例|例子", re.IGNORECASE)
_QUANTITY = re.compile(
    r"\b(?:prices?|costs?|amounts?|currency|temperatures?|distances?|weights?|lengths?|units?)\b"
    r"|价格|金额|费用|货币|温度|气温|距离|重量|长度|单位",
    re.IGNORECASE,
)
_REJECTED = re.compile(r"\b(?:never|not|instead of|rather than)\b|而不是|不要|别用|不用", re.IGNORECASE)
_SPEECH = r"(?:answer|reply|respond|write|speak|talk|回答|回复|答复|交流|说|写|用)"
_CHINESE = re.compile(rf"{_SPEECH}[^.。]{{0,24}}(?:Chinese|Mandarin|中文|汉语|普通话)", re.IGNORECASE)
_ENGLISH = re.compile(rf"{_SPEECH}[^.。]{{0,24}}(?:English|英语|英文)", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:no|not|never|without|avoid|dislikes?|hates?)\b|n['’]t\b|不|别|讨厌", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a memory asks of the form of answers."""

    forms: tuple[_Form, ...]
    units: frozenset[str]
    code: bool
    chinese: bool
    english: bool


def followed_rule(memory: Memory, question: Question, answer: Answer) -> str | None:
    """Name the form in which an answer follows a memory that is a rule, or none.

    What the question itself asks for is no sign: a table in the answer to "make a table" follows the question.
    """
    wish = _wish(memory.text)
    if wish is None:
        return None
    for form in wish.forms:
        if form.shown.search(answer.text) and not form.cue.search(question.text):
            return form.name
    units = sorted((wish.units & answer.everything.terms) - question.reading.words)
    return next(iter(units), None) or _code(wish, memory, question, answer) or _language(wish, question, answer)


@functools.lru_cache(8192)
def _wish(text: str) -> _Wish | None:
    forms = () if _NEGATED.search(text) else tuple(form for form in _FORMS if form.cue.search(text))
    units: frozenset[str] = frozenset()
    if _QUANTITY.search(text) is not None:
        units = frozenset(filter(lexicon().is_unit, read_text(_REJECTED.split(text)[0]).words))
    code, chinese, english = (found.search(text) is not None for found in (_CODE, _CHINESE, _ENGLISH))
    wishes = forms or units or code or chinese or english
    return _Wish(forms, units, code, chinese, english) if wishes else None


def _code(wish: _Wish, memory: Memory, question: Question, answer: Answer) -> str | None:
    if not wish.code:
        return None
    wanted, asked = memory.text.lower(), question.text.lower()
    fences = (found.lower() for found in _FENCE.findall(answer.text))
    return next((word for word in fences if word in wanted and word not in asked), None)


def _language(wish: _Wish, question: Question, answer: Answer) -> str | None:
    if question.empty or not (wish.chinese or wish.english):
        return None
    chinese = has_cjk(answer.text)
    if chinese == has_cjk(question.text):
        return None
    return ("Chinese" if wish.chinese else None) if chinese else ("English" if wish.english else None)
