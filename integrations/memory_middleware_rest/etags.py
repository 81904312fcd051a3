"""Versions of what is served, so that nobody overwrites what they have not seen."""

from __future__ import annotations

import re
from typing import Any

from fastapi import Response

from memory_middleware import MemoryRecord

__all__ = ["CURRENT", "ETAG", "is_current", "record_tag", "tagged", "version_tag"]

_TAG = re.compile(r'(?:W/)?"[^"]*"|\*')


ETAG = {"ETag": {"description": "Names this version", "schema": {"type": "string"}}}
"""The header of answers that have a version."""

CURRENT: dict[int | str, dict[str, Any]] = {304: {"description": "The version at hand is current", "headers": ETAG}}
"""The answer to who has that version already."""


def version_tag(*versions: int | str) -> str:
    """Name the versions of documents."""
    return f'"{"-".join(map(str, versions))}"'


def record_tag(record: MemoryRecord) -> str:
    """Name the present content of a record; its weight and use do not count."""
    return f'"{record.version}"'


def is_current(header: str, tag: str, *, weak: bool = False) -> bool:
    """Tell whether an ``If-Match`` or ``If-None-Match`` header names a tag.

    Args:
        header: The header; ``*`` names whatever there is.
        tag: The present one.
        weak: Whether ``W/"…"`` counts as well, as it does for ``If-None-Match``.
    """
    named = _TAG.findall(header)
    return "*" in named or tag in ([name.removeprefix("W/") for name in named] if weak else named)


def tagged(response: Response, tag: str, if_none_match: str | None = None) -> Response | None:
    """Name the version of an answer, or give the answer that the version at hand is current."""
    if if_none_match is not None and is_current(if_none_match, tag, weak=True):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return None
