"""What happened in a memory: turns of agents and what came of them, uses of records, runs of the extractor."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from memory_middleware.config import MemoryConfig
from memory_middleware.memory.by_hand import scope_of
from memory_middleware.recall.context import budget_of
from memory_middleware.schemas.dialogue import ExtractionRun, Turn, UsageEntry
from memory_middleware.schemas.record import MemoryRecord, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import LanceStore
from memory_middleware.storage.repositories.journal_pages import JournalPage

__all__ = ["Happened", "TurnPage", "TurnView"]

_STATES = tuple(RecordState)
_ENDED_BY = "superseded by "


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn of an agent, and what came of it.

    Attributes:
        turn: The turn.
        budget: The tokens that the agent's memory may take, of which the turn used ``turn.tokens``.
        extracted: The ids of the records that were drawn from its round.
        superseded: The ids of those that they ended.
    """

    turn: Turn
    budget: int
    extracted: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()


class TurnPage(NamedTuple):
    """Some turns, the newest first, and where the next page begins; none after the last."""

    turns: list[TurnView]
    cursor: str | None


class Happened:
    """The part of a memory that tells what happened."""

    store: LanceStore
    config: MemoryConfig

    def list_turns(self, owner: Scope | str, *, limit: int = 20, cursor: str | None = None) -> TurnPage:
        """List turns page by page, the newest first; those of the scope's thread if it names one.

        Raises:
            InvalidInputError: The limit or the cursor is none.
        """
        scope = scope_of(owner)
        page = self.store.memories.journal_pages.turns(scope, limit=limit, cursor=cursor)
        extracted, ended = self._came_of(scope, page.rows)
        return TurnPage(
            [
                TurnView(
                    turn,
                    budget_of(self.config, turn.agent),
                    tuple(extracted.get(turn.round_id or "", ())),
                    tuple(ended.get(turn.round_id or "", ())),
                )
                for turn in page.rows
            ],
            page.cursor,
        )

    def list_usage(
        self, owner: Scope | str, *, record_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JournalPage[UsageEntry]:
        """List uses of all records, or of one, page by page, the newest first.

        Raises:
            InvalidInputError: The limit or the cursor is none.
        """
        return self.store.memories.journal_pages.uses(scope_of(owner), record_id=record_id, limit=limit, cursor=cursor)

    def list_runs(
        self, owner: Scope | str, *, limit: int = 20, cursor: str | None = None
    ) -> JournalPage[ExtractionRun]:
        """List runs of the extractor page by page, the newest first.

        Raises:
            InvalidInputError: The limit or the cursor is none.
        """
        return self.store.memories.journal_pages.runs(scope_of(owner), limit=limit, cursor=cursor)

    def runs(self, owner: Scope | str, *, limit: int = 20) -> list[ExtractionRun]:
        """List the last runs of the extractor, the newest first."""
        return self.store.memories.runs.newest(scope_of(owner), limit=limit)

    def history(self, owner: Scope | str, record: MemoryRecord) -> list[MemoryRecord]:
        """List what held at the address of a record, the newest first; without an address only itself."""
        return self._at_address(scope_of(owner), record.subject, record.attribute) or [record]

    async def alist_turns(self, owner: Scope | str, **more: Any) -> TurnPage:
        """List turns; the async twin of ``list_turns``."""
        return await asyncio.to_thread(self.list_turns, owner, **more)

    async def alist_usage(self, owner: Scope | str, **more: Any) -> JournalPage[UsageEntry]:
        """List uses; the async twin of ``list_usage``."""
        return await asyncio.to_thread(self.list_usage, owner, **more)

    async def alist_runs(self, owner: Scope | str, **more: Any) -> JournalPage[ExtractionRun]:
        """List runs; the async twin of ``list_runs``."""
        return await asyncio.to_thread(self.list_runs, owner, **more)

    async def aruns(self, owner: Scope | str, *, limit: int = 20) -> list[ExtractionRun]:
        """List the last runs; the async twin of ``runs``."""
        return await asyncio.to_thread(self.runs, owner, limit=limit)

    async def ahistory(self, owner: Scope | str, record: MemoryRecord) -> list[MemoryRecord]:
        """List what held at an address; the async twin of ``history``."""
        return await asyncio.to_thread(self.history, owner, record)

    def _came_of(self, scope: Scope, turns: Sequence[Turn]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Give the records that were drawn from rounds, and those that they ended, by the rounds."""
        rounds: dict[str, dict[str, None]] = defaultdict(dict)
        for turn in turns:
            if turn.round_id:
                rounds[turn.session_id][turn.round_id] = None
        found = [
            record
            for thread, names in rounds.items()
            for record in self.store.memories.records.from_rounds(scope, thread, list(names))
        ]
        ends = {place: self._ended_at(scope, *place) for place in {(one.subject, one.attribute) for one in found}}
        extracted: dict[str, list[str]] = defaultdict(list)
        ended: dict[str, list[str]] = defaultdict(list)
        for record in found:
            name = record.provenance.round_ids[0]
            extracted[name].append(record.id)
            ended[name] += ends[record.subject, record.attribute].get(record.id, ())
        return extracted, ended

    def _ended_at(self, scope: Scope, subject: str | None, attribute: str | None) -> dict[str, list[str]]:
        """List what stood at an address until something else came, by the ids of what came."""
        ended: dict[str, list[str]] = defaultdict(list)
        for record in self._at_address(scope, subject, attribute):
            note = (record.note or "").partition(",")[0]
            if note.startswith(_ENDED_BY):
                ended[note.removeprefix(_ENDED_BY)].append(record.id)
        return ended

    def _at_address(self, scope: Scope, subject: str | None, attribute: str | None) -> list[MemoryRecord]:
        found = self.store.memories.records.at_address(scope, subject or "", attribute or "", states=_STATES)
        return sorted(found, key=lambda one: one.valid_from or one.created_at, reverse=True)
