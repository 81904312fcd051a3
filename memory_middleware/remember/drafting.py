"""Drafts of records: of a fact that was found, and of a doubt that somebody should look at."""

from __future__ import annotations

from datetime import datetime

from memory_middleware.remember.batch_order import said_at
from memory_middleware.remember.checking import CheckedFact
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.grounding import retracted_by
from memory_middleware.schemas.record import MemoryRecord, Provenance, RecordLink, RecordState, TrustTier
from memory_middleware.storage.terms import has_cjk

__all__ = ["CONTRADICTS", "contradiction_note", "doubt_about", "record_of"]

CONTRADICTS = "contradicts"
"""The link from what waits for review to what it speaks against."""


def record_of(
    checked: CheckedFact, owner_id: str, thread_id: str | None, now: datetime, source: str | None
) -> MemoryRecord:
    """Make the record of a fact; its id follows from what it says and where it was said."""
    fact, rounds = checked.fact, checked.rounds
    moment = said_at(checked, now)
    turns = [one.turn for one in rounds if one.turn is not None]
    place = Provenance(
        thread_id=thread_id,
        turn=max(turns, default=None),
        message_ids=tuple(dict.fromkeys(name for one in rounds for name in one.message_ids)),
        round_ids=tuple(one.id for one in rounds),
    )
    return MemoryRecord.create(
        owner_id,
        fact.content,
        kind=fact.type,
        provenance=place,
        now=moment,
        tags=fact.tags,
        confidence=fact.confidence,
        subject=fact.subject,
        attribute=fact.attribute,
        trust=checked.trust,
        state=checked.state,
        note=checked.note,
        source=source,
        valid_from=moment,
        valid_to=fact.valid_to if fact.valid_to and fact.valid_to > moment else None,
        event_time=fact.event_time,
    )


def doubt_about(retraction: Retraction, old: MemoryRecord, now: datetime, source: str | None) -> MemoryRecord:
    """Make the record of a retraction that may not end a record, for somebody to decide."""
    rounds = retraction.cited
    moment = retraction.said_at or now
    words = "据说这不再成立：" if has_cjk(old.content) else "It is said that this does not hold: "
    return MemoryRecord.create(
        old.owner_id,
        f"{words}{old.content}",
        kind=old.kind,
        provenance=Provenance(
            thread_id=rounds[-1].session_id if rounds else None,
            turn=rounds[-1].turn if rounds else None,
            round_ids=retraction.evidence,
        ),
        now=moment,
        subject=old.subject,
        trust=retracted_by(old.content, rounds) if rounds else TrustTier.USER,
        state=RecordState.QUARANTINED,
        note=contradiction_note(old),
        links=(RecordLink(to_id=old.id, relation=CONTRADICTS),),
        source=source,
        valid_from=moment,
    )


def contradiction_note(old: MemoryRecord) -> str:
    """Say why something must wait: it speaks against what is pinned, or against somebody more trusted."""
    why = "pinned" if old.pinned else f"said by the {old.trust.value}"
    return f"it contradicts what is known and {why}: {old.content}"
