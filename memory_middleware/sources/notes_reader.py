"""Reading the files of a folder of notes, each again only when it changed."""

from __future__ import annotations

import hashlib
import os
import stat
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memory_middleware.errors import NoteError, StoreError
from memory_middleware.schemas.notes import MemoryEntry, NoteProblem, parse_note
from memory_middleware.sources.notes_names import is_note_name

__all__ = ["MAX_NOTE_BYTES", "NoteReader", "note_version"]

MAX_NOTE_BYTES = 1_000_000

# A file that changed this recently may change again without a new time stamp.
_SETTLED_SECONDS = 2.0

_Stamp = tuple[int, int, int, int]


class NoteReader:
    """Lists and reads the Markdown files of a folder, without its subfolders.

    Args:
        folder: The folder, resolved.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[_Stamp, MemoryEntry | NoteProblem]] = {}

    def files(self) -> list[str]:
        """List the files that may be notes, the newest first.

        Raises:
            StoreError: The folder cannot be read.
        """
        found: list[tuple[int, str]] = []
        try:
            with os.scandir(self._folder) as listing:
                for entry in listing:
                    if is_note_name(entry.name) and (changed := _changed(entry)) is not None:
                        found.append((-changed, entry.name))
        except OSError as error:
            raise StoreError(f"cannot read the folder of notes {str(self._folder)!r}: {error}") from error
        return [name for _, name in sorted(found)]

    def find(self, filename: str) -> str | None:
        """Give the file of this name as it is spelt on disk, or nothing."""
        names = self.files()
        if filename in names:
            return filename
        return next((name for name in names if unicodedata.normalize("NFC", name) == filename), None)

    def version(self, filename: str) -> str | None:
        """Name the bytes of a file as they are now, whether they are a note or not; none if there is no regular file.

        Raises:
            StoreError: It cannot be read.
        """
        path = self._folder / (self.find(filename) or filename)
        try:
            return note_version(path.read_bytes()) if path.is_file() else None
        except OSError as error:
            raise StoreError(f"cannot read the note {path.name!r}: {error}") from error

    def read(self, files: Sequence[str]) -> tuple[list[MemoryEntry], list[NoteProblem]]:
        """Read files in order, as notes or as problems; a file that is gone meanwhile is left out."""
        notes: list[MemoryEntry] = []
        problems: list[NoteProblem] = []
        for name in files:
            result = self._read(name)
            if isinstance(result, MemoryEntry):
                notes.append(result)
            elif result is not None:
                problems.append(result)
        asked = set(files)
        self._known = {name: known for name, known in list(self._known.items()) if name in asked}
        return notes, problems

    def read_one(self, filename: str) -> MemoryEntry | NoteProblem | None:
        """Read the file of this name, as a note or as a problem; nothing if there is none."""
        found = self.find(filename)
        return None if found is None else self._read(found)

    def _read(self, name: str) -> MemoryEntry | NoteProblem | None:
        path = self._folder / name
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
            known = self._known.get(name)
            if known is not None and known[0] == stamp:
                return known[1]
            result = self._parse(path, status)
        except FileNotFoundError:
            return NoteProblem(name, "it is a link to a file that does not exist") if path.is_symlink() else None
        except OSError as error:
            return NoteProblem(name, f"cannot be read: {error.strerror or error}")
        if time.time() - max(status.st_mtime, status.st_ctime) > _SETTLED_SECONDS:
            self._known[name] = (stamp, result)
        return result

    def _parse(self, path: Path, status: os.stat_result) -> MemoryEntry | NoteProblem:
        if not stat.S_ISREG(status.st_mode):  # asked anew, a file that is gone meanwhile would be none either
            return NoteProblem(path.name, "it is no regular file")
        if path.resolve().parent != self._folder:
            return NoteProblem(path.name, "it is a link out of the folder; copy the file here instead")
        if status.st_size > MAX_NOTE_BYTES:
            return NoteProblem(path.name, f"{status.st_size} bytes pass the limit of {MAX_NOTE_BYTES}; split the note")
        try:
            data = path.read_bytes()
            note = parse_note(data.decode(), filename=path.name, filepath=str(path), mtime=status.st_mtime)
            return replace(note, version=note_version(data))
        except UnicodeDecodeError as error:
            return NoteProblem(path.name, f"it is not UTF-8 at byte {error.start}; save it as UTF-8")
        except NoteError as error:
            return NoteProblem(path.name, str(error).removeprefix(f"{path.name}: "))


def note_version(data: bytes) -> str:
    """Name the bytes of a file; a change by hand gives another name."""
    return hashlib.sha256(data).hexdigest()[:32]


def _changed(entry: os.DirEntry[str]) -> int | None:
    """Tell when a file changed; a folder is none."""
    try:
        return None if entry.is_dir() else entry.stat().st_mtime_ns
    except OSError:
        return 0  # gone meanwhile, or a link to nothing; reading it tells
