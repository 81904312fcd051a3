"""The review queue: records that wait for the owner's word, because they steer or contradict."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from memory_middleware import MemoryRecord, Receipt, RecordState
from memory_middleware_rest.answers import Review, ReviewEntry
from memory_middleware_rest.etags import ETAG, record_tag
from memory_middleware_rest.examples import RECEIPT, RECORD
from memory_middleware_rest.fields import Cursor, Id, IfMatch, Limit
from memory_middleware_rest.preconditions import done_to_record
from memory_middleware_rest.routes.records import page_of
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE"]

TABLE = RouteTable("review")

_ENTRY = {
    "record": {**RECORD, "state": "quarantined"},
    "reason": "it contradicts what is known and said by the user",
    "contradicts": [RECORD],
}


@TABLE.add("GET", "/review", answer=Review, example={"entries": [_ENTRY], "next": None})
def list_review(visit: Here, limit: Limit = 50, cursor: Cursor = None) -> Any:
    """List quarantined records, why they are, and what they contradict."""
    page = page_of(visit, limit=limit, kinds=[], cursor=cursor, states=[RecordState.QUARANTINED], sort="updated")
    return Review(entries=[_entry(visit, record) for record in page.records], next=page.next)


@TABLE.add(
    "POST", "/review/{record_id}/accept", answer=MemoryRecord, example=RECORD, headers=ETAG, errors=(404, 409, 412, 428)
)
def accept_record(visit: Here, record_id: Id, response: Response, if_match: IfMatch = None) -> Any:
    """Take a quarantined record for true; what it contradicts is superseded."""
    made = done_to_record(visit, record_id, if_match, lambda: visit.memory.accept_record(visit.scope, record_id))
    response.headers["ETag"] = record_tag(made)
    return made


@TABLE.add("POST", "/review/{record_id}/reject", answer=Receipt, example=RECEIPT, errors=(404, 409, 412, 428))
def reject_record(visit: Here, record_id: Id, if_match: IfMatch = None) -> Any:
    """Forget a record, so that the same words do not bring it back."""
    return done_to_record(visit, record_id, if_match, lambda: visit.memory.forget(visit.scope, ids=[record_id]))


def _entry(visit: Visit, record: MemoryRecord) -> ReviewEntry:
    names = [link.to_id for link in record.links if link.relation == "contradicts"]
    return ReviewEntry(
        record=record,
        reason=record.note,
        contradicts=visit.memory.store.memories.records.get_many(visit.scope, names),
    )
