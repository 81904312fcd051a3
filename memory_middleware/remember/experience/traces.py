"""Episodes made small: what consolidation needs of each, so that ten thousand fit into memory."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from memory_middleware.remember.experience.brief import brief
from memory_middleware.remember.experience.steps import Step, steps_of
from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories.experience import ExperienceRepository

__all__ = ["Met", "Trace", "read_traces", "trace_of"]

_PAGE = 500
_LAST_ACTIONS = 3
_GOAL, _ERROR, _FIX = 300, 80, 240
_MOST_ERRORS, _MOST_FILES = 20, 20


@dataclass(frozen=True, slots=True)
class Met:
    """An error of an episode: its kind, and how it was overcome; empty if it was not."""

    kind: str
    fix: str


@dataclass(frozen=True, slots=True)
class Trace:
    """What consolidation needs of an episode.

    Attributes:
        id: The episode.
        goal: What was to be reached.
        outcome: How it ended.
        timestamp: When it began.
        steps: What went well, in order.
        last_actions: The last tools that were used.
        errors: What went wrong.
        files_read: The first files that were read.
        committed: Whether a commit was made.
    """

    id: str
    goal: str
    outcome: str
    timestamp: datetime
    steps: tuple[Step, ...] = ()
    last_actions: tuple[str, ...] = ()
    errors: tuple[Met, ...] = ()
    files_read: tuple[str, ...] = ()
    committed: bool = False


def trace_of(episode: EpisodeTrace) -> Trace:
    """Take what is needed of an episode. Texts of errors are left behind: tools wrote them."""
    errors = (
        Met(_kept(met.error_type, _ERROR), _kept(met.resolution or "", _FIX)) for met in episode.errors_encountered
    )
    steps = (Step(_kept(step.name, _ERROR), sys.intern(step.kind)) for step in steps_of(episode.action_log))
    return Trace(
        id=episode.id,
        goal=brief(episode.goal, _GOAL),
        outcome=sys.intern(episode.outcome),
        timestamp=episode.timestamp,
        steps=tuple(steps),
        last_actions=tuple(_kept(action.tool, _ERROR) for action in episode.action_log[-_LAST_ACTIONS:]),
        errors=tuple(dict.fromkeys(met for met in errors if met.kind))[:_MOST_ERRORS],
        files_read=tuple((episode.files_read or [])[:_MOST_FILES]),
        committed=bool(episode.git_commit),
    )


def read_traces(experience: ExperienceRepository, scope: Scope, most: int) -> list[Trace]:
    """Read the newest episodes, page by page, and give them with the oldest first."""
    found = {trace.id: trace for trace in _pages(experience, scope, most)}
    return sorted(found.values(), key=lambda trace: (trace.timestamp, trace.id))


def _pages(experience: ExperienceRepository, scope: Scope, most: int) -> Iterator[Trace]:
    for offset in range(0, most, _PAGE):
        page = experience.newest(scope, "episode", limit=min(_PAGE, most - offset), offset=offset)
        yield from (trace_of(episode) for episode in page if isinstance(episode, EpisodeTrace))
        if len(page) < _PAGE:
            return


@functools.lru_cache(16_384)
def _kept(text: str, limit: int) -> str:
    return sys.intern(brief(text, limit))
