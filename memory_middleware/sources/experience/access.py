"""Noting that experience was used: it counts for more, and fades from now on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from datetime import datetime

from memory_middleware.schemas import times
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.experience.importance import BOOST, boosted
from memory_middleware.storage.documents import Experience
from memory_middleware.storage.repositories.experience import ExperienceRepository

__all__ = ["accessed", "touched"]


def touched(memory: Experience, *, now: datetime, boost: float = BOOST) -> Experience:
    """Give a memory as it is after one more access."""
    return dataclasses.replace(
        memory,
        importance=boosted(memory.importance, boost),
        access_count=memory.access_count + 1,
        last_accessed=now,
    )


def accessed(
    repository: ExperienceRepository,
    scope: Scope,
    entry_ids: Iterable[str],
    *,
    boost: float = BOOST,
    now: datetime | None = None,
) -> list[Experience]:
    """Note that memories were used, all in one transaction, and give them as they are now.

    Args:
        repository: Where they are.
        scope: Whose they are.
        entry_ids: Their ids; what is not there is left out.
        boost: The share of the missing importance that an access adds.
        now: When it was; by default now.

    Raises:
        ConflictError: Others changed them again and again.
    """
    moment = now or times.utc_now()
    return repository.update(scope, entry_ids, lambda memory: touched(memory, now=moment, boost=boost))
