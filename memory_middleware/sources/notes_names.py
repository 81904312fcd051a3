"""Names of note files: always inside their folder, never the index, fit for every file system."""

from __future__ import annotations

import re
import unicodedata

from memory_middleware.errors import NoteError

__all__ = ["INDEX", "check_portable", "is_note_name", "note_filename"]

INDEX = "MEMORY.md"

_MOST_BYTES = 255
_REMEDY = "use a short name such as 'user_go_expert'"
_FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]')
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789¹²³"))
)


def is_note_name(name: str) -> bool:
    """Tell whether a file of this name may hold a note; hidden files are left to those who made them."""
    return name.endswith(".md") and name != INDEX and not name.startswith(".")


def note_filename(raw: str) -> str:
    """Give the file name that a caller means, with ``.md`` and without folders.

    Raises:
        NoteError: Nothing is left, or it is the index.
    """
    if not isinstance(raw, str):
        raise NoteError(f"the name of a note must be text, not {raw!r}; {_REMEDY}")
    # Both separators count everywhere, so that a folder of notes can move between systems.
    base = unicodedata.normalize("NFC", re.split(r"[/\\]", raw)[-1]).strip()
    filename = base if base.endswith(".md") else f"{base}.md"
    if not filename.removesuffix(".md").strip(". "):
        raise NoteError(f"the name {raw!r} of a note is empty; {_REMEDY}")
    if filename == INDEX:
        raise NoteError(f"{raw!r} is reserved for the index {INDEX}; {_REMEDY}")
    return filename


def check_portable(filename: str) -> None:
    """Refuse a name that some file system or Markdown reader cannot hold.

    Raises:
        NoteError: As the message says.
    """
    if found := _FORBIDDEN.search(filename):
        raise NoteError(f"the name {filename!r} of a note must not hold {found[0]!r}; {_REMEDY}")
    if filename.startswith("."):
        raise NoteError(f"the name {filename!r} of a note must not begin with a dot; {_REMEDY}")
    if filename.partition(".")[0].strip().lower() in _DEVICES:
        raise NoteError(f"the name {filename!r} is reserved for a device on Windows; {_REMEDY}")
    if (size := len(filename.encode())) > _MOST_BYTES:
        raise NoteError(f"the name of a note has {size} bytes, more than {_MOST_BYTES}; {_REMEDY}")
