"""The items below one prefix, held in memory for search: vectors as one matrix, terms as postings."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from memory_middleware.storage.filters import Predicate
from memory_middleware.storage.fusion import fuse
from memory_middleware.storage.growing import Growing
from memory_middleware.storage.postings import Lexicon, Postings, Scan
from memory_middleware.storage.rows import ItemRow

__all__ = ["ChannelScores", "Hit", "Query", "View"]

Floats = npt.NDArray[np.float32]

_SCANS = 3
_FEW_FOR_POSTINGS = 300
_FEW_ROWS = 256
_MOST_RECENT = 64


class Query(NamedTuple):
    """What to search for: a text as a unit vector, as terms, or both, and how much the vector counts."""

    text: str
    vector: Floats | None
    terms: Sequence[str]
    weight: float


class ChannelScores(NamedTuple):
    """Scores of every slot.

    Attributes:
        dense: Cosines, minus infinity where there is no vector; none without vectors.
        lexical: BM25, zero where no term matches; none without terms.
        ideal: The BM25 score of a slot of usual length that holds each term once.
    """

    dense: Floats | None
    lexical: Floats | None
    ideal: float


class Hit(NamedTuple):
    """An item that was found, and its score."""

    row: ItemRow
    score: float


class View:
    """A searchable copy of some items. Changes append; what they replace is masked and dropped later.

    Args:
        rows: The items.
        dim: The length of vectors, or none to search without.
        vectors: Their vectors, if these do not stand in the rows.
    """

    def __init__(self, rows: Iterable[ItemRow], dim: int | None, vectors: Sequence[bytes | None] | None = None) -> None:
        self.dim = dim
        self.version = 0
        self._lock = threading.RLock()
        self._fill(list(rows), vectors)

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def size(self) -> int:
        """How many rows are held, masked ones included."""
        return len(self._rows)

    def rows(self) -> list[ItemRow]:
        """List the live rows."""
        with self._lock:
            return [self._rows[slot] for slot in self._slots.values()]

    def item(self, identity: str) -> tuple[str, int, int, float | None, int | None] | None:
        """Give the value, times and life of an item, or none."""
        with self._lock:
            slot = self._slots.get(identity)
            if slot is None:
                return None
            row = self._rows[slot]
        return row.value, row.created_at, row.updated_at, row.ttl, row.expires_at

    def slots(self) -> tuple[int, list[ItemRow], npt.NDArray[np.bool_]]:
        """Give the version of the view, all rows by slot, and which of them are live."""
        with self._lock:
            return self.version, list(self._rows), self._alive.rows.copy()

    def scores_at(self, version: int, vector: Floats | None, terms: Sequence[str]) -> ChannelScores | None:
        """Score every slot, or give none if the view has changed since that version."""
        with self._lock:
            if version != self.version:
                return None
            dense = self._dense(vector) if vector is not None and self.dim and len(self._vectors.rows) else None
            if not terms:
                return ChannelScores(dense, None, 0.0)
            lexical = self._lexical(terms)
            assert self._lexicon is not None
            return ChannelScores(dense, lexical, self._lexicon.ideal(terms))

    def holding(self, term: str) -> int:
        """Count the items that hold a term, about; those that went lately may still count."""
        with self._lock:
            if self._lexicon is None:
                self._lexical(())
            assert self._lexicon is not None
            return self._lexicon.holding(term)

    def apply(self, changed: Sequence[str], rows: Sequence[ItemRow]) -> None:
        """Take over changes: ids that changed, and the rows of those that still exist."""
        with self._lock:
            self._recent.clear()
            self.version += 1
            for item in changed:
                slot = self._slots.pop(item, None)
                if slot is not None:
                    self._alive.rows[slot] = False
            self._append(rows, None)
            if self.size > 64 and self.size > 2 * len(self._slots):
                self._fill(*self._whole_rows())

    def search(self, query: Query, *, limit: int, now: int, keep: Predicate | None = None) -> list[Hit]:
        """Give the best live items that pass the filter, best first.

        A search that was done before gives the same hits until something changes: in one turn a router
        and a worker often ask the same.
        """
        if keep is not None or self._expiring:
            return self._search(query, limit, now, keep)
        place = (query.text, query.weight, limit)
        with self._lock:
            found = self._recent.get(place)
            if found is None:
                if len(self._recent) >= _MOST_RECENT:
                    self._recent.clear()
                found = self._recent[place] = self._search(query, limit, now, None)
        return found

    def _search(self, query: Query, limit: int, now: int, keep: Predicate | None) -> list[Hit]:
        with self._lock:
            scores = self._scores(query) if limit > 0 else None
            if scores is None:
                return []
            if keep is not None:
                scores = np.where(self._passing(scores, keep), scores, -np.inf)
            return self._best(scores, limit, now)

    def _fill(self, rows: Sequence[ItemRow], vectors: Sequence[bytes | None] | None) -> None:
        self._rows: list[ItemRow] = []
        self._slots: dict[str, int] = {}
        self._alive = Growing(np.zeros(0, dtype=np.bool_))
        self._expiring = False
        self._vectors = Growing(np.zeros((0, self.dim or 0), dtype=np.float32))
        self._vector_slots = Growing(np.zeros(0, dtype=np.int64))
        self._single = True
        self._recent: dict[tuple[str, float, int], list[Hit]] = {}
        self._lexicon: Lexicon | None = None
        self._asked = 0
        self._values: dict[int, Any] = {}
        self._append(rows, vectors)

    def _whole_rows(self) -> tuple[list[ItemRow], list[bytes | None]]:
        """Give the live rows and their vectors, as they came."""
        found: dict[int, list[bytes]] = {}
        for slot, vector in zip(self._vector_slots.rows.tolist(), self._vectors.rows, strict=True):
            if self._alive.rows[slot]:
                found.setdefault(slot, []).append(vector.tobytes())
        slots = self._slots.values()
        vectors = [b"".join(found[slot]) if slot in found else None for slot in slots]
        return [self._rows[slot] for slot in slots], vectors

    def _append(self, rows: Sequence[ItemRow], vectors: Sequence[bytes | None] | None) -> None:
        if not rows:
            return
        start = len(self._rows)
        if vectors is None:
            # The vectors are kept once, in the matrix.
            vectors = [row.vectors for row in rows]
            rows = [row.without_vectors() for row in rows] if self.dim else rows
        self._rows.extend(rows)
        self._slots.update(zip([row.id for row in rows], range(start, start + len(rows)), strict=True))
        self._expiring = self._expiring or any(row.expires_at is not None for row in rows)
        self._alive.extend(np.ones(len(rows), dtype=np.bool_))
        self._append_vectors(vectors, start)
        if self._lexicon is not None:
            self._lexicon.add([row.terms or "" for row in rows])

    def _append_vectors(self, vectors: Sequence[bytes | None], start: int) -> None:
        if not self.dim:
            self._single = False
            return
        width = self.dim * 4
        counts = [len(packed) // width if packed else 0 for packed in vectors]
        packed = b"".join(filter(None, vectors))
        self._vectors.extend(np.frombuffer(packed, dtype=np.float32).reshape(-1, self.dim))
        self._vector_slots.extend(np.repeat(np.arange(start, start + len(vectors)), counts))
        self._single = self._single and counts.count(1) == len(counts)

    def _scores(self, query: Query) -> Floats | None:
        """Score every slot; what is masked or not to be found at all gets minus infinity."""
        if not self._slots:
            return None
        dense = self._dense(query.vector) if query.vector is not None and self.dim and query.weight > 0 else None
        lexical = self._lexical(query.terms) if query.terms and query.weight < 1 else None
        if dense is None:
            return self._only_lexical(lexical)
        if self._single and len(self._slots) == len(self._rows):
            return fuse(dense, lexical, query.weight)
        findable = self._alive.rows & np.isfinite(dense)
        if lexical is not None:
            findable |= self._alive.rows & (lexical > 0)
        slots = np.flatnonzero(findable)
        scores = np.full(len(self._rows), -np.inf, dtype=np.float32)
        if slots.size:
            known = dense[slots]
            finite = np.isfinite(known)
            lowest = known[finite].min() if finite.any() else 0.0
            filled = np.where(finite, known, lowest)
            scores[slots] = fuse(filled, None if lexical is None else lexical[slots], query.weight)
        return scores

    def _only_lexical(self, lexical: Floats | None) -> Floats | None:
        if lexical is None:
            return None
        matched = np.where(self._alive.rows, lexical, 0.0)
        high = matched.max()
        return np.where(matched > 0, matched / high, -np.inf).astype(np.float32) if high > 0 else None

    def _dense(self, vector: Floats) -> Floats:
        """Cosine by slot; an item with several vectors counts by its best, one with none is not to be found."""
        found = _products(self._vectors.rows, vector)
        if self._single:
            return found
        best = np.full(len(self._rows), -np.inf, dtype=np.float32)
        np.maximum.at(best, self._vector_slots.rows, found)
        return best

    def _lexical(self, terms: Sequence[str]) -> Floats:
        """BM25 by slot. Postings are worth their making only for many rows that are searched again and again."""
        self._asked += 1
        wanted = Postings if self._asked > _SCANS and len(self._rows) > _FEW_FOR_POSTINGS else Scan
        if self._lexicon is None or (wanted is Postings and not isinstance(self._lexicon, Postings)):
            self._lexicon = wanted()
            self._lexicon.add([row.terms or "" for row in self._rows])
        return self._lexicon.score(terms)

    def _passing(self, scores: Floats, keep: Predicate) -> npt.NDArray[np.bool_]:
        passing = np.zeros(len(self._rows), dtype=np.bool_)
        for slot in np.flatnonzero(np.isfinite(scores)).tolist():
            value = self._values.get(slot)
            if value is None:
                value = self._values[slot] = json.loads(self._rows[slot].value)
            passing[slot] = keep(value)
        return passing

    def _best(self, scores: Floats, limit: int, now: int) -> list[Hit]:
        """Give the best hits; equal scores are ordered by time and id, so that pages never overlap."""
        wanted = len(scores) if self._expiring else limit
        rows = self._rows
        hits = [
            Hit(rows[slot], float(scores[slot]))
            for slot in _top(scores, wanted)
            if rows[slot].expires_at is None or rows[slot].expires_at > now  # type: ignore[operator]
        ]
        hits.sort(key=lambda hit: (-hit.score, -hit.row.updated_at, hit.row.id))
        return hits[:limit]


# Row by row, numpy 2 does it in this thread alone. A product of the whole matrix is shared among threads, and on a
# busy machine waits for the slowest of them.
_row_by_row = getattr(np, "vecdot", np.matmul)


def _products(rows: Floats, vector: Floats) -> Floats:
    found: Floats = _row_by_row(rows, vector)
    return found


def _top(scores: Floats, limit: int) -> list[int]:
    """Give the places of the highest scores, and of all that equal the last of them."""
    if limit < len(scores) <= _FEW_ROWS:
        # Numpy would give up the interpreter lock, and getting it back may take long.
        listed: list[float] = scores.tolist()
        least = sorted(listed)[-limit]
        return [at for at, score in enumerate(listed) if score >= least and score > -np.inf]
    if limit < len(scores):
        lowest = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        if lowest > -np.inf:
            best: list[int] = np.flatnonzero(scores >= lowest).tolist()
            return best
    found: list[int] = np.flatnonzero(scores > -np.inf).tolist()
    return found
