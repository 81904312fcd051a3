"""Finding what a request names; what is another's answers exactly like what is not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from memory_middleware import InvalidInputError, MemoryRecord
from memory_middleware_rest.problems import ProblemError, field_problem
from memory_middleware_rest.visit import Visit

__all__ = ["changed", "known_record", "missing", "no_record", "paged"]

Result = TypeVar("Result")


def missing(what: str, name: str, code: str) -> ProblemError:
    """Make the answer for something that is not there."""
    return ProblemError(404, f"there is no {what} {name[:80]!r}", code=code)


def no_record(record_id: str) -> ProblemError:
    """Make the answer for a record that is not there."""
    return missing("record", record_id, "no-record")


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


def paged(ask: Callable[[], Result]) -> Result:
    """Ask for a page.

    Raises:
        ProblemError: The cursor is none of this list.
    """
    try:
        return ask()
    except InvalidInputError as error:
        told = "it is not the cursor of a page in this order; begin without one"
        problem = field_problem("value_error", ("query", "cursor"), told)
        raise ProblemError(422, f"query.cursor: {told}", code="unfit-cursor", errors=[problem]) from error
