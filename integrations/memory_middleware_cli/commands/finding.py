"""Finding what an id on the command line means: the whole of it, or a beginning that fits one only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from memory_middleware import InvalidInputError, MemoryRecord, RecordState
from memory_middleware.schemas import parse_utc
from memory_middleware_cli.commands.desk import Desk

__all__ = ["all_records", "find_record", "find_records", "moment"]

_LEAST = 4
_PAGE = 1000


def find_record(desk: Desk, given: str) -> MemoryRecord:
    """Find a record by its id or a beginning of it.

    Raises:
        InvalidInputError: None has it, or several have.
    """
    found = desk.memory.store.memories.records.get(desk.scope, given)
    if found is not None:
        return found
    fitting = [record for record in all_records(desk) if record.id.startswith(given)] if len(given) >= _LEAST else []
    if len(fitting) > 1:
        raise InvalidInputError(f"{len(fitting)} records have ids that begin with {given!r}; give more of it")
    if not fitting:
        raise InvalidInputError(f"there is no record {given!r} of {desk.owner!r}; `memory list` shows ids")
    return fitting[0]


def find_records(desk: Desk, given: Sequence[str]) -> list[MemoryRecord]:
    """Find several records, all or none.

    Raises:
        InvalidInputError: One cannot be found.
    """
    return [find_record(desk, one) for one in given]


def all_records(desk: Desk) -> Iterator[MemoryRecord]:
    """Go through all records of the owner, in every state."""
    cursor: str | None = None
    while True:
        page = desk.memory.list_records(
            desk.owner, states=tuple(RecordState), sort="created", limit=_PAGE, cursor=cursor
        )
        yield from page.records
        if (cursor := page.cursor) is None:
            return


def moment(text: str | None) -> datetime | None:
    """Read a day or a moment; one without an offset is taken as UTC.

    Raises:
        InvalidInputError: It is none.
    """
    if text is None:
        return None
    try:
        return parse_utc(text)
    except ValueError as error:
        raise InvalidInputError(f"{text!r} is no time; write 2026-03-01 or 2026-03-01T09:30:00+01:00") from error
