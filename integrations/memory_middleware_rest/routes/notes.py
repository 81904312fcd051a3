"""Human-editable notes, where the server has some."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Path, Response

from memory_middleware import MemoryDir, NoteError
from memory_middleware.schemas import MemoryEntry
from memory_middleware_rest.answers import NoteFile, Notes, UnreadableNote
from memory_middleware_rest.bodies import NoteBody
from memory_middleware_rest.finding import missing
from memory_middleware_rest.problems import ProblemError, field_problem
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE"]

TABLE = RouteTable("notes")

FileName = Annotated[str, Path(description="The name of its file, with or without `.md`")]

_NOTE = {
    "filename": "launch.md",
    "type": "project",
    "name": "Launch",
    "description": "When and how we launch",
    "changed_at": "2026-03-01T09:30:00Z",
    "is_stale": False,
    "age": "today",
    "content": "On 1 May.\n",
}


@TABLE.add("GET", "/notes", answer=Notes, example={"notes": [_NOTE], "problems": []}, errors=(404,))
def list_notes(visit: Here) -> Any:
    """List the notes, the newest first, and the files that are none."""
    manifest = _notes(visit).scan()
    return Notes(
        notes=[_file(entry) for entry in manifest.entries],
        problems=[UnreadableNote(filename=one.filename, message=one.message) for one in manifest.problems],
    )


@TABLE.add("GET", "/notes/{filename}", answer=NoteFile, example=_NOTE, errors=(404,))
def get_note(visit: Here, filename: FileName) -> Any:
    """Give a note."""
    return _found(_notes(visit), filename)


@TABLE.add("PUT", "/notes/{filename}", answer=NoteFile, example=_NOTE, errors=(404,))
def put_note(visit: Here, filename: FileName, body: NoteBody) -> Any:
    """Write a note, in place of one of the same name, and list it in `MEMORY.md`."""
    notes = _notes(visit)
    if "/" in filename or "\\" in filename:
        raise _misnamed("the name of a note has no folders")
    try:
        notes.save_memory(filename, body.type, body.name, body.description, body.content)
    except NoteError as error:
        raise _misnamed(str(error)) from error
    return _found(notes, filename)


@TABLE.add("DELETE", "/notes/{filename}", answer=None, example=None, status=204, errors=(404,))
def delete_note(visit: Here, filename: FileName) -> Response:
    """Remove a note and its line in `MEMORY.md`."""
    notes = _notes(visit)
    found = _found(notes, filename)
    notes.delete_memory(found.filename)
    return Response(status_code=204)


def _notes(visit: Visit) -> MemoryDir:
    found = visit.service.notes(visit.owner) if visit.service.notes else None
    if found is None:
        raise ProblemError(404, "this server keeps no notes")
    return found


def _found(notes: MemoryDir, filename: str) -> NoteFile:
    wanted = filename if filename.endswith(".md") else f"{filename}.md"
    for entry in notes.scan().entries:
        if entry.filename == wanted:
            return _file(entry)
    raise missing("note", filename)


def _file(entry: MemoryEntry) -> NoteFile:
    return NoteFile(
        filename=entry.filename,
        type=entry.mem_type,
        name=entry.name,
        description=entry.description,
        changed_at=datetime.fromtimestamp(entry.mtime, UTC),
        is_stale=entry.is_stale,
        age=entry.age_text,
        content=entry.content,
    )


def _misnamed(why: str) -> ProblemError:
    return ProblemError(422, why, errors=[field_problem("value_error", ("path", "filename"), why)])
