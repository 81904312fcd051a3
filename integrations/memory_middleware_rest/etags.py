"""Versions of what is served, so that nobody overwrites what they have not seen."""

from __future__ import annotations

import re
from typing import Any

from fastapi import Response

from memory_middleware import MemoryRecord
from memory_middleware_rest.problems import ProblemError

__all__ = ["ANY", "CURRENT", "ETAG", "NAMED", "is_current", "named_tags", "record_tag", "tagged", "version_tag"]

ANY = "*"
"""What names whatever version there is."""

_ONE = r'(?:W/)?"[!#-~\x80-\xff]*"'
_TAG = re.compile(_ONE)
_SOME = rf"[ \t,]*{_ONE}(?:[ \t]*,[ \t,]*{_ONE})*[ \t,]*"
_TAGS = re.compile(_SOME)

NAMED = rf"^(?:[ \t]*\*[ \t]*|{_SOME})$"
"""How a header names versions, for the description; what does not fit is refused with a code of its own."""

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


def named_tags(header: str) -> list[str]:
    """List the tags that an ``If-Match`` or ``If-None-Match`` header names, or ``ANY`` alone.

    Raises:
        ProblemError: It names none, or something else too.
    """
    if header.strip(" \t") == ANY:
        return [ANY]
    if not _TAGS.fullmatch(header):
        raise ProblemError(
            400, 'If-Match and If-None-Match take * or ETags in quotes, such as "3"', code="unfit-version"
        )
    return _TAG.findall(header)


def is_current(header: str, tag: str, *, weak: bool = False) -> bool:
    """Tell whether an ``If-Match`` or ``If-None-Match`` header names a tag.

    Args:
        header: The header; ``*`` names whatever there is.
        tag: The present one.
        weak: Whether ``W/"…"`` counts as well, as it does for ``If-None-Match``.

    Raises:
        ProblemError: The header names no version.
    """
    named = named_tags(header)
    return named == [ANY] or tag in ([name.removeprefix("W/") for name in named] if weak else named)


def tagged(response: Response, tag: str, if_none_match: str | None = None) -> Response | None:
    """Name the version of an answer, or give the answer that the version at hand is current."""
    if if_none_match is not None and is_current(if_none_match, tag, weak=True):
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return None
