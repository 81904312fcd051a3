"""What a block is made of, before it is text: titled sections of single lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["Line", "MemoryClass", "Section"]


class MemoryClass(StrEnum):
    """What kind of memory a section tells, in the order in which room is given to them."""

    CORRECTIONS = "corrections"
    PROFILE = "profile"
    FACTS = "facts"
    DIALOGUE = "dialogue"
    SHORT_TERM = "short_term"
    EXPERIENCE = "experience"
    DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to tell.

    Attributes:
        text: A single line.
        id: What it tells of, such as the id of a record.
        source: The attachment it came by, if that has a share of its own.
        is_neutral: Whether all values in it were neutralised; else the whole line will be.
    """

    text: str
    id: str | None = None
    source: str | None = None
    is_neutral: bool = False


@dataclass(frozen=True)
class Section:
    """A titled group of lines of one class; the first lines matter most."""

    name: str
    title: str
    lines: tuple[Line | str, ...]
    memory_class: MemoryClass = field(default=MemoryClass.PROFILE)
