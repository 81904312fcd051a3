"""Human-editable notes: typed Markdown files listed in ``MEMORY.md``."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memory_middleware.errors import NoteError
from memory_middleware.schemas.front_matter import format_frontmatter, read_frontmatter, read_texts
from memory_middleware.schemas.problems import did_you_mean

__all__ = [
    "MAX_FRONTMATTER_BYTES",
    "MemoryEntry",
    "MemoryManifest",
    "NoteProblem",
    "NoteType",
    "format_note",
    "parse_memory_type",
    "parse_note",
]

MAX_FRONTMATTER_BYTES = 4096


class NoteType(StrEnum):
    """The closed set of note types."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


_AGES = {
    "en": ("today", "yesterday", "{days} days ago"),
    "zh": ("今天", "昨天", "{days} 天前"),
}
_STALE = {
    "en": (
        "⚠️ This note was saved {age}. It is a snapshot, not the present state: what it says about code or "
        "files may no longer hold. Verify before you act on it."
    ),
    "zh": (
        "⚠️ 此记忆已保存 {age}。记忆是时间点的快照,不是实时状态 —— 关于代码行为或文件位置的断言可能已过时。"
        "请先验证再据此操作。"
    ),
}


@dataclass
class MemoryEntry:
    """One note: its file, its front matter, when it changed, perhaps its body, and what names the bytes of its file."""

    filename: str
    filepath: str
    name: str | None
    description: str
    mem_type: NoteType
    mtime: float
    content: str = ""
    language: str = "en"
    version: str = ""

    @property
    def age_days(self) -> int:
        """Whole days since the note changed."""
        return max(0, int((time.time() - self.mtime) / 86400))

    @property
    def age_text(self) -> str:
        """The age in words, in the note's language."""
        words = _AGES.get(self.language, _AGES["en"])
        return words[min(self.age_days, 2)].format(days=self.age_days)

    @property
    def is_stale(self) -> bool:
        """Whether two whole days have passed."""
        return self.age_days > 1

    @property
    def staleness_note(self) -> str | None:
        """A warning to show with a stale note, in the note's language."""
        if not self.is_stale:
            return None
        return _STALE.get(self.language, _STALE["en"]).format(age=self.age_text)


@dataclass
class NoteProblem:
    """A file in the notes directory that could not be read as a note, and why."""

    filename: str
    message: str


@dataclass
class MemoryManifest:
    """What a notes directory holds: notes, index lines, and the files nobody could read."""

    entries: list[MemoryEntry] = field(default_factory=list)
    index_lines: list[str] = field(default_factory=list)
    total_files: int = 0
    index_truncated: bool = False
    problems: list[NoteProblem] = field(default_factory=list)


def parse_memory_type(raw: Any) -> NoteType | None:
    """Read a note type, in any case; what is none gives None."""
    try:
        return NoteType(str(raw).lower())
    except ValueError:
        return None


def parse_note(text: str, *, filename: str, filepath: str = "", mtime: float | None = None) -> MemoryEntry:
    """Read a note from the text of its file.

    Raises:
        NoteError: There is no readable front matter or no valid type; the message names the file.
    """
    try:
        data, body = read_frontmatter(text)
    except NoteError as error:
        raise NoteError(f"{filename}: {error}") from error
    kind = parse_memory_type(data.get("type")) if isinstance(data, dict) else None
    if kind is None:
        raise NoteError(f"{filename}: {_type_problem(data)}")
    written = read_texts(text)
    name = _as_written(data, written, "name") if "name" in data else _title(filename)
    return MemoryEntry(
        filename=filename,
        filepath=filepath,
        name=name,
        description=_as_written(data, written, "description") or "",
        mem_type=kind,
        mtime=time.time() if mtime is None else mtime,
        content=body,
    )


def format_note(name: str, description: str, mem_type: NoteType | str, content: str) -> str:
    """Write a note as the text of its file.

    Raises:
        NoteError: The type is none of the four, or the front matter would pass 4 kB and so be
            cut by readers that look at the first 4 kB only.
    """
    kind = parse_memory_type(mem_type)
    if kind is None:
        raise NoteError(f"note type {mem_type!r} is none of: {', '.join(NoteType)}")
    front = format_frontmatter({"name": name, "description": description, "type": kind.value})
    if (size := len(front.encode("utf-8", "surrogatepass"))) > MAX_FRONTMATTER_BYTES:
        raise NoteError(
            f"front matter of {size} bytes passes the limit of {MAX_FRONTMATTER_BYTES}; shorten name or description"
        )
    return f"{front}\n{content}"


def _title(filename: str) -> str:
    return filename.removesuffix(".md").replace("_", " ").title()


def _as_written(data: dict[str, Any], written: dict[str, Any], key: str) -> str | None:
    """Give a value as it stands in the file, since a title may look like a number or a date."""
    if data.get(key) is None:
        return None
    return str(written[key]) if isinstance(written.get(key), str) else str(data[key])


def _type_problem(data: Any) -> str:
    if not data:
        return (
            f"no front matter; begin the file with '---', a line 'type: ' and one of {', '.join(NoteType)}, and '---'"
        )
    if not isinstance(data, dict):
        return f"its front matter must be lines of 'key: value', not {data!r}"
    if "type" not in data:
        return f"no 'type' in its front matter; add one of: {', '.join(NoteType)}"
    return f"unknown type {data['type']!r}; {did_you_mean(str(data['type']), list(NoteType))}"
