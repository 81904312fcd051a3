"""Reading step by step: an index of topics, then their timeline, and whole memories only if these do not suffice.

Index and timeline are plain JSON data, so that they can be kept in files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import Any, NamedTuple

from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.times import to_utc_iso
from memory_middleware.sources.experience.economics import estimate_memory_tokens, estimate_tokens, savings_percent
from memory_middleware.sources.experience.importance import assess_memory
from memory_middleware.sources.experience.layers import full_text, index_line
from memory_middleware.storage.documents import Experience
from memory_middleware.storage.terms import terms_of

__all__ = [
    "Disclosed",
    "FoundTopic",
    "disclose",
    "find_topics",
    "is_sufficient",
    "make_index",
    "make_timeline",
    "recent",
]

_BY_WORDS = 0.3
_ALWAYS = 0.8
_DETAIL = re.compile(
    r"(?<![a-z])(?:exact(?:ly)?|all|every|everything|specific(?:ally)?|details?|detailed|full|complete(?:ly)?)(?![a-z])"
    r"|全部|所有|详细|具体|完整|逐条|准确"
)


class FoundTopic(NamedTuple):
    """A topic of an index, and how well it fits a query."""

    id: str
    score: float


class Disclosed(NamedTuple):
    """What was read, each with its ``type``, and what each layer cost."""

    memories: list[dict[str, Any]]
    metrics: dict[str, float]


def make_index(memories: Iterable[Experience], *, count: Callable[[str], int] = estimate_tokens) -> dict[str, Any]:
    """Make an index with one topic for each memory.

    Args:
        memories: What to list.
        count: Counts the tokens of a text.
    """
    topics = [
        {
            "id": memory.id,
            "summary": index_line(memory),
            "relevance_score": assess_memory(memory),
            "token_count": count(full_text(memory)),
        }
        for memory in memories
    ]
    total = sum(int(topic["token_count"]) for topic in topics)  # type: ignore[call-overload]  # an int among texts
    return {"topics": topics, "total_memories": len(topics), "total_tokens_available": total}


def make_timeline(memories: Iterable[Experience]) -> dict[str, Any]:
    """Make a timeline of the episodes among memories, the newest first."""
    episodes = [memory for memory in memories if isinstance(memory, EpisodeTrace)]
    told = [
        {"timestamp": to_utc_iso(one.timestamp), "action": one.goal, "outcome": one.outcome, "topic_id": one.id}
        for one in episodes
    ]
    return {"recent_actions": sorted(told, key=lambda event: event["timestamp"], reverse=True), "key_decisions": []}


def find_topics(index: Mapping[str, Any], query: str, threshold: float = 0.5) -> list[FoundTopic]:
    """Find the topics that share words with a query, and those that are always of interest, the best first.

    Args:
        index: The topics, each with a relevance of its own.
        query: What is asked.
        threshold: Least score.
    """
    asked = set(terms_of(query))
    found = []
    for topic in index.get("topics", ()):
        relevance = float(topic.get("relevance_score", 0.5))
        shared = len(asked & set(terms_of(topic.get("summary", ""))))
        if shared:
            relevance = min(1.0, relevance + _BY_WORDS * shared / len(asked))
        elif relevance < _ALWAYS:
            continue
        if relevance >= threshold:
            found.append(FoundTopic(topic["id"], relevance))
    return sorted(found, key=lambda topic: -topic.score)


def recent(timeline: Mapping[str, Any], topic_id: str, limit: int = 10) -> list[dict[str, Any]]:
    """List the newest actions and decisions about a topic; ``type`` tells which is which."""
    events = [
        {**event, "type": kind}
        for name, kind in (("recent_actions", "action"), ("key_decisions", "decision"))
        for event in timeline.get(name, ())
        if event.get("topic_id") == topic_id
    ]
    return sorted(events, key=lambda event: str(event.get("timestamp", "")), reverse=True)[:limit]


def is_sufficient(memories: Sized, query: str) -> bool:
    """Tell whether what was read answers a query: there is something, and no detail is asked for."""
    return len(memories) > 0 and _DETAIL.search(query.lower()) is None


def disclose(
    query: str,
    index: Mapping[str, Any],
    timeline: Mapping[str, Any],
    load: Callable[[Sequence[str]], Iterable[Mapping[str, Any]]] | None = None,
    *,
    threshold: float = 0.5,
    count: Callable[[Any], int] = estimate_memory_tokens,
) -> Disclosed:
    """Read no more than a query needs.

    Args:
        query: What is asked.
        index: The topics.
        timeline: What happened lately.
        load: Gives whole memories by the ids of topics; called only if the timeline does not suffice.
        threshold: Least score of a topic.
        count: Counts the tokens of plain data.
    """
    topics = [topic.id for topic in find_topics(index, query, threshold)]
    read = [{**event, "type": "timeline"} for topic in topics for event in recent(timeline, topic)]
    costs = {"layer1_tokens": count(index), "layer2_tokens": count(timeline) if topics else 0, "layer3_tokens": 0}
    if topics and load is not None and not is_sufficient(read, query):
        whole = [dict(memory) for memory in load(topics)]
        costs["layer3_tokens"] = sum(count(memory) for memory in whole)
        read += [{**memory, "type": "full"} for memory in whole]
    total = sum(costs.values())
    saved = savings_percent(total, int(index.get("total_tokens_available", 0)))
    return Disclosed(read, {**costs, "total_tokens": total, "estimated_savings_percent": saved})
