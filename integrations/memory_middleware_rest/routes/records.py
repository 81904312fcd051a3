"""Long-term records: listed, searched, made, looked at, changed and forgotten."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import Query, Response

from memory_middleware import MemoryRecord, Receipt, RecordKind, RecordState, RecordView
from memory_middleware_rest.answers import Edit, FoundRecord, FoundRecords, LinkedRecord, RecordDetail, RecordList
from memory_middleware_rest.bodies import NewRecord, RecordChanges
from memory_middleware_rest.etags import ETAG, record_tag
from memory_middleware_rest.examples import EDIT, RECEIPT, RECORD
from memory_middleware_rest.fields import Cursor, Id, IfMatch, Limit, When
from memory_middleware_rest.finding import no_record, paged
from memory_middleware_rest.preconditions import changed_record, done_to_record
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE", "page_of"]

TABLE = RouteTable("records")

States = Annotated[list[RecordState], Query(alias="state", description="Only in these states")]
Kinds = Annotated[list[RecordKind], Query(alias="kind", description="Only of these kinds; all by default")]
Sort = Annotated[Literal["updated", "created", "weight", "used"], Query(description="The greatest first")]
Asked = Annotated[str, Query(alias="q", min_length=1, max_length=4000, description="What is asked")]
AsOf = Annotated[When | None, Query(description="As it was true at this moment")]
Explain = Annotated[bool, Query(description="Whether to tell what speaks for each")]

_ACTIVE = [RecordState.ACTIVE]
_DETAIL = {
    "record": RECORD,
    "links": [],
    "linked_from": [],
    "history": [RECORD],
    "usage": [],
    "said_in": [],
    "edits": [EDIT],
}
_FOUND = {"record": RECORD, "score": 1.2, "signals": {"dense": 0.7}, "cosine": 0.71, "coverage": 0.5}
_MADE = {**ETAG, "Location": {"description": "Where the record is", "schema": {"type": "string"}}}


@TABLE.add("GET", "/records", answer=RecordList, example={"records": [RECORD], "next": None})
def list_records(
    visit: Here,
    states: States = _ACTIVE,
    kinds: Kinds = [],  # noqa: B006  # FastAPI copies it
    sort: Sort = "updated",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Any:
    """List records page by page."""
    return page_of(visit, states=states, kinds=kinds, sort=sort, limit=limit, cursor=cursor)


@TABLE.add("GET", "/search", answer=FoundRecords, example={"found": [_FOUND]})
def search_records(
    visit: Here,
    query: Asked,
    limit: Limit = 10,
    kinds: Kinds = [],  # noqa: B006  # FastAPI copies it
    states: States = _ACTIVE,
    as_of: AsOf = None,
    explain: Explain = False,
) -> Any:
    """Find the records that fit a query best, by meaning, words and time."""
    found = visit.memory.recall(
        visit.scope, query, limit=visit.rows(limit), kinds=kinds or None, include=states, as_of=as_of
    )
    return FoundRecords(
        found=[
            FoundRecord(
                record=one.record, score=one.score, signals=one.signals, cosine=one.cosine, coverage=one.coverage
            )
            if explain
            else FoundRecord(record=one.record, score=one.score)
            for one in found
        ]
    )


@TABLE.add(
    "POST",
    "/records",
    answer=MemoryRecord,
    example=RECORD,
    status=201,
    headers=_MADE,
    also={200: {"description": "It was known and is confirmed", "model": MemoryRecord, "headers": _MADE}},
)
def create_record(visit: Here, body: NewRecord, response: Response) -> Any:
    """Remember something; what stands at its address is superseded, what says the same is confirmed."""
    began = datetime.now(UTC)
    told = body.model_dump(exclude={"content", "kind"})
    record = visit.memory.remember(visit.scope, body.content, kind=body.kind, source="rest", **told)
    if record.created_at < began:
        response.status_code = 200
    response.headers["ETag"] = record_tag(record)
    response.headers["Location"] = f"records/{quote(record.id, safe='')}"
    return record


@TABLE.add("GET", "/records/{record_id}", answer=RecordDetail, example=_DETAIL, headers=ETAG, errors=(404,))
def get_record(visit: Here, record_id: Id, response: Response) -> Any:
    """Give a record with its links, history, use and source turns."""
    view = visit.memory.view_record(visit.scope, record_id)
    if view is None:
        raise no_record(record_id)
    response.headers["ETag"] = record_tag(view.record)
    return _detail(view)


@TABLE.add(
    "PATCH", "/records/{record_id}", answer=MemoryRecord, example=RECORD, headers=ETAG, errors=(404, 409, 412, 428)
)
def patch_record(visit: Here, record_id: Id, body: RecordChanges, response: Response, if_match: IfMatch = None) -> Any:
    """Change fields of a record by hand; secrets are taken out."""
    made = changed_record(
        visit,
        record_id,
        if_match,
        lambda version: visit.memory.edit_record(visit.scope, record_id, version=version, **body.changes()),
    )
    response.headers["ETag"] = record_tag(made)
    return made


@TABLE.add("DELETE", "/records/{record_id}", answer=Receipt, example=RECEIPT, errors=(404, 409, 412, 428))
def delete_record(visit: Here, record_id: Id, if_match: IfMatch = None) -> Any:
    """Forget a record with all that hangs on it, and give a receipt."""
    return done_to_record(visit, record_id, if_match, lambda: visit.memory.forget(visit.scope, ids=[record_id]))


def page_of(visit: Visit, *, limit: int, kinds: list[RecordKind], **asked: Any) -> RecordList:
    """Give a page of records.

    Raises:
        ProblemError: The cursor is none.
    """
    page = paged(lambda: visit.memory.list_records(visit.scope, limit=visit.rows(limit), kinds=kinds or None, **asked))
    return RecordList(records=page.records, next=page.cursor)


def _detail(view: RecordView) -> RecordDetail:
    return RecordDetail(
        record=view.record,
        links=[LinkedRecord(relation=relation, record=record) for relation, record in view.links],
        linked_from=list(view.linked_from),
        history=list(view.history),
        usage=list(view.usage),
        said_in=list(view.said_in),
        edits=[Edit(**one._asdict()) for one in view.edits],
    )
