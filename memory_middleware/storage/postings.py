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
        for term, count in Counter(terms).items():
            self._slots.setdefault(term, []).append(slot)
            self._counts.setdefault(term, []).append(count)
            self._packed.pop(term, None)
        return slot

    def score(self, query: Sequence[str]) -> npt.NDArray[np.float32]:
        """Score every slot against the terms of a query; zero where none matches."""
        total = len(self._lengths)
        scores = np.zeros(total, dtype=np.float32)
        for term, weight in Counter(query).items():
            packed = self._pack(term)
            if packed is None:
                continue
            slots, counts = packed
            rarity = math.log(1.0 + (total - len(slots) + 0.5) / (len(slots) + 0.5))
            norms = self._length_norms()[slots]
            scores[slots] += weight * rarity * counts * (_K1 + 1.0) / (counts + norms)
        return scores

    def _pack(self, term: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]] | None:
        packed = self._packed.get(term)
        if packed is None and term in self._slots:
            packed = (np.asarray(self._slots[term]), np.asarray(self._counts[term], dtype=np.float32))
            self._packed[term] = packed
        return packed

    def _length_norms(self) -> npt.NDArray[np.float32]:
        if self._norms is None:
            lengths = np.asarray(self._lengths, dtype=np.float32)
            mean = float(lengths.mean()) or 1.0
            self._norms = _K1 * (1.0 - _B + _B * lengths / mean)
        return self._norms


def scan_terms(documents: Sequence[Sequence[str]], query: Sequence[str]) -> npt.NDArray[np.float32]:
    """Score documents as ``Postings`` would, by looking through all of them."""
    wanted = Counter(query)
    counts = np.array([[terms.count(term) for term in wanted] for terms in documents], dtype=np.float32)
    lengths = np.array([len(terms) for terms in documents], dtype=np.float32)
    norms = _K1 * (1.0 - _B + _B * lengths / (float(lengths.mean()) or 1.0))
    matching = np.count_nonzero(counts, axis=0)
    rarity = np.log(1.0 + (len(documents) - matching + 0.5) / (matching + 0.5)) * list(wanted.values())
    scores: npt.NDArray[np.float32] = (rarity * counts * (_K1 + 1.0) / (counts + norms[:, None])).sum(axis=1)
    return scores.astype(np.float32)
