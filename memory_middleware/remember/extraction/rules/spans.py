"""Spans of the week, for meetings and routines: which weekdays, from when until when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

from memory_middleware.remember.extraction.rules.clock import DAYS

__all__ = ["WEEKDAYS", "WEEKEND", "Span", "an_hour_from", "days_between", "in_order"]

WEEKDAYS, WEEKEND = DAYS[:5], DAYS[5:]
_ALL_DAY = ("00:00", "23:59")


@dataclass(frozen=True, slots=True)
class Span:
    """Some weekdays, every day if none, and hours of them, the whole day if none."""

    days: tuple[str, ...] = ()
    start: str = ""
    end: str = ""

    @property
    def window(self) -> dict[str, Any]:
        """The window as profiles hold it."""
        start, end = (self.start, self.end) if self.start else _ALL_DAY
        return {"weekdays": list(self.days), "start": start, "end": end}

    @property
    def key(self) -> str:
        """What the address of the window names: its days, and whether it bounds the day from one side."""
        days = "weekdays" if self.days == WEEKDAYS else "weekend" if self.days == WEEKEND else " ".join(self.days)
        side = "early" if self.start == "00:00" else "late" if self.end == "23:59" and self.start else ""
        return f"{days or 'daily'} {side}".strip()


def days_between(first: str, last: str) -> tuple[str, ...]:
    """Give the weekdays from one to another."""
    start, end = DAYS.index(first), DAYS.index(last)
    return DAYS[start : end + 1] if start <= end else DAYS[start:] + DAYS[: end + 1]


def in_order(days: Sequence[str]) -> tuple[str, ...]:
    """Give weekdays in the order of the week, each once."""
    return tuple(day for day in DAYS if day in days)


def an_hour_from(start: time) -> str:
    """Tell the end of something that begins at a time and whose end is not told."""
    return f"{(start.hour + 1) % 24:02d}:{start.minute:02d}"
