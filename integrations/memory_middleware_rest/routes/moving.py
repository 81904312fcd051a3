"""Moving memory: out as a stream of lines, and in again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

import anyio.to_thread
from fastapi import Request
from fastapi.responses import StreamingResponse

from memory_middleware import ImportReport, InvalidInputError
from memory_middleware_rest.problems import ProblemError, field_problem
from memory_middleware_rest.route_class import UPLOAD
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["LINES", "TABLE"]

TABLE = RouteTable("moving")

LINES = "application/x-ndjson"

_EXPORT = (
    '{"format":"memory_middleware","version":1,"exported_at":"2026-03-01T09:30:00Z","embedder":"local:wordllama"}\n'
    '{"type":"end","count":0}\n'
)
_CHUNK = 65_536
_IN_MEMORY = 1_048_576
_BODY = {"required": True, "content": {LINES: {"schema": {"type": "string"}, "example": _EXPORT}}}


class LineStream(StreamingResponse):
    """A stream of lines of JSON."""

    media_type = LINES


@TABLE.add(
    "GET",
    "/export",
    answer=None,
    example=_EXPORT,
    media=LINES,
    response_class=LineStream,
)
def export_memory(visit: Here) -> Any:
    """Give all of one's memory as lines of JSON: a head, the entries, and an end that counts them."""
    return LineStream(
        _chunks(visit.memory.export(visit.owner)),
        headers={"Content-Disposition": 'attachment; filename="memory.jsonl"'},
    )


@TABLE.add(
    "POST",
    "/import",
    answer=ImportReport,
    example={"added": {"record": 3}, "known": {}, "owners": ["ana"]},
    openapi_extra={"requestBody": _BODY, UPLOAD: True},
)
async def import_memory(visit: Here, request: Request) -> Any:
    """Take in one's own export; what is there already stays, and a broken file changes nothing."""
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
        async for chunk in request.stream():
            await anyio.to_thread.run_sync(spool.write, chunk)
        return await anyio.to_thread.run_sync(_imported, visit, spool)


def _imported(visit: Visit, spool: IO[bytes]) -> ImportReport:
    spool.seek(0)
    try:
        return visit.memory.import_lines(spool, owner=visit.scope, stream=True)
    except InvalidInputError as error:
        problem = field_problem("value_error", ("body",), str(error)[:500])
        raise ProblemError(422, str(error), code="unfit-export", errors=[problem]) from error


def _chunks(lines: Iterable[str]) -> Iterator[bytes]:
    """Gather lines, since each chunk costs a change of threads."""
    waiting, size = [], 0
    for line in lines:
        waiting.append(f"{line}\n".encode("utf-8", "replace"))
        size += len(waiting[-1])
        if size >= _CHUNK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)
