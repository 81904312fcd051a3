"""An export from a stranger: every line is checked before any of it is written.

The library copies rows of the journal as they are, since it wrote them itself. What comes over the network may be made
up: rows of another owner, uses of another's records, documents that nobody could read back.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from pydantic import ValidationError

from memory_middleware import InvalidInputError
from memory_middleware_rest.import_rows import ROWS

__all__ = ["own_lines"]

_MOST = 2**63


def own_lines(lines: Iterable[bytes], owner: str) -> Iterator[str]:
    """Pass on the lines of an export, all of which must be the owner's.

    Args:
        lines: The lines as they came.
        owner: Who sends them.

    Raises:
        InvalidInputError: A line is another's, or nothing that this library would have written.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            entry = json.loads(text, parse_constant=_no_number, parse_float=_number, parse_int=_whole)
            json.dumps(entry, ensure_ascii=False).encode("utf-8")
        except (ValueError, RecursionError) as error:
            raise InvalidInputError(f"line {number} cannot be read: {str(error)[:200]}") from error
        _check(entry, owner, number)
        yield text


def _check(entry: Any, owner: str, number: int) -> None:
    if not isinstance(entry, dict) or "entries" in entry:
        raise InvalidInputError(f"line {number}: send one entry a line, each an object")
    if entry.get("type") == "end" or "format" in entry:
        return
    if entry.get("owner_id") != owner:
        raise InvalidInputError(f"line {number}: the entry is not yours; only one's own memory can be imported")
    row = ROWS.get(str(entry.get("type")))
    if row is None:
        return  # records and experience are checked by the library
    try:
        row.model_validate(entry.get("data"), context=owner)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidInputError(f"line {number}: {place}: {first['msg'][:200]}") from error


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _number(text: str) -> float:
    found = float(text)
    return found if math.isfinite(found) else _no_number(text)


def _whole(text: str) -> int:
    found = int(text) if len(text) <= 20 else _MOST
    return found if -_MOST <= found < _MOST else _no_number(text)
