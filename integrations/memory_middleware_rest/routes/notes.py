"""Human-editable notes, where the server has some."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Header, Path, Response

from memory_middleware import ConflictError, MemoryDir, NoteError
from memory_middleware.schemas import MemoryEntry, NoteProblem
from memory_middleware_rest.answers import NoteFile, Notes, UnreadableNote
from memory_middleware_rest.bodies import NoteBody
from memory_middleware_rest.etags import CURRENT, ETAG, tagged, version_tag
from memory_middleware_rest.fields import IfMatch, IfNoneMatch, Versions
from memory_middleware_rest.finding import missing
from memory_middleware_rest.preconditions import note_guard, stale
from memory_middleware_rest.problems import ProblemError, field_problem
from memory_middleware_rest.tables import RouteTable
from memory_middleware_rest.visit import Here, Visit

__all__ = ["TABLE"]

TABLE = RouteTable("notes")

FileName = Annotated[str, Path(description="The name of its file, with or without `.md`")]
IfNew = Annotated[Versions, Header(alias="If-None-Match", description="`*` writes only what is not there yet")]

_NOTE = {
    "filename": "launch.md",
    "type": "project",
    "name": "Launch",
    "description": "When and how we launch",
    "changed_at": "2026-03-01T09:30:00Z",
    "is_stale": False,
    "age": "today",
    "content": "On 1 May.\n",
    "version": "0f343b0931126a20f133d67c2b018a3b",
}


@TABLE.add("GET", "/notes", answer=Notes, example={"notes": [_NOTE], "problems": []}, errors=(404,))
def list_notes(visit: Here) -> Any:
    """List the notes, the newest first, and the files that are none."""
    manifest = _notes(visit).scan()
    return Notes(
        notes=[_file(entry) for entry in manifest.entries],
        problems=[UnreadableNote(filename=one.filename, message=one.message) for one in manifest.problems],
    )


@TABLE.add("GET", "/notes/{filename}", answer=NoteFile, example=_NOTE, headers=ETAG, also=CURRENT, errors=(404, 409))
def get_note(visit: Here, filename: FileName, response: Response, if_none_match: IfNoneMatch = None) -> Any:
    """Give a note."""
    found = _found(_notes(visit), filename)
    return tagged(response, version_tag(found.version), if_none_match) or found


@TABLE.add("PUT", "/notes/{filename}", answer=NoteFile, example=_NOTE, headers=ETAG, errors=(404, 412, 428))
def put_note(
    visit: Here,
    filename: FileName,
    body: NoteBody,
    response: Response,
    if_match: IfMatch = None,
    if_none_match: IfNew = None,
) -> Any:
    """Write a note, in place of one of the same name, and list it in `MEMORY.md`."""
    notes, allowed = _notes(visit), note_guard(visit, if_match, if_none_match)
    if _has_folders(filename):
        raise _misnamed("the name of a note has no folders")
    try:
        notes.save_memory(filename, body.type, body.name, body.description, body.content, allowed=allowed)
    except NoteError as error:
        raise _misnamed(str(error)) from error
    except ConflictError as error:
        raise stale("note") from error
    made = _found(notes, filename)
    tagged(response, version_tag(made.version))
    return made


@TABLE.add("DELETE", "/notes/{filename}", answer=None, example=None, status=204, errors=(404, 412, 428))
def delete_note(visit: Here, filename: FileName, if_match: IfMatch = None) -> Response:
    """Remove a note and its line in `MEMORY.md`."""
    notes, allowed = _notes(visit), note_guard(visit, if_match)
    try:
        is_gone = not _has_folders(filename) and notes.delete_memory(filename, allowed=allowed)
    except NoteError:
        is_gone = False
    except ConflictError as error:
        raise stale("note") from error
    if not is_gone:
        raise missing("note", filename, "no-note")
    return Response(status_code=204)


def _notes(visit: Visit) -> MemoryDir:
    found = visit.service.notes(visit.owner) if visit.service.notes else None
    if found is None:
        raise ProblemError(404, "this server keeps no notes", code="no-notes")
    return found


def _found(notes: MemoryDir, filename: str) -> NoteFile:
    try:
        entry = None if _has_folders(filename) else notes.read_memory(filename)
    except NoteError:
        entry = None
    if entry is None:
        raise missing("note", filename, "no-note")
    if isinstance(entry, NoteProblem):
        raise ProblemError(409, f"{entry.filename}: {entry.message}", code="unreadable-note")
    return _file(entry)


def _has_folders(filename: str) -> bool:
    return "/" in filename or "\\" in filename


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
        version=entry.version,
    )


def _misnamed(why: str) -> ProblemError:
    return ProblemError(422, why, code="unfit-name", errors=[field_problem("value_error", ("path", "filename"), why)])
