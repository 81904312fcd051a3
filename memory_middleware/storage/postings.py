"""BM25 over the items of one view, kept current as items come and go."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Postings", "scan_terms"]

_K1 = 1.2
_B = 0.75


class Postings:
    """Term occurrences by slot. Slots only grow; a removed one stays behind and is masked by its owner."""

    def __init__(self) -> None:
        self._slots: dict[str, list[int]] = {}
        self._counts: dict[str, list[int]] = {}
        self._packed: dict[str, tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]] = {}
        self._lengths: list[int] = []
        self._norms: npt.NDArray[np.float32] | None = None

    def add(self, terms: Sequence[str]) -> int:
        """Add the terms of the next slot and give its number."""
        slot = len(self._lengths)
        self._lengths.append(len(terms))
        self._norms = None
        self._packed.clear()
        for term, count in Counter(terms).items():
            self._slots.setdefault(term, []).append(slot)
            self._counts.setdefault(term, []).append(count)
        return slot

    def score(self, query: Sequence[str]) -> npt.NDArray[np.float32]:
        """Score every slot against the terms of a query; zero where none matches."""
        total = len(self._lengths)
        scores = np.zeros(total, dtype=np.float32)
        for term, weight in Counter(query).items():
            packed = self._pack(term)
            if packed is not None:
                slots, parts = packed
                scores[slots] += parts if weight == 1 else weight * parts
        return scores

    def _pack(self, term: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]] | None:
        """Give the slots of a term and what it adds to the score of each."""
        packed = self._packed.get(term)
        if packed is None and term in self._slots:
            slots = np.asarray(self._slots[term])
            counts = np.asarray(self._counts[term], dtype=np.float32)
            rarity = math.log(1.0 + (len(self._lengths) - len(slots) + 0.5) / (len(slots) + 0.5))
            parts = (rarity * (_K1 + 1.0)) * counts / (counts + self._length_norms()[slots])
            packed = self._packed[term] = (slots, parts)
        return packed

    def _length_norms(self) -> npt.NDArray[np.float32]:
        if self._norms is None:
            lengths = np.asarray(self._lengths, dtype=np.float32)
            mean = float(lengths.mean()) or 1.0
            self._norms = _K1 * (1.0 - _B + _B * lengths / mean)
        return self._norms


def scan_terms(documents: Sequence[str], query: Sequence[str]) -> npt.NDArray[np.float32]:
    """Score documents, their terms joined by blanks, as ``Postings`` would, by looking through all of them."""
    wanted = Counter(query)
    counts = np.zeros((len(documents), len(wanted)), dtype=np.float32)
    for column, term in enumerate(wanted):
        for row, terms in enumerate(documents):
            if term in terms:
                counts[row, column] = terms.split(" ").count(term)
    lengths = np.array([terms.count(" ") + 1 if terms else 0 for terms in documents], dtype=np.float32)
    norms = _K1 * (1.0 - _B + _B * lengths / (float(lengths.mean()) or 1.0))
    matching = np.count_nonzero(counts, axis=0)
    rarity = np.log(1.0 + (len(documents) - matching + 0.5) / (matching + 0.5)) * list(wanted.values())
    scores: npt.NDArray[np.float32] = (rarity * counts * (_K1 + 1.0) / (counts + norms[:, None])).sum(axis=1)
    return scores.astype(np.float32)
