"""Putting a block into what a chat model reads, and nowhere else.

The block never enters a state, so no channel, checkpoint or stream can hold it. A model that was made ready looks,
before every call, whether the agent around it has a block, and puts it into the system message it is about to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage, SystemMessage

from memory_middleware.recall.compose import insert_block
from memory_middleware.schemas.profile import MemoryType

__all__ = ["Injection", "current_injection", "injecting", "with_block"]

_current: ContextVar[Injection | None] = ContextVar("memory_injection", default=None)


@dataclass(frozen=True, slots=True)
class Injection:
    """The block of one agent's turn.

    Attributes:
        block: Its text, without markers.
        memory_type: Whose markers it has: those of the user profile, or of the work profile.
    """

    block: str
    memory_type: MemoryType


@contextmanager
def injecting(injection: Injection | None) -> Iterator[None]:
    """Let models that are called inside read a block; none hides that of an agent around."""
    token = _current.set(injection)
    try:
        yield
    finally:
        _current.reset(token)


def current_injection() -> Injection | None:
    """Give the block of the agent around, if there is one."""
    return _current.get()


def with_block(messages: Sequence[BaseMessage], injection: Injection) -> list[BaseMessage]:
    """Give messages whose first system message holds the block; those given stay as they are."""
    at = next((at for at, message in enumerate(messages) if isinstance(message, SystemMessage)), None)
    if at is None:
        return [SystemMessage(insert_block("", injection.block, injection.memory_type)), *messages]
    system = messages[at]
    changed = system.model_copy(update={"content": _inserted(system.content, injection)})
    return [*messages[:at], changed, *messages[at + 1 :]]


def _inserted(content: str | list[Any], injection: Injection) -> str | list[Any]:
    """Put the block where its placeholder stands, else to the end; parts with cache marks of a provider stay whole."""
    if isinstance(content, str):
        return insert_block(content, injection.block, injection.memory_type)
    mark = f"{injection.memory_type.upper()}_MEMORY"
    parts = list(content)
    for at, part in enumerate(parts):
        text = part if isinstance(part, str) else part.get("text") if part.get("type") == "text" else None
        if text and mark in text:
            told = insert_block(text, injection.block, injection.memory_type)
            parts[at] = told if isinstance(part, str) else {**part, "text": told}
            return parts
    return [*parts, {"type": "text", "text": insert_block("", injection.block, injection.memory_type)}]
