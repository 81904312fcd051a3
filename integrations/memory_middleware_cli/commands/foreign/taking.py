"""Taking single memories of another system in, each of them once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from memory_middleware import InvalidInputError, MemoryRecord, RecordKind, RecordState, Scope, TrustTier
from memory_middleware_cli.commands.desk import Desk
from memory_middleware_cli.commands.printing import bars

__all__ = ["ForeignMemory", "ForeignReport", "take_memories"]


@dataclass(frozen=True, slots=True)
class ForeignMemory:
    """A memory of another system.

    Attributes:
        content: What it says.
        source: The system and the memory's own name there; by this it is known again.
        owner: Whose it was there, if that is told.
        kind: What it is about.
        tags: Words to find it by.
        at: Since when it was known.
        trust: Who vouches for it.
    """

    content: str
    source: str
    owner: str | None = None
    kind: RecordKind = RecordKind.FACT
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    trust: TrustTier = TrustTier.USER


@dataclass(frozen=True, slots=True)
class ForeignReport:
    """What came of it.

    Attributes:
        added: How many records are new.
        known: How many memories were here already; nothing was changed.
        quarantined: How many of the new ones were set aside for review.
        refused: How many held nothing that is kept, such as a secret alone.
        rounds: How many rounds of dialogue are new.
        facts: How many records were drawn from them.
        owners: Whose memory it is now.
    """

    added: int = 0
    known: int = 0
    quarantined: int = 0
    refused: int = 0
    rounds: int = 0
    facts: int = 0
    owners: tuple[str, ...] = ()


class _KnownError(Exception):
    """Undoes the writing of a memory that said what a record says already."""


def take_memories(desk: Desk, memories: Sequence[ForeignMemory]) -> ForeignReport:
    """Keep memories as records; what is here already stays exactly as it is.

    Raises:
        InvalidInputError: A memory tells no owner, and none was named.
    """
    owners = [_owner(desk, one) for one in memories]
    counts: Counter[str] = Counter()
    with bars("import") as told:
        for at, (one, owner) in enumerate(zip(memories, owners, strict=True), start=1):
            counts.update(_take(desk, one, Scope(owner)))
            told(at, len(memories))
    return ForeignReport(**counts, owners=tuple(sorted(set(owners))))


def _owner(desk: Desk, one: ForeignMemory) -> str:
    return desk.owner if desk.given is not None or not one.owner else one.owner


def _take(desk: Desk, one: ForeignMemory, scope: Scope) -> list[str]:
    """Keep a memory, and tell what became of it."""
    records = desk.memory.store.memories.records
    if records.from_source(scope, one.source):
        return ["known"]
    kept: MemoryRecord | None = None
    try:
        with suppress(_KnownError), desk.memory.store.database.writing():
            made = desk.memory.remember(
                scope, one.content, kind=one.kind, tags=one.tags, source=one.source, now=one.at, trust=one.trust
            )
            if made.source != one.source:
                raise _KnownError
            kept = made
    except InvalidInputError:
        return ["refused"]
    if kept is None:
        return ["known"]
    return ["added", "quarantined"] if kept.state is RecordState.QUARANTINED else ["added"]
