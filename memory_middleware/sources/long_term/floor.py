"""When a query has nothing to do with the records, nothing is recalled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory_middleware.storage.view import ChannelScores

__all__ = ["RelevanceFloor"]

Flags = npt.NDArray[np.bool_]

_PINNED = 2 / 3


@dataclass(frozen=True, slots=True)
class RelevanceFloor:
    """When a query has nothing to do with the records.

    The defaults were measured on dialogues: questions about them pass 98 times in 100, questions about
    the world at large 3 times. What the owner pinned need only come near.

    Attributes:
        cosine: A record at least so near in meaning passes.
        coverage: A record that holds this part of the query's words passes, rare words counting more.
    """

    cosine: float = 0.30
    coverage: float = 0.25

    def admitted(self, scores: ChannelScores, allowed: Flags, pinned: Flags) -> Flags:
        """Tell which records may be recalled: all if any is near enough, else the pinned ones that are nearly so."""
        if self._above(scores, 1.0, allowed).any():
            return allowed
        kept = allowed & pinned
        return self._above(scores, _PINNED, kept) if kept.any() else kept

    def is_near(self, cosine: float | None, coverage: float, pinned: bool = False) -> bool:
        """Tell whether one record is near enough by itself."""
        part = _PINNED if pinned else 1.0
        return coverage >= part * self.coverage or (cosine is not None and cosine >= part * self.cosine)

    def _above(self, scores: ChannelScores, part: float, allowed: Flags) -> Flags:
        above = np.zeros_like(allowed)
        if scores.dense is not None:
            above |= scores.dense >= part * self.cosine
        if scores.lexical is not None and scores.ideal > 0:
            above |= scores.lexical >= part * self.coverage * scores.ideal
        return above & allowed
