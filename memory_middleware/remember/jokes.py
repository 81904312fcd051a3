"""Retractions that name an address but mean "that was a joke": what was just said never held, so it is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.extraction.rules.takebacks import takes_back
from memory_middleware.remember.likeness import Addressed, normalised, same_address
from memory_middleware.schemas.dialogue import Dialogue, Fact
from memory_middleware.schemas.record import MemoryRecord, RecordKind
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = ["joke_about_facts", "joke_about_records"]

# A joke is taken back soon, within so many rounds.
_SOON = 3


def joke_about_facts(retraction: Retraction, facts: Sequence[Fact], rounds: Sequence[Dialogue]) -> Retraction:
    """Let a joke take back the round of the same batch that said it last, if that says nothing else."""
    order = {one.id: at for at, one in enumerate(rounds)}
    named = [
        fact
        for fact in facts
        if _is_joke(retraction) and _is_named(retraction, fact.content, fact) and not _share(fact, retraction)
    ]
    if not named:
        return retraction
    last = max(named, key=lambda fact: max((order.get(name, -1) for name in fact.evidence), default=-1))
    alone = all(fact is last or not _share(fact, last) for fact in facts)
    return _about_rounds(retraction, last.evidence) if alone and last.evidence else retraction


def joke_about_records(memories: Repositories, scope: Scope, retraction: Retraction) -> Retraction:
    """Let a joke take back the rounds of the record it names, if that was said just now and they say nothing else."""
    if not _is_joke(retraction):
        return retraction
    said = retraction.cited[-1]
    here = memories.records.in_thread(scope, said.session_id)
    facts = [one for one in here if one.kind is not RecordKind.DIALOGUE and one.provenance.round_ids]
    named = [one for one in facts if _is_named(retraction, one.content, one) and _is_recent(one, said)]
    if not named:
        return retraction
    last = max(named, key=lambda one: one.provenance.turn or 0)
    rounds = set(last.provenance.round_ids)
    alone = all(one.id == last.id or not rounds & set(one.provenance.round_ids) for one in facts)
    return _about_rounds(retraction, last.provenance.round_ids) if alone else retraction


def _is_joke(retraction: Retraction) -> bool:
    return not retraction.rounds and any(takes_back(one.user_query) for one in retraction.cited)


def _is_named(retraction: Retraction, content: str, one: Addressed) -> bool:
    if retraction.content is not None:
        return normalised(content) == normalised(retraction.content)
    return same_address(retraction, one)


def _is_recent(record: MemoryRecord, said: Dialogue) -> bool:
    turn = record.provenance.turn
    return turn is not None and said.turn is not None and 0 < said.turn - turn <= _SOON


def _share(one: Fact, other: Fact | Retraction) -> bool:
    return bool(set(one.evidence) & set(other.evidence))


def _about_rounds(retraction: Retraction, rounds: Sequence[str]) -> Retraction:
    return replace(retraction, subject=None, attribute=None, content=None, rounds=tuple(rounds))
