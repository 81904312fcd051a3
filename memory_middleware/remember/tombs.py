"""Marks of what was forgotten: the same words of the same round must not bring it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memory_middleware.remember.checking import CheckedFact
from memory_middleware.remember.likeness import normalised
from memory_middleware.remember.profile_addresses import is_about, tells
from memory_middleware.remember.unsaid import rounds_saying, sifted
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = [
    "mark_of",
    "marks_of",
    "profile_mark",
    "said_mark",
    "without_forgotten",
    "without_forgotten_rounds",
    "without_forgotten_values",
]


def mark_of(experience_id: str) -> str:
    """Give the mark of an episode, a pattern or a skill; their ids follow from what they are made of."""
    return f"experience|{experience_id}"


def marks_of(records: Iterable[MemoryRecord]) -> set[str]:
    """Give the marks by which records are known again when their rounds are read once more."""
    marks: set[str] = set()
    for record in records:
        for name in record.provenance.round_ids:
            if record.kind is RecordKind.DIALOGUE:
                marks.add(said_mark(name))
            else:
                marks |= _of_fact(name, record.content, record.subject, record.attribute)
    return marks


def without_forgotten(memories: Repositories, scope: Scope, facts: Sequence[CheckedFact]) -> list[CheckedFact]:
    """Leave out facts that were forgotten in all the rounds they came from."""
    marks = {
        (at, one.id): {
            said_mark(one.id),
            *_of_fact(one.id, checked.fact.content, checked.fact.subject, checked.fact.attribute),
        }
        for at, checked in enumerate(facts)
        for one in checked.rounds
    }
    gone = memories.tombstones.among(scope, set().union(*marks.values()))
    return [
        checked
        for at, checked in enumerate(facts)
        if not checked.rounds or not all(marks[at, one.id] & gone for one in checked.rounds)
    ]


def without_forgotten_rounds(memories: Repositories, scope: Scope, rounds: Sequence[Dialogue]) -> list[Dialogue]:
    """Leave out rounds whose words were forgotten."""
    gone = memories.tombstones.among(scope, [said_mark(one.id) for one in rounds])
    return [one for one in rounds if said_mark(one.id) not in gone]


def profile_mark(round_id: str, place: str) -> str:
    """Give the mark of what a round has set at a place of a profile."""
    return f"{round_id}|profile|{place}"


def without_forgotten_values(
    memories: Repositories,
    scope: Scope,
    patch: Mapping[str, Any] | None,
    gone: Sequence[CheckedFact],
    rounds: Sequence[Dialogue],
) -> Mapping[str, Any] | None:
    """Leave out of a patch what was forgotten: told by facts that are left out, or set by the same rounds before.

    Args:
        memories: Where the marks are.
        scope: Whose.
        patch: What would be set.
        gone: Facts that were left out.
        rounds: The rounds of the batch.
    """
    if not patch:
        return patch
    marks: dict[tuple[str, str], list[set[str]]] = {}

    def look(place: str, value: Any) -> Any:
        said = rounds_saying(value, rounds)
        marks[place, repr(value)] = [{profile_mark(one.id, place), said_mark(one.id)} for one in said]
        return value

    def keep(place: str, value: Any) -> Any:
        if any(is_about(place, value, one.fact) or tells(one.fact.content, value) for one in gone):
            return None
        said = marks[place, repr(value)]
        return None if said and all(found & one for one in said) else value

    sifted(patch, look)
    found = memories.tombstones.among(scope, {mark for said in marks.values() for one in said for mark in one})
    return sifted(patch, keep) or None


def said_mark(round_id: str) -> str:
    """Give the mark of a round whose words were forgotten."""
    return f"{round_id}|said"


def _of_fact(round_id: str, content: str, subject: str | None, attribute: str | None) -> set[str]:
    marks = {f"{round_id}|says|{normalised(content)}"}
    if subject and attribute:
        marks.add(f"{round_id}|about|{normalised(subject)}|{normalised(attribute)}")
    return marks
