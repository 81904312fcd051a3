"""Days named in Chinese, found in a text and counted from the day of the round."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from memory_middleware.remember.extraction.rules.calendar_days import (
    When,
    month_day,
    month_end,
    safe_date,
    weekday_from,
)
from memory_middleware.remember.extraction.rules.clock import CLOCK_ZH, PARTS_ZH, part_span, read_clock_zh
from memory_middleware.remember.extraction.rules.numerals import HAN_NUMBER, read_number

__all__ = ["DAY_ZH", "find_day_zh"]

_NEAR = {"大后天": 3, "后天": 2, "明天": 1, "明晚": 1, "明早": 1, "今天": 0, "今晚": 0, "昨天": -1, "前天": -2}
_WEEKDAYS = "一二三四五六日天"
DAY_ZH = (
    r"(?:(?P<iso>\d{4}[-/]\d{1,2}[-/]\d{1,2})"
    rf"|(?:(?P<year>\d{{4}}|[零〇一二三四五六七八九]{{4}}|今|明"
    rf"|后)年)?(?P<month>{HAN_NUMBER})月(?P<day>{HAN_NUMBER})[日号]?"
    rf"|(?P<late>{HAN_NUMBER})月(?:底|末)"
    r"|(?P<near>大后天|后天|明天|明晚|明早|今天|今晚|昨天|前天)"
    r"|(?P<which>下下|下个?|上个?|这个?|本)?(?P<week>周|星期|礼拜)(?P<weekday>[一二三四五六日天])"
    rf"|(?P<count>{HAN_NUMBER})(?P<unit>天|周|个星期|个礼拜|个月)(?:之?后|以后)"
    rf"|(?P<ahead>下个?月|这个月|本月)(?P<nday>{HAN_NUMBER})[号日]"
    r"|(?P<end>下个?月底|下个?月末|这个月底|本月底|月底|月末|年底|年末|这周末|本周末|下周末|周末)"
    r"|(?P<span>这两天|这几天|下下周|下周|下个?星期|这周|本周|这个?星期|这个?礼拜|下个月|下月|这个月|本月)"
    rf"|(?P<nth>{HAN_NUMBER})号)"
)
_FIND = re.compile(DAY_ZH)
_CLOCK = re.compile(CLOCK_ZH)
_PART = re.compile(PARTS_ZH)
_UNITS = {"天": 1, "周": 7, "个星期": 7, "个礼拜": 7, "个月": 30}
_YEARS = {"今": 0, "明": 1, "后": 2}


def find_day_zh(text: str, today: date) -> When | None:
    """Find the first day that a text names."""
    for found in _FIND.finditer(text):
        group = next(name for name in _READERS if found[name] is not None)
        if day := _READERS[group](found, today):
            return _with_clock(text, found, day)
    return None


def _with_clock(text: str, found: re.Match[str], day: date) -> When:
    clock = _CLOCK.match(text, found.end())
    if clock and (hour := read_clock_zh(clock)):
        if (found["near"] or "").endswith("晚") and hour.hour < 12:
            hour = hour.replace(hour=hour.hour + 12)
        return When(day, found.start(), clock.end(), hour, 1)
    part = _PART.match(text, found.end())
    end = part.end() if part and part_span(part[0]) else found.end()
    return When(day, found.start(), end, None, _span(found, day))


def _span(found: re.Match[str], day: date) -> int:
    words = found["span"] or ""
    if words.endswith("天"):
        return 2 if words == "这两天" else 3
    if "月" in words:
        return (month_end(day) - day).days + 1
    if words:
        return 7 - day.weekday()
    return 2 if (found["end"] or "").endswith("周末") else 1


def _iso(found: re.Match[str], today: date) -> date | None:
    return safe_date(*map(int, re.split("[-/]", found["iso"])))


def _dated(found: re.Match[str], today: date) -> date | None:
    month, day = read_number(found["month"]), read_number(found["day"])
    if month is None or day is None:
        return None
    if not (year := found["year"]):
        return month_day(today, month, day)
    return safe_date(today.year + _YEARS[year] if year in _YEARS else read_number(year) or 0, month, day)


def _late(found: re.Match[str], today: date) -> date | None:
    month = read_number(found["late"])
    return month_end(today, (month - today.month) % 12) if month and month <= 12 else None


def _near(found: re.Match[str], today: date) -> date:
    return today + timedelta(days=_NEAR[found["near"]])


def _weekday(found: re.Match[str], today: date) -> date:
    at = min(_WEEKDAYS.index(found["weekday"]), 6)
    which = found["which"]
    if not which:
        return weekday_from(today, at)
    weeks = 2 if which == "下下" else 1 if which.startswith("下") else -1 if which.startswith("上") else 0
    return weekday_from(today, at, weeks)


def _ahead(found: re.Match[str], today: date) -> date | None:
    last = month_end(today, 1 if found["ahead"].startswith("下") else 0)
    return safe_date(last.year, last.month, read_number(found["nday"]) or 0)


def _counted(found: re.Match[str], today: date) -> date:
    return today + timedelta(days=_UNITS[found["unit"]] * min(read_number(found["count"]) or 0, 2000))


def _end(found: re.Match[str], today: date) -> date:
    words = found["end"]
    if words.startswith("年"):
        return date(today.year, 12, 31)
    if words.endswith("周末"):
        return weekday_from(today, 5, 1 if words.startswith("下") else 0)
    return month_end(today, 1 if words.startswith("下") else 0)


def _spanned(found: re.Match[str], today: date) -> date:
    words = found["span"]
    ahead = words.count("下")
    if "月" in words:
        return month_end(today) + timedelta(days=1) if ahead else today
    return weekday_from(today, 0, ahead) if ahead else today


def _nth(found: re.Match[str], today: date) -> date | None:
    day = read_number(found["nth"]) or 0
    this = safe_date(today.year, today.month, day)
    if this and this >= today:
        return this
    later = month_end(today) + timedelta(days=1)
    return safe_date(later.year, later.month, day)


_READERS: dict[str, Callable[[re.Match[str], date], date | None]] = {
    "iso": _iso,
    "month": _dated,
    "late": _late,
    "near": _near,
    "weekday": _weekday,
    "unit": _counted,
    "ahead": _ahead,
    "end": _end,
    "span": _spanned,
    "nth": _nth,
}
