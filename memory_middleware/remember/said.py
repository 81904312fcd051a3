"""Rounds as records of kind ``dialogue``, so that what was said can be recalled in its own words."""

from __future__ import annotations

from collections.abc import Sequence

from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.record import MemoryRecord, Provenance, RecordKind, TrustTier
from memory_middleware.storage.terms import has_cjk

__all__ = ["dialogue_records"]

_LONGEST = 4000
_LEAST = 12
_SOURCE = "dialogue"


def dialogue_records(rounds: Sequence[Dialogue]) -> list[MemoryRecord]:
    """Make two records of each round, one for each side; what says next to nothing is left out."""
    return [
        MemoryRecord.create(
            one.owner_id,
            text[:_LONGEST],
            kind=RecordKind.DIALOGUE,
            provenance=Provenance(
                thread_id=one.session_id,
                turn=None if one.turn is None else 2 * one.turn + at,
                message_ids=one.message_ids,
                round_ids=(one.id,),
            ),
            now=one.created_at,
            subject=speaker,
            trust=trust,
            source=_SOURCE,
        )
        for one in rounds
        for at, (speaker, trust, text) in enumerate(
            (
                ("user", TrustTier.USER, one.user_query.strip()),
                ("assistant", TrustTier.ASSISTANT, one.assistant_response.strip()),
            )
        )
        if _meaning(text) >= _LEAST
    ]


def _meaning(text: str) -> int:
    return sum(3 if has_cjk(char) else 1 for char in text[:_LONGEST] if char.isalnum())
