"""Following links: what a search found brings along what it is linked with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.storage.documents import Experience

__all__ = ["Candidate", "Reached", "expand", "links_of"]

_SHARE = 0.5
_FROM_SOURCE = 1.0
_MOST = 50
# What one of the ends has replaced is not worth bringing along.
_OUTDATED_TARGET = "supersedes"
_OUTDATED_ORIGIN = "superseded_by"

Place = tuple[type[Experience], str]


class Reached(NamedTuple):
    """The link by which a memory was reached: from which memory, as what, how strongly."""

    origin: str
    relation: str
    strength: float


class Candidate(NamedTuple):
    """A memory, how well it fits the query, and the link that brought it, if the search did not."""

    memory: Experience
    relevance: float
    reached: Reached | None = None

    @property
    def place(self) -> Place:
        """What tells it from all other memories of an owner."""
        return type(self.memory), self.memory.id


def links_of(memory: Experience) -> dict[str, Reached]:
    """List where a memory leads, by id: its links and the episodes it was drawn from; the strongest link counts."""
    if not isinstance(memory, SemanticPattern):
        return {}
    found: dict[str, Reached] = {}
    for episode in memory.source_episodes or ():
        found[episode] = Reached(memory.id, "derived_from", _FROM_SOURCE)
    for link in memory.links:
        known = found.get(link.to_id)
        if link.relation != _OUTDATED_TARGET and (known is None or link.strength > known.strength):
            found[link.to_id] = Reached(memory.id, link.relation, link.strength)
    return found


def expand(
    hits: Sequence[Candidate],
    get: Callable[[Sequence[str]], Iterable[Experience]],
    linking: Callable[[Sequence[str]], Iterable[Experience]],
) -> list[Candidate]:
    """Add what the hits are linked with, one step far, each memory once and with its best relevance.

    Args:
        hits: What the search found, the best first.
        get: Gives memories by their ids.
        linking: Gives the memories that link to one of these ids.
    """
    relevance = {hit.memory.id: hit.relevance for hit in reversed(hits)}
    ways: dict[str, list[Reached]] = {}
    for hit in hits:
        for target, way in links_of(hit.memory).items():
            ways.setdefault(target, []).append(way)
    wanted = list(ways)[:_MOST]
    found = [(memory, ways[memory.id]) for memory in (get(wanted) if wanted else ())]
    for memory in list(linking(list(relevance)))[:_MOST] if relevance else ():
        found.append((memory, _ways_back(memory, relevance)))
    best = {hit.place: hit for hit in hits}
    for memory, reached in found:
        for way in reached:
            made = Candidate(memory, relevance[way.origin] * way.strength * _SHARE, way)
            known = best.get(made.place)
            if known is None or made.relevance > known.relevance:
                best[made.place] = made
    return list(best.values())


def _ways_back(memory: Experience, hits: Mapping[str, float]) -> list[Reached]:
    """List the links of a memory that lead to hits, as seen from there."""
    back = links_of(memory).items()
    return [
        Reached(target, way.relation, way.strength)
        for target, way in back
        if target in hits and way.relation != _OUTDATED_ORIGIN
    ]
