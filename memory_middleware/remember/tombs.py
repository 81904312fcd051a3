"""Marks of what was forgotten: the same words of the same round must not bring it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memory_middleware.remember.checking import CheckedFact
from memory_middleware.remember.likeness import normalised
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = ["mark_of", "marks_of", "said_mark", "without_forgotten", "without_forgotten_rounds"]


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
        (at, one.id): _of_fact(one.id, checked.fact.content, checked.fact.subject, checked.fact.attribute)
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


def said_mark(round_id: str) -> str:
    """Give the mark of a round whose words were forgotten."""
    return f"{round_id}|said"


def _of_fact(round_id: str, content: str, subject: str | None, attribute: str | None) -> set[str]:
    marks = {f"{round_id}|says|{normalised(content)}"}
    if subject and attribute:
        marks.add(f"{round_id}|about|{normalised(subject)}|{normalised(attribute)}")
    return marks
