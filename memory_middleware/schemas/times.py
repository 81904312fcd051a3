"""UTC rules for every time in the library: aware inside, ``Z`` outside."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["parse_utc", "to_utc_iso", "utc_now"]


def utc_now() -> datetime:
    """Tell the current time, aware and in UTC."""
    return datetime.now(UTC)


def to_utc_iso(moment: datetime) -> str:
    """Write a time as ISO 8601 in UTC with a ``Z``; a naive time is taken as UTC.

    Microseconds appear only when they are not zero.
    """
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return aware.replace(tzinfo=None).isoformat() + "Z"


def parse_utc(text: str) -> datetime:
    """Read an ISO 8601 time; one without an offset is taken as UTC, another offset is kept.

    Raises:
        ValueError: The text is not an ISO 8601 time.
    """
    moment = datetime.fromisoformat(text.removesuffix("Z"))
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
