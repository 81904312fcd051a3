"""Values inside a profile: who said it, when somebody is free, and strict scalars."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from functools import cache
from typing import Annotated, Any, Literal, get_args
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from memory_middleware.schemas.problems import did_you_mean

__all__ = [
    "ClockTime",
    "Confidence",
    "EntryMeta",
    "Minutes",
    "Moment",
    "Name",
    "ProfilePart",
    "StrictDate",
    "TimeWindow",
    "TimeZone",
    "Weekday",
]


class ProfilePart(BaseModel):
    """Base of everything in a profile: unknown fields are refused, assignments are checked."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)


def _no_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError(f"expected a number, not {value!r}")
    return value


def _check_clock(value: str) -> str:
    if not re.fullmatch(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]", value):
        raise ValueError(f"expected a 24-hour time HH:MM such as '09:30', not {value!r}")
    return value


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def _check_zone(value: str) -> str:
    if value not in _zones():
        near = did_you_mean(value, sorted(_zones())) if value else "leave it null when unknown"
        hint = near if near.startswith(("did", "leave")) else "use a name such as 'Asia/Shanghai'"
        raise ValueError(f"expected an IANA time zone, not {value!r}; {hint}")
    return value


def _check_date(value: Any) -> Any:
    if isinstance(value, str | date) and not isinstance(value, datetime):
        return value
    raise ValueError(f"expected a date YYYY-MM-DD, not {value!r}")


def _check_moment(value: Any) -> Any:
    if isinstance(value, str | datetime):
        return value
    raise ValueError(f"expected an ISO 8601 time, not {value!r}")


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Confidence = Annotated[float, BeforeValidator(_no_bool), Field(ge=0.0, le=1.0)]
Minutes = Annotated[int, BeforeValidator(_no_bool), Field(ge=0)]
ClockTime = Annotated[str, AfterValidator(_check_clock)]
TimeZone = Annotated[str, AfterValidator(_check_zone)]
StrictDate = Annotated[date, BeforeValidator(_check_date)]
Moment = Annotated[datetime, BeforeValidator(_check_moment), AfterValidator(_aware)]

DayName = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DAYS: tuple[str, ...] = get_args(DayName)
_DAY_WORDS = (
    {day: day for day in _DAYS}
    | {day[:3]: day for day in _DAYS}
    | {
        f"{week}{mark}": day
        for week in ("周", "星期", "礼拜")
        for mark, day in zip("一二三四五六日", _DAYS, strict=True)
    }
    | {f"{week}天": "sunday" for week in ("周", "星期", "礼拜")}
)


def _read_weekday(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 7:
        return _DAYS[value - 1]
    if isinstance(value, str) and (day := _DAY_WORDS.get(value.strip().lower())):
        return day
    raise ValueError(f"expected a weekday such as 'monday', 'mon', '周一' or 1 (Monday) to 7 (Sunday), not {value!r}")


Weekday = Annotated[DayName, BeforeValidator(_read_weekday)]


class TimeWindow(ProfilePart):
    """A span of the day on some weekdays; no weekdays means every day.

    A window whose end lies before its start runs over midnight.
    """

    weekdays: list[Weekday] = []
    start: ClockTime
    end: ClockTime

    @model_validator(mode="after")
    def _not_empty(self) -> TimeWindow:
        if self.start == self.end:
            raise ValueError(f"a window must not end when it starts ({self.start!r})")
        return self

    @property
    def overnight(self) -> bool:
        """Whether the window runs over midnight."""
        return time.fromisoformat(self.end) < time.fromisoformat(self.start)


class EntryMeta(ProfilePart):
    """Where an entry comes from, how sure it is, and when it last changed."""

    source: str | None = None
    confidence: Confidence = 1.0
    last_updated_at: Moment | None = None
