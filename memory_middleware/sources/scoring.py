"""How the items of several sources are put into one order."""

from __future__ import annotations

from memory_middleware.schemas.items import MemoryItem

__all__ = ["manager_score"]

_FADING_HOURS = 30 * 24
_LEAST_FRESHNESS = 0.1


def manager_score(item: MemoryItem, query: str, now: float) -> float:
    """Score an item by its age, its length and the query's words in it; it orders and filters nothing.

    Args:
        item: What was recalled.
        query: What was asked.
        now: The time in seconds; an item from the future scores above others.
    """
    hours = (now - (item.timestamp or 0.0)) / 3600
    freshness = max(_LEAST_FRESHNESS, 1.0 - hours / _FADING_HOURS)
    asked = set(query.lower().split())
    shared = asked & set(item.content_summary.lower().split())
    overlap = len(shared) / len(asked) if asked else 0.0
    return 0.7 * freshness * _length_factor(len(item.content_summary)) + 0.3 * overlap


def _length_factor(length: int) -> float:
    if length < 20:
        return 0.5
    return 0.8 if length > 200 else 1.0
