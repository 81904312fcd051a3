"""Recalling long-term records for a query, each with what speaks for it."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

import numpy as np

from memory_middleware.errors import StoreError
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.floor import RelevanceFloor
from memory_middleware.sources.long_term.moments import named_span
from memory_middleware.sources.long_term.names import without_names
from memory_middleware.sources.long_term.owner_zone import owner_zone
from memory_middleware.sources.long_term.rank import Ranking, RankWeights, rank
from memory_middleware.sources.long_term.signals import columns_of
from memory_middleware.sources.long_term.wanted import Wanted
from memory_middleware.storage.record_pool import KINDS, Candidates, RecordPool
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.records import Usage
from memory_middleware.storage.view import ChannelScores, Query

__all__ = ["RankWeights", "RecalledRecord", "RelevanceFloor", "recall_records"]

_ATTEMPTS = 20
_SPARE = 10
_CANDIDATES = 256
_DIALOGUE = KINDS[RecordKind.DIALOGUE.value]


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

    @property
    def is_near(self) -> bool:
        """Whether it has to do with the query at all, as far as words and meaning tell."""
        return RelevanceFloor().is_near(self.cosine, self.coverage, self.record.pinned)


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
    zone: tzinfo | None = None,
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
        zone: Where "yesterday" begins; none means the time zone of the owner's profile, else that of ``now``.
        weights: How much each signal counts.
        floor: Give nothing at all if no record is near enough to the query.

    Raises:
        EmbeddingError: The embedder failed.
        InvalidInputError: An argument is of the wrong kind.
    """
    wanted = Wanted.of(query, limit, kinds, include, as_of, now)
    if wanted is None:
        return []
    search = _Search(memories, scope, wanted, zone, limit, weights or RankWeights(), floor)
    for _ in range(_ATTEMPTS):
        found = search.attempt()
        if found is not None:
            return found
    raise StoreError(f"the records of this owner changed {_ATTEMPTS} times while they were ranked; try again")


class _Ranked:
    """Candidates, their scores and their ranking."""

    __slots__ = ("pool", "ranking", "scores")

    def __init__(self, pool: RecordPool, scores: ChannelScores, ranking: Ranking) -> None:
        self.pool = pool
        self.scores = scores
        self.ranking = ranking


