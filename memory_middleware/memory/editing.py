"""Changing records by hand: edits that know which version they mean, taking them back, and a word on what waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from memory_middleware.errors import ConflictError, InvalidInputError
from memory_middleware.memory.by_hand import scope_of
from memory_middleware.remember.journal import MemoryJournal
from memory_middleware.schemas import times
from memory_middleware.schemas.record import MemoryRecord, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.schemas.scrub import scrub
from memory_middleware.storage import LanceStore
from memory_middleware.storage.repositories.edits import RecordEdit

__all__ = ["EDITABLE", "Editing"]

_FIXED = {"id", "owner_id", "kind", "provenance", "created_at", "weight"}
# Use and the clock change them; nobody wants them back.
_UNNOTED = _FIXED | {"updated_at", "last_accessed", "access_count"}
_TEXTS = {"content", "note", "subject", "attribute", "source", "tags"}

EDITABLE = frozenset(MemoryRecord.model_fields) - _UNNOTED
"""The fields of a record that an edit may change and an undo brings back."""

_Change = Callable[[MemoryRecord], MemoryRecord]


class Editing:
    """The part of a memory with which people mend records."""

    store: LanceStore
    journal: MemoryJournal

    def edit_record(
        self, owner: Scope | str, record_id: str, *, version: str | None = None, **fields: Any
    ) -> MemoryRecord:
        """Change fields of a record by hand; secrets are taken out, and the edit can be taken back.

        Args:
            owner: Whose.
            record_id: Which.
            version: Change it only if ``record.version`` is still this.
            fields: The fields and their new values.

        Raises:
            InvalidInputError: There is no such record, or a field does not fit or cannot be changed.
            ConflictError: It has another version by now.
        """
        if fixed := _FIXED & fields.keys():
            raise InvalidInputError(f"{', '.join(sorted(fixed))} of a record cannot be edited")
        clean = {name: _scrubbed(value) if name in _TEXTS else value for name, value in fields.items()}
        return self._edited(scope_of(owner), record_id, version, lambda record: record.changed(**clean))

    def undo_edit(
        self, owner: Scope | str, record_id: str, *, edit: int | None = None, version: str | None = None
    ) -> MemoryRecord:
        """Take back the last edit of a record, or all edits down to one; doing it again brings them back.

        What the edits did not change stays as it is.

        Args:
            owner: Whose.
            record_id: Which.
            edit: The number of the edit before which the fields are wanted; none means the last.
            version: Only if ``record.version`` is still this.

        Raises:
            InvalidInputError: There is no such record, or it has no such edit.
            ConflictError: It has another version by now, or something else has changed the same fields since.
        """
        scope = scope_of(owner)

        def change(record: MemoryRecord) -> MemoryRecord:
            known = self.store.memories.edits.newest(scope, record_id)
            return _undone(record, _wanted(record_id, known, edit))

        return self._edited(scope, record_id, version, change)

    def edits(self, owner: Scope | str, record_id: str) -> list[RecordEdit]:
        """List the last edits of a record, the newest first; one that is not there has none."""
        return self.store.memories.edits.newest(scope_of(owner), record_id)

    def accept_record(self, owner: Scope | str, record_id: str) -> MemoryRecord:
        """Make a quarantined record active, and supersede what it contradicts, in one transaction.

        Raises:
            InvalidInputError: There is no such record, or it is not quarantined.
        """
        scope, memories, now = scope_of(owner), self.store.memories, times.utc_now()
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
            return self.journal.restore(scope, record_id)

    async def aedit_record(self, owner: Scope | str, record_id: str, **fields: Any) -> MemoryRecord:
        """Change a record; the async twin of ``edit_record``."""
        return await asyncio.to_thread(self.edit_record, owner, record_id, **fields)

    async def aundo_edit(self, owner: Scope | str, record_id: str, **more: Any) -> MemoryRecord:
        """Take edits back; the async twin of ``undo_edit``."""
        return await asyncio.to_thread(self.undo_edit, owner, record_id, **more)

    async def aedits(self, owner: Scope | str, record_id: str) -> list[RecordEdit]:
        """List edits; the async twin of ``edits``."""
        return await asyncio.to_thread(self.edits, owner, record_id)

    async def aaccept_record(self, owner: Scope | str, record_id: str) -> MemoryRecord:
        """Let a record in; the async twin of ``accept_record``."""
        return await asyncio.to_thread(self.accept_record, owner, record_id)

    def _edited(self, scope: Scope, record_id: str, version: str | None, change: _Change) -> MemoryRecord:
        """Change a record and note what changed, together."""
        memories, seen = self.store.memories, dict[str, MemoryRecord]()

        def noted(record: MemoryRecord) -> MemoryRecord:
            if version is not None and record.version != version:
                raise ConflictError(f"the record {record_id!r} has another version by now; read it again")
            seen["before"] = record
            return change(record)

        found = memories.records.get(scope, record_id)
        if found is not None:
            memories.records.warm(scope, [noted(found)])
        with memories.database.writing():
            made = memories.records.update(scope, record_id, noted)
            before, after = (_plain(record) for record in (seen["before"], made))
            changed = [name for name in before if before[name] != after[name]]
            if changed:
                memories.edits.add(
                    scope, record_id, {name: before[name] for name in changed}, {name: after[name] for name in changed}
                )
        return made


def _scrubbed(value: Any) -> Any:
    """Take secrets out of a text or a list of texts; what is neither is left for the record to judge."""
    if isinstance(value, str):
        return scrub(value)
    return [_scrubbed(one) for one in value] if isinstance(value, list | tuple) else value


def _plain(record: MemoryRecord) -> dict[str, Any]:
    return record.model_dump(mode="json", include=set(EDITABLE))


def _wanted(record_id: str, known: Sequence[RecordEdit], edit: int | None) -> list[RecordEdit]:
    """Choose the edits to take back, the newest first.

    Raises:
        InvalidInputError: There is no such edit.
    """
    if not known:
        raise InvalidInputError(f"the record {record_id!r} has no edit to take back")
    least = known[0].version if edit is None else edit
    chosen = [one for one in known if one.version >= least]
    if not chosen or chosen[-1].version != least:
        raise InvalidInputError(f"the record {record_id!r} has no edit {least!r}; it has {known[-1].version} and later")
    return chosen


def _undone(record: MemoryRecord, edits: Sequence[RecordEdit]) -> MemoryRecord:
    """Give the record as it was before edits, as far as they changed it.

    Raises:
        ConflictError: Something else has changed the same fields since.
    """
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for one in edits:
        before |= one.before
        after = {**one.after, **after}
    now = _plain(record)
    if other := [name for name, value in after.items() if now[name] != value]:
        raise ConflictError(f"{', '.join(other)} of the record {record.id!r} was changed by something else since")
    return record.changed(**before)
