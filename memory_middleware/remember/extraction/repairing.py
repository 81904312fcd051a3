"""Single entries of an answer: mended where their meaning is clear, given up where it is not."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from memory_middleware.remember.extraction.addressing import attribute_of, subject_of
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.extraction.reading import named
from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import Fact
from memory_middleware.schemas.record import RecordKind

__all__ = ["KnownTexts", "TurnIds", "repair_fact", "repair_retraction", "sound"]

_UNTOLD = 0.8
_MOST_TAGS = 5
_LONGEST_TAG = 40
_NOBODY = frozenset({"", "null", "none", "n/a", "unknown", "无", "没有", "未知"})
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)")
_KINDS: dict[str, RecordKind] = {kind.value: kind for kind in RecordKind if kind is not RecordKind.DIALOGUE} | {
    word: kind
    for kind, words in {
        RecordKind.PREFERENCE: ("preferences", "pref", "like", "likes", "dislike", "dislikes", "偏好", "喜好", "习惯"),
        RecordKind.PROJECT: ("projects", "task", "goal", "plan", "work", "项目", "计划", "任务"),
        RecordKind.FEEDBACK: ("instruction", "instructions", "rule", "style", "反馈", "要求", "规则"),
        RecordKind.REFERENCE: ("references", "resource", "link", "url", "pointer", "location", "参考", "链接", "资料"),
    }.items()
    for word in words
}
_SURENESS = {
    "very high": 0.95,
    "certain": 1.0,
    "high": 0.9,
    "medium": 0.6,
    "moderate": 0.6,
    "very low": 0.1,
    "low": 0.3,
    "很高": 0.95,
    "确定": 1.0,
    "高": 0.9,
    "中": 0.6,
    "很低": 0.1,
    "低": 0.3,
}


class TurnIds:
    """The short ids ``t1``, ``t2``, … under which rounds are shown to a model."""

    def __init__(self, rounds: Iterable[str]) -> None:
        self._rounds = tuple(rounds)

    def back(self, told: Any) -> tuple[str, ...]:
        """Give the rounds that a model named; invented ids are ignored."""
        entries = told if isinstance(told, list) else [told]
        words = [
            str(entry) for entry in entries if isinstance(entry, str | int | float) and not isinstance(entry, bool)
        ]
        numbers = [int(digits) for word in words for digits in re.findall(r"(?<![\d.])\d{1,6}(?!\d)", word)]
        return tuple(dict.fromkeys(self._rounds[at - 1] for at in numbers if 1 <= at <= len(self._rounds)))


class KnownTexts:
    """The texts of known records, found again in the words of a model."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: dict[str, str] = {}
        for text in texts:
            self._texts.setdefault(_normalised(text), text)

    def find(self, told: Any) -> str | None:
        """Give the record's own text, if the model named one but for case, blanks and marks."""
        return self._texts.get(_normalised(told)) if isinstance(told, str) and _normalised(told) else None


def repair_fact(raw: Mapping[str, Any], turns: TurnIds, known: KnownTexts, *, auto_tag: bool = True) -> Fact | None:
    """Make a fact, or none if there is no telling what it says."""
    content = _text(named(raw, "content"))
    if content is None or not any(letter.isalnum() for letter in content):
        return None
    try:
        return Fact(
            content=content,
            type=_KINDS.get(str(named(raw, "type", ("kind", "category", "类型"))).strip().lower(), RecordKind.FACT),
            tags=_tags(named(raw, "tags", ("tag", "keywords", "labels", "标签"))) if auto_tag else (),
            confidence=_confidence(named(raw, "confidence", ("score", "certainty", "置信度"))),
            replace=known.find(named(raw, "replace", ("replaces", "supersedes", "替换"))),
            subject=subject_of(_text(named(raw, "subject", ("about", "主体")))),
            attribute=attribute_of(_text(named(raw, "attribute", ("property", "属性")))),
            event_time=_moment(named(raw, "event_time", ("time", "date", "时间"))),
            valid_to=_moment(named(raw, "valid_to", ("valid_until", "until", "expires", "有效期至")), end=True),
            evidence=turns.back(named(raw, "evidence", ("turns", "sources", "turn_ids", "依据"))),
        )
    except ValidationError:
        return None


def repair_retraction(raw: Mapping[str, Any], turns: TurnIds, known: KnownTexts) -> Retraction | None:
    """Make a retraction, or none if it names neither an address nor a known record."""
    subject, attribute = subject_of(_text(named(raw, "subject"))), attribute_of(_text(named(raw, "attribute")))
    content = known.find(named(raw, "content"))
    if content is None and (subject is None or attribute is None):
        return None
    return Retraction(subject, attribute, content, turns.back(named(raw, "evidence")))


def sound(text: str) -> str:
    """Join split surrogate pairs, and put a mark in the place of halves and of what ends a text early."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\ufffd")


def _normalised(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    cleaned = sound(value).strip()
    return None if cleaned.lower() in _NOBODY else cleaned


def _tags(value: Any) -> tuple[str, ...]:
    words = re.split(r"[,，、;；|\n]", value) if isinstance(value, str) else value
    entries = words if isinstance(words, list) else []
    tags = [_text(entry) for entry in entries]
    kept = [tag.lstrip("#").strip().lower() for tag in tags if tag]
    return tuple(dict.fromkeys(tag for tag in kept if 0 < len(tag) <= _LONGEST_TAG))[:_MOST_TAGS]


def _confidence(value: Any) -> float:
    if isinstance(value, str):
        return _told_confidence(value.strip().lower())
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _UNTOLD
    return _scaled(float(value))


def _told_confidence(words: str) -> float:
    numbers = [float(found) for found in _NUMBER.findall(words[:40])]
    if "%" in words and numbers:
        return min(1.0, max(0.0, numbers[0] / 100))
    if "/" in words and len(numbers) > 1 and numbers[1] > 0:
        return min(1.0, max(0.0, numbers[0] / numbers[1]))
    if numbers:
        return _scaled(numbers[0])
    return next((sure for word, sure in _SURENESS.items() if word in words), _UNTOLD)


def _scaled(number: float) -> float:
    """Read a number above one as a share of ten or of a hundred, unless it lies just above."""
    if not math.isfinite(number) or number > 100:
        return _UNTOLD
    if number < 2:
        return min(1.0, max(0.0, number))
    return number / 10 if number <= 10 else number / 100


def _moment(value: Any, *, end: bool = False) -> datetime | None:
    """Read a time; a day that ends a state belongs to it, so that the state ends with the next one."""
    told = _text(value)
    if told is None:
        return None
    try:
        moment = times.parse_utc(told)
        return moment + timedelta(days=1) if end and _DATE.fullmatch(told) else moment
    except (ValueError, OverflowError):
        return None
