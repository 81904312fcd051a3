"""Where a source keeps its file."""

from __future__ import annotations

import re
from pathlib import Path

from memory_middleware.sources.registry import SourceContext
from memory_middleware.sources.text_pieces import content_hash

__all__ = ["source_path"]

_LONGEST = 40


def source_path(configured: str | None, context: SourceContext) -> Path | None:
    """Find the file of a source.

    Args:
        configured: ``auto`` picks a file in the context's folder, named after the source; a relative
            path starts in that folder; nothing gives nothing.
        context: Of the source.
    """
    if not configured:
        return None
    if configured == "auto":
        return context.folder / f"{_safe_name(context.name)}.json"
    return context.folder / Path(configured).expanduser()


def _safe_name(name: str) -> str:
    safe = re.sub(r"[^\w-]", "_", name)[:_LONGEST]
    # The hash keeps apart names that become alike.
    return safe if safe == name else f"{safe}-{content_hash(name)}"
