"""What is known near to new facts: at their addresses, in their rounds, or in nearly their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import UTC

from memory_middleware.remember.checking import Checked, CheckedFact
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.timeline import spared_in, undone_in
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.rank import RankWeights
from memory_middleware.sources.long_term.records import RecalledRecord, recall_records
from memory_middleware.storage.repositories import Repositories

__all__ = ["known_near", "near_in_words", "neighbours_of", "with_known_subjects"]

_LIVING = (RecordState.ACTIVE, RecordState.ARCHIVED)
_ALL = tuple(RecordState)
_HELD = (RecordState.ACTIVE, RecordState.SUPERSEDED)
_KINDS = tuple(kind for kind in RecordKind if kind is not RecordKind.DIALOGUE)
_NEAR = 5
_NAMESAKES = 20
# Words are taken back soon after they were said; so many records that changed last are looked at.
_RECENT = 500
_OWNER = "user"
# Nothing but what the records say counts here.
_PLAIN = RankWeights(**{field.name: 0.0 for field in fields(RankWeights) if field.name != "dense"})


def known_near(
    memories: Repositories, scope: Scope, rounds: Sequence[Dialogue], *, limit: int = 20
) -> list[MemoryRecord]:
    """Give records that an extractor should know when it reads rounds, the nearest first."""
    found: dict[str, tuple[float, MemoryRecord]] = {}
    for one in rounds:
        if one.user_query.strip():
            for hit in _nearest(memories, scope, one.user_query[:1000]):
                score = max(hit.score, found.get(hit.record.id, (0.0, hit.record))[0])
                found[hit.record.id] = (score, hit.record)
    ranked = sorted(found.values(), key=lambda entry: -entry[0])
    return [record for _, record in ranked[:limit]]


def near_in_words(
    memories: Repositories, scope: Scope, facts: Iterable[CheckedFact], retractions: Iterable[Retraction] = ()
) -> list[str]:
    """List the ids of records that may say the same as facts, or that retractions name by their text."""
    texts = [text for checked in facts for text in (checked.fact.content, checked.fact.replace)]
    texts += [retraction.content for retraction in retractions]
    found: dict[str, None] = {}
    for text in filter(None, texts):
        hits = _nearest(memories, scope, text, states=_LIVING)
        found |= {hit.record.id: None for hit in hits}
    return list(found)


def neighbours_of(memories: Repositories, scope: Scope, checked: Checked, near: Sequence[str]) -> list[MemoryRecord]:
    """Read all that new facts must be reconciled with, as it is now.

    Args:
        memories: Where the records are.
        scope: Whose, in which thread.
        checked: What was found.
        near: The ids of records that may say the same.
    """
    found = {record.id: record for record in memories.records.get_many(scope, near)}
    for subject, attribute in _addresses(checked):
        for record in memories.records.at_address(scope, subject, attribute, states=_ALL):
            found[record.id] = record
    taken_back = {name for retraction in checked.retractions for name in retraction.rounds}
    if taken_back and scope.thread_id:
        found |= {record.id: record for record in _from_rounds(memories, scope, taken_back)}
    return [record for record in found.values() if record.kind is not RecordKind.DIALOGUE]


def _from_rounds(memories: Repositories, scope: Scope, rounds: set[str]) -> list[MemoryRecord]:
    """Read what rounds have made or ended, with what stands at the same addresses or was replaced by it."""
    here = memories.records.in_thread(scope, scope.thread_id or "")
    made = [one for one in here if one.provenance.round_ids and rounds.issuperset(one.provenance.round_ids)]
    recent = memories.records.newest(scope, states=_HELD, kinds=_KINDS, limit=_RECENT)
    made += [one for one in recent if undone_in(one) in rounds or _was_spared(one, rounds)]
    places = {(one.subject, one.attribute) for one in made if one.subject and one.attribute}
    beside = [one for place in places for one in memories.records.at_address(scope, *place, states=_ALL)]
    linked = [link.to_id for one in (*made, *beside) for link in one.links]
    return [*made, *beside, *memories.records.get_many(scope, linked)]


def _was_spared(record: MemoryRecord, rounds: set[str]) -> bool:
    spared = spared_in(record)
    return spared is not None and spared.kept_in in rounds


def with_known_subjects(memories: Repositories, scope: Scope, facts: Sequence[CheckedFact]) -> tuple[CheckedFact, ...]:
    """Let facts about a bare name be about the only one of that name who is known, such as ``Anna (sister)``."""
    return tuple(_with_known_subject(memories, scope, checked, facts) for checked in facts)


def _with_known_subject(
    memories: Repositories, scope: Scope, checked: CheckedFact, facts: Sequence[CheckedFact]
) -> CheckedFact:
    subject = checked.fact.subject
    if not subject or subject == _OWNER or "(" in subject:
        return checked
    hits = _nearest(memories, scope, subject, limit=_NAMESAKES)
    known = [hit.record.subject for hit in hits] + [other.fact.subject for other in facts]
    names = {name for name in known if name and name.casefold().startswith(f"{subject.casefold()} (")}
    bare = any(hit.record.subject and hit.record.subject.casefold() == subject.casefold() for hit in hits)
    if len(names) != 1 or bare:
        return checked
    fact = checked.fact.model_copy(update={"subject": names.pop()})
    return CheckedFact(fact, checked.rounds, checked.trust, checked.state, checked.note)


def _nearest(
    memories: Repositories,
    scope: Scope,
    text: str,
    *,
    limit: int = _NEAR,
    states: Sequence[RecordState] = (RecordState.ACTIVE,),
) -> list[RecalledRecord]:
    """Find records by meaning and words alone; dialogue is not among them."""
    return recall_records(memories, scope, text, limit=limit, kinds=_KINDS, include=states, weights=_PLAIN, zone=UTC)


def _addresses(checked: Checked) -> set[tuple[str, str]]:
    places = [(one.fact.subject, one.fact.attribute) for one in checked.facts]
    places += [(one.subject, one.attribute) for one in checked.retractions]
    return {(subject, attribute) for subject, attribute in places if subject and attribute}
