"""Rounds as records of kind ``dialogue``, so that what was said can be recalled in its own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from memory_middleware.remember.references.answer import read_answer
from memory_middleware.remember.suspicion import is_attack
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.record import MemoryRecord, Provenance, RecordKind, RecordState, TrustTier
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.terms import has_cjk, terms_of

__all__ = ["dialogue_records", "keep_sayings", "retire_sayings", "saying_id", "sayings_of"]

_LONGEST = 4000
_LEAST = 12
_SOURCE = "dialogue"
_COVERED = 0.6
_SPEAKERS = ("user", "assistant")
_ASKED = re.compile(r"(?:[^.!?。！？\n]+[?？]+\s*)+")


def dialogue_records(rounds: Sequence[Dialogue]) -> list[MemoryRecord]:
    """Make two records of each round, one for each side; what says next to nothing is left out."""
    return [
        MemoryRecord.create(
            one.owner_id,
            text[:_LONGEST],
            kind=RecordKind.DIALOGUE,
            id=saying_id(one.id, speaker),
            provenance=Provenance(
                thread_id=one.session_id,
                turn=None if one.turn is None else 2 * one.turn + at,
                message_ids=one.message_ids,
                round_ids=(one.id,),
            ),
            now=one.created_at,
            subject=speaker,
            trust=trust,
            source=_SOURCE,
            valid_from=one.created_at,
            **_aside(text),
        )
        for one in rounds
        for at, (speaker, trust, text) in enumerate(
            (
                (_SPEAKERS[0], TrustTier.USER, one.user_query.strip()),
                (_SPEAKERS[1], TrustTier.ASSISTANT, one.assistant_response.strip()),
            )
        )
        if _meaning(text) >= _LEAST and not _is_idle(one, speaker)
    ]


def _is_idle(one: Dialogue, speaker: str) -> bool:
    """Tell whether one side of a round tells nothing: an answer that knows none, and the question before it.

    Told again, they would only teach a model that it does not know.
    """
    if read_answer(one.assistant_response, _LONGEST).sentences or not one.assistant_response.strip():
        return False
    return speaker == _SPEAKERS[1] or _ASKED.fullmatch(one.user_query.strip()) is not None


def _aside(text: str) -> dict[str, Any]:
    """Put words aside that try to steer whoever is told them."""
    suspicious = is_attack(text)
    return {"state": RecordState.QUARANTINED, "note": "it tries to steer the agent"} if suspicious else {}


def saying_id(round_id: str, speaker: str) -> str:
    """Give the id of the record of one side of a round."""
    return derive_id("say", round_id, speaker)


def sayings_of(memories: Repositories, scope: Scope, records: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """Give what was said in the rounds that records came from."""
    rounds = dict.fromkeys(name for record in records for name in record.provenance.round_ids)
    return memories.records.get_many(scope, [saying_id(name, speaker) for name in rounds for speaker in _SPEAKERS])


def keep_sayings(memories: Repositories, scope: Scope, said: Sequence[MemoryRecord]) -> None:
    """Keep what was said; what is there already keeps its state, and gains what another agent answered."""
    there = {record.id: record for record in memories.records.get_many(scope, [record.id for record in said])}
    memories.records.put(scope, [record for record in said if record.id not in there])
    for record in said:
        old = there.get(record.id)
        if old is not None and record.content not in old.content:
            text = record.content if old.content in record.content else f"{old.content}\n{record.content}"
            memories.records.patch(scope, record.id, content=text[:_LONGEST])


def retire_sayings(memories: Repositories, scope: Scope, ended: Iterable[MemoryRecord]) -> list[str]:
    """Let what was said end with the facts that were drawn from it, and list the ids.

    Words that nobody would miss, because facts tell all of them, are recalled only as of their time; others that
    hold something more stay, but count less.
    """
    retired: list[str] = []
    for fact in ended:
        for record in sayings_of(memories, scope, [fact]):
            if record.valid_to is None and set(_terms(record)) & set(_terms(fact)):
                whole = _covered(record, _told(memories, scope, fact, record)) >= _COVERED
                memories.records.update(scope, record.id, partial(_retired, fact, whole))
                retired.append(record.id)
    return retired


def _told(memories: Repositories, scope: Scope, fact: MemoryRecord, saying: MemoryRecord) -> set[str]:
    """Give the words of all facts from the round of a saying."""
    place = saying.provenance
    # Facts have the number of the round, its two sides twice that.
    beside = memories.records.in_turn(scope, place.thread_id or "", None if place.turn is None else place.turn // 2)
    rounds = set(place.round_ids)
    facts = [one for one in beside if one.kind is not RecordKind.DIALOGUE and rounds & set(one.provenance.round_ids)]
    return {term for one in (fact, *facts) for term in _terms(one)}


def _retired(fact: MemoryRecord, whole: bool, record: MemoryRecord) -> MemoryRecord:
    note = f"it told what {fact.id} told"
    if not whole or fact.valid_to is None:
        return record.changed(importance=0.0, note=note)
    began = record.valid_from or record.created_at
    return record.changed(valid_from=began, valid_to=max(fact.valid_to, began), note=note)


def _covered(record: MemoryRecord, told: set[str]) -> float:
    said = set(_terms(record))
    return len(said & told) / len(said) if said else 1.0


def _terms(record: MemoryRecord) -> list[str]:
    return terms_of(record.content.replace("用户", " "))


def _meaning(text: str) -> int:
    return sum(3 if has_cjk(char) else 1 for char in text[:_LONGEST] if char.isalnum())
