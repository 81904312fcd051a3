"""Agents that work for another as its tools: what they are told is noted in the other's turn, which is written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from memory_middleware import AgentTurn
from memory_middleware_langchain.turns import OpenTurn

__all__ = ["helping", "tell_helped"]

_helped: ContextVar[tuple[tuple[Any, OpenTurn], ...]] = ContextVar("memory_helped", default=())


@contextmanager
def helping(memory: Any, turn: OpenTurn | None) -> Iterator[None]:
    """Let agents that are called inside note what they are told in a turn; one that nobody writes down is passed over.

    Args:
        memory: The memory that serves it.
        turn: The turn.
    """
    if turn is None or not turn.turn.rules.observes:
        yield
        return
    token = _helped.set(((memory, turn), *_helped.get()))
    try:
        yield
    finally:
        _helped.reset(token)


def tell_helped(memory: Any, turn: AgentTurn) -> None:
    """Note what an agent was told in the nearest turn around it of the same memory and owner."""
    for served, helped in _helped.get():
        if served is memory and helped.turn.scope.owner_id == turn.scope.owner_id:
            helped.lend(turn)
            return
