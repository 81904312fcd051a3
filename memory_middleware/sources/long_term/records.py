"""Recalling long-term records for a query, each with what speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from memory_middleware.errors import StoreError
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState, TrustTier
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.moments import named_span
from memory_middleware.sources.long_term.names import named_speakers, without_names
from memory_middleware.sources.long_term.rank import Columns, Ranking, RankWeights, Threads, rank
from memory_middleware.storage.record_pool import RecordPool
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.typed_rows import microseconds
from memory_middleware.storage.view import ChannelScores

__all__ = ["RankWeights", "RecalledRecord", "RelevanceFloor", "recall_records"]

Flags = npt.NDArray[np.bool_]

_ATTEMPTS = 20
_KINDS = tuple(RecordKind)
_STATES = tuple(RecordState)
_TRUST = tuple(TrustTier)
_SPARE = 10
_MONTH = 30 * 86_400 * 1_000_000


@dataclass(frozen=True, slots=True)
class RelevanceFloor:
    """When a query has nothing to do with the records.

    The defaults were measured on dialogues: questions about them pass 98 times in 100, questions about
    the world at large 3 times.

    Attributes:
        cosine: A record at least so near in meaning passes.
        coverage: A record that holds this part of the query's words passes, rare words counting more.
    """

    cosine: float = 0.30
    coverage: float = 0.25

    def passes(self, scores: ChannelScores, allowed: Flags) -> bool:
        """Tell whether any record that may be recalled is near enough."""
        if scores.dense is not None and (scores.dense[allowed] >= self.cosine).any():
            return True
        if scores.lexical is None or scores.ideal <= 0:
            return False
        return bool((scores.lexical[allowed] >= self.coverage * scores.ideal).any())


@dataclass(frozen=True, slots=True)
class RecalledRecord:
    """A record that was recalled.

    Attributes:
        record: The record.
        score: How well it fits; comparable within one recall only.
        signals: What the score is made of.
    """

    record: MemoryRecord
    score: float
    signals: dict[str, float] = field(default_factory=dict)


def recall_records(
    memories: Repositories,
    scope: Scope,
    query: str,
    *,
    limit: int = 10,
    kinds: Sequence[RecordKind] | None = None,
    include: Sequence[RecordState] = (RecordState.ACTIVE,),
    as_of: datetime | None = None,
    now: datetime | None = None,
    weights: RankWeights | None = None,
    floor: RelevanceFloor | None = None,
) -> list[RecalledRecord]:
    """Give the records that fit a query best, the best first.

    Args:
        memories: Where the records are.
        scope: Whose.
        query: What is asked.
        limit: At most so many.
        kinds: Only of these kinds.
        include: Only in these states.
        as_of: As it was true at this moment: superseded records that were valid then are included.
        now: The present moment, for recency.
        weights: How much each signal counts.
        floor: Give nothing at all if no record is near enough to the query.

    Raises:
        EmbeddingError: The embedder failed.
    """
    if not query.strip() or limit <= 0:
        return []
    moment = now or datetime.now(UTC)
    chosen = weights or RankWeights()
    for _ in range(_ATTEMPTS):
        asked = memories.records.query(query)
        pool = memories.records.pool(scope, asked)
        if asked.vector is not None and pool.speakers:
            asked = asked._replace(vector=memories.records.query(without_names(query, pool.speakers)).vector)
        scores = pool.scores(asked.vector if asked.weight > 0 else None, asked.terms)
        if scores is None:
            continue  # somebody wrote meanwhile; look again
        allowed = _allowed(pool, kinds, include, as_of, moment)
        if floor is not None and not floor.passes(scores, allowed):
            return []
        columns = _columns(pool, asked.text, allowed, moment)
        dense = chosen.dense if asked.weight < 1 else 1.0
        ranking = rank(columns, scores.dense, scores.lexical, replace(chosen, dense=dense))
        return _materialised(memories, scope, pool, ranking, limit, chosen)
    raise StoreError(f"the records of this owner changed {_ATTEMPTS} times while they were ranked; try again")


def _columns(pool: RecordPool, query: str, allowed: Flags, moment: datetime) -> Columns:
    named = named_speakers(query, pool.speakers)
    span = named_span(query, moment)
    age = (microseconds(moment) - pool.created_at) / _MONTH
    timely = None
    if span is not None:
        timely = (pool.created_at >= microseconds(span.start)) & (pool.created_at < microseconds(span.end))
    return Columns(
        allowed=allowed,
        before=pool.before,
        after=pool.after,
        threads=_threads(pool),
        trusted=pool.trust == _TRUST.index(TrustTier.USER),
        named=pool.speaker == named[0] if len(named) == 1 else None,
        timely=timely,
        importance=(2.0 * pool.importance - 1.0).astype(np.float32),
        recency=np.exp(-np.maximum(age, 0.0)).astype(np.float32),
    )


def _allowed(
    pool: RecordPool,
    kinds: Sequence[RecordKind] | None,
    include: Sequence[RecordState],
    as_of: datetime | None,
    now: datetime,
) -> Flags:
    states = {*include, RecordState.SUPERSEDED} if as_of is not None else set(include)
    allowed = pool.alive & np.isin(pool.state, [_STATES.index(state) for state in states])
    if kinds is not None:
        allowed &= np.isin(pool.kind, [_KINDS.index(RecordKind(kind)) for kind in kinds])
    if as_of is not None:
        moment = microseconds(as_of)
        return allowed & (pool.valid_from <= moment) & (moment < pool.valid_to)
    return allowed & (pool.valid_to > microseconds(now))


def _materialised(
    memories: Repositories, scope: Scope, pool: RecordPool, ranking: Ranking, limit: int, weights: RankWeights
) -> list[RecalledRecord]:
    """Let the weights of the best records count, leave out what says the same again, and read the rest."""
    places = ranking.best(limit + _SPARE)
    known = memories.weights.of_items(scope, [pool.rows[place].id for place in places])
    scored: dict[str, tuple[float, int, float]] = {}
    for place in places:
        weight = known.get(pool.rows[place].id, 1.0)
        # From nothing over the usual 1 to very much: -1, 0, 1.
        bonus = weights.weight * (weight - 1.0) / (weight + 1.0)
        entry = (float(ranking.scores[place]) + bonus, place, bonus)
        said = pool.rows[place].terms or pool.key(place)
        scored[said] = max(entry, scored.get(said, entry))
    best = sorted(scored.values(), key=lambda entry: (-entry[0], entry[1]))[:limit]
    records = {record.id: record for record in memories.records.get_many(scope, (pool.key(entry[1]) for entry in best))}
    return [
        RecalledRecord(records[key], score, _signals(ranking, place, bonus))
        for score, place, bonus in best
        if (key := pool.key(place)) in records
    ]


def _signals(ranking: Ranking, place: int, weight: float) -> dict[str, float]:
    signals = {name: round(float(part[place]), 4) for name, part in ranking.signals.items()}
    return {**signals, "weight": round(weight, 4)}


def _threads(pool: RecordPool) -> Threads:
    if pool.threads is None:
        pool.threads = Threads.of(pool.session)
    found: Threads = pool.threads
    return found
