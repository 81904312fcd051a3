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


def steps_of(
    facts: Sequence[CheckedFact], retractions: Sequence[Retraction], now: datetime
) -> list[CheckedFact | Retraction]:
    """Put facts and endings in the order they were said; what was taken back in the same batch is left out.

    Of what was said at once endings come first: "no longer there, but here".
    """
    ends = [retraction for retraction in retractions if not retraction.rounds]
    kept = [checked for checked in facts if not _was_taken_back(checked, retractions)]
    steps: list[tuple[datetime, CheckedFact | Retraction]] = [(one.said_at or now, one) for one in ends]
    steps += [(said_at(one, now), one) for one in _closed(kept, ends, now)]
    return [step for _, step in sorted(steps, key=itemgetter(0))]


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


def _was_taken_back(checked: CheckedFact, retractions: Sequence[Retraction]) -> bool:
    """Tell whether a fact stands in rounds that a later round took back."""
    cited = {one.id for one in checked.rounds}
    return any(cited <= set(one.rounds) and not cited & set(one.evidence) for one in retractions if one.rounds)
