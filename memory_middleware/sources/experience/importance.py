"""How important an experience is: what it taught, how often it was used, how long ago."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.sources.experience.task_type import task_matches
from memory_middleware.storage.documents import Experience

__all__ = [
    "BOOST",
    "assess",
    "assess_memory",
    "boosted",
    "days_between",
    "decayed",
    "happened_at",
    "recency_factor",
    "seen_at",
]

BOOST = 0.1
_USUAL = 0.5
_OUTCOMES = {"success": 0.1, "failure": -0.1}
_PER_ERROR, _MOST_ERRORS = 0.05, 3
_PER_USE = 0.05
_PER_MATCH = 0.1
_RATE, _PERIOD, _FLOOR = 0.1, 30.0, 0.01
_RECENT_DAYS, _RECENT_SHARE = 30.0, 0.1


def assess(
    importance: float = _USUAL,
    *,
    outcome: str | None = None,
    errors: int = 0,
    uses: int = 0,
    confidence: float | None = None,
    matches: int = 0,
) -> float:
    """Tell how important an experience is, from 0 to 1.

    Args:
        importance: What it was given.
        outcome: How it ended, if it is an episode.
        errors: How many errors were met; overcoming them makes an episode worth more.
        uses: How often it was recalled.
        confidence: How sure it is; counts as much as all the rest.
        matches: How much of it fits the task at hand.
    """
    value = importance + _OUTCOMES.get(outcome or "", 0.0)
    if outcome == "success":
        value += _PER_ERROR * min(errors, _MOST_ERRORS)
    value += _PER_USE * math.log1p(max(uses, 0))
    if confidence is not None:
        value = (value + confidence) / 2
    return round(_fraction(value + _PER_MATCH * matches), 3)


def assess_memory(memory: Experience, task_type: str | None = None) -> float:
    """Tell how important a memory is, perhaps for a type of task."""
    phase, category = getattr(memory, "phase", None) or "", getattr(memory, "category", None) or ""
    matches = task_matches(task_type, phase=phase, category=category) if task_type else 0
    uses = memory.access_count
    if isinstance(memory, EpisodeTrace):
        errors = len(memory.errors_encountered)
        return assess(memory.importance, outcome=memory.outcome, errors=errors, uses=uses, matches=matches)
    confidence = memory.confidence if isinstance(memory, SemanticPattern) else None
    return assess(memory.importance, uses=uses, confidence=confidence, matches=matches)


def decayed(importance: float, days: float | None, *, rate: float = _RATE, period: float = _PERIOD) -> float:
    """Let importance fade with the days; it never fades to nothing.

    Args:
        importance: What it was.
        days: How long it was not seen; none leaves it as it is.
        rate: How much fades in a period. The half-life is ``period * ln 2 / rate``, 208 days by default.
        period: The days of a period.
    """
    if days is None:
        return importance
    faded = importance * math.exp(-rate * max(days, 0.0) / period)
    return round(max(min(_FLOOR, importance), faded), 3)


def boosted(importance: float, by: float = BOOST) -> float:
    """Raise importance by a share of what it lacks, so that it never passes 1."""
    return round(_fraction(importance + by * (1.0 - importance)), 3)


def recency_factor(days: float | None) -> float:
    """Favour what happened in the last 30 days: 1.1 for today, falling to 1; an unknown time is no favour."""
    if days is None:
        return 1.0
    return 1.0 + _RECENT_SHARE * _fraction(1.0 - max(days, 0.0) / _RECENT_DAYS)


def happened_at(memory: Experience) -> datetime | None:
    """Tell when an episode happened or a pattern was used last; a skill has no time."""
    return getattr(memory, "timestamp", None) or getattr(memory, "last_used", None)


def seen_at(memory: Experience) -> datetime | None:
    """Tell since when importance fades: since the last access, or since it happened."""
    return memory.last_accessed or happened_at(memory)


def days_between(moment: datetime | None, now: datetime) -> float | None:
    """Tell how many days ago a time was, or none for none; one without an offset is taken as UTC."""
    if moment is None:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (now - aware).total_seconds() / 86_400


def _fraction(value: float) -> float:
    return max(0.0, min(1.0, value))
