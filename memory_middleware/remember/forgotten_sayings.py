"""Dialogue records of other rounds that tell something forgotten."""

from __future__ import annotations

from memory_middleware.remember.cutting import Cutter
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories

__all__ = ["sayings_telling"]

_STATES = tuple(RecordState)
_KINDS = (RecordKind.DIALOGUE,)
_PAGE = 500


def sayings_telling(memories: Repositories, scope: Scope, cutter: Cutter) -> list[MemoryRecord]:
    """Find the dialogue records in which a sentence tells all of something forgotten, whatever their round."""
    found: list[MemoryRecord] = []
    last: MemoryRecord | None = None
    while cutter.looks_elsewhere:
        page = memories.records.newest(scope, states=_STATES, kinds=_KINDS, limit=_PAGE, after=last)
        found += [record for record in page if cutter.elsewhere(record.content) != record.content]
        if len(page) < _PAGE:
            break
        last = page[-1]
    return found
