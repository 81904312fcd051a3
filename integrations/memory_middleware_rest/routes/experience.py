"""Episodes, patterns and skills."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from fastapi import Query
from pydantic import BaseModel

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


class _Part(NamedTuple):
    """One kind of experience: how one looks, how a page of them, what listing tells, and an example."""

    kind: Kind
    one: type[BaseModel]
    page: type[BaseModel]
    listing: str
    example: dict[str, Any]


_PARTS = (
    _Part("episode", Episode, Episodes, "List episodes, the newest first.", EPISODE),
    _Part("pattern", Pattern, Patterns, "List patterns with their links, the newest first.", PATTERN),
    _Part("skill", Skill, Skills, "List skills, the newest first.", SKILL),
)
_KINDS = {"EpisodeTrace": "episode", "SemanticPattern": "pattern", "ProceduralSkill": "skill"}


def _add(part: _Part) -> None:
    """Add the three routes of a kind: all, one, and forgetting one."""
    kind, several = part.kind, f"{part.kind}s"
    a_kind = f"an {kind}" if kind == "episode" else f"a {kind}"

    @TABLE.add(
        "GET",
        f"/{several}",
        answer=part.page,
        example={several: [part.example], "next": None},
        operation_id=f"list_{several}",
        description=part.listing,
    )
    def listed(visit: Here, limit: Limit = 50, offset: Offset = 0) -> Any:
        return _page(visit, kind, limit, offset)

    @TABLE.add(
        "GET",
        f"/{several}/{{entry_id}}",
        answer=part.one,
        example=part.example,
        errors=(404,),
        operation_id=f"get_{kind}",
        description=f"Give {a_kind}.",
    )
    def given(visit: Here, entry_id: Id) -> Any:
        return _one(visit, kind, entry_id)

    @TABLE.add(
        "DELETE",
        f"/{several}/{{entry_id}}",
        answer=Receipt,
        example=RECEIPT,
        errors=(404,),
        operation_id=f"delete_{kind}",
        description=f"Forget {a_kind}.",
    )
    def forgotten(visit: Here, entry_id: Id) -> Any:
        _one(visit, kind, entry_id)
        return visit.memory.forget(visit.scope, ids=[entry_id])


for _part in _PARTS:
    _add(_part)


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
        raise missing(kind, entry_id, "no-experience")
    return found.to_dict()
