"""What happened: turns, uses, rounds that wait, and runs of the extractor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query

from memory_middleware import ExtractionReport, InvalidInputError, MemoryRecord, RecordKind, Scope, Turn, retry_parked
from memory_middleware_rest.answers import Buffer, Rounds, Runs, Timeline, TimelineTurn, Usage
from memory_middleware_rest.examples import REPORT, RUN, TURN, USAGE
from memory_middleware_rest.fields import Id, Limit
from memory_middleware_rest.finding import missing
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE"]

TABLE = RouteTable("journal")

Thread = Annotated[str, Query(min_length=1, max_length=500, description="The thread")]
OneThread = Annotated[str | None, Query(min_length=1, max_length=500, description="Only of this thread")]

_ENDED_BY = "superseded by "
_ROUND = {
    "id": "dlg-1",
    "owner_id": "ana",
    "session_id": "monday",
    "user_query": "I moved to Porto",
    "assistant_response": "Noted.",
    "created_at": "2026-03-01T09:30:00Z",
}


@TABLE.add("GET", "/turns", answer=Timeline, example={"turns": [TURN]})
def list_turns(visit: Here, thread_id: OneThread = None, limit: Limit = 20) -> Any:
    """List the last turns of agents: what was injected, referenced, extracted and superseded, and its tokens."""
    turns = visit.memory.store.memories.turns.newest(Scope(visit.owner, thread_id), limit=visit.rows(limit))
    extracted, superseded = _came_of(visit, turns)
    return Timeline(
        turns=[
            TimelineTurn(
                **turn.model_dump(),
                extracted=extracted.get(turn.round_id or "", []),
                superseded=superseded.get(turn.round_id or "", []),
            )
            for turn in turns
        ]
    )


@TABLE.add("GET", "/usage", answer=Usage, example={"usage": [USAGE]})
def list_usage(visit: Here, limit: Limit = 50) -> Any:
    """List the last uses of all records, the newest first."""
    return Usage(usage=visit.memory.store.memories.usage.newest(visit.scope, limit=visit.rows(limit)))


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


@TABLE.add("GET", "/runs", answer=Runs, example={"runs": [RUN]})
def list_runs(visit: Here, limit: Limit = 20) -> Any:
    """List the last runs of the extractor, the newest first."""
    return Runs(runs=visit.memory.runs(visit.scope, limit=visit.rows(limit)))


@TABLE.add("POST", "/runs/retry", answer=Runs, example={"runs": [RUN]})
def retry_runs(visit: Here) -> Any:
    """Let all parked runs be tried again at the next extraction, and list them."""
    return Runs(runs=retry_parked(visit.memory.store.memories, visit.scope))


@TABLE.add("POST", "/runs/{run_id}/retry", answer=Runs, example={"runs": [RUN]}, errors=(404,))
def retry_run(visit: Here, run_id: Id) -> Any:
    """Let a parked run be tried again at the next extraction."""
    try:
        return Runs(runs=retry_parked(visit.memory.store.memories, visit.scope, run_id))
    except InvalidInputError as error:
        raise missing("parked run", run_id) from error


def _came_of(visit: Visit, turns: Sequence[Turn]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Give the records that were drawn from rounds, and those that they ended, by the rounds."""
    records, shown = visit.memory.store.memories.records, {turn.round_id for turn in turns}
    extracted: dict[str, list[str]] = defaultdict(list)
    ended: dict[str, list[str]] = defaultdict(list)
    for thread in dict.fromkeys(turn.session_id for turn in turns):
        for record in records.in_thread(visit.scope, thread):
            place = next(iter(record.provenance.round_ids), None)
            if place in shown and place is not None and record.kind is not RecordKind.DIALOGUE:
                extracted[place].append(record.id)
                ended[place] += _ended_by(visit, record)
    return extracted, ended


def _ended_by(visit: Visit, record: MemoryRecord) -> list[str]:
    """List what stood at the address of a record until it came."""
    note = f"{_ENDED_BY}{record.id}"
    before = visit.memory.history(visit.scope, record)
    return [one.id for one in before if (one.note or "").partition(",")[0] == note]
