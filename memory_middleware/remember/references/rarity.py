"""How rare a term is among an owner's memories."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memory_middleware.remember.references.lexicon import lexicon
from memory_middleware.remember.references.reading import clip, read_text

__all__ = ["Rarity"]

_COMMON = 0.2
_PRIOR = 50  # a handful of memories says little about how rare a word is


@dataclass(frozen=True, slots=True)
class Rarity:
    """In how many of an owner's memories each term occurs.

    The terms of ``storage.terms`` are understood too, so that the statistics of a search index can be given.

    Attributes:
        total: How many memories there are.
        holding: A term to the number of memories that hold it.
    """

    total: int = 0
    holding: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> Rarity:
        """Count the terms of memories."""
        counts: Counter[str] = Counter()
        total = 0
        for text in texts:
            counts.update(read_text(clip(text)).terms)
            total += 1
        return cls(total, counts)

    def of(self, term: str) -> float:
        """Give 1 for a term that at most one memory holds, less for others, little for common words."""
        if lexicon().is_common(term):
            return _COMMON
        holding = self.holding.get(term, 0)
        if holding <= 1:
            return 1.0
        memories = self.total + _PRIOR + 1
        return max(_COMMON, math.log(memories / (holding + 1)) / math.log(memories / 2))
