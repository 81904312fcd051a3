"""Deciding what new facts mean for what is known: a pure function from facts and neighbours to operations.

A fact is replaced by its address or by an explicit ``replace``, never because another one merely resembles it. What is
replaced stays readable as history: it was true until the new one began. What was said decides by when it was said, not
by when it was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory_middleware.remember.batch_order import steps_of
from memory_middleware.remember.checking import CheckedFact
from memory_middleware.remember.drafting import CONTRADICTS, contradiction_note, doubt_about, record_of
from memory_middleware.remember.extraction.base import Retraction
from memory_middleware.remember.grounding import retracted_by
from memory_middleware.remember.likeness import normalised, same_address
from memory_middleware.remember.timeline import (
    TIME_IS_OVER,
    began,
    due_end,
    ended_note,
    following,
    holding,
    is_twin,
    is_void,
    kept_note,
    known_end,
    rivals_of,
    spared_in,
    undone_in,
    undone_note,
    was_ended,
)
from memory_middleware.schemas.record import MemoryRecord, Provenance, RecordLink, RecordState, TrustTier

__all__ = ["Operations", "ids_of", "joined", "reconcile"]

_TIERS = tuple(TrustTier)
_SUPERSEDES = "supersedes"
_MOST_ROUNDS = 20


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
    for step in steps_of(facts, retractions, now):
        if not isinstance(step, Retraction):
            desk.place(step)
        elif step.rounds:
            desk.take_back(step)
        else:
            desk.end(step)
    return desk.operations()


def ids_of(facts: Sequence[CheckedFact], *, owner_id: str, thread_id: str | None, now: datetime) -> list[str]:
    """Give the ids that facts have as records; they follow from what they say and where it was said."""
    desk = _Desk(owner_id, thread_id, now, None, {})
    return [desk.record_of(checked).id for checked in facts]


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
        """Put a fact among the known records, at the moment it was said."""
        record = self.record_of(checked)
        if record.id in self.known:
            return  # the same fact from the same rounds: a retry
        rivals = rivals_of(record, self.known.values())
        record = _since_first(record, checked, rivals)
        if twin := next((old for old in self.known.values() if is_twin(record, old, rivals)), None):
            self._confirm(twin, record, rivals)
            return
        if record.state is RecordState.QUARANTINED:
            self._add(record)
            return
        replaced = [*holding(rivals, began(record)), *self._named(record, checked.fact.replace)]
        after = following(record, rivals)
        for old in (*replaced, *after):
            if not _may_replace(record, old):
                self._dispute(record, old)
                return
        over = min((began(old) for old in after), default=None) or known_end(record, replaced)
        if over is not None:
            # Said earlier, but read later: it was true until the next one began.
            record = record.changed(state=RecordState.SUPERSEDED, valid_to=over, updated_at=record.updated_at)
            self.ended[record.id] = None
        for old in {old.id: old for old in replaced}.values():
            self._end(old, began(record), by=record)
            link = RecordLink(to_id=old.id, relation=_SUPERSEDES)
            record = record.changed(links=(*record.links, link), updated_at=record.updated_at)
        self._add(self._settled(record))

    def end(self, retraction: Retraction) -> None:
        """Let what a retraction names end when it was said, with nothing in its place."""
        moment = retraction.said_at or self.now
        for old in holding(self.known.values(), moment):
            said_with_it = old.id in self.new and (retraction.said_at is None or began(old) == moment)
            if not _is_meant(retraction, old) or said_with_it:
                continue
            if _may_end(retraction, old):
                self._end(old, moment, undone_note(old, "retracted", retraction.evidence))
            else:
                self._doubt(retraction, old)

    def take_back(self, retraction: Retraction) -> None:
        """Undo what came from rounds that were not meant: it never held, and what it replaced or ended holds again."""
        rounds = set(retraction.rounds)
        for record in list(self.known.values()):
            if record.state is RecordState.QUARANTINED:
                continue
            spared = spared_in(record)
            if undone_in(record) in rounds:
                self._hold_again(record, retraction)
            elif spared and spared.kept_in in rounds:
                self._end(record, spared.moment, undone_note(record, "retracted", (spared.ended_in,)))
            elif record.provenance.round_ids and rounds.issuperset(record.provenance.round_ids) and not is_void(record):
                self._void(record, retraction)

    def _void(self, record: MemoryRecord, retraction: Retraction) -> None:
        if not _may_end(retraction, record):
            self._doubt(retraction, record)
            return
        note = undone_note(record, "taken back", retraction.evidence)
        self._change(record, state=RecordState.SUPERSEDED, valid_to=record.valid_from, note=note)
        self.ended[record.id] = None
        for old in self._superseded_by(record):
            if old.state is RecordState.SUPERSEDED:
                self._revive(old, record)

    def _hold_again(self, record: MemoryRecord, retraction: Retraction) -> None:
        """Let a record hold whose end was not meant, until the next value began, if there is one."""
        note = kept_note(record, retraction.evidence)
        held = record.changed(state=RecordState.ACTIVE, valid_to=due_end(record), note=note)
        rivals = [old for old in rivals_of(held, self.known.values()) if old.id != record.id]
        for old in (*holding(rivals, began(held)), *holding(self._superseded_by(held), began(held))):
            self._end(self.known[old.id], began(held), by=held)
        after = sorted(following(held, rivals), key=began)
        self.ended.pop(record.id, None)
        self._change(held)
        if after:
            self._end(held, began(after[0]), by=after[0])
        else:
            self._change(self._settled(held))

    def _superseded_by(self, record: MemoryRecord) -> list[MemoryRecord]:
        found = (self.known.get(link.to_id) for link in record.links if link.relation == _SUPERSEDES)
        return [old for old in found if old is not None]

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

    def record_of(self, checked: CheckedFact) -> MemoryRecord:
        """Make the record of a fact."""
        return record_of(checked, self.owner_id, self.thread_id, self.now, self.source)

    def _named(self, record: MemoryRecord, replace: str | None) -> list[MemoryRecord]:
        """List what a fact says it replaces; what began later than it was said stays."""
        if not replace:
            return []
        named = normalised(replace)
        return [old for old in holding(self.known.values(), began(record)) if normalised(old.content) == named]

    def _confirm(self, old: MemoryRecord, record: MemoryRecord, rivals: Sequence[MemoryRecord]) -> None:
        """Note that a record was said again: surer, living again if it was archived, and true since the first time."""
        if began(record) < began(old):
            for rival in holding(rivals, began(record)):
                self._end(rival, began(record), by=old)
        held = self._settled(_said_again(old, record))
        self._change(joined(record, old), state=held.state, note=held.note, valid_to=held.valid_to)
        self.confirmed[old.id] = None

    def _dispute(self, record: MemoryRecord, old: MemoryRecord) -> None:
        link = RecordLink(to_id=old.id, relation=CONTRADICTS)
        self._add(
            record.changed(
                state=RecordState.QUARANTINED,
                note=contradiction_note(old),
                links=(*record.links, link),
                updated_at=record.updated_at,
            )
        )
        self.disputed[old.id] = None

    def _doubt(self, retraction: Retraction, old: MemoryRecord) -> None:
        """Leave a record as it is that a retraction may not end, and put the contradiction before somebody."""
        doubt = doubt_about(retraction, old, self.now, self.source)
        if doubt.id not in self.known:
            self._add(doubt)
        self.disputed[old.id] = None

    def _end(
        self, old: MemoryRecord, moment: datetime, note: str | None = None, by: MemoryRecord | None = None
    ) -> None:
        note = note or ended_note(old, f"superseded by {by.id}" if by else "retracted")
        start = began(old)
        self._change(old, state=RecordState.SUPERSEDED, valid_from=start, valid_to=max(moment, start), note=note)
        self.ended[old.id] = None

    def _revive(self, old: MemoryRecord, joke: MemoryRecord) -> None:
        """Let a record hold as long as the one that was not meant would have."""
        ends = [due_end(old), joke.valid_to if was_ended(joke) else None]
        end = min(filter(None, ends), default=None)
        held = old.changed(valid_to=end) if was_ended(joke) else self._settled(_revived(old, end))
        self._change(old, state=held.state, valid_to=held.valid_to, note=held.note)
        if held.state is RecordState.ACTIVE:
            self.ended.pop(old.id, None)

    def _settled(self, record: MemoryRecord) -> MemoryRecord:
        """Let a passing state that is over by now be history at once."""
        if record.state is not RecordState.ACTIVE or record.valid_to is None or record.valid_to > self.now:
            return record
        self.ended[record.id] = None
        return record.changed(state=RecordState.SUPERSEDED, note=TIME_IS_OVER, updated_at=record.updated_at)

    def _add(self, record: MemoryRecord) -> None:
        self.known[record.id] = record
        self.new[record.id] = None

    def _change(self, record: MemoryRecord, **fields: object) -> None:
        self.known[record.id] = record.changed(**fields)
        self.touched[record.id] = None


def _since_first(record: MemoryRecord, checked: CheckedFact, rivals: Sequence[MemoryRecord]) -> MemoryRecord:
    """Let a fact that several rounds say hold since the first of them, unless something else held in between."""
    first = min((one.created_at for one in checked.rounds), default=began(record))
    if first == began(record) or any(first < began(old) <= began(record) for old in rivals):
        return record
    return record.changed(valid_from=first, updated_at=record.updated_at)


def joined(other: MemoryRecord, record: MemoryRecord) -> MemoryRecord:
    """Let a record take over from another that says the same: since when, how sure, by whom, and in which rounds."""
    return record.changed(
        valid_from=min(began(record), began(other)),
        confidence=max(record.confidence, other.confidence),
        trust=min(record.trust, other.trust, key=_TIERS.index),
        tags=tuple(dict.fromkeys((*record.tags, *other.tags)))[:8],
        provenance=_with_rounds(record.provenance, other.provenance),
    )


def _said_again(old: MemoryRecord, record: MemoryRecord) -> MemoryRecord:
    """Let a record live that was archived; of a passing state the end that was told last counts."""
    if was_ended(old):
        return old
    end = record.valid_to if began(record) >= began(old) else old.valid_to
    return _revived(old, end)


def _revived(old: MemoryRecord, end: datetime | None) -> MemoryRecord:
    quarantined = old.state is RecordState.QUARANTINED
    return old if quarantined else old.changed(state=RecordState.ACTIVE, valid_to=end, note=None)


def _with_rounds(old: Provenance, new: Provenance) -> Provenance:
    """Add the rounds that say the same again; of very many the first and the last are kept."""
    rounds = tuple(dict.fromkeys((*old.round_ids, *new.round_ids)))
    kept = rounds if len(rounds) <= _MOST_ROUNDS else (rounds[0], *rounds[1 - _MOST_ROUNDS :])
    return old.model_copy(update={"round_ids": kept})


def _may_replace(record: MemoryRecord, old: MemoryRecord) -> bool:
    """A less trusted word does not replace a more trusted one, and nothing replaces what is pinned."""
    return not old.pinned and _TIERS.index(record.trust) <= _TIERS.index(old.trust)


def _may_end(retraction: Retraction, old: MemoryRecord) -> bool:
    """What others say does not end what the user said, and nothing ends what is pinned."""
    said_by = retracted_by(old.content, retraction.cited) if retraction.cited else TrustTier.USER
    return not old.pinned and _TIERS.index(said_by) <= _TIERS.index(old.trust)


def _is_meant(retraction: Retraction, old: MemoryRecord) -> bool:
    if retraction.content is not None:
        return normalised(old.content) == normalised(retraction.content)
    return same_address(retraction, old)
