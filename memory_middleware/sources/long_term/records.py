"""Recalling long-term records for a query, each with what speaks for it."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from memory_middleware.errors import InvalidInputError, StoreError
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState, TrustTier
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.moments import named_span
from memory_middleware.sources.long_term.names import named_speakers, without_names
from memory_middleware.sources.long_term.rank import Columns, Ranking, RankWeights, Threads, rank
from memory_middleware.storage import clock
from memory_middleware.storage.record_pool import RecordPool
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.typed_rows import microseconds
from memory_middleware.storage.view import ChannelScores

__all__ = ["RankWeights", "RecalledRecord", "RelevanceFloor", "recall_records"]

Flags = npt.NDArray[np.bool_]
Member = TypeVar("Member", bound=StrEnum)

_ATTEMPTS = 20
_KINDS = tuple(RecordKind)
_STATES = tuple(RecordState)
_TRUST = tuple(TrustTier)
_SPARE = 10
_CANDIDATES = 256
_LONGEST = 4000
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
        cosine: How near it is in meaning, or none without an embedder for this query.
        coverage: The part of the query's words that it holds, rare ones counting more.
    """

    record: MemoryRecord
    score: float
    signals: dict[str, float] = field(default_factory=dict)
    cosine: float | None = None
    coverage: float = 0.0


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
        as_of: As it was true at this moment: superseded records that were valid then are included. One
            without ``valid_to`` counts as valid ever since.
        now: The present moment, for recency.
        weights: How much each signal counts.
        floor: Give nothing at all if no record is near enough to the query.

    Raises:
        EmbeddingError: The embedder failed.
        InvalidInputError: An argument is of the wrong kind.
    """
    asked_of = _Asked.of(query, limit, kinds, include, as_of, now)
    if asked_of is None:
        return []
    chosen = weights or RankWeights()
    candidates = _CANDIDATES
    for _ in range(_ATTEMPTS):
        asked = memories.records.query(asked_of.text)
        pool, more = memories.records.pool(scope, asked, kind=asked_of.only_kind, candidates=candidates)
        if asked.vector is not None and pool.speakers:
            asked = asked._replace(vector=memories.records.query(without_names(asked.text, pool.speakers)).vector)
        scores = pool.scores(asked.vector if asked.weight > 0 else None, asked.terms)
        if scores is None:
            continue  # somebody wrote meanwhile; look again
        allowed = asked_of.allowed(pool)
        if more and np.count_nonzero(allowed) < limit + _SPARE:
            candidates *= 8  # too many of the nearest may not be recalled
            continue
        if floor is not None and not floor.passes(scores, allowed):
            return []
        columns = _columns(pool, asked.text, allowed, asked_of.now)
        dense = chosen.dense if asked.weight < 1 else 1.0
        ranking = rank(columns, scores.dense, scores.lexical, replace(chosen, dense=dense))
        return _materialised(memories, scope, pool, ranking, limit, chosen, scores)
    raise StoreError(f"the records of this owner changed {_ATTEMPTS} times while they were ranked; try again")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for, checked."""

    text: str
    kinds: tuple[RecordKind, ...] | None
    states: tuple[RecordState, ...]
    as_of: datetime | None
    now: datetime

    @classmethod
    def of(
        cls,
        query: str,
        limit: int,
        kinds: Sequence[RecordKind] | None,
        include: Sequence[RecordState],
        as_of: datetime | None,
        now: datetime | None,
    ) -> _Asked | None:
        """Check what is asked for; none if that can be nothing.

        Raises:
            InvalidInputError: Something is of the wrong kind.
        """
        if not isinstance(query, str):
            raise InvalidInputError(f"a query is a text, not {query!r}")
        if isinstance(limit, bool) or not isinstance(limit, int):
            raise InvalidInputError(f"limit must be a whole number, not {limit!r}")
        for moment in (as_of, now):
            if moment is not None and not isinstance(moment, datetime):
                raise InvalidInputError(f"a moment must be a datetime, not {moment!r}")
        states = _members(RecordState, include, "include")
        if as_of is not None:
            states = (*states, RecordState.SUPERSEDED)
        text = query[:_LONGEST].encode("utf-8", "replace").decode("utf-8")
        if not text.strip() or limit <= 0:
            return None
        sorts = None if kinds is None else _members(RecordKind, kinds, "kinds")
        return cls(text, sorts, states, as_of, now or datetime.now(UTC))

    @property
    def only_kind(self) -> RecordKind | None:
        """The kind, if only one is asked for."""
        return self.kinds[0] if self.kinds is not None and len(self.kinds) == 1 else None

    def allowed(self, pool: RecordPool) -> Flags:
        """Tell which records may be recalled: in the right state, of the right kind, and true at the moment."""
        allowed = pool.alive & np.isin(pool.state, [_STATES.index(state) for state in self.states])
        if self.kinds is not None:
            allowed &= np.isin(pool.kind, [_KINDS.index(kind) for kind in self.kinds])
        moment = microseconds(self.as_of or self.now)
        allowed &= pool.expires_at > clock.now()
        return allowed & (pool.valid_from <= moment) & (moment < pool.valid_to)


