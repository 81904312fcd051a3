"""How records stand to each other: beside, in one thread, linked. Made once, used by many queries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Links", "Neighbours", "Side", "Threads"]

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Side(NamedTuple):
    """The places of turns that have another on either side, and of those others; -1 where there is none."""

    places: Ints
    left: Ints
    right: Ints

    @classmethod
    def of(cls, left: Ints, right: Ints) -> Side:
        """Gather the turns that have any neighbour."""
        places = np.flatnonzero((left >= 0) | (right >= 0))
        return cls(places, left[places], right[places])


class Neighbours(NamedTuple):
    """The turns next to each turn, and those two away."""

    near: Side
    far: Side

    @classmethod
    def of(cls, before: Ints, after: Ints) -> Neighbours:
        """Gather neighbours from the place before and the place after each turn, -1 where there is none."""
        return cls(Side.of(before, after), Side.of(_step(before), _step(after)))


class Threads(NamedTuple):
    """Records by thread.

    Attributes:
        order: The places of all records that stand in a thread, one thread after the other.
        starts: Where in this order each thread begins.
        number: The number of the thread at each place of this order.
    """

    order: Ints
    starts: Ints
    number: Ints

    @classmethod
    def of(cls, session: Ints) -> Threads:
        """Gather records by the number of their thread; -1 means none."""
        places = np.flatnonzero(session >= 0)
        order = places[np.argsort(session[places], kind="stable")]
        numbers = session[order]
        begins = np.r_[True, numbers[1:] != numbers[:-1]] if len(order) else np.zeros(0, dtype=np.bool_)
        return cls(order, np.flatnonzero(begins), np.cumsum(begins) - 1)


class Links(NamedTuple):
    """Pairs of places, and how strongly each is linked, from 0 to 1."""

    origin: Ints
    target: Ints
    strength: Floats


def _step(side: Ints) -> Ints:
    """Go one step further: the neighbour of the neighbour."""
    return np.where(side >= 0, side[side], -1)
