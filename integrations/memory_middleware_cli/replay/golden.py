"""Golden files: a replay kept, and a later one held against it."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

from memory_middleware import InvalidInputError
from memory_middleware_cli.replay.result import Replay
from memory_middleware_cli.replay.telling import plain_replay

__all__ = ["differences", "save_golden"]

_MOST = 60


def save_golden(replay: Replay, path: Path) -> None:
    """Write a replay to a file.

    Raises:
        InvalidInputError: The file cannot be written.
    """
    try:
        path.write_text(_text(plain_replay(replay, spoken=False)), encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"the golden file {str(path)!r} cannot be written: {error}") from error


def differences(replay: Replay, path: Path) -> list[str]:
    """List where a replay differs from a golden file, as lines of a diff; none means that it is the same.

    Raises:
        InvalidInputError: The file cannot be read, or holds no JSON.
    """
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"the golden file {str(path)!r} cannot be read: {error}") from error
    before, now = _text(held).splitlines(), _text(plain_replay(replay, spoken=False)).splitlines()
    found = list(difflib.unified_diff(before, now, path.name, "this replay", lineterm="", n=2))
    return found if len(found) <= _MOST else [*found[:_MOST], f"… and {len(found) - _MOST} lines more"]


def _text(plain: dict[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
