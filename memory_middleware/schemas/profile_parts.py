"""Values inside a profile: who said it, when somebody is free, and strict scalars."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

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
    "check_sound",
    "no_bool",
]


class ProfilePart(BaseModel):
    """Base of everything in a profile: unknown fields are refused, assignments are checked."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    @field_validator("*", mode="before")
    @classmethod
    def _sound_text(cls, value: Any) -> Any:
        for text in value if isinstance(value, list) else (value,):
            check_sound(text)
        return value


def check_sound(text: Any) -> None:
    """Refuse text that cannot be written as UTF-8.

    Raises:
        ValueError: It holds half a surrogate pair.
    """
    if isinstance(text, str) and not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(f"the text holds half a surrogate pair at position {error.start}") from error


def no_bool(value: Any) -> Any:
    """Refuse a boolean where a number is meant.

    Raises:
        ValueError: It is one.
    """
    if isinstance(value, bool):
        raise ValueError(f"expected a number, not {value!r}")
    return value


def _check_clock(value: str) -> str:
    if not re.fullmatch(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]", value):
        raise ValueError(f"expected a 24-hour time HH:MM such as '09:30', not {value!r}")
    return value


@cache
def _zones() -> frozenset[str]:
    # The list of the tzdata package is the same on every machine, that of the system is not.
    listed = (files("tzdata") / "zones").read_text(encoding="utf-8")
    return frozenset(listed.split()) - {"Factory", "localtime"}


def _check_zone(value: str) -> str:
    if value not in _zones():
        near = did_you_mean(value, sorted(_zones())) if value else "leave it null when unknown"
        hint = near if near.startswith(("did", "leave")) else "use a name such as 'Asia/Shanghai'"
        raise ValueError(f"expected an IANA time zone, not {value!r}; {hint}")
    return value


def _check_date(value: Any) -> Any:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return value
    raise ValueError(f"expected a date YYYY-MM-DD, not {value!r}")


def _check_moment(value: Any) -> Any:
    if isinstance(value, str | datetime):
        return value
    raise ValueError(f"expected an ISO 8601 time, not {value!r}")


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"the time {moment} lies outside the years 1 to 9999 in UTC") from error


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Confidence = Annotated[float, BeforeValidator(no_bool), Field(ge=0.0, le=1.0)]
Minutes = Annotated[int, BeforeValidator(no_bool), Field(ge=0)]
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
