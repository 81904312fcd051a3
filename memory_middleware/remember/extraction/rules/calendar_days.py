"""Days counted from the day of a round: weekdays, months, and days without a year."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

__all__ = ["Moments", "When", "month_day", "month_end", "safe_date", "weekday_from"]


@dataclass(frozen=True, slots=True)
class When:
    """A day that a text names, where it names it, and the time of day if it says one."""

    day: date
    start: int
    end: int
    clock: time | None = None
    span: int = 1

    def phrase(self, language: str) -> str:
        """The day, the week or the month, and the time if there is one, as part of a sentence."""
        day = f"{self.day.isoformat()} {self.clock:%H:%M}" if self.clock else self.day.isoformat()
        english = language == "en"
        if self.span > 7:
            return f"in {day[:7]}" if english else f"{day[:7]} "
        if self.span > 1:
            week = "week" if self.span > 2 else "weekend"
            return f"in the {week} of {day}" if english else f"{day} 那{'周' if self.span > 2 else '个周末'}"
        return f"on {day}" if english else f"{day} "

    @property
    def last(self) -> date:
        """The last day, if it is a span such as a week."""
        return self.day + timedelta(days=self.span - 1)


@dataclass(frozen=True, slots=True)
class Moments:
    """Turns days of the owner's calendar into moments."""

    today: date
    zone: tzinfo = UTC

    def at(self, when: When) -> datetime | None:
        """The moment that a text names; midday of the owner's day if it says no time."""
        try:
            return datetime.combine(when.day, when.clock or time(12), self.zone).astimezone(UTC)
        except OverflowError:
            return None

    def ahead(self, days: int) -> When | None:
        """The day that lies so many days ahead; none beyond the calendar."""
        try:
            return When(self.today + timedelta(days=days), 0, 0)
        except OverflowError:
            return None

    def after(self, day: date) -> datetime | None:
        """The moment at which a day is over; none at the end of the calendar."""
        try:
            return datetime.combine(day + timedelta(days=1), time(), self.zone).astimezone(UTC)
        except OverflowError:
            return None


def safe_date(year: int, month: int, day: int) -> date | None:
    """Make a date; none if there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def month_day(today: date, month: int, day: int) -> date | None:
    """Give the next such day, today included."""
    this = safe_date(today.year, month, day)
    if this and this >= today:
        return this
    return safe_date(today.year + 1, month, day)


def weekday_from(today: date, weekday: int, weeks: int | None = None) -> date:
    """Give a weekday of the week that lies ``weeks`` ahead, or the next such day if none is told."""
    if weeks is None:
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    return today + timedelta(days=weekday - today.weekday() + 7 * weeks)


def month_end(today: date, months: int = 0) -> date:
    """Give the last day of a month that lies ``months`` ahead."""
    index = today.year * 12 + today.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, calendar.monthrange(year, month + 1)[1])
