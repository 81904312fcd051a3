"""Writing what was decided: records, profile and dialogue, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from memory_middleware.errors import SchemaError
from memory_middleware.remember.checking import Checked
from memory_middleware.remember.profile_merge import merge_learned
from memory_middleware.remember.profile_origins import note_origins, rounds_of
from memory_middleware.remember.reconcile import Operations
from memory_middleware.schemas.merge import validate_content
from memory_middleware.schemas.profile import MemoryStatus, MemoryType, content_class
from memory_middleware.schemas.profile_places import restore_place
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.profile_fields import FieldSource

__all__ = ["LearnedProfile", "take_back_profile", "write_operations", "write_profile"]

_SOURCE = "extracted"


@dataclass(frozen=True, slots=True)
class LearnedProfile:
    """What became of a profile patch.

    Attributes:
        changed: The documents that changed.
        refused: Places whose value the owner set by hand.
        problem: Why a part of the patch could not be used.
    """

    changed: tuple[MemoryType, ...] = ()
    refused: tuple[str, ...] = ()
    problem: str | None = None


def write_operations(memories: Repositories, scope: Scope, operations: Operations) -> None:
    """Write new records and change known ones; somebody else's change of the same record is kept."""
    memories.records.put(scope, operations.added)
    for record in operations.changed:
        memories.records.update(scope, record.id, partial(_carried, record))


def write_profile(memories: Repositories, scope: Scope, checked: Checked, now: datetime) -> LearnedProfile:
    """Merge what was learned into the profiles that are in use."""
    changed: list[MemoryType] = []
    refused: list[str] = []
    problems: list[str] = []
    confidence = max((one.fact.confidence for one in checked.facts), default=0.8)
    rounds = rounds_of(checked)
    said_at = max((one.created_at for one in rounds), default=now)
    source = FieldSource(_SOURCE, confidence, tuple(one.id for one in rounds), said_at)
    for kind in MemoryType:
        patch, removals = _part(checked.profile_patch, kind), _part(checked.profile_removals, kind)
        profile = memories.profiles.load(scope, kind) if patch or removals else None
        if profile is None or profile.status is not MemoryStatus.ACTIVE:
            continue
        sources = memories.profiles.fields.get(scope, kind)
        content = profile.content.model_dump(mode="json")
        merged = merge_learned(content, patch, removals, sources, confidence=confidence, now=said_at)
        refused += [f"{kind.value}.{place}" for place in merged.refused]
        if not merged.is_changed:
            continue
        try:
            made = validate_content(content_class(kind), merged.content)
        except SchemaError as error:
            problems.append(f"{kind.value}: {error}")
            continue
        memories.profiles.put(scope, kind, made, version=profile.version, source=source)
        note_origins(memories, scope, kind, merged.displaced, rounds)
        changed.append(kind)
    return LearnedProfile(tuple(changed), tuple(refused), "; ".join(problems) or None)


def take_back_profile(memories: Repositories, scope: Scope, rounds: set[str], now: datetime) -> list[str]:
    """Undo what rounds that were not meant have set in the profiles, and list the places."""
    undone: list[str] = []
    for kind in MemoryType:
        sources = memories.profiles.fields.get(scope, kind)
        places = [
            place
            for place, found in sources.items()
            if found.source == _SOURCE and found.rounds and rounds.issuperset(found.rounds)
        ]
        if not places:
            continue
        profile = memories.profiles.load(scope, kind)
        content = profile.content.model_dump(mode="json")
        for place in places:
            restore_place(content, place, sources[place].before)
        made = validate_content(content_class(kind), content)
        memories.profiles.put(scope, kind, made, version=profile.version, source=FieldSource(_SOURCE, 1.0, (), now))
        undone += [f"{kind.value}.{place}" for place in places]
    return undone


def _carried(made: MemoryRecord, found: MemoryRecord) -> MemoryRecord:
    """Take over what was decided about a record, and nothing else."""
    return found.changed(
        state=made.state,
        valid_from=made.valid_from,
        valid_to=made.valid_to,
        confidence=made.confidence,
        trust=made.trust,
        tags=made.tags,
        note=made.note,
        provenance=made.provenance,
    )


def _part(patch: Any, kind: MemoryType) -> dict[str, Any]:
    found = (patch or {}).get(kind.value)
    return dict(found) if found else {}
