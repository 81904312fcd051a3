"""Ranking records: what the query says, who it names, what stands beside, when it was, how good it is.

Scores of both channels are brought to the same scale by their mean and spread, and added with weights; the
better channel is never outvoted by the worse one, as it is when only ranks are added. A turn of a dialogue
gains from the turns beside it, since people answer in the turn after the question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memory_middleware.sources.long_term.structure import Links, Neighbours, Side, Threads

__all__ = ["Columns", "RankWeights", "Ranking", "rank"]

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_ONE = np.float32(1.0)
_MOST_SUMS = 4


@dataclass(frozen=True, slots=True)
class RankWeights:
    """How much each signal counts, in units of the spread of scores.

    Attributes:
        dense: The part of meaning in the sum of meaning and words.
        beside, beyond: Of the better turn next to a turn, and of the better one two away.
        session: Of the mean of the three best turns of the thread.
        links: Of the best record that a record is linked with.
        speaker: For turns of the only speaker that the query names.
        trusted: For what the user said, rather than the assistant, a tool or a document.
        time: For records of the time that the query names.
        pinned: For records that the owner pinned.
        saying: For turns that say much or little, compared with other turns of the same trust.
        asking: For the part of a turn that says something, rather than asks.
        importance, weight, recency: Of these three, each from -1 to 1.
    """

    dense: float = 0.6
    beside: float = 0.3
    beyond: float = 0.2
    session: float = 0.3
    links: float = 0.5
    speaker: float = 1.0
    trusted: float = 1.0
    time: float = 1.0
    pinned: float = 0.5
    saying: float = 0.3
    asking: float = 0.6
    importance: float = 0.3
    weight: float = 0.5
    recency: float = 0.1

    def of(self, name: str) -> np.float32:
        """Give a weight by its name."""
        return np.float32(getattr(self, name))


@dataclass(frozen=True, slots=True)
class Columns:
    """Records as columns; the places of all arrays mean the same records.

    Attributes:
        allowed: Which may be recalled at all.
        neighbours: The turns beside each turn.
        threads: Which records belong together.
        links: Which records are linked.
        priors: What counts whatever the query says, by the name of its weight: ``trusted`` and ``pinned`` as 0 or 1,
            ``asking`` from -1 to 0, ``saying`` from -2 to 1, ``importance`` and ``recency`` from -1 to 1.
        named: ``speaker`` and ``time`` as 0 or 1, if the query names one.
        sums: Room for what all priors add up to, by the weights; made once for all queries.
    """

    allowed: Flags
    neighbours: Neighbours
    threads: Threads
    links: Links
    priors: dict[str, Floats]
    named: dict[str, Floats] = field(default_factory=dict)
    sums: dict[RankWeights, Floats] = field(default_factory=dict)

    def standing(self, weights: RankWeights) -> Floats:
        """Add up what counts whatever the query says."""
        total = self.sums.get(weights)
        if total is None:
            if len(self.sums) >= _MOST_SUMS:
                self.sums.clear()
            total = np.zeros(len(self.allowed), dtype=np.float32)
            for name, values in self.priors.items():
                total += weights.of(name) * values
            self.sums[weights] = total  # only now, since other threads read it
        return total


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores of all records, minus infinity for those not allowed, and what they are made of.

    Attributes:
        scores: By record.
        parts: What each signal gives to each record, and the factor it counts by.
    """

    scores: Floats
    parts: dict[str, tuple[Floats, np.float32]]

    def signals(self, places: Sequence[int]) -> list[dict[str, float]]:
        """Tell what the scores of some records are made of."""
        listed = list(places)
        if not self.parts:
            return [{} for _ in listed]
        values = np.array([part[listed] * factor for part, factor in self.parts.values()], dtype=np.float64)
        return [dict(zip(self.parts, column, strict=True)) for column in values.round(4).T.tolist()]

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
        signals["meaning"] = _spread(dense, allowed, part)
    if lexical is not None:
        signals["words"] = _spread(lexical, allowed, 1.0 - part if dense is not None else 1.0)
    base = _total(signals, np.zeros(len(allowed), dtype=np.float32))
    near = _near(columns, base, weights)
    named = {name: weights.of(name) * values for name, values in columns.named.items()}
    total = _total(near | named, base + columns.standing(weights))
    if not allowed.all():
        total[~allowed] = -np.inf
    parts = {name: (values, _ONE) for name, values in (signals | near | named).items()}
    return Ranking(total, parts | {name: (values, weights.of(name)) for name, values in columns.priors.items()})


