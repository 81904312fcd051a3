"""Small checks behind ``validate``: each returns messages and never raises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from memory_middleware.errors import SchemaError
from memory_middleware.schemas.times import to_utc_iso

__all__ = [
    "Entry",
    "check_fraction",
    "check_member",
    "check_moment",
    "check_nested",
    "check_non_negative",
    "check_required",
    "check_text",
    "check_texts",
    "copied",
    "expect_object",
    "read_entries",
    "write_entries",
]


class Entry(Protocol):
    """A nested part of an experience."""

    def to_dict(self) -> dict[str, Any]:
        """Write the part as plain data."""
        ...

    def validate(self) -> list[str]:
        """List what is wrong with the part."""
        ...


class EntryReader(Protocol):
    """The class of a nested part."""

    def from_dict(self, data: Mapping[str, Any]) -> Entry:
        """Read the part from plain data."""
        ...


def expect_object(kind: type[Any], data: Any) -> None:
    """Demand an object to read from.

    Raises:
        SchemaError: It is something else.
    """
    if not isinstance(data, Mapping):
        raise SchemaError(f"{kind.__name__} is read from an object, not from {data!r}")


def copied(value: Any) -> Any:
    """Copy a list, so that two owners never share one; anything else is given as it is."""
    return list(value) if isinstance(value, list | tuple) else value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) != float("inf")


def check_text(owner: object, *names: str) -> list[str]:
    """Demand text or nothing in each named field."""
    found = ((name, getattr(owner, name)) for name in names)
    return [
        f"{type(owner).__name__}.{name} must be a string, not {value!r}"
        for name, value in found
        if value is not None and not isinstance(value, str)
    ]


def check_required(owner: object, *names: str) -> list[str]:
    """Demand non-empty text in each named field."""
    messages = []
    for name in names:
        value = getattr(owner, name)
        if value is None or value == "":
            messages.append(f"{type(owner).__name__}.{name} is required")
        elif not isinstance(value, str):
            messages.append(f"{type(owner).__name__}.{name} must be a string, not {value!r}")
    return messages


def check_member(owner: object, name: str, allowed: Sequence[str]) -> list[str]:
    """Demand one of the allowed words."""
    value = getattr(owner, name)
    if isinstance(value, str) and value in allowed:
        return []
    return [f"{type(owner).__name__}.{name} must be one of: {', '.join(allowed)}"]


def check_non_negative(owner: object, *names: str) -> list[str]:
    """Demand a number of at least zero in each named field."""
    messages = []
    for name in names:
        value = getattr(owner, name)
        if not _is_number(value):
            messages.append(f"{type(owner).__name__}.{name} must be a number, not {value!r}")
        elif not value >= 0:
            messages.append(f"{type(owner).__name__}.{name} must be non-negative")
    return messages


def check_fraction(owner: object, name: str) -> list[str]:
    """Demand a number from 0.0 to 1.0."""
    value = getattr(owner, name)
    if not _is_number(value):
        return [f"{type(owner).__name__}.{name} must be a number, not {value!r}"]
    return [] if 0.0 <= value <= 1.0 else [f"{type(owner).__name__}.{name} must be between 0.0 and 1.0"]


def check_moment(owner: object, name: str, *, optional: bool = False) -> list[str]:
    """Demand a datetime that can be told in UTC."""
    value = getattr(owner, name)
    if optional and value is None:
        return []
    if not isinstance(value, datetime):
        return [f"{type(owner).__name__}.{name} must be a datetime, not {value!r}"]
    try:
        to_utc_iso(value)
    except OverflowError:
        return [f"{type(owner).__name__}.{name} lies outside the years 1 to 9999 in UTC"]
    return []


def check_texts(owner: object, *names: str) -> list[str]:
    """Demand a list of strings in each named field; a null list counts as empty."""
    messages = []
    for name in names:
        value = getattr(owner, name)
        if value is None:
            continue
        if not isinstance(value, list | tuple):
            messages.append(f"{type(owner).__name__}.{name} must be a list, not {value!r}")
        elif not all(isinstance(part, str) for part in value):
            messages.append(f"{type(owner).__name__}.{name} must hold strings only")
    return messages


def check_nested(owner: object, name: str, kind: type[Any]) -> list[str]:
    """Demand a list of valid parts; their messages are prefixed ``name[i]: ``."""
    value = getattr(owner, name)
    if not isinstance(value, list | tuple):
        return [f"{type(owner).__name__}.{name} must be a list, not {value!r}"]
    messages: list[str] = []
    for at, part in enumerate(value):
        found = part.validate() if isinstance(part, kind) else [f"expected {kind.__name__}, not {part!r}"]
        messages.extend(f"{name}[{at}]: {message}" for message in found)
    return messages


def read_entries(reader: EntryReader, value: object) -> Any:
    """Read a list of parts, keeping what is malformed for ``validate`` to report."""
    if not isinstance(value, list | tuple):
        return value
    return [reader.from_dict(part) if isinstance(part, Mapping) else part for part in value]


def write_entries(value: Any) -> Any:
    """Write a list of parts, leaving what is malformed as it stands."""
    if not isinstance(value, Iterable) or isinstance(value, str | Mapping):
        return value
    return [part.to_dict() if hasattr(part, "to_dict") else part for part in value]
