"""A folder of human-editable notes and its index ``MEMORY.md``, read and written safely."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from memory_middleware.errors import ConflictError, InvalidInputError, NoteError, StoreError
from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.schemas.notes import MemoryEntry, MemoryManifest, NoteProblem, NoteType, format_note, parse_note
from memory_middleware.sources.notes_files import hold_lock, is_leftover, sync_folder, write_whole
from memory_middleware.sources.notes_index import (
    MAX_INDEX_BYTES,
    MAX_INDEX_LINES,
    cut_index,
    drop_line,
    put_line,
    sync_lines,
)
from memory_middleware.sources.notes_names import INDEX, check_portable, note_filename
from memory_middleware.sources.notes_reader import MAX_NOTE_BYTES, NoteReader

__all__ = ["MAX_SCAN_FILES", "Allowed", "MemoryDir", "RepairReport"]

MAX_SCAN_FILES = 200

Allowed = Callable[[str | None], bool]
"""Tells from the version of a note, none if it is not there, whether it may be changed."""

_WORDS = {
    "en": {
        "cut": "<!-- MEMORY.md is cut here (over {lines} lines or {size} kB); merge or delete notes to see all -->",
        "no_notes": "(no notes yet)",
        "no_description": "(no description)",
    },
    "zh": {
        "cut": "<!-- MEMORY.md 已截断(>{lines} 行或 >{size}KB) -->",
        "no_notes": "(无已有记忆)",
        "no_description": "(无描述)",
    },
}


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What a repair changed in the index, and the files it could not read.

    Attributes:
        added: Files that are listed now.
        removed: Lines that listed a file which does not exist.
        problems: Files that are no notes; they are left alone.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    problems: tuple[NoteProblem, ...] = ()


class MemoryDir:
    """A folder of notes.

    Files and index may be edited by hand at any time; every call reads what is there. Writers in other
    threads and processes are waited for.

    Args:
        path: The folder; it is made if it is not there.
        language: ``en`` or ``zh``: the language of prompts, ages and notices.
        prompts: Where the prompt is taken from; the shipped prompts if left out.

    Raises:
        InvalidInputError: The language is not known.
        StoreError: The folder cannot be made.
    """

    def __init__(self, path: str | Path, language: str = "en", *, prompts: PromptLibrary | None = None) -> None:
        if language not in _WORDS:
            raise InvalidInputError(f"unknown language {language!r} of notes; use one of: {', '.join(_WORDS)}")
        self.path = Path(path).expanduser().resolve()
        self.language = language
        self._prompts = prompts or PromptLibrary(language=language)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot make the folder of notes {str(path)!r}: {error}") from error
        self._reader = NoteReader(self.path)

    @property
    def index_path(self) -> Path:
        """Where the index is."""
        return self.path / INDEX

    def scan(self, load_content: bool = True) -> MemoryManifest:
        """List the notes, the newest first, the shown part of the index, and the files that are no notes.

        At most 200 files are read, the newest ones.

        Args:
            load_content: Whether the entries hold their bodies.
        """
        files = self._reader.files()
        notes, problems = self._reader.read(files[:MAX_SCAN_FILES])
        if left_out := files[MAX_SCAN_FILES:]:
            problems.append(_left_out(left_out[0], len(left_out)))
        entries = [
            replace(note, language=self.language, content=note.content if load_content else "") for note in notes
        ]
        _, lines, cut = cut_index(self._index_head())
        return MemoryManifest(entries, lines, len(entries), cut, problems)

    def load_index(self) -> str:
        """Give the index, at most 200 lines and 25 kB of it; a notice stands where it is cut."""
        text, _, cut = cut_index(self._index_head())
        if not cut:
            return text
        notice = _WORDS[self.language]["cut"].format(lines=MAX_INDEX_LINES, size=MAX_INDEX_BYTES // 1000)
        return f"{text}\n\n{notice}"

    def version(self, filename: str) -> str | None:
        """Name the bytes of a note's file as they are now, hand edits included; none if there is no such file.

        Raises:
            NoteError: The name is empty or that of the index.
        """
        return self._reader.version(note_filename(filename))

    def read_memory(self, filename: str) -> MemoryEntry | NoteProblem | None:
        """Read one note, however many there are; a file that is none tells why, and nothing means there is no file.

        Args:
            filename: The name of its file, with or without ``.md``.

        Raises:
            NoteError: The name is empty or that of the index.
        """
        found = self._reader.read_one(note_filename(filename))
        return replace(found, language=self.language) if isinstance(found, MemoryEntry) else found

    def save_memory(
        self,
        filename: str,
        mem_type: NoteType | str,
        name: str,
        description: str,
        content: str,
        *,
        allowed: Allowed | None = None,
    ) -> str:
        """Write a note, in place of one of the same file name, and list it in the index.

        Args:
            filename: The name of its file; folders in it are ignored, and ``.md`` is added.
            mem_type: One of the four types.
            name: A short title.
            description: One line that tells what it is about.
            content: Its body, Markdown.
            allowed: Asked with the version that would be replaced, while no other writer can change it.

        Returns:
            The path of the file.

        Raises:
            NoteError: The file name, the type or the text cannot be kept as it is.
            ConflictError: It is not allowed.
            StoreError: The folder cannot be written to.
        """
        file = note_filename(filename)
        check_portable(file)
        data = _note_bytes(file, mem_type, name, description, content)
        with hold_lock(self.path) as lock:
            if file.lower() == INDEX.lower() and lock.with_name(lock.name.upper()).exists():
                raise NoteError(f"{filename!r} is the index {INDEX} on this file system; use another name")
            self._check(file, allowed)
            write_whole(self.path / file, data)
            self._change_index(put_line(self._index_text(), file, description))
        return str(self.path / file)

    def delete_memory(self, filename: str, *, allowed: Allowed | None = None) -> bool:
        """Remove a note and its lines in the index; tell whether there was one.

        Args:
            filename: The name of its file, with or without ``.md``.
            allowed: Asked with the version that would go.

        Raises:
            NoteError: The name is empty or that of the index.
            ConflictError: It is not allowed.
            StoreError: The folder cannot be written to.
        """
        file = note_filename(filename)
        with hold_lock(self.path):
            found = self._reader.find(file)
            if found is None:
                return False
            self._check(found, allowed)
            try:
                (self.path / found).unlink()
                sync_folder(self.path)
            except OSError as error:
                raise StoreError(f"cannot delete the note {found!r}: {error}") from error
            self._change_index(drop_line(self._index_text(), found))
        return True

    def repair(self) -> RepairReport:
        """Make the index list all notes and no missing files; lines that are something else stay.

        Raises:
            StoreError: The folder cannot be written to.
        """
        with hold_lock(self.path):
            for path in self.path.iterdir():
                if is_leftover(path.name):
                    with suppress(OSError):
                        path.unlink()
            files = self._reader.files()
            notes, problems = self._reader.read(files)
            descriptions = {note.filename: note.description for note in sorted(notes, key=lambda note: note.filename)}
            text, added, removed = sync_lines(self._index_text(), descriptions, files)
            self._change_index(text)
        return RepairReport(tuple(added), tuple(removed), tuple(problems))

    def format_manifest(self, manifest: MemoryManifest | None = None) -> str:
        """List notes for a model to choose from, one line each.

        Args:
            manifest: What to list; the present state if left out.
        """
        words = _WORDS[self.language]
        entries = (manifest or self.scan(load_content=False)).entries
        return "\n".join(map(self._manifest_line, entries)) or words["no_notes"]

    def build_system_prompt(self) -> str:
        """Tell a model how to keep notes, and what the index holds."""
        index = self.load_index()
        return self._prompts.render("notes", directory=str(self.path), index=index if index.strip() else "")

    def _check(self, file: str, allowed: Allowed | None) -> None:
        if allowed is not None and not allowed(self._reader.version(file)):
            raise ConflictError(f"the note {file!r} has another version by now; read it again")

    def _manifest_line(self, entry: MemoryEntry) -> str:
        changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.mtime))
        about = " ".join(entry.description.splitlines()) or _WORDS[self.language]["no_description"]
        return f"- [{entry.mem_type.value}] {entry.filename} ({changed}): {about}"

    def _index_head(self) -> bytes:
        try:
            with self.index_path.open("rb") as file:
                return file.read(MAX_INDEX_BYTES + 4)  # one more than is shown, and a byte order mark
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise StoreError(f"cannot read the index {str(self.index_path)!r}: {error}") from error

    def _index_text(self) -> str:
        """Give the whole index; bytes that are no UTF-8 survive the way back."""
        try:
            return self.index_path.read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise StoreError(f"cannot read the index {str(self.index_path)!r}: {error}") from error

    def _change_index(self, text: str) -> None:
        if text != self._index_text():
            write_whole(self.index_path, text.encode("utf-8", "surrogateescape"))


def _note_bytes(file: str, mem_type: NoteType | str, name: str, description: str, content: str) -> bytes:
    for what, value in (("name", name), ("description", description), ("content", content)):
        if not isinstance(value, str):
            raise NoteError(f"the {what} of note {file!r} must be text, not {value!r}")
        try:
            value.encode()
        except UnicodeEncodeError as error:
            bad = value[error.start]
            raise NoteError(f"the {what} of note {file!r} holds {bad!r}, which is no character; remove it") from error
    text = format_note(name, description, mem_type, content)
    parse_note(text, filename=file)  # what could not be read back is not written
    data = text.encode()
    if len(data) > MAX_NOTE_BYTES:
        raise NoteError(f"{file}: {len(data)} bytes pass the limit of {MAX_NOTE_BYTES}; split the note")
    return data


def _left_out(name: str, count: int) -> NoteProblem:
    others = f" with {count - 1} others" if count > 1 else ""
    return NoteProblem(
        name, f"left out{others}: only the newest {MAX_SCAN_FILES} files are read; delete or merge notes"
    )
