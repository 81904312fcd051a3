"""The time that a query names: a date, a month, a year, or a span before now; in English and Chinese."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

__all__ = ["Span", "named_span"]


class Span(NamedTuple):
    """From a moment until before another."""

    start: datetime
    end: datetime


_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join([*_MONTHS, *(name[:3] for name in _MONTHS if name != "may"), "sept"])
_DIGITS = {char: at for at, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "十": 10}
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "a couple of": 2,
}
_UNIT_DAYS = {
    "day": 1,
    "week": 7,
    "month": 30,
    "year": 365,
    "天": 1,
    "日": 1,
    "周": 7,
    "星期": 7,
    "个月": 30,
    "年": 365,
}
_CHINESE = r"[〇零一二两三四五六七八九十\d]{1,4}"

_ISO = re.compile(r"\b(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?\b")
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\.?,?(?: (\d{{4}}))?\b")
_MONTH_DAY = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?\b(?!\d)")
_MONTH_YEAR = re.compile(rf"\b(?:(last|this|in|during|since|of|early|late|mid) )?({_MONTH})\b(?:,? (?:of )?(\d{{4}}))?")
_YEAR = re.compile(r"\b(?:in|during|of|since|year) ((?:19|20)\d{2})\b")
_AGO = re.compile(r"\b(\d{1,3}|" + "|".join(_NUMBERS) + r") (day|week|month|year)s? (?:ago|before|back)\b")
_PAST = re.compile(
    r"\b(?:in |over |during )?(?:the )?(?:last|past) (\d{1,3}|" + "|".join(_NUMBERS) + r") (day|week|month|year)s\b"
)
_LAST = re.compile(r"\b(last|this|past) (week|month|year|weekend)\b")
_ZH_DATE = re.compile(rf"(?:(\d{{4}})年)?({_CHINESE})月(?:({_CHINESE})[日号])?")
_ZH_YEAR = re.compile(r"((?:19|20)\d{2})年")
_ZH_AGO = re.compile(rf"({_CHINESE})\s*(天|周|星期|个月|年)(?:以)?前")
_ZH_PAST = re.compile(rf"(?:最近|过去|近)({_CHINESE})\s*(天|周|星期|个月|年)")


def named_span(query: str, now: datetime) -> Span | None:
    """Find the time that a query names, or none.

    Args:
        query: What is asked.
        now: The present, with an offset.
    """
    text = query.casefold()
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for find in (_iso, _english_date, _ago, _relative, _chinese, _month_or_year):
        try:
            span = find(text, today)
        except (ValueError, OverflowError):
            continue  # such as the 31st of February
        if span is not None:
            return span
    return None


def _iso(text: str, _today: datetime) -> Span | None:
    found = _ISO.search(text)
    if found is None:
        return None
    year, month, day = found.groups()
    return _span(int(year), int(month), int(day) if day else None)


def _english_date(text: str, today: datetime) -> Span | None:
    found = _DAY_MONTH.search(text)
    if found is not None:
        day, month, year = found.groups()
        return _nearest(today, _month(month), int(day), year)
    found = _MONTH_DAY.search(text)
    if found is not None:
        month, day, year = found.groups()
        return _nearest(today, _month(month), int(day), year)
    return None


def _month_or_year(text: str, today: datetime) -> Span | None:
    for found in _MONTH_YEAR.finditer(text):
        word, month, year = found.groups()
        if (len(month) == 3 or month == "march") and not word and not year:
            continue  # "may I", "march on": words of other meaning
        return _nearest(today, _month(month), None, year)
    found_year = _YEAR.search(text)
    return _span(int(found_year.group(1)), None, None) if found_year else None


def _ago(text: str, today: datetime) -> Span | None:
    found = _AGO.search(text)
    if found is not None:
        return _around(today, _number(found.group(1)), _UNIT_DAYS[found.group(2)])
    found = _PAST.search(text)
    if found is not None:
        return Span(today - timedelta(days=_number(found.group(1)) * _UNIT_DAYS[found.group(2)]), _tomorrow(today))
    found = _ZH_PAST.search(text)
    if found is not None:
        return Span(
            today - timedelta(days=_chinese_number(found.group(1)) * _UNIT_DAYS[found.group(2)]), _tomorrow(today)
        )
    found = _ZH_AGO.search(text)
    if found is not None:
        return _around(today, _chinese_number(found.group(1)), _UNIT_DAYS[found.group(2)])
    return None


def _relative(text: str, today: datetime) -> Span | None:
    monday = today - timedelta(days=today.weekday())
    month = today.replace(day=1)
    last_month = (month - timedelta(days=1)).replace(day=1)
    week = timedelta(days=7)
    found = _LAST.search(text)
    word = f"{found.group(1).replace('past', 'last')} {found.group(2)}" if found else ""
    spans = {
        "last week": Span(monday - week, monday),
        "this week": Span(monday, monday + week),
        "last weekend": Span(monday - timedelta(days=2), monday),
        "this weekend": Span(monday + timedelta(days=5), monday + week),
        "last month": Span(last_month, month),
        "this month": Span(month, _tomorrow(today)),
        "last year": _span(today.year - 1, None, None),
        "this year": _span(today.year, None, None),
    }
    if word in spans:
        return spans[word]
    named = {
        "the day before yesterday": 2, "yesterday": 1, "today": 0,
        "前天": 2, "昨天": 1, "昨晚": 1, "今天": 0, "今早": 0,
    }  # fmt: skip
    for name, days in named.items():
        if name in text:
            return Span(today - timedelta(days=days), today - timedelta(days=days - 1))
    chinese = {
        "上周": "last week", "上星期": "last week", "上个星期": "last week", "这周": "this week", "本周": "this week",
        "上个月": "last month", "上月": "last month", "这个月": "this month", "本月": "this month",
        "上周末": "last weekend",
    }  # fmt: skip
    for name in sorted(chinese, key=len, reverse=True):
        if name in text:
            return spans[chinese[name]]
    return None


def _chinese(text: str, today: datetime) -> Span | None:
    years = {"去年": -1, "今年": 0, "前年": -2}
    shift = next((days for name, days in years.items() if name in text), None)
    found = _ZH_DATE.search(text)
    if found is not None:
        year, month, day = found.groups()
        wanted = year or (str(today.year + shift) if shift is not None else None)
        return _nearest(today, _chinese_number(month), _chinese_number(day) if day else None, wanted)
    found = _ZH_YEAR.search(text)
    if found is not None:
        return _span(int(found.group(1)), None, None)
    return _span(today.year + shift, None, None) if shift is not None else None


def _nearest(today: datetime, month: int, day: int | None, year: str | None) -> Span:
    """Give a date; without a year the last one that has begun."""
    if year:
        return _span(int(year), month, day)
    this = _span(today.year, month, day)
    return this if this.start <= today else _span(today.year - 1, month, day)


def _span(year: int, month: int | None, day: int | None) -> Span:
    if month is None:
        return Span(datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC))
    if day is None:
        following = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
        return Span(datetime(year, month, 1, tzinfo=UTC), following)
    start = datetime(year, month, day, tzinfo=UTC)
    return Span(start, start + timedelta(days=1))


def _around(today: datetime, count: int, unit: int) -> Span:
    """A number of units ago, give or take half a unit: people round."""
    middle = today - timedelta(days=count * unit)
    half = timedelta(days=unit / 2 if unit > 1 else 0)
    return Span(middle - half, middle + half + timedelta(days=1))


def _tomorrow(today: datetime) -> datetime:
    return today + timedelta(days=1)


def _month(name: str) -> int:
    return next(at for at, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS[word]


def _chinese_number(text: str) -> int:
    if text.isdecimal() and text.isascii():
        return int(text)
    if "十" not in text:
        return int("".join(str(_DIGITS.get(char, char)) for char in text))
    tens, _, ones = text.partition("十")
    return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
