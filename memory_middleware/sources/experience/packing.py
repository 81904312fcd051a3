"""Choosing what goes into a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["PackItem", "pack"]

_IMPORTANCE, _RECENCY, _RELEVANCE = 0.4, 0.3, 0.3


class PackItem(NamedTuple):
    """Something that may go into a prompt: its tokens, and three values from 0 to 1."""

    id: str
    tokens: int
    importance: float = 0.5
    recency: float = 0.5
    relevance: float = 0.5

    @property
    def value(self) -> float:
        """How much it is wanted, from 0 to 1."""
        return (
            _IMPORTANCE * _fraction(self.importance)
            + _RECENCY * _fraction(self.recency)
            + _RELEVANCE * _fraction(self.relevance)
        )


def pack(items: Iterable[PackItem], budget: int) -> list[PackItem]:
    """Choose what fits into a budget of tokens, the most wanted first; what does not fit is passed over."""
    chosen: list[PackItem] = []
    for item in sorted(items, key=lambda item: -item.value):
        if item.tokens <= budget:
            chosen.append(item)
            budget -= item.tokens
    return chosen


def _fraction(value: float) -> float:
    return max(0.0, min(1.0, value))
