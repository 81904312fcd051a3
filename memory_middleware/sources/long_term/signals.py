"""The columns that ranking needs of an owner's records: some made once, some for each query."""

from __future__ import annotations

import math
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memory_middleware.schemas.record import RecordKind, TrustTier
from memory_middleware.sources.long_term.moments import Span
from memory_middleware.sources.long_term.names import named_speakers
from memory_middleware.sources.long_term.rank import Columns
from memory_middleware.sources.long_term.structure import Links, Neighbours, Threads
from memory_middleware.storage.record_pool import RecordPool
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["columns_of"]

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_KINDS = tuple(RecordKind)
_TRUST = tuple(TrustTier)
_MONTH = 30 * 86_400 * 1_000_000


class _Lasting(NamedTuple):
    """What is the same for every query.

    Attributes:
        recency: As it was at ``made_at``; it fades by the same part for all.
    """

    neighbours: Neighbours
    threads: Threads
    links: Links
    priors: dict[str, Floats]
    recency: Floats
    made_at: int


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
    fading = math.exp((lasting.made_at - microseconds(now)) / _MONTH)
    priors = {**lasting.priors, "recency": np.minimum(lasting.recency * np.float32(fading), 1.0)}
    named = named_speakers(query, pool.speakers)
    if len(named) == 1:
        priors["speaker"] = (pool.speaker == named[0]).astype(np.float32)
    if span is not None:
        start, end = microseconds(span.start), microseconds(span.end)
        priors["time"] = ((pool.happened_at >= start) & (pool.happened_at < end)).astype(np.float32)
    return Columns(allowed, lasting.neighbours, lasting.threads, lasting.links, priors)


def _lasting(pool: RecordPool, now: datetime) -> _Lasting:
    found: _Lasting | None = pool.made.get("lasting")
    moment = microseconds(now)
    if found is not None and abs(moment - found.made_at) < _MONTH:
        return found
    age = (moment - pool.created_at) / _MONTH
    priors = {
        "trusted": (pool.trust == _TRUST.index(TrustTier.USER)).astype(np.float32),
        "importance": (2.0 * pool.importance - 1.0).astype(np.float32),
    }
    if pool.pinned.any():
        priors["pinned"] = pool.pinned.astype(np.float32)
    if (turns := pool.alive & (pool.kind == _KINDS.index(RecordKind.DIALOGUE))).any():
        priors["asking"] = -pool.asking
        priors["saying"] = _saying(pool, turns)
    made = _Lasting(
        Neighbours.of(pool.before, pool.after),
        Threads.of(pool.session),
        Links(*pool.links),
        priors,
        np.exp(np.minimum(-age, 1.0)).astype(np.float32),
        moment,
    )
    pool.made["lasting"] = made
    return made


def _saying(pool: RecordPool, turns: Flags) -> Floats:
    """Tell how much each turn says, from -2 to 1, among those of the same trust: assistants talk more than users."""
    found = np.zeros(len(pool.rows), dtype=np.float32)
    lengths = np.log1p(pool.length)
    for tier in range(len(_TRUST)):
        alike = turns & (pool.trust == tier)
        if alike.any() and (spread := lengths[alike].std()) > 0:
            found[alike] = np.clip((lengths[alike] - lengths[alike].mean()) / spread, -2.0, 1.0)
    return found
