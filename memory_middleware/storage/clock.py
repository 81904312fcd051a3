"""The time of a store, in one place."""

from __future__ import annotations

import time

__all__ = ["now"]


def now() -> int:
    """Tell the time in microseconds since 1970, in UTC."""
    return time.time_ns() // 1000
