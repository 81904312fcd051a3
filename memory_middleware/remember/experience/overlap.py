"""Sets of words that are alike: how much, and by which words they find each other."""

from __future__ import annotations

import math
from collections import Counter

__all__ = ["jaccard", "telling_words"]

_ROUNDING = 1e-9


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Tell how alike two sets are, from 0 to 1: what they share among all they have."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def telling_words(words: frozenset[str], least: float, frequency: Counter[str] | None = None) -> list[str]:
    """Give so many words of a set that every other set which is at least so alike has one of its own among them.

    Two sets of n words and a Jaccard of t share at least t·n words, so the first n - ceil(t·n) + 1 of both, in one
    order for all sets, cannot all differ. With rare words first, few sets have to be compared.

    Args:
        words: The set.
        least: The least likeness that matters, above 0.
        frequency: In how many sets words are; without it long words count as rare.
    """
    counts = frequency if frequency is not None else {}
    ordered = sorted(words, key=lambda word: (counts.get(word, 0), -len(word), word))
    shared = math.ceil(least * len(ordered) - _ROUNDING)
    return ordered[: len(ordered) - shared + 1]
