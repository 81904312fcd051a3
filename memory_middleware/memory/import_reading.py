"""Reading an export: every line is checked before any of it is written."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import IO, Any, NoReturn

from memory_middleware.errors import InvalidInputError, MemoryMiddlewareError
from memory_middleware.memory.import_rows import LAST_MOMENT, check_row
from memory_middleware.schemas import times
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.storage.documents import EXPERIENCE_KINDS
from memory_middleware.storage.dump import ROW_KINDS
from memory_middleware.storage.repositories.weights import WeightState
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["EXPORT_VERSION", "FORMAT", "check_export", "line_of", "record_of", "state_of"]

EXPORT_VERSION = 1
"""The version of the format that is written."""

FORMAT = "memory_middleware"
"""What the first line of an export says it is."""

_KINDS = ("profile", "record", *EXPERIENCE_KINDS, *ROW_KINDS)
_MOST = 2**63
_MOST_WEIGHT = 1e9


def check_export(lines: Iterable[str | bytes], spool: IO[str], *, stream: bool = False) -> tuple[int, set[str]]:
    """Read all entries into a spool, checked, and tell how many and whose.

    Args:
        lines: The lines as they came.
        spool: Where the entries are written to.
        stream: Whether one JSON document is refused.

    Raises:
        InvalidInputError: Something is wrong with them.
    """
    entries = _read(_texts(lines), stream)
    head = next(entries, None)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise InvalidInputError("this is no export of memory_middleware; its first line should say so")
    if head.get("version") != EXPORT_VERSION:
        found = head.get("version")
        raise InvalidInputError(f"the export has version {found!r}, this release reads {EXPORT_VERSION}; update it")
    count, names, end = 0, set(), None
    for number, entry in enumerate(entries, start=2):
        if end is not None:
            raise InvalidInputError(f"line {number}: the export goes on after its end")
        if isinstance(entry, dict) and entry.get("type") == "end":
            end = entry.get("count")
            continue
        _check_entry(entry, number)
        spool.write(line_of(entry) + "\n")
        names.add(entry["owner_id"])
        count += 1
    if end != count:
        raise InvalidInputError(f"the export is cut off: it holds {count} entries, and its end says {end}")
    return count, names


def _check_entry(entry: Any, number: int) -> None:
    if not isinstance(entry, dict) or set(entry) != {"type", "owner_id", "data"} or not isinstance(entry["data"], dict):
        raise InvalidInputError(f"line {number}: an entry has a type, an owner_id and data")
    if entry["type"] not in _KINDS or not isinstance(entry["owner_id"], str) or not entry["owner_id"]:
        raise InvalidInputError(f"line {number}: unknown type {entry['type']!r} or owner {entry['owner_id']!r}")
    try:
        if entry["type"] == "record":
            _check_record(record_of(entry["data"], entry["owner_id"]), state_of(entry["data"]["weight_state"]))
        elif entry["type"] in EXPERIENCE_KINDS:
            made = EXPERIENCE_KINDS[entry["type"]].from_dict(entry["data"])
            if messages := made.validate():
                raise InvalidInputError("; ".join(messages))
        else:
            check_row(entry["type"], entry["data"], entry["owner_id"])
    except (MemoryMiddlewareError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InvalidInputError(f"line {number}: {error}") from error


def _check_record(record: MemoryRecord, state: WeightState) -> None:
    """Refuse what the tables could not hold, or give back."""
    for weight in (state.weight, state.base):
        if not 0.0 <= weight < _MOST_WEIGHT:
            raise InvalidInputError(f"weight_state: a weight is a number from 0 to {_MOST_WEIGHT:.0e}, not {weight!r}")
    for count in (record.access_count, state.access_count, record.provenance.turn or 0):
        if not 0 <= count < _MOST:
            raise InvalidInputError(f"a count or turn goes from 0 to {_MOST - 1}, not {count!r}")
    for told in (record, state):
        for name in ("created_at", "updated_at", "last_accessed", "changed_at", "based_at"):
            moment = getattr(told, name, None)
            if moment is not None and microseconds(moment) >= LAST_MOMENT:
                raise InvalidInputError(f"{name}: {moment.isoformat()!r} is too late; dates end with the year 9999")


def _texts(lines: Iterable[str | bytes]) -> Iterator[str]:
    """Give the lines that are not blank as texts; a byte order mark before the first does no harm."""
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode() if isinstance(line, bytes) else line
        except UnicodeDecodeError as error:
            raise InvalidInputError(f"line {number} is not UTF-8 at byte {error.start}") from error
        if (told := text.removeprefix("\ufeff") if number == 1 else text).strip():
            yield told


def _read(source: Iterator[str], stream: bool) -> Iterator[Any]:
    """Read lines of JSON, or one document whose ``entries`` are the same."""
    first = next(source, "")
    try:
        head = _loads(first)
    except ValueError as error:
        if stream:
            raise InvalidInputError(f"line 1 is no JSON: {error}") from error
        head = None
    if isinstance(head, dict) and "entries" not in head:
        yield head
        yield from _following(source)
        return
    if stream:
        raise InvalidInputError("line 1: send one entry a line, each an object")
    try:
        document = head if head is not None else _loads(first + "".join(source))
    except ValueError as error:
        raise InvalidInputError(f"this is neither JSON nor lines of JSON: {error}") from error
    yield from _of_document(document)


def _following(source: Iterator[str]) -> Iterator[Any]:
    for number, line in enumerate(source, start=2):
        try:
            yield _loads(line)
        except ValueError as error:
            raise InvalidInputError(f"line {number} is no JSON: {error}") from error


def _of_document(document: Any) -> Iterator[Any]:
    if not isinstance(document, dict) or not isinstance(document.get("entries"), list):
        yield document
    else:
        entries = document["entries"]
        yield {key: value for key, value in document.items() if key != "entries"}
        yield from entries
        if not (entries and isinstance(entries[-1], dict) and entries[-1].get("type") == "end"):
            yield {"type": "end", "count": len(entries)}


def _loads(text: str) -> Any:
    """Read JSON as others read it too: no numbers that are none, and only characters that can be written.

    Raises:
        ValueError: It is something else.
    """
    try:
        found = json.loads(text, parse_constant=_no_number, parse_float=_number, parse_int=_whole)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is no number that can be kept")


def _number(text: str) -> float:
    found = float(text)
    return found if math.isfinite(found) else _no_number(text)


def _whole(text: str) -> int:
    found = int(text) if len(text) <= 20 else _MOST
    return found if -_MOST <= found < _MOST else _no_number(text)


def record_of(data: dict[str, Any], owner_id: str) -> MemoryRecord:
    """Give the record of an entry."""
    told = {key: value for key, value in data.items() if key != "weight_state"}
    return MemoryRecord.from_dict({**told, "owner_id": owner_id})


def state_of(told: dict[str, Any]) -> WeightState:
    """Give the weight of an entry."""
    last = told["last_accessed"]
    return WeightState(
        float(told["weight"]),
        times.parse_utc(told["changed_at"]),
        int(told["access_count"]),
        times.parse_utc(last) if last else None,
        float(told["base"]),
        times.parse_utc(told["based_at"]),
    )


def line_of(entry: dict[str, Any]) -> str:
    """Write an entry as a line."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