def _members(kind: type[Member], values: Sequence[Member], name: str) -> tuple[Member, ...]:
    try:
        return tuple(kind(value) for value in values)
    except ValueError as error:
        known = ", ".join(member.value for member in kind)
        raise InvalidInputError(f"{name} takes {known}; not {values!r}") from error


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


def _materialised(
    memories: Repositories,
    scope: Scope,
    pool: RecordPool,
    ranking: Ranking,
    limit: int,
    weights: RankWeights,
    scores: ChannelScores,
) -> list[RecalledRecord]:
    """Let the weights of the best records count, leave out what says the same again, and read the rest."""
    best = _distinct(memories, scope, pool, ranking, limit, weights)
    records = {record.id: record for record in memories.records.get_many(scope, (pool.key(entry[1]) for entry in best))}
    return [
        RecalledRecord(
            records[key],
            score,
            _signals(ranking, place, bonus),
            cosine=None if scores.dense is None else _finite(scores.dense[place]),
            coverage=0.0 if scores.lexical is None or not scores.ideal else float(scores.lexical[place]) / scores.ideal,
        )
        for score, place, bonus in best
        if (key := pool.key(place)) in records
    ]


def _distinct(
    memories: Repositories, scope: Scope, pool: RecordPool, ranking: Ranking, limit: int, weights: RankWeights
) -> list[tuple[float, int, float]]:
    wanted = limit + _SPARE
    while True:
        places = ranking.best(wanted)
        known = memories.weights.of_items(scope, [pool.rows[place].id for place in places])
        scored: dict[tuple[str, ...], tuple[float, int, float]] = {}
        for place in places:
            weight = known.get(pool.rows[place].id, 1.0)
            # From nothing over the usual 1 to very much: -1, 0, 1.
            bonus = weights.weight * (weight - 1.0) / (weight + 1.0)
            entry = (float(ranking.scores[place]) + bonus, place, bonus)
            said = _said(pool, place)
            scored[said] = max(entry, scored.get(said, entry))
        if len(scored) >= limit or len(places) < wanted:
            return sorted(scored.values(), key=lambda entry: (-entry[0], entry[1]))[:limit]
        wanted *= 4


def _said(pool: RecordPool, place: int) -> tuple[str, ...]:
    """What a record says, but for blanks, case, width and punctuation at its end."""
    value = json.loads(pool.rows[place].value)
    content = " ".join(unicodedata.normalize("NFKC", value["content"]).casefold().split())
    return value["kind"], str(value["subject"]).casefold(), content.rstrip(".!?。！？")


def _finite(number: np.float32) -> float | None:
    return float(number) if np.isfinite(number) else None


def _signals(ranking: Ranking, place: int, weight: float) -> dict[str, float]:
    signals = {name: round(float(part[place]), 4) for name, part in ranking.signals.items()}
    return {**signals, "weight": round(weight, 4)}


def _threads(pool: RecordPool) -> Threads:
    if pool.threads is None:
        pool.threads = Threads.of(pool.session)
    found: Threads = pool.threads
    return found
