"""Rounds that wait for the extractor, of all owners: what a worker looks at when it starts."""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple

from memory_middleware.schemas.times import parse_utc
from memory_middleware.storage.database import Database, Statement

__all__ = ["WaitingSession", "waiting_sessions"]

_LAST = Statement(
    "SELECT b.document, g.waiting FROM dialogue_buffer b JOIN (SELECT max(seq) AS last, count(*) AS waiting"
    " FROM dialogue_buffer WHERE parked IS NULL GROUP BY owner, session) g ON b.seq = g.last"
    " ORDER BY b.seq LIMIT :limit"
)


class WaitingSession(NamedTuple):
    """A thread with rounds that wait, how many, and when the last one came."""

    owner_id: str
    session_id: str
    rounds: int
    last_at: datetime


def waiting_sessions(database: Database, *, limit: int = 1000) -> list[WaitingSession]:
    """List the threads with rounds that wait, the longest quiet first."""
    with database.reading() as session:
        rows = session.all(_LAST, limit=limit)
    told = [(json.loads(document), int(waiting)) for document, waiting in rows]
    return [
        WaitingSession(one["owner_id"], one["session_id"], waiting, parse_utc(one["created_at"]))
        for one, waiting in told
    ]
