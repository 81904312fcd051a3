"""Deciding what new facts mean for what is known: a pure function from facts and neighbours to operations.

A fact is replaced by its address or by an explicit ``replace``, never because another one merely resembles it. What is
replaced stays readable as history: it was true until the new one began.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory_middleware.remember.checking import CheckedFact
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.likeness import is_same, normalised, same_address
from memory_middleware.schemas.record import MemoryRecord, Provenance, RecordLink, RecordState, TrustTier

__all__ = ["Operations", "reconcile"]

_TIERS = tuple(TrustTier)
_SUPERSEDES = "supersedes"
_CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Operations:
    """What to write.

    Attributes:
        added: New records.
        changed: Known records as they are from now on.
        superseded: The ids of the records that do not hold any more.
        confirmed: The ids of the records that were said again.
        contradicted: The ids of known records that a less trusted fact contradicts.
        quarantined: The ids of new records that somebody should look at.
    """

    added: tuple[MemoryRecord, ...] = ()
    changed: tuple[MemoryRecord, ...] = ()
    superseded: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    quarantined: tuple[str, ...] = ()


def reconcile(
    facts: Sequence[CheckedFact],
    retractions: Sequence[Retraction],
    neighbours: Iterable[MemoryRecord],
    *,
    owner_id: str,
    thread_id: str | None,
    now: datetime,
    source: str | None = None,
) -> Operations:
    """Decide what to write.

    Args:
        facts: What was found, in the order it was said.
        retractions: What does not hold any more.
        neighbours: Known records at the same addresses, from the same rounds, or that say nearly the same.
        owner_id: Whose.
        thread_id: Where it was said.
        now: The present moment.
        source: Who found it.
    """
    desk = _Desk(owner_id, thread_id, now, source, {record.id: record for record in neighbours})
    for retraction in retractions:
        if retraction.rounds:
            desk.take_back(retraction)
    for checked in facts:
        if not _was_taken_back(checked, retractions):
            desk.place(checked)
    for retraction in retractions:
        if not retraction.rounds:
            desk.end(retraction)
    return desk.operations()


@dataclass(slots=True)
class _Desk:
    """Known records as they stand while one fact after the other is placed among them."""

    owner_id: str
    thread_id: str | None
    now: datetime
    source: str | None
    known: dict[str, MemoryRecord]
    new: dict[str, None] = field(default_factory=dict)
    touched: dict[str, None] = field(default_factory=dict)
    ended: dict[str, None] = field(default_factory=dict)
    confirmed: dict[str, None] = field(default_factory=dict)
    disputed: dict[str, None] = field(default_factory=dict)

    def place(self, checked: CheckedFact) -> None:
        """Put a fact among the known records."""
        record = self._record(checked)
        if record.id in self.known:
            return  # the same fact from the same rounds: a retry
        if twin := self._twin(record):
            self._confirm(twin, record)
            return
        if record.state is RecordState.QUARANTINED:
            self._add(record)
            return
        for old in self._replaced_by(record, checked.fact.replace):
            if not _may_replace(record, old):
                self._dispute(record, old)
                return
            if old.valid_from and record.valid_from and record.valid_from < old.valid_from:
                # Said earlier, but read later: it was true until the known one began.
                record = record.changed(
                    state=RecordState.SUPERSEDED, valid_to=old.valid_from, updated_at=record.updated_at
                )
                self.ended[record.id] = None
                break
            self._end(old, record.valid_from or self.now, by=record)
            record = record.changed(
                links=(*record.links, RecordLink(to_id=old.id, relation=_SUPERSEDES)), updated_at=record.updated_at
            )
        self._add(record)

    def end(self, retraction: Retraction) -> None:
        """Let what a retraction names end, with nothing in its place."""
        for old in self._current():
            if old.id not in self.new and _is_meant(retraction, old):
                self._end(old, self.now)

    def take_back(self, retraction: Retraction) -> None:
        """Undo what came from rounds that were not meant: it never held, and what it replaced holds again."""
        rounds = set(retraction.rounds)
        for record in list(self.known.values()):
            if record.state is not RecordState.ACTIVE or not record.provenance.round_ids:
                continue
            if not rounds.issuperset(record.provenance.round_ids):
                continue
            self._change(record, state=RecordState.SUPERSEDED, valid_to=record.valid_from, note="taken back")
            self.ended[record.id] = None
            for link in record.links:
                old = self.known.get(link.to_id)
                if link.relation == _SUPERSEDES and old and old.state is RecordState.SUPERSEDED:
                    self._change(old, state=RecordState.ACTIVE, valid_to=None, note=None)
                    self.ended.pop(old.id, None)

    def operations(self) -> Operations:
        """Give what is to be written."""
        return Operations(
            added=tuple(self.known[name] for name in self.new),
            changed=tuple(self.known[name] for name in self.touched if name not in self.new),
            superseded=tuple(self.ended),
            confirmed=tuple(self.confirmed),
            contradicted=tuple(self.disputed),
            quarantined=tuple(name for name in self.new if self.known[name].state is RecordState.QUARANTINED),
        )

    def _record(self, checked: CheckedFact) -> MemoryRecord:
        fact, rounds = checked.fact, checked.rounds
        said_at = max((one.created_at for one in rounds), default=self.now)
        turns = [one.turn for one in rounds if one.turn is not None]
        place = Provenance(
            thread_id=self.thread_id,
            turn=max(turns, default=None),
            message_ids=tuple(dict.fromkeys(name for one in rounds for name in one.message_ids)),
            round_ids=tuple(one.id for one in rounds),
        )
        return MemoryRecord.create(
            self.owner_id,
            fact.content,
            kind=fact.type,
            provenance=place,
            now=said_at,
            tags=fact.tags,
            confidence=fact.confidence,
            subject=fact.subject,
            attribute=fact.attribute,
            trust=checked.trust,
            state=checked.state,
            note=checked.note,
            source=self.source,
            valid_from=said_at,
            valid_to=fact.valid_to if fact.valid_to and fact.valid_to > said_at else None,
            event_time=fact.event_time,
        )

    def _current(self) -> list[MemoryRecord]:
        return [
            record
            for record in self.known.values()
            if record.state is RecordState.ACTIVE and (record.valid_to is None or record.valid_to > self.now)
        ]

    def _twin(self, record: MemoryRecord) -> MemoryRecord | None:
        """Find a known record that says the same, also an archived one."""
        living = (RecordState.ACTIVE, RecordState.ARCHIVED, record.state)
        return next(
            (
                old
                for old in self.known.values()
                if old.state in living and is_same(record, old) and (old.valid_to is None) == (record.valid_to is None)
            ),
            None,
        )

    def _replaced_by(self, record: MemoryRecord, replace: str | None) -> list[MemoryRecord]:
        named = normalised(replace) if replace else None
        return [
            old
            for old in self._current()
            if (same_address(record, old) and (old.valid_to is None) == (record.valid_to is None))
            or (named is not None and normalised(old.content) == named)
        ]

    def _confirm(self, old: MemoryRecord, record: MemoryRecord) -> None:
        """Note that a record was said again: surer, and living again if it was archived."""
        self._change(
            old,
            state=RecordState.ACTIVE if old.state is RecordState.ARCHIVED else old.state,
            confidence=max(old.confidence, record.confidence),
            trust=min(old.trust, record.trust, key=_TIERS.index),
            tags=tuple(dict.fromkeys((*old.tags, *record.tags)))[:8],
        )
        self.confirmed[old.id] = None

    def _dispute(self, record: MemoryRecord, old: MemoryRecord) -> None:
        link = RecordLink(to_id=old.id, relation=_CONTRADICTS)
        why = "pinned" if old.pinned else f"said by the {old.trust.value}"
        self._add(
            record.changed(
                state=RecordState.QUARANTINED,
                note=f"it contradicts what is known and {why}: {old.content}",
                links=(*record.links, link),
                updated_at=record.updated_at,
            )
        )
        self.disputed[old.id] = None

    def _end(self, old: MemoryRecord, moment: datetime, by: MemoryRecord | None = None) -> None:
        began = old.valid_from or old.created_at
        note = None if by is None else f"superseded by {by.id}"
        self._change(old, state=RecordState.SUPERSEDED, valid_from=began, valid_to=max(moment, began), note=note)
        self.ended[old.id] = None

    def _add(self, record: MemoryRecord) -> None:
        self.known[record.id] = record
        self.new[record.id] = None

    def _change(self, record: MemoryRecord, **fields: object) -> None:
        self.known[record.id] = record.changed(**fields)
        self.touched[record.id] = None


def _was_taken_back(checked: CheckedFact, retractions: Sequence[Retraction]) -> bool:
    """Tell whether a fact stands in rounds that a later round took back."""
    cited = {one.id for one in checked.rounds}
    return any(cited <= set(one.rounds) and not cited & set(one.evidence) for one in retractions if one.rounds)


def _may_replace(record: MemoryRecord, old: MemoryRecord) -> bool:
    """A less trusted word does not replace a more trusted one, and nothing replaces what is pinned."""
    return not old.pinned and _TIERS.index(record.trust) <= _TIERS.index(old.trust)


def _is_meant(retraction: Retraction, old: MemoryRecord) -> bool:
    if retraction.content is not None:
        return normalised(old.content) == normalised(retraction.content)
    return same_address(retraction, old)
