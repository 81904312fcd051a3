"""When messages were made, as far as they tell."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import BaseMessage

from memory_middleware.schemas.times import parse_utc

__all__ = ["moment_of"]

# Ids of this kind begin with the milliseconds since 1970.
_TIMED_ID = re.compile(r"\b([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b")
_EARLIEST, _LATEST = 1_500_000_000, 4_000_000_000


def moment_of(message: BaseMessage) -> datetime | None:
    """Tell when a message was made: by what its provider says, or by its id; none if neither tells."""
    metadata = message.response_metadata
    for name in ("created_at", "created"):
        found = _read(metadata.get(name))
        if found is not None:
            return found
    timed = _TIMED_ID.search(message.id or "")
    return _from_seconds(int(timed[1] + timed[2], 16) / 1000) if timed else None


def _read(value: Any) -> datetime | None:
    if isinstance(value, str):
        try:
            return parse_utc(value).astimezone(UTC)
        except (ValueError, OverflowError):
            return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _from_seconds(float(value)) if is_number else None


def _from_seconds(seconds: float) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if _EARLIEST < seconds < _LATEST else None
