"""Which round of a batch each change of a profile comes from, so that one of them can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memory_middleware.remember.checking import Checked
from memory_middleware.remember.profile_merge import excludes
from memory_middleware.remember.unsaid import Unsaid, rounds_saying
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.profile import MemoryType
from memory_middleware.schemas.profile_places import places_of
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.profile_fields import BY_HAND, FieldSource

__all__ = ["Batch", "batch_of", "note_gone", "note_origins", "note_unsaid"]


class Batch(NamedTuple):
    """The rounds of a batch that change profiles.

    Attributes:
        said: Those that facts came from.
        ended: Those that say that something is over; if none does, those that facts came from.
    """

    said: tuple[Dialogue, ...]
    ended: tuple[Dialogue, ...]


def batch_of(checked: Checked) -> Batch:
    """Tell the rounds of what was checked."""
    said = {one.id: one for fact in checked.facts for one in fact.rounds}
    ended = {one.id: one for retraction in checked.retractions for one in retraction.cited}
    return Batch(tuple(said.values()), tuple((ended or said).values()))


def note_origins(
    memories: Repositories,
    scope: Scope,
    kind: MemoryType,
    displaced: Mapping[str, Any],
    rounds: Sequence[Dialogue],
) -> None:
    """Note for each part that a batch has just set which of its rounds say it, and what had to go for it.

    Args:
        memories: Where the profile is.
        scope: Whose.
        kind: Which profile.
        displaced: What new entries took the place of, by the place of the new one.
        rounds: The rounds of the batch that facts came from.
    """
    batch = tuple(one.id for one in rounds)
    content = memories.profiles.load(scope, kind).content.model_dump(mode="json")
    values = places_of(content)
    sources = memories.profiles.fields.get(scope, kind)
    told = {
        place: found._replace(rounds=_saying(values[place], rounds), before=displaced.get(place, found.before))
        for place, found in sources.items()
        if found.rounds == batch and place in values
    }
    memories.profiles.fields.set(scope, kind, {place: one for place, one in told.items() if one != sources[place]})


def note_gone(
    memories: Repositories,
    scope: Scope,
    kind: MemoryType,
    content: Mapping[str, Any],
    source: FieldSource,
    rounds: Sequence[Dialogue] = (),
) -> None:
    """Note what a change took out of a profile and in which rounds, so that it can be put back.

    Args:
        memories: Where the profile is.
        scope: Whose.
        kind: Which profile.
        content: The profile before the change.
        source: Who changed it.
        rounds: The rounds of the batch that may have said so; without any those of the source did.
    """
    after = places_of(memories.profiles.load(scope, kind).content.model_dump(mode="json"))
    gone = {place: value for place, value in places_of(content).items() if place not in after}
    told = {
        place: source._replace(rounds=_saying(value, rounds) or source.rounds, before=value)
        for place, value in gone.items()
    }
    memories.profiles.fields.set(scope, kind, told)


def note_unsaid(
    memories: Repositories, scope: Scope, kind: MemoryType, unsaid: Sequence[Unsaid], source: FieldSource
) -> None:
    """Note what a batch said and unsaid of a profile, so that it stands if the unsaying was not meant."""
    known = memories.profiles.fields.get(scope, kind)
    values = places_of(memories.profiles.load(scope, kind).content.model_dump(mode="json"))
    told: dict[str, FieldSource] = {}
    for one in unsaid:
        place = one.place.partition(".")[2]
        if not one.place.startswith(f"{kind.value}.") or not one.evidence:
            continue
        rivals = [at for at, value in values.items() if at != place and _is_rival(at, value, place, one.value)]
        told |= {at: source._replace(rounds=one.evidence) for at in rivals}
        if place in values or one.value is not None:
            told[place] = source._replace(rounds=one.evidence, before=one.value)
    free = {place: one for place, one in told.items() if place not in known or known[place].source != BY_HAND}
    memories.profiles.fields.set(scope, kind, free)


def _is_rival(at: str, value: Any, place: str, other: Any) -> bool:
    same_list = at.partition(":")[0] == place.partition(":")[0]
    return same_list and isinstance(value, Mapping) and isinstance(other, Mapping) and excludes(value, other)


def _saying(value: Any, rounds: Sequence[Dialogue]) -> tuple[str, ...]:
    return tuple(one.id for one in rounds_saying(value, rounds))