class _Search:
    """One recall, tried again when somebody writes meanwhile."""

    def __init__(
        self,
        memories: Repositories,
        scope: Scope,
        wanted: Wanted,
        zone: tzinfo | None,
        limit: int,
        weights: RankWeights,
        floor: RelevanceFloor | None,
    ) -> None:
        self._memories = memories
        self._scope = scope
        self._wanted = wanted
        self._limit = limit
        self._weights = weights
        self._floor = floor
        self._candidates = _CANDIDATES
        self._span = named_span(wanted.text, wanted.now)
        if self._span is not None and (place := zone or owner_zone(memories, scope)) is not None:
            # Only now does it matter where the owner lives.
            self._span = named_span(wanted.text, wanted.now.astimezone(place))

    def attempt(self) -> list[RecalledRecord] | None:
        """Recall, or give none if that must be tried again."""
        records, wanted = self._memories.records, self._wanted
        query = records.query(wanted.text)
        found = records.pool(self._scope, query, kind=wanted.only_kind, candidates=self._candidates)
        if query.vector is not None and found.pool.speakers:
            bare = without_names(query.text, found.pool.speakers)
            query = query._replace(vector=records.query(bare).vector)
        allowed = wanted.allowed(found.pool)
        if found.more and np.count_nonzero(allowed) < self._limit + _SPARE:
            self._candidates *= 8  # too many of the nearest may not be recalled
            return None
        ranked = self._ranked(found, query)
        if ranked is not None and found.more:
            wider = self._widened(found, ranked)
            ranked = ranked if wider is found else self._ranked(wider, query)
        return None if ranked is None else self._best(ranked)

    def _ranked(self, found: Candidates, query: Query) -> _Ranked | None:
        scores = found.scores(query.vector if query.weight > 0 else None, query.terms)
        if scores is None:
            return None  # somebody wrote meanwhile
        allowed = self._wanted.allowed(found.pool)
        if self._floor is not None:
            allowed = self._floor.admitted(scores, allowed, found.pool.pinned)
        columns = columns_of(found.pool, query.text, self._span, allowed, self._wanted.now)
        dense = self._weights.dense if query.weight < 1 else 1.0
        return _Ranked(
            found.pool, scores, rank(columns, scores.dense, scores.lexical, replace(self._weights, dense=dense))
        )

    def _widened(self, found: Candidates, ranked: _Ranked) -> Candidates:
        """Let what stands beside the best, and what they link to, be candidates as well."""
        told = [part for place in ranked.ranking.best(self._limit) if (part := found.pool.told[place]) is not None]
        turns = [(part.thread, part.turn) for part in told if part.thread is not None and part.turn >= 0]
        linked = [target for part in told for target, _ in part.links]
        return self._memories.records.widened(self._scope, found, turns, linked)

    def _best(self, ranked: _Ranked) -> list[RecalledRecord]:
        """Let the weights of the best records count, leave out what says the same again, and read the rest."""
        wanted = self._limit + _SPARE
        while True:
            places = ranked.ranking.best(wanted)
            known = self._memories.records.usage(self._scope, [ranked.pool.rows[place].id for place in places])
            best = self._distinct(ranked, places, known)
            if len(best) >= self._limit or len(places) < wanted:
                return self._recalled(ranked, best[: self._limit], known)
            wanted *= 4

    def _distinct(
        self, ranked: _Ranked, places: Sequence[int], known: dict[str, Usage]
    ) -> list[tuple[float, int, float]]:
        scored: dict[tuple[str, ...], tuple[float, int, float]] = {}
        asked = _said(0, None, self._wanted.text)[2]
        for place in places:
            used, told = known.get(ranked.pool.rows[place].id), ranked.pool.told[place]
            if used is not None and told is not None:
                weight = used.weight
                # From nothing over the usual 1 to very much: -1, 0, 1.
                bonus = self._weights.weight * (weight - 1.0) / (weight + 1.0)
                entry = (float(ranked.ranking.scores[place]) + bonus, place, bonus)
                said = _said(told.kind, told.subject, told.content)
                if told.kind != _DIALOGUE or said[2] != asked:  # that it was asked before is no answer
                    scored[said] = max(entry, scored.get(said, entry))
        return sorted(scored.values(), key=lambda entry: (-entry[0], entry[1]))

    @staticmethod
    def _recalled(
        ranked: _Ranked, best: Sequence[tuple[float, int, float]], known: dict[str, Usage]
    ) -> list[RecalledRecord]:
        """Read records, and tell what speaks for each."""
        if not best:
            return []
        places = [place for _, place, _ in best]
        told = ranked.ranking.signals(places)
        cosines, coverages = _parts(ranked.scores, places)
        rows = [ranked.pool.rows[place] for place in places]
        return [
            RecalledRecord(known[row.id].of(row.value), score, {**signals, "weight": round(bonus, 4)}, cosine, coverage)
            for row, (score, _, bonus), signals, cosine, coverage in zip(
                rows, best, told, cosines, coverages, strict=True
            )
        ]


def _parts(scores: ChannelScores, places: list[int]) -> tuple[list[float | None], list[float]]:
    """Give the cosines of some records, and the parts of the query's words that they hold."""
    cosines: list[float | None] = [None] * len(places)
    if scores.dense is not None:
        cosines = [part if part > -np.inf else None for part in scores.dense[places].tolist()]
    if scores.lexical is None or not scores.ideal:
        return cosines, [0.0] * len(places)
    # A short record, or one that repeats a word, scores above what is usual.
    return cosines, np.minimum(scores.lexical[places] / scores.ideal, 1.0).tolist()


@functools.lru_cache(4096)
def _said(kind: int, subject: str | None, content: str) -> tuple[str, ...]:
    """What a record says, but for blanks, case, width and punctuation at its end."""
    plain = " ".join(unicodedata.normalize("NFKC", content).casefold().split())
    return str(kind), (subject or "").casefold(), plain.rstrip(".!?。！？")
