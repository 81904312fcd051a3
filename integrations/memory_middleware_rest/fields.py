"""Types of what requests tell: moments, pages, ids, short texts."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Header, Path, Query
from pydantic import AfterValidator, BeforeValidator, StringConstraints, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from memory_middleware_rest.etags import NAMED

__all__ = ["Cursor", "Id", "IfMatch", "IfNoneMatch", "Limit", "Offset", "Term", "Text", "Versions", "When"]

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?", re.ASCII)


def _written(value: Any) -> Any:
    if isinstance(value, str) and not _ISO.fullmatch(value):
        raise ValueError("expected an ISO 8601 time such as 2026-03-01T09:30:00Z")
    if not isinstance(value, str | datetime):
        raise ValueError("expected an ISO 8601 time as text")
    return value


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("the time lies outside the years 1 to 9999 in UTC") from error


When = Annotated[datetime, BeforeValidator(_written), AfterValidator(_in_utc)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
Term = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Id = Annotated[str, Path(description="Its id; percent-encode what is not a letter or digit")]
Limit = Annotated[int, Query(ge=1, le=1000, description="At most so many; the server may give fewer")]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000, description="Where the page begins")]
Cursor = Annotated[str | None, Query(max_length=2000, description="`next` of the page before")]
Versions = Annotated[str, WithJsonSchema({"type": "string", "pattern": NAMED})] | SkipJsonSchema[None]
"""A header that names versions; it may be left out, but there is no null in one."""

IfMatch = Annotated[Versions, Header(description="The `ETag` of the version that is changed")]
IfNoneMatch = Annotated[Versions, Header(description="The `ETag` of the version at hand; 304 if it is current")]
