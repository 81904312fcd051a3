"""Foreign text made short and harmless before it is kept."""

from __future__ import annotations

from memory_middleware.schemas.neutral import neutralise
from memory_middleware.schemas.scrub import scrub

__all__ = ["brief"]

_WINDOW = 4


def brief(text: str, limit: int) -> str:
    """Give a text as one short line without secrets, control characters and fences.

    Args:
        text: Any text, however long; only its beginning is looked at.
        limit: Most characters; an ellipsis tells that something was left out.
    """
    line = neutralise(scrub(_beginning(text, limit * _WINDOW)))
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _beginning(text: str, limit: int) -> str:
    """Cut between two words, since half a secret does not look like one."""
    if len(text) <= limit:
        return text
    window = text[:limit]
    return window[: max(window.rfind(" "), window.rfind("\n"))] if " " in window or "\n" in window else window
