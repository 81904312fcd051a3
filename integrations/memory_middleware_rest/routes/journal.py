"""What happened: turns, uses, rounds that wait, and runs of the extractor."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from memory_middleware import ExtractionReport, InvalidInputError, Scope, TurnView, retry_parked
from memory_middleware_rest.answers import Buffer, Rounds, Runs, Timeline, TimelineTurn, Usage
from memory_middleware_rest.examples import REPORT, RUN, TURN, USAGE
from memory_middleware_rest.fields import Cursor, Id, Limit
from memory_middleware_rest.finding import missing, paged
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here

__all__ = ["TABLE"]

TABLE = RouteTable("journal")

Thread = Annotated[str, Query(min_length=1, max_length=500, description="The thread")]
OneThread = Annotated[str | None, Query(min_length=1, max_length=500, description="Only of this thread")]

_ROUND = {
    "id": "dlg-1",
    "owner_id": "ana",
    "session_id": "monday",
    "user_query": "I moved to Porto",
    "assistant_response": "Noted.",
    "created_at": "2026-03-01T09:30:00Z",
}


@TABLE.add("GET", "/turns", answer=Timeline, example={"turns": [TURN], "next": None})
def list_turns(visit: Here, thread_id: OneThread = None, limit: Limit = 20, cursor: Cursor = None) -> Any:
    """List turns of agents page by page: what was injected, referenced, extracted and superseded, tokens and budget."""
    scope = Scope(visit.owner, thread_id)
    page = paged(lambda: visit.memory.list_turns(scope, limit=visit.rows(limit), cursor=cursor))
    return Timeline(turns=[_turn(one) for one in page.turns], next=page.cursor)


@TABLE.add("GET", "/usage", answer=Usage, example={"usage": [USAGE], "next": None})
def list_usage(visit: Here, limit: Limit = 50, cursor: Cursor = None) -> Any:
    """List the uses of all records page by page, the newest first."""
    page = paged(lambda: visit.memory.list_usage(visit.scope, limit=visit.rows(limit), cursor=cursor))
    return Usage(usage=page.rows, next=page.cursor)


@TABLE.add("GET", "/buffer", answer=Buffer, example={"threads": {"monday": 3}})
def get_buffer(visit: Here) -> Any:
    """Count the rounds that wait for the extractor, by thread."""
    return Buffer(threads=visit.memory.store.memories.dialogues.sessions(visit.scope))


@TABLE.add("GET", "/buffer/rounds", answer=Rounds, example={"rounds": [_ROUND]})
def list_rounds(visit: Here, thread_id: Thread, limit: Limit = 20) -> Any:
    """List the rounds that wait in a thread, the oldest first."""
    rounds = visit.memory.store.memories.dialogues.batch(visit.scope, thread_id, visit.rows(limit))
    return Rounds(rounds=rounds)


@TABLE.add("POST", "/buffer/extract", answer=list[ExtractionReport], example=[REPORT])
def extract_now(visit: Here) -> Any:
    """Extract what waits now, and tell what came of each batch."""
    return visit.memory.flush(visit.owner)


@TABLE.add("GET", "/runs", answer=Runs, example={"runs": [RUN], "next": None})
def list_runs(visit: Here, limit: Limit = 20, cursor: Cursor = None) -> Any:
    """List runs of the extractor page by page, the newest first."""
    page = paged(lambda: visit.memory.list_runs(visit.scope, limit=visit.rows(limit), cursor=cursor))
    return Runs(runs=page.rows, next=page.cursor)


@TABLE.add("POST", "/runs/retry", answer=Runs, example={"runs": [RUN], "next": None})
def retry_runs(visit: Here) -> Any:
    """Let all parked runs be tried again at the next extraction, and list them."""
    return Runs(runs=retry_parked(visit.memory.store.memories, visit.scope))


@TABLE.add("POST", "/runs/{run_id}/retry", answer=Runs, example={"runs": [RUN], "next": None}, errors=(404,))
def retry_run(visit: Here, run_id: Id) -> Any:
    """Let a parked run be tried again at the next extraction."""
    try:
        return Runs(runs=retry_parked(visit.memory.store.memories, visit.scope, run_id))
    except InvalidInputError as error:
        raise missing("parked run", run_id, "no-run") from error


def _turn(view: TurnView) -> TimelineTurn:
    return TimelineTurn(
        **view.turn.model_dump(),
        budget=view.budget,
        extracted=list(view.extracted),
        superseded=list(view.superseded),
    )
