"""Upkeep of one owner's memory: what fades, ends, repeats itself or points nowhere."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from memory_middleware.config import MemoryConfig
from memory_middleware.remember.journal import MemoryJournal
from memory_middleware.remember.likeness import normalised, same_address
from memory_middleware.remember.reconcile import joined
from memory_middleware.remember.timeline import TIME_IS_OVER
from memory_middleware.remember.weighing import based_on, faded
from memory_middleware.schemas import times
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.usage import UsageEvent

__all__ = ["MaintenanceReport", "run_maintenance"]

_PAGE = 500


@dataclass(frozen=True, slots=True)
class MaintenanceReport:
    """What upkeep changed.

    Attributes:
        owner_id: Whose memory.
        faded: How many weights were brought up to date.
        archived: The ids of the records that were archived.
        ended: The ids of the records whose time was over.
        duplicates: The ids of the records that said the same as another.
        links: How many records had links that pointed nowhere.
        dropped: How many rows of the journal were too old, by table.
        records: How many records there are now, by state.
        took_ms: How long it took.
    """

    owner_id: str
    faded: int = 0
    archived: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    links: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    records: dict[str, int] = field(default_factory=dict)
    took_ms: float = 0.0


def run_maintenance(
    memories: Repositories, scope: Scope, config: MemoryConfig | None = None, *, now: datetime | None = None
) -> MaintenanceReport:
    """Do all upkeep of an owner's memory; it may run at any time, and twice at once.

    Args:
        memories: Where memory is kept.
        scope: Whose.
        config: The rules.
        now: The present moment.
    """
    started = time.perf_counter()
    chosen, moment = config or MemoryConfig(), now or times.utc_now()
    upkeep = _Upkeep(memories, scope, chosen, moment)
    return MaintenanceReport(
        owner_id=scope.owner_id,
        ended=tuple(upkeep.end_expired()),
        duplicates=tuple(upkeep.merge_duplicates()),
        links=upkeep.repair_links(),
        dropped=upkeep.drop_old(),
        faded=upkeep.fade(),
        archived=tuple(MemoryJournal(memories, chosen).archive_low_weight_memories(scope)),
        records={state.value: count for state, count in memories.records.count(scope).items()},
        took_ms=(time.perf_counter() - started) * 1e3,
    )


class _Upkeep:
    def __init__(self, memories: Repositories, scope: Scope, config: MemoryConfig, now: datetime) -> None:
        self._memories = memories
        self._scope = scope
        self._config = config
        self._now = now

    def end_expired(self) -> list[str]:
        """Let active records end whose time is over."""
        over = [record.id for record in self._active() if self._is_over(record)]
        return [record_id for record_id in over if self._end_if(record_id, self._is_over, TIME_IS_OVER)]

    def merge_duplicates(self) -> list[str]:
        """Let all but the first of the records end that say the same; what was said in dialogue may repeat itself."""
        groups: dict[tuple[str, ...], list[MemoryRecord]] = defaultdict(list)
        for record in self._active():
            if record.kind is not RecordKind.DIALOGUE and record.valid_to is None:
                place = (record.kind.value, normalised(record.subject or ""), normalised(record.content))
                groups[place].append(record)
        return [name for same in groups.values() if len(same) > 1 for name in self._merge(same)]

    def _merge(self, same: list[MemoryRecord]) -> list[str]:
        """Merge records that said the same when they were read, as far as they still do."""
        merged: list[str] = []
        with self._memories.database.writing():
            there = self._memories.records.get_many(self._scope, [record.id for record in same])
            active = [record for record in there if record.state is RecordState.ACTIVE]
            ranked = sorted(
                active, key=lambda record: (not record.pinned, not record.attribute, record.created_at, record.id)
            )
            for other in ranked[1:]:
                first = ranked[0]
                if other.pinned or normalised(other.content) != normalised(first.content):
                    continue
                if other.attribute and not same_address(first, other):
                    continue
                self._memories.records.update(self._scope, first.id, partial(joined, other))
                self._end(other.id, f"it says the same as {first.id}")
                merged.append(other.id)
        return merged

    def repair_links(self) -> int:
        """Take out links that point nowhere."""
        broken = self._memories.records.dangling(self._scope)
        for record in broken:
            with self._memories.database.writing():
                if self._memories.records.get(self._scope, record.id) is not None:
                    there = self._there([link.to_id for link in record.links])
                    self._memories.records.update(self._scope, record.id, partial(_linked, there))
        return len(broken)

    def drop_old(self) -> dict[str, int]:
        """Drop what the journal keeps for a time only."""
        rules, memories, scope = self._config.retention, self._memories, self._scope
        jobs: tuple[tuple[str, float | None, Callable[[datetime], int]], ...] = (
            ("usage", rules.usage_days, self._drop_usage),
            ("turns", rules.turns_days, lambda before: memories.turns.forget(scope, before)),
            ("short_term", rules.short_term_days, lambda before: memories.short_term.forget(scope, before)),
            ("runs", rules.runs_days, lambda before: memories.runs.forget(scope, before)),
            ("superseded", rules.superseded_days, self._drop_superseded),
        )
        return {name: job(self._now - timedelta(days=days)) for name, days, job in jobs if days is not None}

    def fade(self) -> int:
        """Bring weights up to date with the time that went by."""
        rules = self._config.long_term.weights
        with self._memories.database.writing():
            states = self._memories.weights.all_states(self._scope)
            changed = {item: new for item, old in states.items() if (new := faded(old, self._now, rules)) != old}
            self._memories.weights.save(self._scope, changed)
        return len(changed)

    def _drop_usage(self, before: datetime) -> int:
        """Let the base of each weight take over what the log forgets."""
        rules = self._config.long_term.weights
        events: dict[str, list[UsageEvent]] = defaultdict(list)
        with self._memories.database.writing():
            for event in self._memories.usage.events(self._scope, before=before):
                events[event.item].append(event)
            states = self._memories.weights.all_states(self._scope)
            kept = {item: based_on(states[item], told, rules) for item, told in events.items() if item in states}
            self._memories.weights.save(self._scope, kept)
            return self._memories.usage.forget(self._scope, before)

    def _drop_superseded(self, before: datetime) -> int:
        def is_old(record: MemoryRecord) -> bool:
            ended = record.state is RecordState.SUPERSEDED and (record.valid_to or record.updated_at) < before
            return ended and not record.pinned

        old = [record.id for record in self._all(RecordState.SUPERSEDED) if is_old(record)]
        with self._memories.database.writing():
            there = self._memories.records.get_many(self._scope, old)  # one may hold again by now
            return self._memories.records.delete(self._scope, [record.id for record in there if is_old(record)])

    def _is_over(self, record: MemoryRecord) -> bool:
        return record.state is RecordState.ACTIVE and record.valid_to is not None and record.valid_to <= self._now

    def _end_if(self, record_id: str, holds: Callable[[MemoryRecord], bool], note: str) -> bool:
        """End a record of which something still holds; others may have changed or forgotten it."""
        with self._memories.database.writing():
            found = self._memories.records.get(self._scope, record_id)
            if found is None or not holds(found):
                return False
            self._end(record_id, note)
        return True

    def _end(self, record_id: str, note: str) -> None:
        self._memories.records.update(
            self._scope,
            record_id,
            lambda found: found.changed(
                state=RecordState.SUPERSEDED,
                valid_to=found.valid_to or max(self._now, found.valid_from or self._now),
                note=note,
            ),
        )

    def _there(self, names: list[str]) -> frozenset[str]:
        records = self._memories.records.get_many(self._scope, names)
        experience = self._memories.experience.get_many(self._scope, names)
        return frozenset({record.id for record in records} | {memory.id for memory in experience})

    def _active(self) -> Iterator[MemoryRecord]:
        return self._all(RecordState.ACTIVE)

    def _all(self, state: RecordState) -> Iterator[MemoryRecord]:
        after: MemoryRecord | None = None
        while page := self._memories.records.newest(self._scope, states=(state,), limit=_PAGE, after=after):
            yield from page
            after = page[-1]


def _linked(there: frozenset[str], record: MemoryRecord) -> MemoryRecord:
    return record.changed(links=tuple(link for link in record.links if link.to_id in there))
