"""Episodes about the same thing, found by meaning or by words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

from memory_middleware.errors import EmbeddingError, MemoryMiddlewareError
from memory_middleware.remember.experience.overlap import jaccard, telling_words
from memory_middleware.remember.experience.traces import Trace
from memory_middleware.remember.experience.wording import goal_words
from memory_middleware.sources.experience.task_type import Task, detect_task_type

__all__ = ["SIMILAR", "SIMILAR_WORDS", "Cluster", "cluster_by_meaning", "cluster_by_words", "cluster_traces"]

SIMILAR = 0.7
"""Least cosine of two goals about the same thing."""
SIMILAR_WORDS = 0.5
"""Least part of words that two goals about the same thing share."""

_BLOCK = 256

Matrix = npt.NDArray[np.float32]


@dataclass(slots=True)
class Cluster:
    """Episodes about the same thing, the oldest first; later ones never change where earlier ones belong."""

    members: list[Trace] = field(default_factory=list)

    @property
    def goals(self) -> list[str]:
        """What was to be reached."""
        return [trace.goal for trace in self.members]

    @property
    def task_type(self) -> str:
        """The type of task that most goals have."""
        counts = Counter(detect_task_type(Task(goal=goal)) for goal in dict.fromkeys(self.goals))
        return min(counts, key=lambda kind: (-counts[kind], kind))


def cluster_traces(traces: Sequence[Trace], embed: Embeddings | None = None) -> list[Cluster]:
    """Put traces about the same thing together.

    Each joins the cluster whose first member is nearest to it, if that is near enough, or begins its own.

    Args:
        traces: The oldest first.
        embed: Compares by meaning; without it traces are compared by type of task and by words.

    Raises:
        EmbeddingError: The embedder failed.
    """
    return cluster_by_meaning(traces, embed) if embed is not None else cluster_by_words(traces)


def cluster_by_words(traces: Sequence[Trace]) -> list[Cluster]:
    """Put traces of one type of task together whose goals share half of their words."""
    words = {trace.goal: goal_words(trace.goal) for trace in traces}
    kinds = {goal: detect_task_type(Task(goal=goal)) for goal in words}
    frequency = Counter(word for known in words.values() for word in known)
    clusters: list[Cluster] = []
    leading: dict[tuple[str, str], list[int]] = defaultdict(list)
    for trace in traces:
        kind, said = kinds[trace.goal], words[trace.goal]
        rare = telling_words(said, SIMILAR_WORDS, frequency)
        near = {at for word in rare for at in leading[kind, word]}
        best = max(near, key=lambda at: (jaccard(said, words[clusters[at].members[0].goal]), -at), default=None)
        if best is not None and jaccard(said, words[clusters[best].members[0].goal]) >= SIMILAR_WORDS:
            clusters[best].members.append(trace)
            continue
        for word in rare:
            leading[kind, word].append(len(clusters))
        clusters.append(Cluster([trace]))
    return clusters


def cluster_by_meaning(traces: Sequence[Trace], embed: Embeddings) -> list[Cluster]:
    """Put traces together whose goals mean the same.

    Raises:
        EmbeddingError: The embedder failed.
    """
    if not traces:
        return []
    goals = list(dict.fromkeys(trace.goal for trace in traces))
    vectors = _embedded(goals, embed)
    place = {goal: at for at, goal in enumerate(goals)}
    leader_of = _leaders(vectors)
    clusters: dict[int, Cluster] = {}
    for trace in traces:
        clusters.setdefault(leader_of[place[trace.goal]], Cluster()).members.append(trace)
    return list(clusters.values())


def _embedded(goals: list[str], embed: Embeddings) -> Matrix:
    try:
        vectors = np.asarray(embed.embed_documents(goals), dtype=np.float32)
    except MemoryMiddlewareError:
        raise
    except Exception as error:
        raise EmbeddingError(f"the embedder failed on the goals of {len(goals)} episodes: {error}") from error
    if vectors.ndim != 2 or len(vectors) != len(goals) or not np.isfinite(vectors).all():
        raise EmbeddingError(f"the embedder gave vectors of {vectors.shape!r} for {len(goals)} goals")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    normed: Matrix = vectors / lengths
    return normed


def _leaders(vectors: Matrix) -> list[int]:
    """Tell for each vector which one it follows: the nearest earlier leader, or itself.

    A block of vectors is compared with all leaders at once, since one by one would take minutes.
    """
    leaders: list[int] = []
    follows: list[int] = []
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK]
        known = len(leaders)
        scores = block @ vectors[leaders].T if leaders else np.zeros((len(block), 0), np.float32)
        within = block @ block.T
        for at in range(len(block)):
            new = [leader - start for leader in leaders[known:]]
            row = np.concatenate([scores[at], within[at, new]])
            best = int(row.argmax()) if len(row) else -1
            if best >= 0 and row[best] >= SIMILAR:
                follows.append(leaders[best])
            else:
                leaders.append(start + at)
                follows.append(start + at)
    return follows
