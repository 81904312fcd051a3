"""The order in which the facts and retractions of one batch count: as they were said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from operator import itemgetter

from memory_middleware.remember.checking import CheckedFact
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.likeness import same_address
from memory_middleware.schemas.dialogue import Fact

__all__ = ["said_at", "steps_of"]

_ENDED, _TOLD, _TAKEN_BACK = range(3)


def steps_of(
    facts: Sequence[CheckedFact], retractions: Sequence[Retraction], now: datetime
) -> list[CheckedFact | Retraction]:
    """Put facts and retractions in the order they were said.

    Of what was said at once endings come first: "no longer there, but here". What takes rounds back comes last.
    """
    ends = [retraction for retraction in retractions if not retraction.rounds]
    steps: list[tuple[datetime, int, CheckedFact | Retraction]] = [
        (one.said_at or now, _TAKEN_BACK if one.rounds else _ENDED, one) for one in retractions
    ]
    steps += [(said_at(one, now), _TOLD, one) for one in _closed(facts, ends, now)]
    return [step for *_, step in sorted(steps, key=itemgetter(0, 1))]


def said_at(checked: CheckedFact, now: datetime) -> datetime:
    """Tell when a fact was said last; one without rounds is said now."""
    return max((one.created_at for one in checked.rounds), default=now)


def _closed(facts: Sequence[CheckedFact], ends: Sequence[Retraction], now: datetime) -> list[CheckedFact]:
    """Let facts last whose end is the moment when the next value of the batch begins; that one ends them."""
    nexts: list[tuple[Fact | Retraction, datetime | None]] = [(one, one.said_at) for one in ends]
    kept = list(facts)
    for at in sorted(range(len(kept)), key=lambda at: said_at(kept[at], now), reverse=True):
        if _is_closed(kept[at].fact, nexts):
            kept[at] = _lasting(kept[at])
        if kept[at].fact.valid_to is None:
            nexts.append((kept[at].fact, said_at(kept[at], now)))
    return kept


def _is_closed(fact: Fact, nexts: Sequence[tuple[Fact | Retraction, datetime | None]]) -> bool:
    end = fact.valid_to
    return end is not None and any(end == moment and same_address(fact, other) for other, moment in nexts)


def _lasting(checked: CheckedFact) -> CheckedFact:
    return replace(checked, fact=checked.fact.model_copy(update={"valid_to": None}))
