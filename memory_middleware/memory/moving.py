"""Moving memory: out as a stream of lines, in from one, exactly and as often as one likes."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from memory_middleware.errors import InvalidInputError, MemoryMiddlewareError
from memory_middleware.memory.by_hand import scope_of
from memory_middleware.schemas import times
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import LanceStore
from memory_middleware.storage.documents import EXPERIENCE_KINDS
from memory_middleware.storage.dump import (
    ROW_KINDS,
    check_profile,
    check_row,
    dump_profiles,
    dump_rows,
    load_profile,
    load_rows,
)
from memory_middleware.storage.owner_list import owners
from memory_middleware.storage.repositories.record_pages import RecordPages
from memory_middleware.storage.repositories.weights import WeightState

__all__ = ["EXPORT_VERSION", "ImportReport", "Moving"]

EXPORT_VERSION = 1
"""The version of the format that is written."""

_FORMAT = "memory_middleware"
_PAGE = 200
_KINDS = ("profile", "record", *EXPERIENCE_KINDS, *ROW_KINDS)


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
        yield _line(
            {
                "format": _FORMAT,
                "version": EXPORT_VERSION,
                "exported_at": times.to_utc_iso(times.utc_now()),
                "embedder": self.store.embedder_name,
            }
        )
        count = 0
        for name in chosen:
            for kind, data in self._entries(Scope(name)):
                count += 1
                yield _line({"type": kind, "owner_id": name, "data": data})
        yield _line({"type": "end", "count": count})

    def import_lines(
        self,
        lines: Iterable[str],
        *,
        owner: Scope | str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImportReport:
        """Take in what ``export`` gave; what is there already stays as it is, and doing it twice changes nothing.

        The whole is read and checked before anything is written, so a broken file changes nothing.

        Args:
            lines: The lines, or one JSON document of the same.
            owner: Refuse a file that holds anything of somebody else.
            progress: Called with the number of entries done and of all.

        Raises:
            InvalidInputError: The file is no export, is broken, or was written by a newer release.
        """
        with tempfile.TemporaryFile("w+", encoding="utf-8") as spool:
            total, names = _checked(lines, spool)
            if owner is not None and (others := names - {scope_of(owner).owner_id}):
                raise InvalidInputError(f"the export holds memory of {len(others)} other owners; nothing was taken in")
            spool.seek(0)
            loading = _Loading(self.store)
            for done, line in enumerate(spool, start=1):
                loading.take(json.loads(line))
                if progress is not None and (done % _PAGE == 0 or done == total):
                    progress(done, total)
            loading.flush()
        return ImportReport(dict(loading.added), dict(loading.known), tuple(sorted(names)))

    def _entries(self, scope: Scope) -> Iterator[tuple[str, dict[str, Any]]]:
        database, memories = self.store.database, self.store.memories
        yield from (("profile", profile) for profile in dump_profiles(database, scope))
        for page in RecordPages(database, memories.records).walk(scope, _PAGE):
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
        new = [_record(data, scope.owner_id) for name, data in told.items() if name not in there]
        memories.records.warm(scope, new)
        with memories.database.writing():
            memories.records.put(scope, new)
            states = memories.weights.states(scope, [record.id for record in new])
            memories.weights.save(
                scope, {states[record.id][0]: _state(told[record.id]["weight_state"]) for record in new}
            )
        return len(new)

    def _write_experience(self, scope: Scope, kind: str) -> int:
        experience = self._store.memories.experience
        made = [EXPERIENCE_KINDS[kind].from_dict(data) for data in self._waiting]
        new = [memory for memory in made if experience.get(scope, kind, memory.id) is None]
        experience.put(scope, new)
        return len(new)


def _checked(lines: Iterable[str], spool: IO[str]) -> tuple[int, set[str]]:
    """Read all entries into a spool, checked, and tell how many and whose.

    Raises:
        InvalidInputError: Something is wrong with them.
    """
    entries = _read(lines)
    head = next(entries, None)
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise InvalidInputError("this is no export of memory_middleware; its first line should say so")
    if head.get("version") != EXPORT_VERSION:
        found = head.get("version")
        raise InvalidInputError(f"the export has version {found!r}, this release reads {EXPORT_VERSION}; update it")
    count, names, end = 0, set(), None
    for number, entry in enumerate(entries, start=2):
        if end is not None:
            raise InvalidInputError(f"line {number}: the export goes on after its end")
        if isinstance(entry, dict) and entry.get("type") == "end":
            end = entry.get("count")
            continue
        _check_entry(entry, number)
        spool.write(_line(entry) + "\n")
        names.add(entry["owner_id"])
        count += 1
    if end != count:
        raise InvalidInputError(f"the export is cut off: it holds {count} entries, and its end says {end}")
    return count, names


def _check_entry(entry: Any, number: int) -> None:
    if not isinstance(entry, dict) or set(entry) != {"type", "owner_id", "data"} or not isinstance(entry["data"], dict):
        raise InvalidInputError(f"line {number}: an entry has a type, an owner_id and data")
    if entry["type"] not in _KINDS or not isinstance(entry["owner_id"], str) or not entry["owner_id"]:
        raise InvalidInputError(f"line {number}: unknown type {entry['type']!r} or owner {entry['owner_id']!r}")
    try:
        if entry["type"] == "record":
            _record(entry["data"], entry["owner_id"])
            _state(entry["data"]["weight_state"])
        elif entry["type"] in EXPERIENCE_KINDS:
            made = EXPERIENCE_KINDS[entry["type"]].from_dict(entry["data"])
            if messages := made.validate():
                raise InvalidInputError("; ".join(messages))
        elif entry["type"] == "profile":
            check_profile(entry["data"])
        else:
            check_row(entry["type"], entry["data"])
    except (MemoryMiddlewareError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInputError(f"line {number}: {error}") from error


def _read(lines: Iterable[str]) -> Iterator[Any]:
    """Read lines of JSON, or one document whose ``entries`` are the same."""
    source = (line for line in lines if line.strip())
    first = next(source, "")
    try:
        head = json.loads(first)
    except ValueError:
        head = None
    if isinstance(head, dict) and "entries" not in head:
        yield head
        for number, line in enumerate(source, start=2):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise InvalidInputError(f"line {number} is no JSON: {error}") from error
        return
    try:
        document = head if head is not None else json.loads(first + "".join(source))
    except ValueError as error:
        raise InvalidInputError(f"this is neither JSON nor lines of JSON: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("entries"), list):
        yield document
        return
    entries = document["entries"]
    yield {key: value for key, value in document.items() if key != "entries"}
    yield from entries
    if not (entries and isinstance(entries[-1], dict) and entries[-1].get("type") == "end"):
        yield {"type": "end", "count": len(entries)}


def _record(data: dict[str, Any], owner_id: str) -> MemoryRecord:
    told = {key: value for key, value in data.items() if key != "weight_state"}
    return MemoryRecord.from_dict({**told, "owner_id": owner_id})


def _told(state: WeightState) -> dict[str, Any]:
    return {
        **state._asdict(),
        "changed_at": times.to_utc_iso(state.changed_at),
        "last_accessed": times.to_utc_iso(state.last_accessed) if state.last_accessed else None,
        "based_at": times.to_utc_iso(state.based_at),
    }


def _state(told: dict[str, Any]) -> WeightState:
    last = told["last_accessed"]
    return WeightState(
        float(told["weight"]),
        times.parse_utc(told["changed_at"]),
        int(told["access_count"]),
        times.parse_utc(last) if last else None,
        float(told["base"]),
        times.parse_utc(told["based_at"]),
    )


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
