"""Ranking records: what the query says, who it names, what stands beside, when it was, how good it is.

Scores of both channels are brought to the same scale by their mean and spread, and added with weights; the
better channel is never outvoted by the worse one, as it is when only ranks are added. A turn of a dialogue
gains from the turns beside it, since people answer in the turn after the question.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory_middleware.sources.long_term.structure import Links, Neighbours, Side, Threads

__all__ = ["Columns", "RankWeights", "Ranking", "rank"]

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


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


@dataclass(frozen=True, slots=True)
class Columns:
    """Records as columns; the places of all arrays mean the same records.

    Attributes:
        allowed: Which may be recalled at all.
        neighbours: The turns beside each turn.
        threads: Which records belong together.
        links: Which records are linked.
        priors: What counts whatever the query says, by the name of its weight: ``trusted`` and ``pinned`` as 0 or 1,
            ``asking`` from -1 to 0, ``saying`` from -2 to 1, ``importance`` and ``recency`` from -1 to 1; and
            ``speaker`` and ``time`` if the query names one.
    """

    allowed: Flags
    neighbours: Neighbours
    threads: Threads
    links: Links
    priors: dict[str, Floats]


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
        signals["meaning"] = _spread(dense, allowed, part)
    if lexical is not None:
        signals["words"] = _spread(lexical, allowed, 1.0 - part if dense is not None else 1.0)
    base = _total(signals, len(allowed))
    signals |= _near(columns, base, weights)
    for name, values in columns.priors.items():
        if factor := float(getattr(weights, name)):
            signals[name] = np.float32(factor) * values
    total = _total(signals, len(allowed))
    if not allowed.all():
        total[~allowed] = -np.inf
    return Ranking(total, signals)


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


def _total(signals: dict[str, Floats], length: int) -> Floats:
    total = np.zeros(length, dtype=np.float32)
    for part in signals.values():
        total += part
    return total


def _spread(scores: Floats, allowed: Flags, factor: float) -> Floats:
    """Scale scores by the mean and spread of those allowed; what has none counts as the lowest."""
    inside = scores if allowed.all() else scores[allowed]
    finite = np.isfinite(inside)
    if not finite.all():
        if not finite.any():
            return np.zeros_like(scores)
        lowest = inside[finite].min()
        scores = np.where(np.isfinite(scores), scores, lowest)
        inside = np.where(finite, inside, lowest)
    mean = inside.mean(dtype=np.float64)
    spread = float(inside.std())
    if spread <= 0:
        return np.zeros_like(scores)
    return (scores - np.float32(mean)) * np.float32(factor / spread)


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
