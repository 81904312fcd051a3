"""What the graph layer needs of a memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from langchain_core.messages import BaseMessage

from memory_middleware.config import MemoryConfig
from memory_middleware.recall.turn import ComposedTurn
from memory_middleware.remember.observe import Observed
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.schemas.scope import Scope

__all__ = ["Identify", "TurnMemory"]

Identify = Callable[[Any, Any], str]
"""Tells the owner's id from LangGraph's config and runtime."""


class TurnMemory(Protocol):
    """A memory that can serve the turns of agents."""

    config: MemoryConfig
    identify: Identify | None

    def compose(
        self, scope: Scope, said: Sequence[BaseMessage], *, role: str | None = None, prompt: str | None = None
    ) -> ComposedTurn:
        """Recall for a turn and compose the agent's prompt."""
        ...

    async def acompose(
        self, scope: Scope, said: Sequence[BaseMessage], *, role: str | None = None, prompt: str | None = None
    ) -> ComposedTurn:
        """Recall for a turn; the async twin."""
        ...

    def observe(
        self,
        scope: Scope,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str] = (),
        *,
        tokens: int = 0,
    ) -> Observed:
        """Write a turn down."""
        ...

    async def aobserve(
        self,
        scope: Scope,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str] = (),
        *,
        tokens: int = 0,
    ) -> Observed:
        """Write a turn down; the async twin."""
        ...

    def note_failure(self, what: str, error: Exception) -> None:
        """Count and log a failure that must not cost the user the answer."""
        ...
