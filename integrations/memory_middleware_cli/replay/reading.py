"""Reading a recorded conversation, whatever its format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_middleware import InvalidInputError
from memory_middleware_cli.replay.formats.langsmith import is_langsmith, read_langsmith
from memory_middleware_cli.replay.formats.locomo import is_locomo, read_locomo
from memory_middleware_cli.replay.formats.openai_chat import is_openai, read_openai
from memory_middleware_cli.replay.formats.ours import is_ours, read_ours
from memory_middleware_cli.replay.trace import Trace

__all__ = ["read_trace"]


def read_trace(path: str | Path, *, pick: int = 1) -> Trace:
    """Read a trace: ours, OpenAI chat, a LangSmith export or LoCoMo; the shape of the file tells which.

    Args:
        path: The file, JSON or JSONL.
        pick: Which conversation of a file that holds several of different people, counted from 1.

    Raises:
        InvalidInputError: The file cannot be read, is none of these, or holds nothing a user said.
    """
    place = Path(path)
    trace = _read(_load(place), place.stem, pick)
    if not trace.turns:
        raise InvalidInputError(f"{place.name} holds nothing that a user said")
    return trace


def _read(data: Any, name: str, pick: int) -> Trace:
    if is_locomo(data):
        return read_locomo(data, name, pick)
    if is_langsmith(data):
        return read_langsmith(data, name)
    if is_openai(data):
        return read_openai(data, name)
    if is_ours(rows := [data] if isinstance(data, Mapping) else data):
        return read_ours(rows, name)
    raise InvalidInputError(
        f"{name}: this is no trace; there are JSONL with a message a line, OpenAI chat messages, LangSmith runs "
        "and LoCoMo"
    )


def _load(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"the trace {str(path)!r} cannot be read: {error}") from error
    try:
        whole = json.loads(text)
    except ValueError:
        return [_line(line, at, path.name) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    # A list of messages in one piece is how chat systems write it; ours has a line for each.
    return {"messages": whole} if is_ours(whole) and "trace" not in whole[0] else whole


def _line(line: str, at: int, name: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise InvalidInputError(f"{name}, line {at}: this is no JSON ({error})") from error
