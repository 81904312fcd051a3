"""Changes that name the version they mean, so that nobody overwrites what they have not seen."""

from __future__ import annotations

from collections.abc import Callable

from memory_middleware import ConflictError, MemoryRecord
from memory_middleware_rest.etags import is_current, record_tag, version_tag
from memory_middleware_rest.finding import known_record
from memory_middleware_rest.problems import ProblemError
from memory_middleware_rest.visit import Visit

__all__ = ["changed_record", "note_guard", "stale", "version_required"]


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
    version = None if if_match is None or if_match.strip() == "*" else found.version
    try:
        return change(version)
    except ConflictError as error:
        if version is not None and known_record(visit, record_id).version != version:
            raise stale("record") from error
        raise


def note_guard(visit: Visit, if_match: str | None, if_none_match: str | None = None) -> Callable[[str | None], bool]:
    """Tell whether a note may be changed, from the version it has; none means that it is not there.

    Raises:
        ProblemError: No version is named though one must be.
    """
    if if_match is None and if_none_match is None and visit.service.require_match:
        raise version_required()

    def allowed(version: str | None) -> bool:
        if version is None:
            return if_match is None
        tag = version_tag(version)
        fits = if_match is None or is_current(if_match, tag)
        return fits and not (if_none_match is not None and is_current(if_none_match, tag, weak=True))

    return allowed
