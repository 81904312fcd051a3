"""Spans of the week in English: ``before 10``, ``on Friday afternoons``, ``every Tuesday morning``."""

from __future__ import annotations

import re
from datetime import time

from memory_middleware.remember.extraction.rules.clock import CLOCK_EN, DAYS, PARTS_EN, part_span, read_clock_en
from memory_middleware.remember.extraction.rules.spans import (
    WEEKDAYS,
    WEEKEND,
    Span,
    an_hour_from,
    days_between,
    in_order,
)

__all__ = ["EVERY_EN", "WEEKDAY_EN", "read_span_en"]

WEEKDAY_EN = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|fri|sat|sun)s?)"
_DAY_LIST = rf"{WEEKDAY_EN}\b(?:\s*(?:,|and|&|or|/|,\s*and|to|through|thru|-)\s*{WEEKDAY_EN}\b){{0,7}}"
EVERY_EN = (
    rf"(?:(?:on\s+)?(?:every|each)\s+(?:other\s+|single\s+|second\s+)?(?:{_DAY_LIST}(?:\s+{PARTS_EN}s?)?"
    r"|week\s?day|weekend|day|morning|afternoon|evening|night|week|month"
    rf"|quarter|year|spring|summer|autumn|fall|winter)|on\s+(?:the\s+)?(?:{WEEKDAY_EN}(?<=s)\b(?:\s*(?:,|and"
    rf"|&)\s*{WEEKDAY_EN}\b){{0,7}}|{WEEKDAY_EN}\s+{PARTS_EN}s|weekdays|weekends)"
    rf"|{WEEKDAY_EN}\b(?:(?:\s*(?:,|and|&|/)\s*|\s+){WEEKDAY_EN}\b){{1,6}}"
    r"|(?:once|twice|three times|four times|five times)\s+(?:a|per|every)\s+(?:day|week|month|year)|daily"
    r"|on a daily basis|in the (?:mornings|evenings|afternoons))"
)
_DAY = re.compile(WEEKDAY_EN, re.IGNORECASE)
_RANGE = re.compile(rf"({WEEKDAY_EN})\s*(?:to|through|thru|-|\u2013)\s*({WEEKDAY_EN})", re.IGNORECASE)
_WEEK = re.compile(r"\b(?:(?P<work>week\s?days?)|(?P<rest>week\s?ends?))\b", re.IGNORECASE)
_PART = re.compile(rf"\b({PARTS_EN})s?\b", re.IGNORECASE)
_BOUND = re.compile(rf"\b(?P<side>before|after|until|till|past|from)\s+{CLOCK_EN}", re.IGNORECASE)
_AT = re.compile(rf"\b(?:at|@)\s*{CLOCK_EN}", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\b(?:between|from)\s+(?P<one>\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?|noon)\s*(?:and|to|-|\u2013|until"
    r"|till)\s*(?P<two>\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?|noon)",
    re.IGNORECASE,
)
_CLOCK = re.compile(CLOCK_EN, re.IGNORECASE)


def read_span_en(text: str) -> Span | None:
    """Read the span that a text names; none if it names none."""
    days, hours = _days(text), _hours(text)
    if not days and not hours:
        return None
    start, end = hours or ("", "")
    return Span(days, start, end)


def _days(text: str) -> tuple[str, ...]:
    if found := _WEEK.search(text):
        return WEEKDAYS if found["work"] else WEEKEND
    if found := _RANGE.search(text):
        return days_between(_full(found[1]), _full(found[2]))
    return in_order([_full(found[0]) for found in _DAY.finditer(text) if _stands_alone(text, found)])


def _stands_alone(text: str, found: re.Match[str]) -> bool:
    around = text[max(0, found.start() - 1) : found.start()] + text[found.end() : found.end() + 1]
    return not any(sign.isalnum() for sign in around)


def _full(word: str) -> str:
    return next(day for day in DAYS if day.startswith(word[:3].lower()))


def _hours(text: str) -> tuple[str, str] | None:
    if found := _BETWEEN.search(text):
        one, two = (_read(found[name]) for name in ("one", "two"))
        if one and two:
            later = two.replace(hour=two.hour + 12) if two <= one and two.hour < 12 else two
            return (f"{one:%H:%M}", f"{later:%H:%M}") if later > one else None
    if (found := _BOUND.search(text)) and (clock := read_clock_en(found)):
        return _bounded(found["side"].lower(), _daytime(clock, found))
    if (found := _AT.search(text)) and (clock := read_clock_en(found)):
        return f"{clock:%H:%M}", an_hour_from(clock)
    part = _PART.search(text)
    return part_span(part[1]) if part else None


def _daytime(clock: time, found: re.Match[str]) -> time:
    """Take ``after 5`` as five in the afternoon."""
    late = found["side"].lower() in ("after", "past", "from") and found["half"] is None and 0 < clock.hour < 8
    return clock.replace(hour=clock.hour + 12) if late else clock


def _bounded(side: str, clock: time) -> tuple[str, str] | None:
    if side in ("before", "until", "till"):
        return ("00:00", f"{clock:%H:%M}") if clock > time(0) else None
    return (f"{clock:%H:%M}", "23:59") if clock < time(23, 59) else None


def _read(text: str) -> time | None:
    found = _CLOCK.fullmatch(text.strip())
    return read_clock_en(found) if found else None
