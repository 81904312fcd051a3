"""Our own format: one JSON object a line, a message each; the first line may tell about the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_middleware import InvalidInputError
from memory_middleware_cli.replay.formats.parts import read_message, read_time
from memory_middleware_cli.replay.trace import AGENTS, Heard, Trace, as_turns

__all__ = ["is_ours", "read_ours"]

_HEADER = {"trace", "owner", "language", "about"}
_FIELDS = {"role", "content", "time", "thread", "agent", "name", "tool_calls", "tool_call_id"}


def is_ours(rows: Any) -> bool:
    """Tell whether lines are messages, or begin with a header."""
    if not isinstance(rows, list) or not rows or not all(isinstance(row, Mapping) for row in rows):
        return False
    return "trace" in rows[0] or ("role" in rows[0] and "messages" not in rows[0])


def read_ours(rows: Sequence[Mapping[str, Any]], name: str) -> Trace:
    """Read a trace.

    Raises:
        InvalidInputError: A line does not fit; the message tells which.
    """
    header = rows[0] if "trace" in rows[0] else {}
    if unknown := set(header) - _HEADER:
        raise InvalidInputError(
            f"{name}, line 1: a header has no {min(unknown)!r}; it has {', '.join(sorted(_HEADER))}"
        )
    start = 1 if header else 0
    heard = [_heard(row, f"{name}, line {at}") for at, row in enumerate(rows[start:], start + 1)]
    return Trace(
        name=str(header.get("trace") or name),
        turns=as_turns(heard),
        owner=header.get("owner"),
        language=str(header.get("language") or "en"),
        about=str(header.get("about") or ""),
    )


def _heard(row: Mapping[str, Any], place: str) -> Heard:
    if unknown := set(row) - _FIELDS:
        raise InvalidInputError(f"{place}: a message has no {min(unknown)!r}; it has {', '.join(sorted(_FIELDS))}")
    agent = row.get("agent") or "worker"
    if agent not in AGENTS:
        raise InvalidInputError(f"{place}: there is no agent {agent!r}; there are {' and '.join(AGENTS)}")
    thread = str(row.get("thread") or "thread-1")
    return Heard(read_message(row, place), thread, read_time(row.get("time"), place), agent)
