"""Episodes, patterns and skills."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from memory_middleware import Receipt
from memory_middleware_rest.examples import EPISODE, PATTERN, RECEIPT, SKILL
from memory_middleware_rest.fields import Id, Limit, Offset
from memory_middleware_rest.finding import missing
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE"]

TABLE = RouteTable("experience")

Asked = Annotated[str, Query(alias="q", min_length=1, max_length=4000, description="What is asked")]
Kind = Literal["episode", "pattern", "skill"]


class Context(BaseModel):
    """What an episode was about."""

    phase: str
    goal: str
    files_involved: list[str]


class Action(BaseModel):
    """One action, seconds after the start."""

    t: float
    action: str
    target: str
    result: str


class Mishap(BaseModel):
    """An error, and how it was resolved."""

    type: str
    message: str
    resolution: str


class Fix(BaseModel):
    """A common error and its remedy."""

    error: str
    fix: str


class Connection(BaseModel):
    """A link to another memory."""

    to: str
    relation: str
    strength: float


class Episode(BaseModel):
    """One task from start to end."""

    id: str
    task_id: str
    timestamp: datetime
    duration_seconds: float
    agent: str
    context: Context
    action_log: list[Action]
    outcome: str
    errors_encountered: list[Mishap]
    artifacts_produced: list[str]
    git_commit: str | None
    tokens_used: float
    files_read: list[str]
    files_modified: list[str]
    importance: float
    access_count: float
    last_accessed: datetime | None = None


class Pattern(BaseModel):
    """A lesson drawn from episodes."""

    id: str
    pattern: str
    category: str
    conditions: list[str]
    correct_approach: str
    incorrect_approach: str
    confidence: float
    source_episodes: list[str]
    usage_count: float
    links: list[Connection]
    importance: float
    access_count: float
    last_used: datetime | None = None
    last_accessed: datetime | None = None


class Skill(BaseModel):
    """Steps that reach a goal."""

    id: str
    name: str
    description: str
    prerequisites: list[str]
    steps: list[str]
    common_errors: list[Fix]
    exit_criteria: list[str]
    example_usage: str | None = None
    importance: float
    access_count: float
    last_accessed: datetime | None = None


class Episodes(BaseModel):
    """A page of episodes, the newest first."""

    episodes: list[Episode]
    next: int | None = Field(description="The offset of the page after it")


class Patterns(BaseModel):
    """A page of patterns, the newest first."""

    patterns: list[Pattern]
    next: int | None = Field(description="The offset of the page after it")


class Skills(BaseModel):
    """A page of skills, the newest first."""

    skills: list[Skill]
    next: int | None = Field(description="The offset of the page after it")


class FoundOne(BaseModel):
    """An episode, pattern or skill that was found."""

    kind: Kind
    score: float
    memory: Episode | Pattern | Skill


class FoundExperience(BaseModel):
    """What fits a query, the best first."""

    found: list[FoundOne]


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
