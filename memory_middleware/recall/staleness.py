"""Which entries of a profile may be out of date: not confirmed for long, or their day has passed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType

from memory_middleware.recall.labels import words
from memory_middleware.schemas.profile_parts import EntryMeta

__all__ = ["DAYS_UNTIL_STALE", "Staleness"]

DAYS_UNTIL_STALE: Mapping[str, int] = MappingProxyType(
    {"current_projects": 180, "recurring_routines": 365, "team_members": 365}
)
"""After how many days without confirmation an entry of a section is marked; entries of other sections keep."""

_FINISHED = ("completed", "complete", "done", "finished", "已完成", "完成")
# A day is over when it is over everywhere: the last place on earth is twelve hours behind UTC.
_LAST_PLACE = timedelta(hours=12)


class Staleness:
    """Marks what may be out of date at a moment.

    Args:
        now: The moment.
        language: Of the marks.
    """

    def __init__(self, now: datetime, language: str) -> None:
        self._now = now if now.tzinfo is not None else now.replace(tzinfo=UTC)
        self._today = (self._now.astimezone(UTC) - _LAST_PLACE).date()
        self._language = language

    def of_entry(self, section: str, meta: object, status: object) -> str:
        """Tell since when an entry was not confirmed, if that is too long; what is finished does not age."""
        days = DAYS_UNTIL_STALE.get(section)
        if days is None or _is_finished(status) or not isinstance(meta, EntryMeta) or meta.last_updated_at is None:
            return ""
        if self._now - meta.last_updated_at <= timedelta(days=days):
            return ""
        return words("unconfirmed", self._language).format(day=f"{meta.last_updated_at:%Y-%m-%d}")

    def of_day(self, day: object, status: object) -> str:
        """Tell that a day has passed, unless what it was for is finished."""
        if not isinstance(day, date) or _is_finished(status) or day >= self._today:
            return ""
        return words("passed", self._language)


def _is_finished(status: object) -> bool:
    return isinstance(status, str) and status.strip().casefold() in _FINISHED
