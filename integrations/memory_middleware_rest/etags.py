"""Versions of what is served, so that nobody overwrites what they have not seen."""

from __future__ import annotations

import hashlib
import json
import re

from memory_middleware import MemoryRecord

__all__ = ["is_current", "record_tag", "version_tag"]

_TAG = re.compile(r'(?:W/)?"[^"]*"|\*')
# Use changes them with every turn; they are nothing that somebody edits.
_USE = {"weight", "access_count", "last_accessed"}


def version_tag(*versions: int) -> str:
    """Name the versions of documents."""
    return f'"{"-".join(map(str, versions))}"'


def record_tag(record: MemoryRecord) -> str:
    """Name the present content of a record; its weight and use do not count."""
    told = json.dumps(record.model_dump(mode="json", exclude=_USE), sort_keys=True)
    return f'"{hashlib.sha256(told.encode()).hexdigest()[:32]}"'


def is_current(header: str, tag: str, *, weak: bool = False) -> bool:
    """Tell whether an ``If-Match`` or ``If-None-Match`` header names a tag.

    Args:
        header: The header; ``*`` names whatever there is.
        tag: The present one.
        weak: Whether ``W/"…"`` counts as well, as it does for ``If-None-Match``.
    """
    named = _TAG.findall(header)
    return "*" in named or tag in ([name.removeprefix("W/") for name in named] if weak else named)
