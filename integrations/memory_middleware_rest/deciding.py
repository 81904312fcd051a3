"""Taking a record for true that waited for the owner's word."""

from __future__ import annotations

from datetime import UTC, datetime

from memory_middleware import InvalidInputError, Memory, MemoryRecord, RecordState, Scope

__all__ = ["accept"]


def accept(memory: Memory, scope: Scope, record_id: str) -> MemoryRecord:
    """Make a quarantined record active, and supersede what it contradicts, in one transaction.

    Raises:
        InvalidInputError: There is no such record, or it is not quarantined.
    """
    memories, now = memory.store.memories, datetime.now(UTC)
    with memories.database.writing():
        found = memories.records.get(scope, record_id)
        if found is None or found.state is not RecordState.QUARANTINED:
            raise InvalidInputError(f"the record {record_id!r} does not wait for review")
        targets = [link.to_id for link in found.links if link.relation == "contradicts"]
        for old in memories.records.get_many(scope, targets):
            if old.state is RecordState.ACTIVE:
                begun = old.valid_from or old.created_at
                memories.records.patch(
                    scope,
                    old.id,
                    state=RecordState.SUPERSEDED,
                    valid_from=begun,
                    valid_to=max(now, begun),
                    note=f"superseded by {record_id}",
                )
        return memory.journal.restore(scope, record_id)
