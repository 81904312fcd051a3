"""What hangs on episodes that are forgotten: the lessons that rest on them alone, and texts that have vectors."""

from __future__ import annotations

from collections.abc import Sequence

from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.schemas.scope import Scope
from memory_middleware.schemas.skill import ProceduralSkill
from memory_middleware.storage.documents import EXPERIENCE_KINDS, Experience, searched_parts
from memory_middleware.storage.repositories.experience import ExperienceRepository

__all__ = ["embedded_texts", "with_lessons"]

_ALL = 1_000_000_000


def with_lessons(experience: ExperienceRepository, scope: Scope, chosen: Sequence[Experience]) -> list[Experience]:
    """Add the patterns that rest on nothing but forgotten episodes, and the skills that rest on nothing else."""
    gone = {memory.id for memory in chosen}
    patterns = experience.newest(scope, "pattern", limit=_ALL) if gone else []
    rest = [one for one in patterns if isinstance(one, SemanticPattern) and _rests_on(experience, scope, one, gone)]
    found = {memory.id: memory for memory in (*chosen, *rest)}
    targets = [link.to_id for one in rest for link in one.links]
    for memory in experience.get_many(scope, targets):
        backing = {one.id for one in experience.linking_to(scope, [memory.id])}
        if isinstance(memory, ProceduralSkill) and found.keys() >= backing:
            found[memory.id] = memory
    return list(found.values())


def embedded_texts(memory: Experience) -> list[str]:
    """List the texts of an episode, a pattern or a skill that have vectors."""
    kind = next(kind for kind, made in EXPERIENCE_KINDS.items() if isinstance(memory, made))
    return searched_parts(kind, memory.to_dict()).meaning


def _rests_on(experience: ExperienceRepository, scope: Scope, pattern: SemanticPattern, gone: set[str]) -> bool:
    sources = experience.get_many(scope, pattern.source_episodes)
    return bool(gone.intersection(pattern.source_episodes)) and gone.issuperset(one.id for one in sources)
