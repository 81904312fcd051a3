"""Recalling an owner's episodes, patterns and skills for the task at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from memory_middleware.schemas import times
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Source
from memory_middleware.sources.experience.access import accessed
from memory_middleware.sources.experience.importance import (
    BOOST,
    assess_memory,
    days_between,
    decayed,
    happened_at,
    recency_factor,
    seen_at,
)
from memory_middleware.sources.experience.layers import Layer, show
from memory_middleware.sources.experience.linking import Candidate, expand
from memory_middleware.sources.experience.scoring import group_of, task_score, weight_of
from memory_middleware.sources.experience.task_signals import TaskType
from memory_middleware.sources.experience.task_type import Task, detect_task_type, query_text
from memory_middleware.storage.documents import EXPERIENCE_KINDS, Experience
from memory_middleware.storage.repositories.experience import ExperienceRepository

__all__ = ["ExperienceSource", "Scored", "score_candidate"]

_LEAST_POOL = 128
_LEAST_EACH = 16


class Scored(NamedTuple):
    """A candidate, its score, and what the score is made of."""

    candidate: Candidate
    score: float
    signals: dict[str, Any]


def score_candidate(candidate: Candidate, task_type: TaskType, now: datetime) -> Scored:
    """Score a candidate for a type of task, and explain it."""
    memory = candidate.memory
    group = group_of(memory)
    confidence = memory.confidence if isinstance(memory, SemanticPattern) else 1.0
    parts: dict[str, Any] = {
        "task_type": task_type,
        "group": group,
        "relevance": candidate.relevance,
        "weight": weight_of(group, task_type),
        "importance": decayed(assess_memory(memory, task_type), days_between(seen_at(memory), now)),
        "confidence": confidence,
        "recency": recency_factor(days_between(happened_at(memory), now)),
    }
    base = task_score(
        max(0.0, candidate.relevance), parts["weight"], importance=parts["importance"], confidence=confidence
    )
    if candidate.reached is not None:
        parts["link"] = {
            "from": candidate.reached.origin,
            "relation": candidate.reached.relation,
            "strength": candidate.reached.strength,
        }
    return Scored(candidate, base * parts["recency"], parts)


class ExperienceSource(Source):
    """Finds experience by words and meaning, and ranks it by the task, importance, recency and links.

    Args:
        name: What attachments call it.
        experience: Where the experience is.
        detail: How much of each memory is told.
        follow_links: Whether hits bring along what they are linked with.
        language: Of the words around what is told.
        clock: Tells the time.
    """

    tells = "experience"

    def __init__(
        self,
        name: str,
        experience: ExperienceRepository,
        *,
        detail: Layer = "timeline",
        follow_links: bool = True,
        language: str = "en",
        clock: Callable[[], datetime] = times.utc_now,
    ) -> None:
        self.name = name
        self._experience = experience
        self._detail = detail
        self._follow_links = follow_links
        self._language = language
        self._clock = clock

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give at most ``top_k`` memories for a query, the best first; ``metadata`` explains each score.

        Args:
            query: What is asked; its text is taken as the goal of a task.
            scope: Whose experience.
            top_k: Most items.
            threshold: Least relevance of an item; -1 means any.
        """
        return self.retrieve_for(Task(goal=query.text or query.describe()), scope, top_k=top_k, threshold=threshold)

    def retrieve_for(self, task: Task, scope: Scope, *, top_k: int, threshold: float = -1.0) -> list[MemoryItem]:
        """Give at most ``top_k`` memories for a task whose phase, action or files are known, the best first.

        Args:
            task: What is to be done.
            scope: Whose experience.
            top_k: Most items.
            threshold: Least relevance of an item; -1 means any.
        """
        asked = query_text(task)
        if top_k <= 0 or not asked.strip():
            return []
        task_type, now = detect_task_type(task), self._clock()
        hits = self._ranked(self._candidates(asked, scope, top_k), task_type, now, threshold)
        if self._follow_links:
            # What is linked with hits that are not told themselves would lack its reason.
            linked = expand(
                [hit.candidate for hit in hits[:top_k]],
                lambda wanted: self._experience.get_many(scope, wanted),
                lambda targets: self._experience.linking_to(scope, targets),
            )
            hits = self._ranked([*linked, *(hit.candidate for hit in hits[top_k:])], task_type, now, threshold)
        return [self._item(hit) for hit in hits[:top_k]]

    def accessed(self, items: Iterable[MemoryItem], scope: Scope, *, boost: float = BOOST) -> list[Experience]:
        """Note that items were used, so that they count for more, and give the memories as they are now.

        Raises:
            ConflictError: Others changed them again and again.
        """
        return accessed(self._experience, scope, [item.id for item in items], boost=boost, now=self._clock())

    def _candidates(self, asked: str, scope: Scope, top_k: int) -> list[Candidate]:
        """Search all kinds at once, so that scores compare, and take the best of each, lest episodes hide skills."""
        each = max(_LEAST_EACH, 2 * top_k)
        found = self._experience.search(scope, asked, limit=max(_LEAST_POOL, 8 * top_k), each=each)
        return [Candidate(memory, score) for memory, score in found]

    @staticmethod
    def _ranked(candidates: Iterable[Candidate], task_type: TaskType, now: datetime, threshold: float) -> list[Scored]:
        """Score candidates, the best first, each once; what does not count for the task is left out."""
        unique: dict[Any, Scored] = {}
        for candidate in candidates:
            scored = score_candidate(candidate, task_type, now)
            known = unique.get(candidate.place)
            counts = candidate.relevance >= threshold and scored.signals["weight"] > 0
            if counts and (known is None or scored.score > known.score):
                unique[candidate.place] = scored
        return sorted(unique.values(), key=lambda hit: (-hit.score, -hit.candidate.relevance, hit.candidate.memory.id))

    def _item(self, hit: Scored) -> MemoryItem:
        memory = hit.candidate.memory
        moment = happened_at(memory) or memory.last_accessed
        kind = next(kind for kind, made in EXPERIENCE_KINDS.items() if isinstance(memory, made))
        return MemoryItem(
            id=memory.id,
            content_summary=show(memory, self._detail, self._language),
            metadata={
                "kind": kind,
                "layer": self._detail,
                "score": hit.score,
                "similarity": hit.candidate.relevance,
                "signals": hit.signals,
            },
            timestamp=moment.timestamp() if moment else self._clock().timestamp(),
        )