def _near(columns: Columns, base: Floats, weights: RankWeights) -> dict[str, Floats]:
    """Tell what records gain from others: beside them, in their thread, linked with them."""
    allowed = columns.allowed
    whole = bool(allowed.all())
    least = base.min() if whole else base[allowed].min()
    # What may not be recalled lends nothing; nor does what is not there, which stands at the place -1.
    held = np.append(base if whole else np.where(allowed, base, least), least)
    signals = {
        "beside": _better(held, columns.neighbours.near, weights.beside),
        "beyond": _better(held, columns.neighbours.far, weights.beyond),
    }
    if weights.session:
        signals["thread"] = _threads(held, columns.threads, None if whole else allowed, weights.session)
    if weights.links and len(columns.links.origin):
        signals["links"] = _linked(held, columns.links, weights.links)
    return signals


def _total(signals: dict[str, Floats], total: Floats) -> Floats:
    """Add signals to a sum."""
    for part in signals.values():
        total += part
    return total


def _spread(scores: Floats, allowed: Flags, factor: float) -> Floats:
    """Scale scores by the mean and spread of those allowed; what has none counts as the lowest."""
    inside = scores if allowed.all() else scores[allowed]
    if inside.min() == -np.inf:
        finite = np.isfinite(inside)
        if not finite.any():
            return np.zeros_like(scores)
        scores = np.where(np.isfinite(scores), scores, inside[finite].min())
        inside = scores if inside.size == scores.size else scores[allowed]
    mean = np.float32(inside.mean(dtype=np.float64))
    centred = scores - mean
    around = centred if inside is scores else inside - mean
    spread = math.sqrt(float(around.dot(around)) / len(around))
    if spread <= 0:
        return np.zeros_like(scores)
    centred *= np.float32(factor / spread)
    return centred


def _better(held: Floats, side: Side, factor: float) -> Floats:
    """Give each turn the better of two others; what stands in no thread has no neighbours to be poor in."""
    found = np.zeros(len(held) - 1, dtype=np.float32)
    found[side.places] = np.float32(factor) * np.maximum(held[side.left], held[side.right])
    return found


def _threads(held: Floats, threads: Threads, allowed: Flags | None, factor: float) -> Floats:
    """Give each turn the mean of the three best of its thread."""
    found = np.zeros(len(held) - 1, dtype=np.float32)
    if not len(threads.order):
        return found
    values = held[threads.order]
    if allowed is not None:
        values[~allowed[threads.order]] = -np.inf
    total, counted = np.zeros(len(threads.starts), dtype=np.float32), np.zeros(len(threads.starts), dtype=np.float32)
    for turn in range(3):
        best = np.maximum.reduceat(values, threads.starts)
        there = best > -np.inf
        total += np.where(there, best, 0.0)
        counted += there
        if turn < 2:
            values[values == best[threads.number]] = -np.inf
    means = np.float32(factor) * total / np.maximum(counted, 1.0)
    found[threads.order] = means[threads.number]
    return found


def _linked(held: Floats, links: Links, factor: float) -> Floats:
    """Give each record a part of the best record it is linked with, either way."""
    found = np.zeros(len(held) - 1, dtype=np.float32)
    for origin, target in ((links.origin, links.target), (links.target, links.origin)):
        np.maximum.at(found, target, np.float32(factor) * links.strength * np.maximum(held[origin], 0.0))
    return found
