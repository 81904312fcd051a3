"""Writing what was decided: records, profile and dialogue, in one transaction."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from memory_middleware.errors import SchemaError
from memory_middleware.remember.checking import Checked
from memory_middleware.remember.profile_addresses import is_about, tells, value_like
from memory_middleware.remember.profile_merge import excludes, merge_learned
from memory_middleware.remember.profile_origins import batch_of, note_gone, note_origins, note_unsaid
from memory_middleware.remember.reconcile import Operations
from memory_middleware.remember.timeline import began, undone_in
from memory_middleware.schemas.merge import validate_content
from memory_middleware.schemas.profile import MemoryStatus, MemoryType, content_class
from memory_middleware.schemas.profile_places import places_of, restore_place
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


def write_profile(
    memories: Repositories, scope: Scope, checked: Checked, now: datetime, ended: Sequence[MemoryRecord] = ()
) -> LearnedProfile:
    """Merge what was learned into the profiles that are in use.

    Args:
        memories: Where the profiles are.
        scope: Whose.
        checked: What was learned.
        now: The present moment.
        ended: Records that do not hold any more; what the profiles have learned of them goes.
    """
    changed: list[MemoryType] = []
    refused: list[str] = []
    problems: list[str] = []
    confidence = max((one.fact.confidence for one in checked.facts), default=0.8)
    batch = batch_of(checked)
    said_at = max((one.created_at for one in (*batch.said, *batch.ended)), default=now)
    source = FieldSource(_SOURCE, confidence, tuple(one.id for one in batch.said), said_at)
    for kind in MemoryType:
        patch, removals = _part(checked.profile_patch, kind), _part(checked.profile_removals, kind)
        profile = memories.profiles.load(scope, kind) if patch or removals or ended or checked.unsaid else None
        if profile is None or profile.status is not MemoryStatus.ACTIVE:
            continue
        sources = memories.profiles.fields.get(scope, kind)
        content = profile.content.model_dump(mode="json")
        over = partial(_is_over, kind, ended)
        merged = merge_learned(content, patch, removals, sources, confidence=confidence, now=said_at, is_over=over)
        refused += [f"{kind.value}.{place}" for place in merged.refused]
        try:
            made = validate_content(content_class(kind), merged.content)
        except SchemaError as error:
            problems.append(f"{kind.value}: {error}")
            continue
        if merged.is_changed:
            memories.profiles.put(scope, kind, made, version=profile.version, source=source)
            former = _former(kind, made.model_dump(mode="json"), checked, ended)
            note_origins(memories, scope, kind, {**merged.displaced, **former}, batch.said)
            note_gone(memories, scope, kind, content, source, batch.ended)
            changed.append(kind)
        note_unsaid(memories, scope, kind, checked.unsaid, source)
    return LearnedProfile(tuple(changed), tuple(refused), "; ".join(problems) or None)


def take_back_profile(
    memories: Repositories, scope: Scope, rounds: set[str], now: datetime, evidence: Sequence[str] = ()
) -> list[str]:
    """Undo what rounds that were not meant have changed in the profiles, and list the places.

    Args:
        memories: Where the profiles are.
        scope: Whose.
        rounds: The ids of the rounds that were not meant.
        now: The present moment.
        evidence: The ids of the rounds that say so; if those are not meant either, all is as it was.
    """
    undone: list[str] = []
    source = FieldSource(_SOURCE, 1.0, tuple(evidence), now)
    for kind in MemoryType:
        sources = memories.profiles.fields.get(scope, kind)
        places = {
            place: found.before
            for place, found in sources.items()
            if found.source == _SOURCE and found.rounds and rounds.issuperset(found.rounds)
        }
        if not places:
            continue
        profile = memories.profiles.load(scope, kind)
        content = profile.content.model_dump(mode="json")
        restored = _restored(content, places)
        made = validate_content(content_class(kind), restored)
        memories.profiles.put(scope, kind, made, version=profile.version, source=source)
        note_gone(memories, scope, kind, content, source)
        undone += [f"{kind.value}.{place}" for place in places]
    return undone


def _former(
    kind: MemoryType, content: Mapping[str, Any], checked: Checked, ended: Sequence[MemoryRecord]
) -> dict[str, Any]:
    """Tell what new values took the place of that came and went within the batch, and so never stood in the profile."""
    former: dict[str, Any] = {}
    for place, value in places_of(content).items():
        new = [one.fact for one in checked.facts if is_about(f"{kind.value}.{place}", value, one.fact)]
        telling = next((fact for fact in new if tells(fact.content, value)), None)
        for old in sorted(ended, key=began) if telling else ():
            if is_about(f"{kind.value}.{place}", value, old) and telling is not None:
                former[place] = value_like(value, telling.content, old.content) or former.get(place)
    return {place: value for place, value in former.items() if value is not None}


def _restored(content: Mapping[str, Any], places: Mapping[str, Any]) -> dict[str, Any]:
    """Put back what stood at places, unless something else that can be there once only stands there by now."""
    made = copy.deepcopy(dict(content))
    for place, value in sorted(places.items(), key=lambda entry: entry[1] is not None):
        if value is None or not _is_taken(made, place, value):
            restore_place(made, place, value)
    return made


def _is_taken(content: Mapping[str, Any], place: str, value: Any) -> bool:
    path = place.partition(":")[0]
    others = (entry for at, entry in places_of(content).items() if at.partition(":")[0] == path and at != place)
    return any(isinstance(entry, Mapping) and entry != value and excludes(entry, value) for entry in others)


def _is_over(kind: MemoryType, ended: Sequence[MemoryRecord], place: str, value: Any) -> bool:
    """Tell whether a profile says something of a record that ended; of one that was not retracted, the same as it."""
    return any(
        is_about(f"{kind.value}.{place}", value, record) and (undone_in(record) or tells(record.content, value))
        for record in ended
    )


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
