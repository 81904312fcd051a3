"""When records hold: the values at one address, one after the other, whenever they were read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from memory_middleware.remember.likeness import is_same, same_address
from memory_middleware.schemas.record import MemoryRecord, RecordState
from memory_middleware.schemas.times import parse_utc, to_utc_iso

__all__ = [
    "TIME_IS_OVER",
    "Spared",
    "began",
    "due_end",
    "ended_note",
    "following",
    "holding",
    "is_passing",
    "is_twin",
    "is_void",
    "kept_note",
    "known_end",
    "rivals_of",
    "spared_in",
    "undone_in",
    "undone_note",
    "was_ended",
]

TIME_IS_OVER = "its time is over"
"""The note of a passing state that ended by itself."""

_LIVING = (RecordState.ACTIVE, RecordState.ARCHIVED)
_UNDONE = re.compile(r"^(?:retracted|taken back) in (\S+?)(?:,|$)")
_SPARED = re.compile(r"^kept in (\S+), ended (\S+) in (\S+)$")
_DUE = re.compile(r", due to end (\S+)$")


class Spared(NamedTuple):
    """An end that was taken back: in which round, when it had been, and which round had said so."""

    kept_in: str
    moment: datetime
    ended_in: str


def began(record: MemoryRecord) -> datetime:
    """Tell since when a record is true."""
    return record.valid_from or record.created_at


def is_void(record: MemoryRecord) -> bool:
    """Tell whether a record was never true, as one that was taken back."""
    return record.valid_to is not None and record.valid_to <= began(record)


def is_passing(record: MemoryRecord) -> bool:
    """Tell whether a record states something that ends by itself, or did before it was ended."""
    if record.state is not RecordState.SUPERSEDED:
        return record.valid_to is not None
    return due_end(record) is not None or record.note == TIME_IS_OVER


def was_ended(record: MemoryRecord) -> bool:
    """Tell whether something else ended a record, rather than its own time."""
    return record.state is RecordState.SUPERSEDED and record.note != TIME_IS_OVER


def ended_note(record: MemoryRecord, why: str) -> str:
    """Say why a record ends, and when it would have ended by itself."""
    due = due_end(record) if was_ended(record) else record.valid_to
    return why if due is None else f"{why}, due to end {to_utc_iso(due)}"


def undone_note(record: MemoryRecord, how: str, evidence: Sequence[str]) -> str:
    """Say in which round a record was ``retracted`` or ``taken back``, so that this can be taken back too."""
    return ended_note(record, f"{how} in {evidence[-1]}" if evidence else how)


def kept_note(record: MemoryRecord, evidence: Sequence[str]) -> str | None:
    """Say in which round the end of a record was taken back, and when that end had been, if it was true before."""
    if not evidence or is_void(record) or record.valid_to is None:
        return None
    return f"kept in {evidence[-1]}, ended {to_utc_iso(record.valid_to)} in {undone_in(record)}"


def spared_in(record: MemoryRecord) -> Spared | None:
    """Tell how the end of a record was taken back; none if it was not."""
    found = _SPARED.search(record.note or "")
    return Spared(found[1], parse_utc(found[2]), found[3]) if found else None


def undone_in(record: MemoryRecord) -> str | None:
    """Tell in which round a record was retracted or taken back; none if it was not."""
    found = _UNDONE.search(record.note or "") if record.state is RecordState.SUPERSEDED else None
    return found[1] if found else None


def due_end(record: MemoryRecord) -> datetime | None:
    """Tell when a record that was ended would have ended by itself."""
    found = _DUE.search(record.note or "")
    return parse_utc(found[1]) if found else None


def rivals_of(record: MemoryRecord, known: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """List the values at the address of a record, past ones too; what passes and what lasts stand side by side."""
    return [
        old
        for old in known
        if old.state is not RecordState.QUARANTINED
        and same_address(record, old)
        and not is_void(old)
        and is_passing(old) == is_passing(record)
    ]


def holding(records: Iterable[MemoryRecord], moment: datetime) -> list[MemoryRecord]:
    """List the records that hold at a moment."""
    return [
        record
        for record in records
        if record.state is not RecordState.QUARANTINED
        and began(record) <= moment
        and (record.valid_to is None or record.valid_to > moment)
    ]


def following(record: MemoryRecord, rivals: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """List the values that begin while a record that lasts would hold."""
    return [
        old
        for old in rivals
        if began(old) > began(record) and (record.valid_to is None or began(old) < record.valid_to)
    ]


def known_end(record: MemoryRecord, replaced: Sequence[MemoryRecord]) -> datetime | None:
    """Tell when a value ended whose last part a lasting record takes over; none if it holds to this day."""
    ends = [old.valid_to for old in replaced if was_ended(old) and old.valid_to]
    return min(ends) if ends and len(ends) == len(replaced) and record.valid_to is None else None


def is_twin(record: MemoryRecord, old: MemoryRecord, rivals: Sequence[MemoryRecord]) -> bool:
    """Tell whether a known record says the same as a new one, of the same time."""
    if not is_same(record, old) or is_void(old) or is_passing(record) != is_passing(old):
        return False
    moment = began(record)
    if old.state is RecordState.SUPERSEDED or is_passing(old):
        return began(old) <= moment and (old.valid_to is None or moment < old.valid_to)
    if old.state not in (*_LIVING, record.state):
        return False
    return not any(moment < began(rival) < began(old) for rival in rivals)
