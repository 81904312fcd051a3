"""Episodes, patterns and skills."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from memory_middleware import Receipt
from memory_middleware_rest.examples import EPISODE, PATTERN, RECEIPT, SKILL
from memory_middleware_rest.experience_answers import (
    Episode,
    Episodes,
    FoundExperience,
    Kind,
    Pattern,
    Patterns,
    Skill,
    Skills,
)
from memory_middleware_rest.fields import Id, Limit, Offset
from memory_middleware_rest.finding import missing
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE"]

TABLE = RouteTable("experience")

Asked = Annotated[str, Query(alias="q", min_length=1, max_length=4000, description="What is asked")]


@TABLE.add("GET", "/episodes", answer=Episodes, example={"episodes": [EPISODE], "next": None})
def list_episodes(visit: Here, limit: Limit = 50, offset: Offset = 0) -> Any:
    """List episodes, the newest first."""
    return _page(visit, "episode", limit, offset)


@TABLE.add("GET", "/patterns", answer=Patterns, example={"patterns": [PATTERN], "next": None})
def list_patterns(visit: Here, limit: Limit = 50, offset: Offset = 0) -> Any:
    """List patterns with their links, the newest first."""
    return _page(visit, "pattern", limit, offset)


@TABLE.add("GET", "/skills", answer=Skills, example={"skills": [SKILL], "next": None})
def list_skills(visit: Here, limit: Limit = 50, offset: Offset = 0) -> Any:
    """List skills, the newest first."""
    return _page(visit, "skill", limit, offset)


@TABLE.add("GET", "/episodes/{entry_id}", answer=Episode, example=EPISODE, errors=(404,))
def get_episode(visit: Here, entry_id: Id) -> Any:
    """Give an episode."""
    return _one(visit, "episode", entry_id)


@TABLE.add("GET", "/patterns/{entry_id}", answer=Pattern, example=PATTERN, errors=(404,))
def get_pattern(visit: Here, entry_id: Id) -> Any:
    """Give a pattern."""
    return _one(visit, "pattern", entry_id)


@TABLE.add("GET", "/skills/{entry_id}", answer=Skill, example=SKILL, errors=(404,))
def get_skill(visit: Here, entry_id: Id) -> Any:
    """Give a skill."""
    return _one(visit, "skill", entry_id)


@TABLE.add("DELETE", "/episodes/{entry_id}", answer=Receipt, example=RECEIPT, errors=(404,))
def delete_episode(visit: Here, entry_id: Id) -> Any:
    """Forget an episode."""
    return _forgotten(visit, "episode", entry_id)


@TABLE.add("DELETE", "/patterns/{entry_id}", answer=Receipt, example=RECEIPT, errors=(404,))
def delete_pattern(visit: Here, entry_id: Id) -> Any:
    """Forget a pattern."""
    return _forgotten(visit, "pattern", entry_id)


@TABLE.add("DELETE", "/skills/{entry_id}", answer=Receipt, example=RECEIPT, errors=(404,))
def delete_skill(visit: Here, entry_id: Id) -> Any:
    """Forget a skill."""
    return _forgotten(visit, "skill", entry_id)


@TABLE.add(
    "GET",
    "/experience/search",
    answer=FoundExperience,
    example={"found": [{"kind": "skill", "score": 0.8, "memory": SKILL}]},
)
def search_experience(visit: Here, query: Asked, kind: Kind | None = None, limit: Limit = 10) -> Any:
    """Find episodes, patterns and skills by meaning and words."""
    found = visit.memory.store.memories.experience.search(visit.scope, query, kind=kind, limit=visit.rows(limit))
    return {
        "found": [
            {"kind": _KINDS[type(one.memory).__name__], "score": one.score, "memory": one.memory.to_dict()}
            for one in found
        ]
    }


_KINDS = {"EpisodeTrace": "episode", "SemanticPattern": "pattern", "ProceduralSkill": "skill"}


def _page(visit: Visit, kind: Kind, limit: int, offset: int) -> dict[str, Any]:
    rows = visit.rows(limit)
    found = visit.memory.store.memories.experience.newest(visit.scope, kind, limit=rows + 1, offset=offset)
    return {
        f"{kind}s": [memory.to_dict() for memory in found[:rows]],
        "next": offset + rows if len(found) > rows else None,
    }


def _one(visit: Visit, kind: Kind, entry_id: str) -> dict[str, Any]:
    found = visit.memory.store.memories.experience.get(visit.scope, kind, entry_id)
    if found is None:
        raise missing(kind, entry_id)
    return found.to_dict()


def _forgotten(visit: Visit, kind: Kind, entry_id: str) -> Receipt:
    _one(visit, kind, entry_id)
    return visit.memory.forget(visit.scope, ids=[entry_id])
