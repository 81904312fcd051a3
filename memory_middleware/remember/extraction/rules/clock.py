"""Times of day and spans of the week, in English and Chinese."""

from __future__ import annotations

import re
from datetime import time

from memory_middleware.remember.extraction.rules.numerals import HAN_NUMBER, read_number

__all__ = ["CLOCK_EN", "CLOCK_ZH", "DAYS", "PARTS_EN", "PARTS_ZH", "part_span", "read_clock_en", "read_clock_zh"]

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SPANS = {
    "morning": ("06:00", "12:00"),
    "noon": ("12:00", "14:00"),
    "afternoon": ("12:00", "18:00"),
    "evening": ("18:00", "22:00"),
    "night": ("20:00", "23:59"),
}
_PART_WORDS = {
    "early morning": "morning",
    "lunchtime": "noon",
    "lunch": "noon",
    "早上": "morning",
    "早晨": "morning",
    "上午": "morning",
    "清晨": "morning",
    "一早": "morning",
    "早": "morning",
    "中午": "noon",
    "午休": "noon",
    "下午": "afternoon",
    "傍晚": "evening",
    "晚上": "evening",
    "晚间": "evening",
    "晚": "evening",
    "夜里": "night",
    "深夜": "night",
}
PARTS_EN = r"(?:early\s+morning|morning|noon|lunchtime|lunch|afternoon|evening|night)"
PARTS_ZH = r"(?:早上|早晨|上午|清晨|一早|中午|午休|下午|傍晚|晚上|晚间|夜里|深夜|早|晚)"

CLOCK_EN = (
    r"(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>[ap]\.?m\b\.?)?(?:\s*o'?clock)?|(?P<named>noon|midday"
    r"|midnight))"
)
CLOCK_ZH = (
    rf"(?:(?P<part>{PARTS_ZH})?\s*(?:(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})|(?P<han>{HAN_NUMBER})\s*[点时](?:钟|整)?"
    rf"(?P<past>半|一刻|三刻|{HAN_NUMBER}分?)?))"
)
_NAMED = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_PAST = {"半": 30, "一刻": 15, "三刻": 45}


def part_span(word: str) -> tuple[str, str]:
    """Give the hours of a part of the day."""
    folded = " ".join(word.casefold().split())
    return _SPANS[_PART_WORDS.get(folded, folded)]


def read_clock_en(found: re.Match[str]) -> time | None:
    """Read a match of the English pattern; hours 1 to 6 without am or pm are taken as they stand."""
    if found["named"]:
        return _NAMED[found["named"].lower()]
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half and hour > 12:
        return None
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return _time(hour, int(found["minute"] or 0))


def read_clock_zh(found: re.Match[str]) -> time | None:
    """Read a match of the Chinese pattern; an hour of the afternoon or evening counts from noon."""
    hour = int(found["hour"]) if found["hour"] else read_number(found["han"])
    past = found["past"] or ""
    minute = int(found["minute"]) if found["minute"] else _PAST.get(past, read_number(past.rstrip("分")) or 0)
    if hour is None:
        return None
    late = found["part"] and part_span(found["part"])[0] >= "12:00"
    return _time(hour + 12 if late and hour < 12 and not (found["part"] == "中午" and hour > 10) else hour, minute)


def _time(hour: int, minute: int) -> time | None:
    return time(hour % 24, minute) if hour <= 24 and minute < 60 else None
