"""What happens to one record: archived, restored, pinned, and what its past and use are."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from memory_middleware import MemoryRecord
from memory_middleware_rest.answers import RecordList, Usage
from memory_middleware_rest.etags import ETAG, record_tag
from memory_middleware_rest.examples import RECORD, USAGE
from memory_middleware_rest.fields import Cursor, Id, IfMatch, Limit
from memory_middleware_rest.finding import known_record, paged
from memory_middleware_rest.preconditions import done_to_record
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here

__all__ = ["TABLE"]

TABLE = RouteTable("records")

_ERRORS = (404, 409, 412, 428)


def _tagged(record: MemoryRecord, response: Response) -> MemoryRecord:
    response.headers["ETag"] = record_tag(record)
    return record


@TABLE.add("POST", "/records/{record_id}/archive", answer=MemoryRecord, example=RECORD, headers=ETAG, errors=_ERRORS)
def archive_record(visit: Here, record_id: Id, response: Response, if_match: IfMatch = None) -> Any:
    """Archive an active record, so that it is recalled no more unless asked for."""
    made = done_to_record(visit, record_id, if_match, lambda: visit.memory.journal.archive(visit.scope, record_id))
    return _tagged(made, response)


@TABLE.add("POST", "/records/{record_id}/restore", answer=MemoryRecord, example=RECORD, headers=ETAG, errors=_ERRORS)
def restore_record(visit: Here, record_id: Id, response: Response, if_match: IfMatch = None) -> Any:
    """Make an archived or quarantined record active again."""
    made = done_to_record(visit, record_id, if_match, lambda: visit.memory.journal.restore(visit.scope, record_id))
    return _tagged(made, response)


@TABLE.add("POST", "/records/{record_id}/pin", answer=MemoryRecord, example=RECORD, headers=ETAG, errors=_ERRORS)
def pin_record(visit: Here, record_id: Id, response: Response, if_match: IfMatch = None) -> Any:
    """Pin a record, so that it is never archived by itself."""
    made = done_to_record(visit, record_id, if_match, lambda: visit.memory.journal.pin(visit.scope, record_id))
    return _tagged(made, response)


@TABLE.add("POST", "/records/{record_id}/unpin", answer=MemoryRecord, example=RECORD, headers=ETAG, errors=_ERRORS)
def unpin_record(visit: Here, record_id: Id, response: Response, if_match: IfMatch = None) -> Any:
    """Let a pinned record go again."""
    made = done_to_record(
        visit, record_id, if_match, lambda: visit.memory.journal.pin(visit.scope, record_id, pinned=False)
    )
    return _tagged(made, response)


@TABLE.add(
    "GET",
    "/records/{record_id}/history",
    answer=RecordList,
    example={"records": [RECORD], "next": None},
    errors=(404,),
)
def get_record_history(visit: Here, record_id: Id) -> Any:
    """List what held at the address of a record, the newest first, itself included."""
    return RecordList(records=visit.memory.history(visit.scope, known_record(visit, record_id)))


@TABLE.add("GET", "/records/{record_id}/usage", answer=Usage, example={"usage": [USAGE], "next": None}, errors=(404,))
def get_record_usage(visit: Here, record_id: Id, limit: Limit = 50, cursor: Cursor = None) -> Any:
    """List the uses of a record page by page, the newest first."""
    known_record(visit, record_id)
    page = paged(
        lambda: visit.memory.list_usage(visit.scope, record_id=record_id, limit=visit.rows(limit), cursor=cursor)
    )
    return Usage(usage=page.rows, next=page.cursor)
