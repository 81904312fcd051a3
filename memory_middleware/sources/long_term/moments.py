"""The time that a query names: a date, a month, a year, or a span before now; in English and Chinese.

A wrong span is worse than none, so what is not understood wholly names no time: open ranges (since, before,
from … to), the future, vague numbers.
"""

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
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_NUMBER = rf"(?<![\w.,\-])(?<!half )(\d{{1,3}}|{'|'.join(_NUMBERS)})"
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "周": 7, "星期": 7, "个月": 30, "年": 365}

_OPEN = re.compile(
    r"\b(?:since|before|after|until|till|from|between|next|upcoming)\b|以来|之后|以后|以前|之前|到|至|明年|明天|下周|下个月"
)
_NOT_MONEY = r"(?!\s*(?:euros?|dollars?|yuan|usd|eur|people|items|steps|words|times|kg|km|miles|pages)\b)"
_ISO = re.compile(r"(?<![\d\-/])(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?![\d\-/])")
_DAY_MONTH = re.compile(rf"\b(on (?:the )?)?(\d{{1,2}})(st|nd|rd|th)?(?: of)? ({_MONTH})\b\.?,?(?: (\d{{4}}))?")
_MONTH_DAY = re.compile(rf"\b(on )?({_MONTH})\b\.? (\d{{1,2}})(st|nd|rd|th)?\b(?:,? (\d{{4}}))?")
_MONTH_YEAR = re.compile(
    rf"\b(?:(last|in|during|early|late|mid) )?({_MONTH})\b(?:,? (?:of )?(\d{{4}}|last year|this year))?"
)
_YEAR = re.compile(rf"\b(?:in|during|year) ((?:19|20)\d{{2}})\b{_NOT_MONEY}")
_AGO = re.compile(rf"{_NUMBER} (day|week|month|year)s? ago\b")
_PAST = re.compile(rf"\b(?:last|past) {_NUMBER} (day|week|month|year)s\b")
_LAST = re.compile(r"\b(last|this|past) (week|month|year|weekend)\b")
_NAMED_DAYS = (
    (re.compile(r"(?<![以之大])前天"), 2),
    (re.compile(r"\byesterday\b|昨天|昨晚"), 1),
    (re.compile(r"\btoday\b|今天|今早"), 0),
)
_ZH_SPANS = (
    (re.compile(r"(?<![早晚上])上周末"), "last weekend"),
    (re.compile(r"(?<![早晚上])上(?:个)?(?:周|星期)(?!末|会|边)"), "last week"),
    (re.compile(r"(?:这|(?<!日)本)(?:个)?(?:周|星期)(?!末|会|边)"), "this week"),
    (re.compile(r"(?<![早晚上])上(?:个月|月(?!亮))"), "last month"),
    (re.compile(r"这个月|本月"), "this month"),
)
_ZH_DIGITS = {char: at for at, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_ZH_NUMBER = r"(\d{1,3}|[一二两三四五六七八九十]{1,3})(?![百千万])"
_ZH_YEAR = r"(?<!\d)(\d{4}|[〇零一二三四五六七八九]{4})年"
_ZH_DATED = re.compile(rf"{_ZH_YEAR}{_ZH_NUMBER}月(?:{_ZH_NUMBER}[日号])?")
_ZH_UNDATED = re.compile(rf"(?<![\d一二三四五六七八九十个年百]){_ZH_NUMBER}月(?:{_ZH_NUMBER}[日号])?")
_ZH_THAT_YEAR = re.compile(rf"((?<![目以之大])前年|去年|今年){_ZH_NUMBER}月(?:{_ZH_NUMBER}[日号])?")
_ZH_ONLY_YEAR = re.compile(_ZH_YEAR)
_ZH_SHIFT = re.compile(r"(?<![目以之大])前年|去年|今年")
_ZH_AGO = re.compile(rf"(?<![\d.百千万一二三四五六七八九十两几]){_ZH_NUMBER}\s*(天|周|星期|个月|年)前")
_ZH_PAST = re.compile(rf"(?:最近|过去|近){_ZH_NUMBER}\s*(天|周|星期|个月|年)")
_ZH_YEARS = {"前年": -2, "去年": -1, "今年": 0}


# No time is named without one of these; a number alone names none either, unless it may be a year or a date.
_HINT = re.compile(
    rf"(?<!\d)\d{{4}}(?!\d)|\b(?:ago|last|past|this|yesterday|today|during|{_MONTH})\b|[年月周天昨今]|星期"
)


def named_span(query: str, now: datetime) -> Span | None:
    """Find the time that a query names, or none.

    Args:
        query: What is asked.
        now: The present; its days are those of its own time zone, UTC if it has none.
    """
    text = query.casefold()
    if _HINT.search(text) is None:
        return None
    present = now if now.tzinfo is not None else now.replace(tzinfo=UTC)
    today = present.replace(hour=0, minute=0, second=0, microsecond=0)
    text = text.replace("the day before yesterday", "前天")  # the only "before" that names a day
    for find in (_ago, _dated, _month_or_year, _relative):
        try:
            span = find(text, today)
        except (ValueError, OverflowError, KeyError):
            return None  # such as the 31st of February, or a number that is none
        if span is not None:
            return span
    return None


def _ago(text: str, today: datetime) -> Span | None:
    found = _AGO.search(text) or _ZH_AGO.search(text)
    if found is not None:
        count, unit = _number(found.group(1)), _DAYS[found.group(2)]
        # People round: two weeks ago is some day around then.
        half = timedelta(days=unit / 2 if unit > 1 else 0)
        middle = today - timedelta(days=count * unit)
        return Span(middle - half, middle + half + timedelta(days=1))
    found = _PAST.search(text) or _ZH_PAST.search(text)
    if found is not None:
        return Span(today - timedelta(days=_number(found.group(1)) * _DAYS[found.group(2)]), _tomorrow(today))
    return None


def _dated(text: str, today: datetime) -> Span | None:
    if _OPEN.search(text):
        return None
    found = _ISO.search(text)
    if found is not None:
        return _span(today, int(found.group(1)), int(found.group(2)), int(found.group(3)) if found.group(3) else None)
    found = _DAY_MONTH.search(text)
    if found is not None and (found.group(1) or found.group(3) or found.group(5)):
        return _nearest(today, _month(found.group(4)), int(found.group(2)), found.group(5))
    found = _MONTH_DAY.search(text)
    if found is not None and (found.group(1) or found.group(4) or found.group(5)):
        return _nearest(today, _month(found.group(2)), int(found.group(3)), found.group(5))
    return _chinese_date(text, today)


def _chinese_date(text: str, today: datetime) -> Span | None:
    found = _ZH_THAT_YEAR.search(text)
    if found is not None:
        year = str(today.year + _ZH_YEARS[found.group(1)])
        return _nearest(today, _number(found.group(2)), _number(found.group(3)) if found.group(3) else None, year)
    found = _ZH_DATED.search(text)
    if found is not None:
        year, month, day = found.groups()
        return _nearest(today, _number(month), _number(day) if day else None, str(_year(year)))
    found = _ZH_UNDATED.search(text)
    if found is not None:
        month, day = found.groups()
        return _nearest(today, _number(month), _number(day) if day else None, None)
    return None


def _month_or_year(text: str, today: datetime) -> Span | None:
    if _OPEN.search(text):
        return None
    for found in _MONTH_YEAR.finditer(text):
        word, month, year = found.groups()
        if year in ("last year", "this year"):
            year = str(today.year - (year == "last year"))
        if word or year:  # else it may be a name, or another word
            return _nearest(today, _month(month), None, year)
    numbered = _YEAR.search(text) or _ZH_ONLY_YEAR.search(text)
    return _span(today, _year(numbered.group(1)), None, None) if numbered else None


def _relative(text: str, today: datetime) -> Span | None:
    if _OPEN.search(text):
        return None
    words = [" ".join(found.groups()) for found in _LAST.finditer(text)]
    words += [word for pattern, word in _ZH_SPANS if pattern.search(text)]
    named = [span for word in words if (span := _spoken(word, today)) is not None]
    for pattern, days in _NAMED_DAYS:
        if pattern.search(text):
            named.append(Span(today - timedelta(days=days), today - timedelta(days=days - 1)))
            break
    shift = _ZH_SHIFT.search(text)
    if shift is not None:
        named.append(_span(today, today.year + _ZH_YEARS[shift.group()], None, None))
    return named[0] if len(named) == 1 else None


def _spoken(words: str, today: datetime) -> Span | None:
    """Give the span of words such as "last week"."""
    monday, week = today - timedelta(days=today.weekday()), timedelta(days=7)
    month = today.replace(day=1)
    last_month = (month - timedelta(days=1)).replace(day=1)
    tomorrow = _tomorrow(today)
    spans = {
        "last week": Span(monday - week, monday),
        "this week": Span(monday, monday + week),
        "past week": Span(today - week, tomorrow),
        "last weekend": Span(monday - timedelta(days=2), monday),
        "this weekend": Span(monday + timedelta(days=5), monday + week),
        "last month": Span(last_month, month),
        "this month": Span(month, tomorrow),
        "past month": Span(today - timedelta(days=30), tomorrow),
        "last year": _span(today, today.year - 1, None, None),
        "this year": _span(today, today.year, None, None),
        "past year": Span(today - timedelta(days=365), tomorrow),
    }
    return spans.get(words)


def _nearest(today: datetime, month: int, day: int | None, year: str | None) -> Span:
    """Give a date; without a year the last one that has begun."""
    if year:
        return _span(today, int(year), month, day)
    this = _span(today, today.year, month, day)
    return this if this.start <= today else _span(today, today.year - 1, month, day)


def _span(today: datetime, year: int, month: int | None, day: int | None) -> Span:
    zone = today.tzinfo
    if month is None:
        return Span(datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone))
    if day is None:
        following = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=zone)
        return Span(datetime(year, month, 1, tzinfo=zone), following)
    start = datetime(year, month, day, tzinfo=zone)
    return Span(start, start + timedelta(days=1))


def _tomorrow(today: datetime) -> datetime:
    return today + timedelta(days=1)


def _month(name: str) -> int:
    return next(at for at, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _year(text: str) -> int:
    return int(text) if text.isdecimal() and text.isascii() else int("".join(str(_ZH_DIGITS[char]) for char in text))


def _number(word: str) -> int:
    """Read a number; one that is vague, such as two or three, is an error."""
    if word in _NUMBERS:
        return _NUMBERS[word]
    if word.isdecimal() and word.isascii():
        return int(word)
    if "十" not in word:
        if len(word) > 1:
            raise ValueError(word)
        return _ZH_DIGITS[word]
    tens, _, ones = word.partition("十")
    return (_ZH_DIGITS[tens] if tens else 1) * 10 + (_ZH_DIGITS[ones] if ones else 0)
