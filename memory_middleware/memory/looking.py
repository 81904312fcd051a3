"""Looking into a memory: records page by page, one record with all around it, and statistics."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any

from memory_middleware.memory.by_hand import scope_of
from memory_middleware.memory.editing import Editing
from memory_middleware.memory.happened import Happened
from memory_middleware.remember.said import sayings_of
from memory_middleware.schemas.dialogue import RunState, UsageEntry
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.owner_list import owners
from memory_middleware.storage.repositories.edits import RecordEdit
from memory_middleware.storage.repositories.record_pages import RecordPage, Sort
from memory_middleware.storage.statistics import count_memory, disk_use

__all__ = ["Looking", "MemoryStats", "RecordView"]

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class RecordView:
    """A record with all around it.

    Attributes:
        record: The record.
        links: The records it links to, by relation.
        linked_from: The records that link to it.
        history: What held at its address, the newest first, itself included.
        usage: Its last uses, the newest first.
        said_in: What was said in the rounds it came from.
        edits: Its last edits by hand, the newest first.
    """

    record: MemoryRecord
    links: tuple[tuple[str, MemoryRecord], ...] = ()
    linked_from: tuple[MemoryRecord, ...] = ()
    history: tuple[MemoryRecord, ...] = ()
    usage: tuple[UsageEntry, ...] = ()
    said_in: tuple[MemoryRecord, ...] = ()
    edits: tuple[RecordEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """How much an owner's memory holds, and how it is used.

    Attributes:
        owner_id: Whose.
        records: How many records, by kind and then by state.
        weights: How many records by weight, in steps of 0.5.
        growth: New records by day.
        injected, referenced: How often records were injected, and how often answers used them.
        experience: Episodes, patterns and skills.
        rounds: Rounds that wait for the extractor.
        parked: Batches that failed too often.
        turns: Turns in the journal.
        cache_hit_rate: How often a vector was known already.
        disk_bytes: What the whole store takes; none on a server.
        failures: How often memory failed and an agent went on without it.
    """

    owner_id: str
    records: dict[str, dict[str, int]]
    weights: list[int]
    growth: dict[date, int]
    injected: int
    referenced: int
    experience: dict[str, int]
    rounds: int
    parked: int
    turns: int
    cache_hit_rate: float
    disk_bytes: int | None
    failures: dict[str, int] = field(default_factory=dict)


class Looking(Editing, Happened):
    """The part of a memory that people look into."""

    def owners(self) -> Iterator[str]:
        """Go through the ids of all whose memory is kept here, in no particular order."""
        with self.store.visit(None):
            return owners(self.store.database)

    async def aowners(self) -> AsyncIterator[str]:
        """Go through the ids of all owners; the async twin of ``owners``."""
        found = self.owners()
        while some := await asyncio.to_thread(lambda: list(islice(found, _AT_ONCE))):
            for owner in some:
                yield owner

    def list_records(
        self,
        owner: Scope | str,
        *,
        states: Sequence[RecordState | str] = (RecordState.ACTIVE,),
        kinds: Sequence[RecordKind | str] | None = None,
        sort: Sort = "updated",
        limit: int = 50,
        cursor: str | None = None,
    ) -> RecordPage:
        """List records page by page, by ``updated``, ``created``, ``weight`` or ``used``.

        Raises:
            InvalidInputError: The order, the limit or the cursor is none.
        """
        pages = self.store.memories.record_pages
        return pages.page(scope_of(owner), states=states, kinds=kinds, sort=sort, limit=limit, cursor=cursor)

    def view_record(self, owner: Scope | str, record_id: str) -> RecordView | None:
        """Give a record with its links, history, use and source turns, or none."""
        scope, memories = scope_of(owner), self.store.memories
        record = memories.records.get(scope, record_id)
        if record is None:
            return None
        targets = {found.id: found for found in memories.records.get_many(scope, [link.to_id for link in record.links])}
        return RecordView(
            record,
            links=tuple((link.relation, targets[link.to_id]) for link in record.links if link.to_id in targets),
            linked_from=tuple(memories.records.linking_to(scope, record_id)),
            history=tuple(self.history(scope, record)),
            usage=tuple(memories.usage.history(scope, record_id, limit=50)),
            said_in=tuple(self._said(scope, record)),
            edits=tuple(self.edits(scope, record_id)),
        )

    def stats(self, owner: Scope | str) -> MemoryStats:
        """Count an owner's memory."""
        scope, memories = Scope(scope_of(owner).owner_id), self.store.memories
        counts = count_memory(self.store.database, scope)
        journal = memories.journal_counts(scope)
        return MemoryStats(
            owner_id=scope.owner_id,
            records=counts.records,
            weights=counts.weights,
            growth=counts.growth,
            injected=counts.injected,
            referenced=counts.referenced,
            experience=memories.experience.count(scope),
            rounds=journal["rounds"],
            parked=len(memories.runs.in_state(scope, RunState.PARKED, limit=10_000)),
            turns=journal["turns"],
            cache_hit_rate=self.store.embedding_stats.hit_rate,
            disk_bytes=disk_use(self.store.database),
            failures=dict(getattr(self, "failures", {})),
        )

    async def alist_records(self, owner: Scope | str, **more: Any) -> RecordPage:
        """List records; the async twin of ``list_records``."""
        return await asyncio.to_thread(self.list_records, owner, **more)

    async def aview_record(self, owner: Scope | str, record_id: str) -> RecordView | None:
        """Give a record with all around it; the async twin of ``view_record``."""
        return await asyncio.to_thread(self.view_record, owner, record_id)

    async def astats(self, owner: Scope | str) -> MemoryStats:
        """Count an owner's memory; the async twin of ``stats``."""
        return await asyncio.to_thread(self.stats, owner)

    def _said(self, scope: Scope, record: MemoryRecord) -> list[MemoryRecord]:
        return [] if record.kind is RecordKind.DIALOGUE else sayings_of(self.store.memories, scope, [record])
