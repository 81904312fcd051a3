"""Ranking records: what the query says, who it names, what stands beside, when it was, how good it is.

Scores of both channels are brought to the same scale by their mean and spread, and added with weights; the
better channel is never outvoted by the worse one, as it is when only ranks are added. A turn of a dialogue
gains from the turns beside it, since people answer in the turn after the question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Columns", "RankWeights", "Ranking", "Threads", "rank"]

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RankWeights:
    """How much each signal counts, in units of the spread of scores.

    Attributes:
        dense: The part of meaning in the sum of meaning and words.
        beside, beyond: Of the better turn next to a turn, and of the better one two away.
        session: Of the mean of the three best turns of the thread.
        speaker: For turns of the only speaker that the query names.
        trusted: For what the user said, rather than the assistant, a tool or a document.
        time: For records of the time that the query names.
        importance, weight, recency: Of these three, each from -1 to 1.
    """

    dense: float = 0.6
    beside: float = 0.3
    beyond: float = 0.2
    session: float = 0.3
    speaker: float = 1.0
    trusted: float = 1.0
    time: float = 1.0
    importance: float = 0.3
    weight: float = 0.5
    recency: float = 0.1


class Threads(NamedTuple):
    """Records by thread.

    Attributes:
        order: The places of all records that stand in a thread, one thread after the other.
        starts: Where in this order each thread begins.
    """

    order: Ints
    starts: Ints

    @classmethod
    def of(cls, session: Ints) -> Threads:
        """Gather records by the number of their thread; -1 means none."""
        places = np.flatnonzero(session >= 0)
        order = places[np.argsort(session[places], kind="stable")]
        numbers = session[order]
        starts = np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]]) if len(order) else order
        return cls(order, starts)


@dataclass(frozen=True, slots=True)
class Columns:
    """Records as columns; the places of all arrays mean the same records.

    Attributes:
        allowed: Which may be recalled at all.
        before, after: The places of the turns beside a turn, -1 where there is none.
        threads: Which records belong together.
        named: Which are of the only speaker that the query names; none if it names none or several.
        trusted: Which the user vouches for.
        timely: Which are of the time that the query names; none if it names none.
        importance, weight, recency: Each from -1 to 1, or none.
    """

    allowed: Flags
    before: Ints
    after: Ints
    threads: Threads
    trusted: Flags
    named: Flags | None = None
    timely: Flags | None = None
    importance: Floats | None = None
    weight: Floats | None = None
    recency: Floats | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores of all records, minus infinity for those not allowed, and what they are made of."""

    scores: Floats
    signals: dict[str, Floats]

    def best(self, count: int) -> list[int]:
        """List the places of the best records, equal ones in their order."""
        places = np.arange(len(self.scores))
        if 0 < count < len(places):
            least = np.partition(self.scores, len(places) - count)[len(places) - count]
            places = np.flatnonzero(self.scores >= least)
        order = places[np.argsort(-self.scores[places], kind="stable")][:count]
        return [place for place in order.tolist() if self.scores[place] > -np.inf]


def rank(columns: Columns, dense: Floats | None, lexical: Floats | None, weights: RankWeights) -> Ranking:
    """Score records.

    Args:
        columns: The records.
        dense: Cosines, minus infinity where there is no vector; none without an embedder for this query.
        lexical: BM25 scores, zero where no term matches; none without any term.
        weights: How much each signal counts.
    """
    allowed = columns.allowed
    if not allowed.any():
        return Ranking(np.full(len(allowed), -np.inf, dtype=np.float32), {})
    signals: dict[str, Floats] = {}
    part = weights.dense if lexical is not None else 1.0
    if dense is not None:
        signals["meaning"] = part * _spread(dense, allowed)
    if lexical is not None:
        signals["words"] = (1.0 - part if dense is not None else 1.0) * _spread(lexical, allowed)
    base = _total(signals, len(allowed))
    least = float(base[allowed].min())
    beside = np.where(allowed, base, least).astype(np.float32)
    signals["beside"] = weights.beside * _better(beside, columns.before, columns.after, least)
    signals["beyond"] = weights.beyond * _better(
        beside, _step(columns.before, columns.before), _step(columns.after, columns.after), least
    )
    if weights.session:
        signals["thread"] = weights.session * _threads(beside, columns.threads, allowed)
    signals |= _priors(columns, weights)
    total = _total(signals, len(allowed))
    return Ranking(np.where(allowed, total, -np.inf).astype(np.float32), signals)


def _priors(columns: Columns, weights: RankWeights) -> dict[str, Floats]:
    found: dict[str, npt.NDArray[np.generic] | None] = {
        "speaker": columns.named,
        "trusted": columns.trusted,
        "time": columns.timely,
        "importance": columns.importance,
        "weight": columns.weight,
        "recency": columns.recency,
    }
    return {
        name: (getattr(weights, name) * values.astype(np.float32))
        for name, values in found.items()
        if values is not None and getattr(weights, name)
    }


def _total(signals: dict[str, Floats], length: int) -> Floats:
    total = np.zeros(length, dtype=np.float32)
    for part in signals.values():
        total += part
    return total


def _spread(scores: Floats, allowed: Flags) -> Floats:
    """Scale scores by the mean and spread of those allowed; what has none counts as the lowest."""
    known = scores[allowed]
    finite = known[np.isfinite(known)]
    if not finite.size:
        return np.zeros_like(scores)
    filled = np.where(np.isfinite(scores), scores, finite.min())
    inside = filled[allowed]
    spread = float(inside.std())
    if spread <= 0:
        return np.zeros_like(scores)
    scaled: Floats = ((filled - inside.mean()) / spread).astype(np.float32)
    return scaled


def _step(first: Ints, second: Ints) -> Ints:
    """Go one step further: the neighbour of the neighbour, -1 where there is none."""
    return np.where(first >= 0, second[first], -1)


def _better(base: Floats, before: Ints, after: Ints, least: float) -> Floats:
    left = np.where(before >= 0, base[before], least)
    right = np.where(after >= 0, base[after], least)
    # What stands in no thread has no neighbours to be poor in.
    alone = (before < 0) & (after < 0)
    found: Floats = np.where(alone, 0.0, np.maximum(left, right)).astype(np.float32)
    return found


def _threads(base: Floats, threads: Threads, allowed: Flags) -> Floats:
    """Give each turn the mean of the three best of its thread."""
    found = np.zeros_like(base)
    if not len(threads.order):
        return found
    lengths = np.diff(np.r_[threads.starts, len(threads.order)])
    values = np.where(allowed, base, -np.inf)[threads.order]
    total, counted = np.zeros(len(lengths)), np.zeros(len(lengths))
    for _ in range(3):
        best = np.maximum.reduceat(values, threads.starts)
        there = best > -np.inf
        total += np.where(there, best, 0.0)
        counted += there
        values = np.where(values == np.repeat(best, lengths), -np.inf, values)
    means = total / np.maximum(counted, 1.0)
    found[threads.order] = np.repeat(means, lengths)
    return found
