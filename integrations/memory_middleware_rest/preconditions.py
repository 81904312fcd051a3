"""Changes that name the version they mean, so that nobody overwrites what they have not seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from memory_middleware import ConflictError, MemoryRecord
from memory_middleware_rest.etags import ANY, is_current, named_tags, record_tag, version_tag
from memory_middleware_rest.finding import changed, known_record
from memory_middleware_rest.problems import ProblemError
from memory_middleware_rest.visit import Visit

__all__ = ["changed_record", "done_to_record", "note_guard", "stale", "version_required"]

Result = TypeVar("Result")


def version_required() -> ProblemError:
    """Make the answer to a change that must name a version and does not."""
    return ProblemError(428, "send If-Match with the ETag of the version you change")


def stale(what: str = "document") -> ProblemError:
    """Make the answer to a change of a version that is not the present one."""
    return ProblemError(412, f"the {what} has another version by now; read it again")


def changed_record(
    visit: Visit, record_id: str, if_match: str | None, change: Callable[[str | None], MemoryRecord]
) -> MemoryRecord:
    """Change a record of who asks, if it has still the version that the request names.

    Args:
        visit: Who asks.
        record_id: Which record.
        if_match: The header that names the version.
        change: Changes it, given the version that it must have or none.

    Raises:
        ProblemError: It is not there, has another version, or none is named though it must be.
    """
    found = known_record(visit, record_id)
    if if_match is None and visit.service.require_match:
        raise version_required()
    if if_match is not None and not is_current(if_match, record_tag(found)):
        raise stale("record")
    version = None if if_match is None or if_match.strip(" \t") == ANY else found.version
    try:
        return change(version)
    except ConflictError as error:
        if version is not None and known_record(visit, record_id).version != version:
            raise stale("record") from error
        raise


def done_to_record(visit: Visit, record_id: str, if_match: str | None, do: Callable[[], Result]) -> Result:
    """Do something to a record of who asks that knows nothing of versions, if it has still the one that is named.

    Args:
        visit: Who asks.
        record_id: Which record.
        if_match: The header that names the version.
        do: Does it.

    Raises:
        ProblemError: It is not there, has another version or a state that does not allow it, or no version is named
            though it must be.
    """
    known_record(visit, record_id)
    if if_match is None:
        if visit.service.require_match:
            raise version_required()
        return changed(visit, record_id, do)
    # One transaction, so that nobody comes between the look and the deed.
    store = visit.memory.store
    with store.visit(visit.owner), store.memories.database.writing():
        if not is_current(if_match, record_tag(known_record(visit, record_id))):
            raise stale("record")
        return changed(visit, record_id, do)


def note_guard(visit: Visit, if_match: str | None, if_none_match: str | None = None) -> Callable[[str | None], bool]:
    """Tell whether a note may be changed, from the version it has; none means that it is not there.

    Raises:
        ProblemError: No version is named though one must be, or a header names none.
    """
    if if_match is None and if_none_match is None and visit.service.require_match:
        raise version_required()
    for header in (if_match, if_none_match):
        if header is not None:
            named_tags(header)

    def allowed(version: str | None) -> bool:
        if version is None:
            return if_match is None
        tag = version_tag(version)
        fits = if_match is None or is_current(if_match, tag)
        return fits and not (if_none_match is not None and is_current(if_none_match, tag, weak=True))

    return allowed
