"""Finding what a request names; what is another's answers exactly like what is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from memory_middleware import InvalidInputError, MemoryRecord
from memory_middleware_rest.problems import ProblemError
from memory_middleware_rest.visit import Visit

__all__ = ["changed", "known_record", "missing", "no_record"]

Result = TypeVar("Result")


def missing(what: str, name: str) -> ProblemError:
    """Make the answer for something that is not there."""
    return ProblemError(404, f"there is no {what} {name[:80]!r}")


def no_record(record_id: str) -> ProblemError:
    """Make the answer for a record that is not there."""
    return missing("record", record_id)


def known_record(visit: Visit, record_id: str) -> MemoryRecord:
    """Give a record of who asks.

    Raises:
        ProblemError: There is none.
    """
    found = visit.memory.store.memories.records.get(visit.scope, record_id)
    if found is None:
        raise no_record(record_id)
    return found


def changed(visit: Visit, record_id: str, change: Callable[[], Result]) -> Result:
    """Do something to a record of who asks.

    Raises:
        ProblemError: There is none, or its state does not allow it.
    """
    known_record(visit, record_id)
    try:
        return change()
    except InvalidInputError as error:
        known_record(visit, record_id)  # it may be gone by now
        raise ProblemError(409, str(error)) from error
