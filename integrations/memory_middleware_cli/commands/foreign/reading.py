"""Reading JSON files of other systems: one document, or a value a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_middleware import InvalidInputError
from memory_middleware.schemas import parse_utc
from memory_middleware_cli.commands.arguments import read_text

__all__ = ["read_objects", "when"]


def read_objects(file: Path | None, keys: Sequence[str], what: str) -> list[dict[str, Any]]:
    """Read a list of objects: as a list, below one of the keys, or an object a line.

    Raises:
        InvalidInputError: The file is none of it.
    """
    found = _parsed(read_text(file))
    if isinstance(found, dict):
        found = next((found[key] for key in keys if isinstance(found.get(key), list)), [found])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise InvalidInputError(f"this is no file of {what}: a list of objects is wanted")
    return found


def when(value: Any) -> datetime | None:
    """Read a moment as others write it: ISO 8601 text or seconds since 1970; what is neither gives none."""
    try:
        if isinstance(value, str):
            return parse_utc(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            return [json.loads(line) for line in lines] if len(lines) > 1 else _refuse(error)
        except ValueError:
            return _refuse(error)


def _refuse(error: ValueError) -> Any:
    raise InvalidInputError(f"this is neither JSON nor lines of JSON: {error}") from error
