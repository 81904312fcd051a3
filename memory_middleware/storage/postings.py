"""BM25 over the items of one view, kept current as items come and go."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memory_middleware.storage.terms import is_character

__all__ = ["Lexicon", "Postings", "Scan"]

_K1 = 1.2
_B = 0.75
_MOST_TERMS = 1000
_FEW = 32


Floats = npt.NDArray[np.float32]
Packed = tuple[npt.NDArray[np.int64], Floats]


class Lexicon(Protocol):
    """Term occurrences by slot. Slots only grow; a removed one stays behind and is masked by its owner."""

    def add(self, documents: Sequence[str]) -> None:
        """Add the terms of the next slots, joined by blanks."""

    def score(self, query: Sequence[str]) -> Floats:
        """Score every slot against the terms of a query; zero where none matches."""

    def ideal(self, query: Sequence[str]) -> float:
        """Give the score of a slot of usual length that holds each term of a query once."""

    def holding(self, term: str) -> int:
        """Count the slots that hold a term."""


class _Scores:
    """BM25 over occurrences that a subclass finds; what a term adds is remembered until a slot is added."""

    def __init__(self) -> None:
        # Arrays of numbers, since numpy reads a list of ten thousand anew in the time of a whole search.
        self._lengths = array("f")
        self._total = 0
        self._packed: dict[str, Packed | None] = {}
        self._taken: Floats | None = None

    def score(self, query: Sequence[str]) -> Floats:
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

    def holding(self, term: str) -> int:
        """Count the slots that hold a term."""
        packed = self._packed[term] if term in self._packed else self._pack(term)
        return len(packed[0]) if packed is not None else 0

    def _rarity(self, holding: int) -> float:
        return math.log(1.0 + (len(self._lengths) - holding + 0.5) / (holding + 0.5))

    def _grow(self, documents: Sequence[str]) -> None:
        lengths = [terms.count(" ") + 1 if terms else 0 for terms in documents]
        self._lengths.extend(lengths)
        self._total += sum(lengths)
        self._taken = None
        self._packed.clear()

    def _find(self, term: str) -> tuple[Sequence[int], Sequence[float]]:
        raise NotImplementedError

    def _pack(self, term: str) -> Packed | None:
        """Give the slots of a term and what it adds to the score of each."""
        found, times = self._find(term)
        packed: Packed | None = None
        if found:
            packed = (np.array(found, dtype=np.int64), np.asarray(self._parts(found, times), dtype=np.float32))
        if len(self._packed) < _MOST_TERMS:
            self._packed[term] = packed
        return packed

    def _parts(self, slots: Sequence[int], times: Sequence[float]) -> Sequence[float] | Floats:
        mean = self._total / len(self._lengths) or 1.0
        most = self._rarity(len(slots)) * (_K1 + 1.0)
        usual, longer = _K1 * (1.0 - _B), _K1 * _B / mean
        if len(slots) <= _FEW:  # numpy would take longer to begin than this to end
            lengths = self._lengths
            return [
                most * count / (count + usual + longer * lengths[slot])
                for slot, count in zip(slots, times, strict=True)
            ]
        if self._taken is None:
            self._taken = np.array(self._lengths, dtype=np.float32)
        counts = np.array(times, dtype=np.float32)
        below = self._taken[np.asarray(slots)] * np.float32(longer)
        below += counts
        below += np.float32(usual)
        counts *= np.float32(most)
        counts /= below
        return counts


class Postings(_Scores):
    """Knows where each term occurs: dear to make, cheap to ask, for many slots that are searched often."""

    def __init__(self) -> None:
        super().__init__()
        self._slots: dict[str, array[int]] = {}
        self._counts: dict[str, array[float]] = {}
        self._holding: dict[str, list[str]] = {}

    def add(self, documents: Sequence[str]) -> None:
        """Add the terms of the next slots, joined by blanks."""
        first = len(self._lengths)
        self._grow(documents)
        for slot, terms in enumerate(documents, first):
            for term, count in Counter(terms.split(" ") if terms else ()).items():
                places = self._slots.get(term)
                if places is None:
                    self._slots[term], self._counts[term] = array("q", (slot,)), array("f", (count,))
                    if not term.isascii():
                        for char in filter(is_character, term):
                            self._holding.setdefault(char, []).append(term)
                else:
                    places.append(slot)
                    self._counts[term].append(count)

    def _find(self, term: str) -> tuple[Sequence[int], Sequence[float]]:
        if not is_character(term):
            return self._slots.get(term, ()), self._counts.get(term, ())
        found: Counter[int] = Counter()
        for pair in dict.fromkeys(self._holding.get(term, ())):
            for slot, count in zip(self._slots[pair], self._counts[pair], strict=True):
                found[slot] += int(count)
        slots = sorted(found)
        return slots, [found[slot] for slot in slots]


class Scan(_Scores):
    """Looks through all slots for a term it is asked for the first time: for few slots or few searches."""

    def __init__(self) -> None:
        super().__init__()
        self._documents: list[str] = []

    def add(self, documents: Sequence[str]) -> None:
        """Add the terms of the next slots, joined by blanks."""
        self._grow(documents)
        self._documents.extend(documents)

    def _find(self, term: str) -> tuple[Sequence[int], Sequence[float]]:
        near = [slot for slot, terms in enumerate(self._documents) if term in terms]
        if is_character(term):
            times = [sum(term in pair for pair in self._documents[slot].split(" ")) for slot in near]
        else:  # a term may also stand within another one
            times = [self._documents[slot].split(" ").count(term) for slot in near]
        holding = [(slot, count) for slot, count in zip(near, times, strict=True) if count]
        return [slot for slot, _ in holding], [count for _, count in holding]
