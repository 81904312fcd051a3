"""What a block is made of, before it is text: titled sections of single lines."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Section"]


@dataclass(frozen=True)
class Section:
    """A titled group of lines; the first lines matter most.

    Room is given to a lower ``priority`` first, wherever the section stands in the block.
    """

    name: str
    title: str
    lines: tuple[str, ...]
    priority: int = 1
