"""Episodes, patterns and skills as answers tell them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

__all__ = ["Episode", "Episodes", "FoundExperience", "FoundOne", "Kind", "Pattern", "Patterns", "Skill", "Skills"]

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
