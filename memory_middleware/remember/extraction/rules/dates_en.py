"""Days named in English, found in a text and counted from the day of the round."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, time, timedelta

from memory_middleware.remember.extraction.rules.calendar_days import (
    When,
    month_day,
    month_end,
    safe_date,
    weekday_from,
)
from memory_middleware.remember.extraction.rules.clock import CLOCK_EN, DAYS, read_clock_en
from memory_middleware.remember.extraction.rules.numerals import WORD_NUMBER, read_number

__all__ = ["DAY_EN", "MONTH_EN", "find_day_en", "read_month_day"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_EN = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thu(?:rs?)?|fri)"
DAY_EN = (
    r"(?:(?P<iso>\d{4}-\d{1,2}-\d{1,2})"
    rf"|(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{MONTH_EN})\b\.?(?:,?\s*(?P<year>\d{{4}}))?"
    rf"|(?P<month2>{MONTH_EN})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s*(?P<year2>\d{{4}}))?"
    r"|(?P<near>the\s+day\s+after\s+tomorrow|tomorrow|tmrw|tmr|today|tonight|yesterday)\b"
    rf"|(?:(?P<which>this|next|coming|last)\s+)?(?P<weekday>{_WEEKDAY})\b"
    rf"|in\s+(?P<within>{MONTH_EN})\b(?!\s+\d)"
    rf"|in\s+(?P<count>{WORD_NUMBER}|a|an)\s+(?P<unit>day|week|month)s?\b"
    r"|(?:the\s+)?end\s+of\s+(?:the\s+|this\s+)?(?P<end>next\s+month|month|year|week|january|february|march|april"
    r"|may|june|july|august|september"
    r"|october|november|december)\b"
    r"|(?P<span>this\s+weekend|next\s+weekend|this\s+week|next\s+week|this\s+month|next\s+month)\b"
    r"|the\s+(?P<nth>\d{1,2})(?:st|nd|rd|th)\b)"
)
_FIND = re.compile(rf"\b{DAY_EN}", re.IGNORECASE)
_CLOCK = re.compile(rf"\s*,?\s*(?:at\s+|@\s*|around\s+|from\s+){CLOCK_EN}", re.IGNORECASE)
_CLOCK_FIRST = re.compile(rf"\bat\s+{CLOCK_EN}\s*(?:on\s+)?$", re.IGNORECASE)
_PM = re.compile(
    r"\s*,?\s*(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>[ap]\.?m\b\.?)(?P<named>)", re.IGNORECASE
)


def find_day_en(text: str, today: date) -> When | None:
    """Find the first day that a text names."""
    for found in _FIND.finditer(text):
        for group, read in _READERS:
            if found[group] is not None:
                day = read(found, today)
                break
        else:  # pragma: no cover - one of the groups always matched
            continue
        if day:
            return _with_clock(text, found, day)
    return None


def _with_clock(text: str, found: re.Match[str], day: date) -> When:
    after = _CLOCK.match(text, found.end()) or _PM.match(text, found.end())
    before = None if after else _CLOCK_FIRST.search(text, max(0, found.start() - 16), found.start())
    clock: time | None = read_clock_en(after or before) if after or before else None  # type: ignore[arg-type]
    start = before.start() if before and clock else found.start()
    return When(day, start, after.end() if after and clock else found.end(), clock, _span(found, day))


def _span(found: re.Match[str], day: date) -> int:
    words = "month" if found["within"] else (found["span"] or "").lower()
    if "month" in words:
        return (month_end(day) - day).days + 1
    return 2 if "weekend" in words else 7 - day.weekday() if "week" in words else 1


def read_month_day(found: re.Match[str]) -> tuple[int, int]:
    """Give month and day of a match that names both."""
    month = (found["month"] or found["month2"]).lower()
    return _MONTHS.index(month[:3]) + 1, int(found["day"] or found["day2"])


def _iso(found: re.Match[str], today: date) -> date | None:
    return safe_date(*map(int, found["iso"].split("-")))


def _dated(found: re.Match[str], today: date) -> date | None:
    month, day = read_month_day(found)
    year = found["year"] or found["year2"]
    return safe_date(int(year), month, day) if year else month_day(today, month, day)


def _within(found: re.Match[str], today: date) -> date:
    ahead = (_MONTHS.index(found["within"][:3].lower()) + 1 - today.month) % 12
    return month_end(today, ahead).replace(day=1)


def _near(found: re.Match[str], today: date) -> date:
    word = found["near"].lower()
    ahead = (
        2 if "after" in word else 1 if word.startswith("tm") or word == "tomorrow" else -1 if word == "yesterday" else 0
    )
    return today + timedelta(days=ahead)


def _weekday(found: re.Match[str], today: date) -> date:
    at = [day[:3] for day in DAYS].index(found["weekday"][:3].lower())
    which = (found["which"] or "").lower()
    if which == "last":
        return weekday_from(today, at) - timedelta(days=7)
    return weekday_from(today, at, 1 if which == "next" else None)


def _counted(found: re.Match[str], today: date) -> date:
    count = 1 if found["count"].lower() in ("a", "an") else read_number(found["count"]) or 0
    days = {"day": 1, "week": 7, "month": 30}[found["unit"].lower()]
    return today + timedelta(days=days * min(count, 2000))


def _end(found: re.Match[str], today: date) -> date | None:
    words = " ".join(found["end"].lower().split())
    if words == "week":
        return weekday_from(today, 6, 0)
    if words == "year":
        return date(today.year, 12, 31)
    if words.endswith("month"):
        return month_end(today, 1 if words.startswith("next") else 0)
    ahead = (_MONTHS.index(words[:3]) + 1 - today.month) % 12
    return month_end(today, ahead)


def _spanned(found: re.Match[str], today: date) -> date:
    words = " ".join(found["span"].lower().split())
    ahead = 1 if words.startswith("next") else 0
    if words.endswith("weekend"):
        return weekday_from(today, 5, ahead)
    if words.endswith("week"):
        return weekday_from(today, 0, 1) if ahead else today
    return month_end(today) + timedelta(days=1) if ahead else today


def _nth(found: re.Match[str], today: date) -> date | None:
    this = safe_date(today.year, today.month, int(found["nth"]))
    if this and this >= today:
        return this
    later = month_end(today) + timedelta(days=1)
    return safe_date(later.year, later.month, int(found["nth"]))


_READERS: tuple[tuple[str, Callable[[re.Match[str], date], date | None]], ...] = (
    ("iso", _iso),
    ("month", _dated),
    ("month2", _dated),
    ("within", _within),
    ("near", _near),
    ("weekday", _weekday),
    ("unit", _counted),
    ("end", _end),
    ("span", _spanned),
    ("nth", _nth),
)
