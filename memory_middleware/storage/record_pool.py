"""An owner's records as columns, so that thousands of them can be ranked at once."""

from __future__ import annotations

import functools
import json
import re
import threading
import weakref
from collections.abc import Hashable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic_core import from_json

from memory_middleware.schemas.record import RecordKind, RecordState, TrustTier
from memory_middleware.storage.growing import Growing
from memory_middleware.storage.namespaces import load_key
from memory_middleware.storage.rows import ItemRow
from memory_middleware.storage.typed_rows import microseconds
from memory_middleware.storage.view import ChannelScores, View

__all__ = ["KINDS", "Candidates", "Pools", "RecordPool", "Told"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

KINDS = {kind.value: at for at, kind in enumerate(RecordKind)}
STATES = {state.value: at for at, state in enumerate(RecordState)}
TRUST = {tier.value: at for at, tier in enumerate(TrustTier)}
_ASKED = re.compile(r"[^.!?。！？]*[?？]+")
_NEVER = np.iinfo(np.int64).max
_EVER = np.iinfo(np.int64).min


class Told(NamedTuple):
    """What of a record is looked at while ranking.

    Attributes:
        kind, state, trust: Places in ``RecordKind``, ``RecordState`` and ``TrustTier``.
        speaker: Who speaks in a dialogue record, in lower case.
        happened_at: When it happened, else from when it is true, else when it was written.
        subject, content: As in the record.
        asking: The part of the content that asks, rather than says, from 0 to 1.
        length: How many terms it is searched by.
        links: The ids of the records it links to, with the strength of each link.
    """

    kind: int
    state: int
    trust: int
    importance: float
    pinned: bool
    asking: float
    length: int
    turn: int
    created_at: int
    happened_at: int
    valid_from: int
    valid_to: int
    thread: str | None
    speaker: str | None
    subject: str | None
    content: str
    links: tuple[tuple[str, float], ...]


_BLANK = Told(0, 0, 0, 0.0, False, 0.0, 0, -1, 0, 0, 0, 0, None, None, None, "", ())
_TYPES: dict[str, npt.DTypeLike] = {
    "kind": np.int64, "state": np.int64, "trust": np.int64, "importance": np.float32, "pinned": np.bool_,
    "asking": np.float32, "length": np.int64,
    "turn": np.int64, "created_at": np.int64, "happened_at": np.int64, "valid_from": np.int64, "valid_to": np.int64,
}  # fmt: skip


class _Table:
    """The columns of a view's rows. Rows are only ever added at the end, so only those are read."""

    def __init__(self) -> None:
        self.rows: Sequence[ItemRow] = []
        self.told: list[Told | None] = []
        self.columns: dict[str, Growing] = {}
        self.linking: list[int] = []
        self.speakers: dict[str, int] = {}
        self.threads: dict[str, int] = {}

    def continues(self, rows: Sequence[ItemRow]) -> bool:
        """Tell whether the rows are those that are here and perhaps more."""
        have = len(self.rows)
        return have <= len(rows) and (not have or (rows[have - 1] is self.rows[-1] and rows[0] is self.rows[0]))

    def grow(self, rows: Sequence[ItemRow]) -> None:
        """Read the rows that are new."""
        fresh = rows[len(self.rows) :]
        told = [_read(row) for row in fresh]
        parts = [part or _BLANK for part in told]
        made: dict[str, npt.NDArray[Any]] = {
            name: np.array([getattr(part, name) for part in parts], dtype=kind) for name, kind in _TYPES.items()
        }
        ends = [_NEVER if row.expires_at is None else row.expires_at for row in fresh]
        made["expires_at"] = np.array(ends, dtype=np.int64)
        made["known"] = np.array([part is not None for part in told], dtype=np.bool_)
        made["speaker"] = _coded([part.speaker for part in parts], self.speakers)
        made["session"] = _coded([part.thread for part in parts], self.threads)
        for name, column in made.items():
            if name in self.columns:
                self.columns[name].extend(column)
            else:
                self.columns[name] = Growing(column)
        self.linking += [slot for slot, part in enumerate(parts, len(self.rows)) if part.links]
        self.rows = rows
        self.told += told


class RecordPool:
    """Records by slot. Slots of what is gone, or is no record, are not ``alive``.

    Attributes:
        version: Of the view that they are the columns of.
        rows: The items.
        told: What each slot tells, or none where there is no record.
        alive: Which slots hold a record.
        kind, state, trust: Places in ``RecordKind``, ``RecordState`` and ``TrustTier``.
        session: A number for each thread; -1 where there is none.
        speaker: A place in ``speakers``; -1 where nobody is named.
        speakers: Who speaks in dialogue records, in lower case.
        importance, pinned, asking, length, created_at, happened_at, valid_from, valid_to: As told; times in
            microseconds.
        expires_at: When the item goes.
        before, after: The slots of the turns next to a dialogue record in its thread; -1 where there is none.
        made: Room for what ranking makes of the columns, made once.
    """

    def __init__(self, version: int, table: _Table, alive: Flags) -> None:
        columns = {name: column.rows for name, column in table.columns.items()}
        self.version = version
        self.rows: Sequence[ItemRow] = table.rows
        self.told: Sequence[Told | None] = table.told  # it only grows at its end
        self._linking = tuple(table.linking)
        self.alive: Flags = alive & columns["known"]
        self.kind: Ints = columns["kind"]
        self.state: Ints = columns["state"]
        self.trust: Ints = columns["trust"]
        self.importance: Floats = columns["importance"]
        self.pinned: Flags = columns["pinned"]
        self.asking: Floats = columns["asking"]
        self.length: Ints = columns["length"]
        self.created_at: Ints = columns["created_at"]
        self.happened_at: Ints = columns["happened_at"]
        self.valid_from: Ints = columns["valid_from"]
        self.valid_to: Ints = columns["valid_to"]
        self.expires_at: Ints = columns["expires_at"]
        self.speaker: Ints = columns["speaker"]
        self.session: Ints = columns["session"]
        self.speakers: tuple[str, ...] = tuple(table.speakers)
        self.before, self.after = self._neighbours(columns["turn"])
        self.made: dict[Hashable, Any] = {}

    def key(self, slot: int) -> str:
        """Give the id of the record in a slot."""
        return load_key(self.rows[slot].key)

    @functools.cached_property
    def links(self) -> tuple[Ints, Ints, Floats]:
        """The links between live records as slots from, slots to, and strengths."""
        linking = [(slot, told) for slot in self._linking if self.alive[slot] and (told := self.told[slot])]
        if not linking:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        places = {self.key(slot): slot for slot in np.flatnonzero(self.alive).tolist()}
        found = [(slot, places[to], part) for slot, told in linking for to, part in told.links if to in places]
        return (
            np.array([link[0] for link in found], dtype=np.int64),
            np.array([link[1] for link in found], dtype=np.int64),
            np.array([link[2] for link in found], dtype=np.float32),
        )

    def _neighbours(self, turn: Ints) -> tuple[Ints, Ints]:
        before = np.full(len(self.rows), -1, dtype=np.int64)
        after = before.copy()
        said = self.alive & (self.kind == KINDS["dialogue"]) & (self.session >= 0)
        slots = np.flatnonzero(said)
        order = slots[np.lexsort((self.created_at[slots], turn[slots], self.session[slots]))]
        if len(order) > 1:
            same = self.session[order[:-1]] == self.session[order[1:]]
            before[order[1:][same]] = order[:-1][same]
            after[order[:-1][same]] = order[1:][same]
        return before, after


class Candidates(NamedTuple):
    """Records that may be recalled.

    Attributes:
        pool: Their columns.
        view: What scores them.
        more: Whether the owner may have others.
    """

    pool: RecordPool
    view: View
    more: bool

    def scores(self, vector: Floats | None, terms: Sequence[str]) -> ChannelScores | None:
        """Score every slot, or give none if the records have changed since."""
        return self.view.scores_at(self.pool.version, vector, terms)


class Pools:
    """Remembers the columns of views until they change; a row is read once."""

    def __init__(self) -> None:
        # What is remembered must not hold the view itself, or neither would ever go.
        self._made: weakref.WeakKeyDictionary[View, tuple[int, RecordPool, _Table]] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def pool(self, view: View) -> RecordPool:
        """Give the columns of a view as it is now."""
        with self._lock:
            found = self._made.get(view)
            if found is not None and found[0] == view.version:
                return found[1]
            version, rows, alive = view.slots()
            table = found[2] if found is not None and found[2].continues(rows) else _Table()
            table.grow(rows)
            pool = RecordPool(version, table, alive)
            self._made[view] = (version, pool, table)
            return pool


def _read(row: ItemRow) -> Told | None:
    value = _parsed(row.value)
    try:
        kind, place, starts = value["kind"], value["provenance"], value["valid_from"]
        written = _moment(value["created_at"])
        return Told(
            kind=KINDS[kind],
            state=STATES[value["state"]],
            trust=TRUST[value["trust"]],
            importance=value["importance"],
            pinned=value["pinned"],
            asking=_asking(value["content"]) if kind == "dialogue" else 0.0,
            length=row.terms.count(" ") + 1 if row.terms else 0,
            turn=-1 if place["turn"] is None else place["turn"],
            created_at=_moment(starts) if starts else written,
            happened_at=_moment(value.get("event_time") or starts or value["created_at"]),
            valid_from=_moment(starts) if starts else _EVER,
            valid_to=_moment(value["valid_to"]) if value["valid_to"] else _NEVER,
            thread=place["thread_id"],
            speaker=(value["subject"] or "").casefold().strip() or None if kind == "dialogue" else None,
            subject=value["subject"],
            content=value["content"],
            links=tuple((link["to"], float(link["strength"])) for link in value["links"]),
        )
    except (KeyError, TypeError, ValueError):
        return None  # a plain item


def _parsed(text: str) -> Any:
    try:
        return from_json(text, cache_strings="none")  # half the time of json, which counts for thousands
    except ValueError:
        return json.loads(text)  # which reads what it wrote itself, such as half a surrogate pair


def _asking(text: str) -> float:
    """Tell which part of a text stands in sentences that end with a question mark."""
    if "?" not in text and "？" not in text:
        return 0.0
    return min(1.0, sum(len(asked) for asked in _ASKED.findall(text)) / len(text))


def _moment(text: str) -> int:
    return microseconds(datetime.fromisoformat(text))


def _coded(names: Sequence[str | None], places: dict[str, int]) -> Ints:
    return np.array([-1 if name is None else places.setdefault(name, len(places)) for name in names], dtype=np.int64)
