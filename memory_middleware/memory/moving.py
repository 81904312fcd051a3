"""Moving memory: out as a stream of lines, in from one, exactly and as often as one likes."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from memory_middleware.errors import InvalidInputError
from memory_middleware.memory.by_hand import scope_of
from memory_middleware.memory.import_reading import (
    EXPORT_VERSION,
    FORMAT,
    check_export,
    line_of,
    record_of,
    state_of,
)
from memory_middleware.schemas import times
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import LanceStore
from memory_middleware.storage.documents import EXPERIENCE_KINDS
from memory_middleware.storage.dump import ROW_KINDS, dump_profiles, dump_rows, load_profile, load_rows
from memory_middleware.storage.owner_list import owners
from memory_middleware.storage.repositories.weights import WeightState

__all__ = ["EXPORT_VERSION", "ImportReport", "Moving"]

_PAGE = 200


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import brought.

    Attributes:
        added: How many were new, by kind.
        known: How many were there already, by kind; they stay as they are.
        owners: Whose memory it was.
    """

    added: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    owners: tuple[str, ...] = ()


class Moving:
    """The part of a memory that moves it elsewhere."""

    store: LanceStore

    def export(self, owner: Scope | str | None = None) -> Iterator[str]:
        """Give an owner's memory, or everybody's, as lines of JSON: a head, the entries, and an end that counts them.

        It is read page by page, so that a large memory needs no more room than a small one.
        """
        chosen = [scope_of(owner).owner_id] if owner is not None else owners(self.store.database)
        yield line_of(
            {
                "format": FORMAT,
                "version": EXPORT_VERSION,
                "exported_at": times.to_utc_iso(times.utc_now()),
                "embedder": self.store.embedder_name,
            }
        )
        count = 0
        for name in chosen:
            for kind, data in self._entries(Scope(name)):
                count += 1
                yield line_of({"type": kind, "owner_id": name, "data": data})
        yield line_of({"type": "end", "count": count})

    def import_lines(
        self,
        lines: Iterable[str | bytes],
        *,
        owner: Scope | str | None = None,
        stream: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImportReport:
        """Take in what ``export`` gave; what is there already stays as it is, and doing it twice changes nothing.

        The whole is read and checked before anything is written, so a broken file changes nothing.

        Args:
            lines: The lines, or one JSON document of the same.
            owner: Refuse a file that holds anything of somebody else.
            stream: Refuse one JSON document, which would have to be held in memory whole.
            progress: Called with the number of entries done and of all.

        Raises:
            InvalidInputError: The file is no export, is broken, or was written by a newer release.
        """
        with tempfile.TemporaryFile("w+", encoding="utf-8") as spool:
            total, names = check_export(lines, spool, stream=stream)
            if owner is not None and (others := names - {scope_of(owner).owner_id}):
                raise InvalidInputError(f"the export holds memory of {len(others)} other owners; nothing was taken in")
            spool.seek(0)
            loading = _Loading(self.store)
            for done, line in enumerate(spool, start=1):
                loading.take(json.loads(line))
                if progress is not None and (done % _PAGE == 0 or done == total):
                    progress(done, total)
            loading.flush()
            for name in names:  # an owner is known from the first contact on, also one whose profiles were left out
                self.store.memories.profiles.ensure(Scope(name))
        return ImportReport(dict(loading.added), dict(loading.known), tuple(sorted(names)))

    def _entries(self, scope: Scope) -> Iterator[tuple[str, dict[str, Any]]]:
        database, memories = self.store.database, self.store.memories
        yield from (("profile", profile) for profile in dump_profiles(database, scope))
        for page in memories.record_pages.walk(scope, _PAGE):
            states = memories.weights.states(scope, [record.id for record in page])
            for record in page:
                if record.id in states:  # else it was deleted a moment ago
                    yield "record", {**record.to_dict(), "weight_state": _told(states[record.id][1])}
        for kind in EXPERIENCE_KINDS:
            offset = 0
            while found := memories.experience.newest(scope, kind, limit=_PAGE, offset=offset):
                yield from ((kind, memory.to_dict()) for memory in found)
                offset += len(found)
        for kind in ROW_KINDS:
            yield from ((kind, row) for row in dump_rows(database, scope, kind))


class _Loading:
    """Takes entries one by one and writes those of a kind and owner together."""

    def __init__(self, store: LanceStore) -> None:
        self._store = store
        self._waiting: list[dict[str, Any]] = []
        self._place: tuple[str, str] = ("", "")
        self.added: Counter[str] = Counter()
        self.known: Counter[str] = Counter()

    def take(self, entry: dict[str, Any]) -> None:
        place = (entry["type"], entry["owner_id"])
        if place != self._place or len(self._waiting) >= _PAGE:
            self.flush()
            self._place = place
        self._waiting.append(entry["data"])

    def flush(self) -> None:
        kind, owner = self._place
        if not self._waiting:
            return
        with self._store.visit(owner):
            added = self._write(kind, Scope(owner))
        self.added[kind] += added
        self.known[kind] += len(self._waiting) - added
        self._waiting = []

    def _write(self, kind: str, scope: Scope) -> int:
        if kind == "profile":
            return sum(load_profile(self._store.database, scope, data) for data in self._waiting)
        if kind == "record":
            return self._write_records(scope)
        if kind in EXPERIENCE_KINDS:
            return self._write_experience(scope, kind)
        return load_rows(self._store.database, scope, kind, self._waiting)

    def _write_records(self, scope: Scope) -> int:
        memories = self._store.memories
        told = {data["id"]: data for data in self._waiting}
        there = {record.id for record in memories.records.get_many(scope, told)}
        new = [record_of(data, scope.owner_id) for name, data in told.items() if name not in there]
        memories.records.warm(scope, new)
        with memories.database.writing():
            memories.records.put(scope, new)
            states = memories.weights.states(scope, [record.id for record in new])
            memories.weights.save(
                scope, {states[record.id][0]: state_of(told[record.id]["weight_state"]) for record in new}
            )
        return len(new)

    def _write_experience(self, scope: Scope, kind: str) -> int:
        experience = self._store.memories.experience
        made = [EXPERIENCE_KINDS[kind].from_dict(data) for data in self._waiting]
        new = [memory for memory in made if experience.get(scope, kind, memory.id) is None]
        experience.put(scope, new)
        return len(new)


def _told(state: WeightState) -> dict[str, Any]:
    return {
        **state._asdict(),
        "changed_at": times.to_utc_iso(state.changed_at),
        "last_accessed": times.to_utc_iso(state.last_accessed) if state.last_accessed else None,
        "based_at": times.to_utc_iso(state.based_at),
    }
