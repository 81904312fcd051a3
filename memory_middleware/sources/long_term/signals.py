"""The columns that ranking needs of an owner's records: some made once, some for each query."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memory_middleware.schemas.record import RecordKind, TrustTier
from memory_middleware.sources.long_term.moments import Span
from memory_middleware.sources.long_term.names import named_speakers
from memory_middleware.sources.long_term.rank import Columns, RankWeights
from memory_middleware.sources.long_term.structure import Links, Neighbours, Threads
from memory_middleware.storage.record_pool import RecordPool
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["columns_of"]

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_KINDS = tuple(RecordKind)
_TRUST = tuple(TrustTier)
_HOUR = 3_600 * 1_000_000
_MONTH = 30 * 24 * _HOUR


class _Lasting(NamedTuple):
    """What is the same for every query of an hour.

    Attributes:
        hour: Of the moment from which recency is told; to the hour is exact enough, and the sums of all that a
            query cannot change need be made once only.
        sums: What the priors add up to, by their weights.
    """

    neighbours: Neighbours
    threads: Threads
    links: Links
    priors: dict[str, Floats]
    hour: int
    sums: dict[RankWeights, Floats]


def columns_of(pool: RecordPool, query: str, span: Span | None, allowed: Flags, now: datetime) -> Columns:
    """Give the columns of records for a query.

    Args:
        pool: The records.
        query: What is asked; it may name a speaker.
        span: The time that it names, if it does.
        allowed: Which records may be recalled.
        now: The present moment.
    """
    lasting = _lasting(pool, now)
    named: dict[str, Floats] = {}
    speakers = named_speakers(query, pool.speakers)
    if len(speakers) == 1:
        named["speaker"] = (pool.speaker == speakers[0]).astype(np.float32)
    if span is not None:
        start, end = microseconds(span.start), microseconds(span.end)
        named["time"] = ((pool.happened_at >= start) & (pool.happened_at < end)).astype(np.float32)
    return Columns(allowed, lasting.neighbours, lasting.threads, lasting.links, lasting.priors, named, lasting.sums)


def _lasting(pool: RecordPool, now: datetime) -> _Lasting:
    found: _Lasting | None = pool.made.get("lasting")
    hour = microseconds(now) // _HOUR
    if found is None:
        found = _Lasting(
            Neighbours.of(pool.before, pool.after),
            Threads.of(pool.session),
            Links(*pool.links),
            _priors(pool) | _recency(pool, hour),
            hour,
            {},
        )
    elif found.hour != hour:
        found = found._replace(priors=found.priors | _recency(pool, hour), hour=hour, sums={})
    pool.made["lasting"] = found
    return found


def _priors(pool: RecordPool) -> dict[str, Floats]:
    priors = {
        "trusted": (pool.trust == _TRUST.index(TrustTier.USER)).astype(np.float32),
        "importance": (2.0 * pool.importance - 1.0).astype(np.float32),
    }
    if pool.pinned.any():
        priors["pinned"] = pool.pinned.astype(np.float32)
    if (turns := pool.alive & (pool.kind == _KINDS.index(RecordKind.DIALOGUE))).any():
        priors["asking"] = -pool.asking
        priors["saying"] = _saying(pool, turns)
    return priors


def _recency(pool: RecordPool, hour: int) -> dict[str, Floats]:
    """Tell how new records are: 1 in the hour itself and later, fading by the month."""
    age = (hour * _HOUR - pool.created_at) / _MONTH
    return {"recency": np.exp(np.minimum(-age, 0.0)).astype(np.float32)}


def _saying(pool: RecordPool, turns: Flags) -> Floats:
    """Tell how much each turn says, from -2 to 1, among those of the same trust: assistants talk more than users."""
    found = np.zeros(len(pool.rows), dtype=np.float32)
    lengths = np.log1p(pool.length)
    for tier in range(len(_TRUST)):
        alike = turns & (pool.trust == tier)
        if alike.any() and (spread := lengths[alike].std()) > 0:
            found[alike] = np.clip((lengths[alike] - lengths[alike].mean()) / spread, -2.0, 1.0)
    return found
