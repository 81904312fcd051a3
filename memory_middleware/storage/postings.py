"""BM25 over the items of one view, kept current as items come and go."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["Lexicon", "Postings", "Scan"]

_K1 = 1.2
_B = 0.75
_MOST_TERMS = 1000


Packed = tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]


class Lexicon(Protocol):
    """Term occurrences by slot. Slots only grow; a removed one stays behind and is masked by its owner."""

    def add(self, terms: str) -> None:
        """Add the terms of the next slot, joined by blanks."""

    def score(self, query: Sequence[str]) -> npt.NDArray[np.float32]:
        """Score every slot against the terms of a query; zero where none matches."""

    def ideal(self, query: Sequence[str]) -> float:
        """Give the score of a slot of usual length that holds each term of a query once."""


class _Scores:
    """BM25 over occurrences that a subclass finds; what a term adds is remembered until a slot is added."""

    def __init__(self) -> None:
        self._lengths: list[int] = []
        self._packed: dict[str, Packed | None] = {}
        self._norms: npt.NDArray[np.float32] | None = None

    def score(self, query: Sequence[str]) -> npt.NDArray[np.float32]:
        """Score every slot against the terms of a query; zero where none matches."""
        scores = np.zeros(len(self._lengths), dtype=np.float32)
        for term, weight in Counter(query).items():
            packed = self._packed[term] if term in self._packed else self._pack(term)
            if packed is not None:
                slots, parts = packed
                scores[slots] += parts if weight == 1 else weight * parts
        return scores

    def ideal(self, query: Sequence[str]) -> float:
        """Give the score of a slot of usual length that holds each term of a query once."""
        total = 0.0
        for term, weight in Counter(query).items():
            packed = self._packed[term] if term in self._packed else self._pack(term)
            total += weight * self._rarity(len(packed[0]) if packed is not None else 0)
        return total

    def _rarity(self, holding: int) -> float:
        return math.log(1.0 + (len(self._lengths) - holding + 0.5) / (holding + 0.5))

    def _grow(self, length: int) -> None:
        self._lengths.append(length)
        self._norms = None
        self._packed.clear()

    def _find(self, term: str) -> tuple[Sequence[int], Sequence[int]]:
        raise NotImplementedError

    def _pack(self, term: str) -> Packed | None:
        """Give the slots of a term and what it adds to the score of each."""
        found, times = self._find(term)
        packed: Packed | None = None
        if found:
            slots, counts = np.asarray(found), np.asarray(times, dtype=np.float32)
            parts = (self._rarity(len(slots)) * (_K1 + 1.0)) * counts / (counts + self._length_norms()[slots])
            packed = (slots, parts.astype(np.float32))
        if len(self._packed) < _MOST_TERMS:
            self._packed[term] = packed
        return packed

    def _length_norms(self) -> npt.NDArray[np.float32]:
        if self._norms is None:
            lengths = np.asarray(self._lengths, dtype=np.float32)
            mean = float(lengths.mean()) or 1.0
            self._norms = _K1 * (1.0 - _B + _B * lengths / mean)
        return self._norms


class Postings(_Scores):
    """Knows where each term occurs: dear to make, cheap to ask, for many slots that are searched often."""

    def __init__(self) -> None:
        super().__init__()
        self._slots: dict[str, list[int]] = {}
        self._counts: dict[str, list[int]] = {}

    def add(self, terms: str) -> None:
        """Add the terms of the next slot, joined by blanks."""
        slot, words = len(self._lengths), terms.split(" ") if terms else []
        self._grow(len(words))
        for term, count in Counter(words).items():
            self._slots.setdefault(term, []).append(slot)
            self._counts.setdefault(term, []).append(count)

    def _find(self, term: str) -> tuple[Sequence[int], Sequence[int]]:
        return self._slots.get(term, ()), self._counts.get(term, ())


class Scan(_Scores):
    """Looks through all slots for a term it is asked for the first time: for few slots, or few searches."""

    def __init__(self) -> None:
        super().__init__()
        self._documents: list[str] = []

    def add(self, terms: str) -> None:
        """Add the terms of the next slot, joined by blanks."""
        self._grow(terms.count(" ") + 1 if terms else 0)
        self._documents.append(terms)

    def _find(self, term: str) -> tuple[Sequence[int], Sequence[int]]:
        # Most slots do not even hold the letters.
        found = {slot: terms.split(" ").count(term) for slot, terms in enumerate(self._documents) if term in terms}
        found = {slot: count for slot, count in found.items() if count}
        return list(found), list(found.values())
