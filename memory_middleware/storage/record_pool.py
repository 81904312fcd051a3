"""An owner's records as columns, so that thousands of them can be ranked at once."""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from memory_middleware.schemas.record import RecordKind, RecordState, TrustTier
from memory_middleware.storage.namespaces import load_key
from memory_middleware.storage.rows import ItemRow
from memory_middleware.storage.typed_rows import microseconds
from memory_middleware.storage.view import ChannelScores, View

__all__ = ["Pools", "RecordPool"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

KINDS = tuple(kind.value for kind in RecordKind)
STATES = tuple(state.value for state in RecordState)
TRUST = tuple(tier.value for tier in TrustTier)
_NEVER = np.iinfo(np.int64).max
_EVER = np.iinfo(np.int64).min


class _Told(NamedTuple):
    """What of a record is looked at while ranking."""

    kind: int
    state: int
    trust: int
    thread: str | None
    turn: int
    speaker: str | None
    importance: float
    pinned: bool
    created_at: int
    valid_from: int
    valid_to: int


class RecordPool:
    """Records by slot. Slots of what is gone, or is no record, are not ``alive``.

    Attributes:
        rows: The items.
        alive: Which slots hold a record.
        kind, state, trust: Places in ``RecordKind``, ``RecordState`` and ``TrustTier``.
        session: A number for each thread; -1 where there is none.
        speaker: A place in ``speakers``; -1 where nobody is named.
        speakers: Who speaks in dialogue records, in lower case.
        importance, created_at, valid_from, valid_to, pinned: As in the records; times in microseconds.
        expires_at: When the item goes.
        threads: Room for what ranking makes of ``session``, made once.
        before, after: The slots of the turns next to a dialogue record in its thread; -1 where there is none.
    """

    def __init__(
        self, view: View, version: int, rows: Sequence[ItemRow], alive: Flags, told: Sequence[_Told | None]
    ) -> None:
        self._view = view
        self._version = version
        self.threads: Any = None
        self.rows = rows
        self.alive = alive & np.array([part is not None for part in told], dtype=np.bool_)
        blank = _Told(0, 0, 0, None, -1, None, 0.0, False, 0, 0, 0)
        parts = [part or blank for part in told]
        self.kind = np.array([part.kind for part in parts], dtype=np.int64)
        self.state = np.array([part.state for part in parts], dtype=np.int64)
        self.trust = np.array([part.trust for part in parts], dtype=np.int64)
        self.importance = np.array([part.importance for part in parts], dtype=np.float32)
        self.pinned = np.array([part.pinned for part in parts], dtype=np.bool_)
        self.created_at = np.array([part.created_at for part in parts], dtype=np.int64)
        self.valid_from = np.array([part.valid_from for part in parts], dtype=np.int64)
        self.valid_to = np.array([part.valid_to for part in parts], dtype=np.int64)
        self.expires_at = np.array(
            [_NEVER if row.expires_at is None else row.expires_at for row in rows], dtype=np.int64
        )
        self.speakers, self.speaker = _coded([part.speaker for part in parts])
        self.session = _coded_threads([part.thread for part in parts])
        turn = np.array([part.turn for part in parts], dtype=np.int64)
        self.before, self.after = self._neighbours(turn)

    def key(self, slot: int) -> str:
        """Give the id of the record in a slot."""
        return load_key(self.rows[slot].key)

    def scores(self, vector: Floats | None, terms: Sequence[str]) -> ChannelScores | None:
        """Score every slot, or give none if the records have changed since."""
        return self._view.scores_at(self._version, vector, terms)

    def _neighbours(self, turn: Ints) -> tuple[Ints, Ints]:
        before = np.full(len(self.rows), -1, dtype=np.int64)
        after = before.copy()
        said = self.alive & (self.kind == KINDS.index("dialogue")) & (self.session >= 0)
        slots = np.flatnonzero(said)
        order = slots[np.lexsort((self.created_at[slots], turn[slots], self.session[slots]))]
        if len(order) > 1:
            same = self.session[order[:-1]] == self.session[order[1:]]
            before[order[1:][same]] = order[:-1][same]
            after[order[:-1][same]] = order[1:][same]
        return before, after


class Pools:
    """Remembers the columns of views until they change; a row is read once."""

    def __init__(self) -> None:
        self._made: weakref.WeakKeyDictionary[View, tuple[int, RecordPool, dict[str, tuple[int, _Told | None]]]] = (
            weakref.WeakKeyDictionary()
        )
        self._lock = threading.Lock()

    def pool(self, view: View) -> RecordPool:
        """Give the columns of a view as it is now."""
        with self._lock:
            found = self._made.get(view)
            if found is not None and found[0] == view.version:
                return found[1]
            version, rows, alive = view.slots()
            known = found[2] if found is not None else {}
            fresh: dict[str, tuple[int, _Told | None]] = {}
            told: list[_Told | None] = []
            for row in rows:
                entry = known.get(row.id)
                if entry is None or entry[0] != row.updated_at:
                    entry = (row.updated_at, _read(row))
                fresh[row.id] = entry
                told.append(entry[1])
            pool = RecordPool(view, version, rows, alive, told)
            self._made[view] = (version, pool, fresh)
            return pool


def _read(row: ItemRow) -> _Told | None:
    value = json.loads(row.value)
    try:
        kind = value["kind"]
        place = value["provenance"]
        return _Told(
            kind=KINDS.index(kind),
            state=STATES.index(value["state"]),
            trust=TRUST.index(value["trust"]),
            thread=place["thread_id"],
            turn=-1 if place["turn"] is None else place["turn"],
            speaker=value["subject"] if kind == "dialogue" else None,
            importance=value["importance"],
            pinned=value["pinned"],
            created_at=_moment(value["valid_from"] or value["created_at"]),
            valid_from=_moment(value["valid_from"]) if value["valid_from"] else _EVER,
            valid_to=_moment(value["valid_to"]) if value["valid_to"] else _NEVER,
        )
    except (KeyError, TypeError, ValueError):
        return None  # a plain item


def _moment(text: str) -> int:
    return microseconds(datetime.fromisoformat(text))


def _coded(names: Sequence[str | None]) -> tuple[list[str], Ints]:
    places: dict[str, int] = {}
    folded = (None if name is None else name.casefold().strip() or None for name in names)
    codes = [-1 if name is None else places.setdefault(name, len(places)) for name in folded]
    return list(places), np.array(codes, dtype=np.int64)


def _coded_threads(names: Sequence[str | None]) -> Ints:
    places: dict[str, int] = {}
    return np.array([-1 if name is None else places.setdefault(name, len(places)) for name in names], dtype=np.int64)
