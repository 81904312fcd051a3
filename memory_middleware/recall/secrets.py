"""The last look for secrets, before anything is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_middleware.recall.sections import Line
from memory_middleware.schemas.scrub import may_hold_secret, scrub

__all__ = ["without_secrets"]


def without_secrets(groups: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Give groups of lines with their secrets taken out."""
    if not may_hold_secret("\n".join([line.text for lines in groups for line in lines])):
        return [list(lines) for lines in groups]
    return [[_without(line) for line in lines] for lines in groups]


def _without(line: Line) -> Line:
    return replace(line, text=scrub(line.text)) if may_hold_secret(line.text) else line
