"""Which round of a batch each new part of a profile comes from, so that one of them can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_middleware.remember.checking import Checked
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.profile import MemoryType
from memory_middleware.schemas.profile_places import entry_name, places_of
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = ["note_origins", "rounds_of"]


def rounds_of(checked: Checked) -> list[Dialogue]:
    """List the rounds that facts came from."""
    return list({one.id: one for fact in checked.facts for one in fact.rounds}.values())


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


def _saying(value: Any, rounds: Sequence[Dialogue]) -> tuple[str, ...]:
    """Give the rounds in which a value, or the name of an entry, was said; all if it was said in other words."""
    name = entry_name(value)
    saying = tuple(one.id for one in rounds if name in entry_name(one.user_query))
    return saying or tuple(one.id for one in rounds)
