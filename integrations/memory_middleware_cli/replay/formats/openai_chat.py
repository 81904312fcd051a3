"""The OpenAI chat format: a list of messages, ``{"messages": […]}``, or one of these a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from memory_middleware import InvalidInputError
from memory_middleware_cli.replay.formats.parts import read_message, read_time
from memory_middleware_cli.replay.trace import Heard, Trace, as_turns

__all__ = ["is_openai", "read_openai"]

_BEGIN = datetime(2026, 1, 1, 9, tzinfo=UTC)
_TIMES = ("time", "timestamp", "created_at", "created")


def is_openai(data: Any) -> bool:
    """Tell whether this is one conversation, or several."""
    if isinstance(data, Mapping):
        return isinstance(data.get("messages"), list)
    return isinstance(data, list) and bool(data) and all(_is_conversation(row) for row in data)


def read_openai(data: Any, name: str) -> Trace:
    """Read conversations; each is a thread, and those that tell no time are a day apart.

    Raises:
        InvalidInputError: A message does not fit; the text tells which.
    """
    conversations = [data] if isinstance(data, Mapping) else data
    heard = [
        one
        for at, conversation in enumerate(conversations)
        for one in _conversation(conversation["messages"], at, name)
    ]
    return Trace(name, as_turns(heard))


def _conversation(messages: Sequence[Any], at: int, name: str) -> Iterator[Heard]:
    thread, moment = f"thread-{at + 1}", _BEGIN + timedelta(days=at)
    for number, data in enumerate(messages, 1):
        place = f"{name}, conversation {at + 1}, message {number}"
        if not isinstance(data, Mapping):
            raise InvalidInputError(f"{place}: a message is an object with a role and content, not {data!r}")
        told = next((data[key] for key in _TIMES if data.get(key) is not None), None)
        moment = read_time(told, place) or moment + timedelta(minutes=1)
        yield Heard(read_message(data, place), thread, moment)


def _is_conversation(row: Any) -> bool:
    return isinstance(row, Mapping) and isinstance(row.get("messages"), list) and "inputs" not in row
