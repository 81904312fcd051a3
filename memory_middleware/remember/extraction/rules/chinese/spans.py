"""Spans of the week in Chinese: ``周五下午``, ``上午十点前``, ``每周三晚上``."""

from __future__ import annotations

import re
from datetime import time

from memory_middleware.remember.extraction.rules.clock import CLOCK_ZH, DAYS, PARTS_ZH, part_span, read_clock_zh
from memory_middleware.remember.extraction.rules.spans import (
    WEEKDAYS,
    WEEKEND,
    Span,
    an_hour_from,
    days_between,
    in_order,
)

__all__ = ["DAYS_ZH", "EVERY_ZH", "SPAN_ZH", "read_span_zh"]

_WEEK = "(?:周|星期|礼拜)"
DAYS_ZH = (
    rf"(?:{_WEEK}[一二三四五六日天](?:(?:[、和,跟与]|到|至|-"
    rf"|~)?(?:{_WEEK})?[一二三四五六日天](?![点个位岁月])){{0,6}}|工作日|周末|双休日)"
)
EVERY_ZH = (
    rf"(?:每(?:个|隔一?)?{DAYS_ZH}|每(?:个)?(?:工作日|周末|天|日|晚|早|周|星期|礼拜|月|季度"
    rf"|年)(?:[一二两三四五六七\d]次)?|{DAYS_ZH}(?=[^,。]{{0,8}}(?:都会?|总是|一般|通常|固定|经常))|天天"
    r"|(?:一|每)(?:周|星期|个?月)[一二两三四五六七\d]次|(?:一三五|二四六?|三五)(?![个块千百万年月号点天岁\d一-十]))"
)
_CLOCKS = rf"(?:{PARTS_ZH})?(?:\d{{1,2}}(?::\d{{2}})?|[一二两三四五六七八九十]{{1,3}})(?:点(?:半|一刻|钟)?|:\d{{2}})"
SPAN_ZH = rf"(?:(?:每个?)?{DAYS_ZH})?的?\s*(?:{_CLOCKS}(?:(?:到|至|-|~){_CLOCKS}|(?:之|以)?[前后])?|{PARTS_ZH})?"
_DAY = re.compile(rf"(?:{_WEEK}|[、和,跟与])([一二三四五六日天])")
_RANGE = re.compile(rf"{_WEEK}([一二三四五六日天])(?:到|至|-|~)(?:{_WEEK})?([一二三四五六日天])")
_RUN = re.compile(rf"{_WEEK}([一二三四五六日天]{{2,7}})")
_CLOCK = re.compile(CLOCK_ZH)
_PART = re.compile(PARTS_ZH)
_ORDER = "一二三四五六日"


def read_span_zh(text: str) -> Span | None:
    """Read the span that a text names; none if it names none."""
    days, hours = _days(text), _hours(text)
    if not days and not hours:
        return None
    start, end = hours or ("", "")
    return Span(days, start, end)


def _days(text: str) -> tuple[str, ...]:
    if "工作日" in text:
        return WEEKDAYS
    if "周末" in text or "双休日" in text:
        return WEEKEND
    if found := _RANGE.search(text):
        return days_between(_day(found[1]), _day(found[2]))
    if found := _RUN.search(text):
        return in_order([_day(sign) for sign in found[1]])
    return in_order([_day(found[1]) for found in _DAY.finditer(text)])


def _day(sign: str) -> str:
    return DAYS[_ORDER.index("日" if sign == "天" else sign)]


def _hours(text: str) -> tuple[str, str] | None:
    clocks = [(found, clock) for found in _CLOCK.finditer(text) if (clock := read_clock_zh(found))]
    if len(clocks) > 1:
        one, two = clocks[0][1], clocks[1][1]
        two = two.replace(hour=two.hour + 12) if two <= one and two.hour < 12 else two
        return (f"{one:%H:%M}", f"{two:%H:%M}") if two > one else None
    if clocks:
        found, clock = clocks[0]
        return _bounded(text[found.end() : found.end() + 2], clock)
    part = _PART.search(text)
    return part_span(part[0]) if part else None


def _bounded(after: str, clock: time) -> tuple[str, str] | None:
    if "前" in after:
        return ("00:00", f"{clock:%H:%M}") if clock > time(0) else None
    if "后" in after:
        return (f"{clock:%H:%M}", "23:59") if clock < time(23, 59) else None
    return f"{clock:%H:%M}", an_hour_from(clock)
