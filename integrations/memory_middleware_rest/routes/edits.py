"""Edits of one record by hand, and taking them back."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Response

from memory_middleware import InvalidInputError, MemoryRecord
from memory_middleware_rest.answers import Edit, Edits
from memory_middleware_rest.etags import ETAG, record_tag
from memory_middleware_rest.examples import EDIT, RECORD
from memory_middleware_rest.fields import Id, IfMatch
from memory_middleware_rest.finding import known_record
from memory_middleware_rest.preconditions import changed_record
from memory_middleware_rest.problems import ProblemError
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE"]

TABLE = RouteTable("records")

Number = Annotated[int | None, Query(ge=1, le=1_000_000_000, description="Take back this edit and those after it")]


@TABLE.add("GET", "/records/{record_id}/edits", answer=Edits, example={"edits": [EDIT]}, errors=(404,))
def list_edits(visit: Here, record_id: Id) -> Any:
    """List the last edits of a record by hand, the newest first."""
    known_record(visit, record_id)
    return Edits(edits=[Edit(**one._asdict()) for one in visit.memory.edits(visit.scope, record_id)])


@TABLE.add(
    "POST",
    "/records/{record_id}/undo",
    answer=MemoryRecord,
    example=RECORD,
    headers=ETAG,
    errors=(404, 409, 412, 428),
)
def undo_edit(visit: Here, record_id: Id, response: Response, edit: Number = None, if_match: IfMatch = None) -> Any:
    """Take back the last edit of a record, or all down to one; once more, and it is back."""
    if visit.memory.store.memories.records.get(visit.scope, record_id) is None:
        told = f"there is no record {record_id[:80]!r}; what was forgotten cannot be brought back"
        raise ProblemError(404, told, code="no-record")
    made = changed_record(visit, record_id, if_match, lambda version: _undone(visit, record_id, edit, version))
    response.headers["ETag"] = record_tag(made)
    return made


def _undone(visit: Visit, record_id: str, edit: int | None, version: str | None) -> MemoryRecord:
    try:
        return visit.memory.undo_edit(visit.scope, record_id, edit=edit, version=version)
    except InvalidInputError as error:
        known_record(visit, record_id)  # it may be gone by now
        raise ProblemError(409, str(error), code="nothing-to-undo") from error
