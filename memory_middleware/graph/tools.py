"""Tools that an agent may be given; whose memory they touch is decided by the run, never by the model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field

from memory_middleware.errors import InvalidInputError, MemoryMiddlewareError
from memory_middleware.graph.identity import current_run, find_scope
from memory_middleware.graph.port import Identify
from memory_middleware.remember.forgetting import Receipt
from memory_middleware.schemas.neutral import neutralise
from memory_middleware.schemas.profile import Profile
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.records import RecalledRecord

__all__ = ["TOOL_NAMES", "ToolMemory", "memory_tools"]

TOOL_NAMES = ("search_memory", "remember", "forget", "update_profile")
"""The tools there are."""


class ToolMemory(Protocol):
    """What the tools need of a memory."""

    identify: Identify | None

    def recall(self, scope: Scope, query: str, *, limit: int = 10) -> list[RecalledRecord]:
        """Find records."""
        ...

    def remember(
        self, scope: Scope, content: str, *, kind: RecordKind | str = RecordKind.FACT, **fields: Any
    ) -> MemoryRecord:
        """Keep a record."""
        ...

    def forget(self, scope: Scope, *, ids: Sequence[str] | str | None = None, with_sources: bool = False) -> Receipt:
        """Forget records."""
        ...

    def update_profile(self, scope: Scope, kind: str, patch: Mapping[str, Any]) -> Profile:
        """Change a profile."""
        ...


class _Search(BaseModel):
    query: str = Field(description="What to look for, in the user's words")
    limit: int = Field(5, ge=1, le=20, description="The most memories to give")


class _Remember(BaseModel):
    content: str = Field(min_length=1, description="One full sentence that makes sense by itself")
    kind: Literal["fact", "preference", "project", "feedback", "reference"] = Field(
        "fact", description="What it is about; feedback is how the assistant should behave"
    )


class _Forget(BaseModel):
    memory_id: str = Field(min_length=1, description="The id of a memory, as search_memory tells it")


class _UpdateProfile(BaseModel):
    profile: Literal["user", "work"] = Field(description="The person, or the person's work")
    changes: dict[str, Any] = Field(description="Fields to set; a field set to null is cleared")


def memory_tools(memory: ToolMemory, names: Sequence[str] = TOOL_NAMES) -> list[BaseTool]:
    """Make the tools of these names.

    Raises:
        InvalidInputError: There is no such tool.
    """
    made = _Tools(memory)
    known: dict[str, tuple[Callable[..., str], type[BaseModel], str]] = {
        "search_memory": (made.search, _Search, "Search what is remembered about the user from earlier conversations."),
        "remember": (
            made.remember,
            _Remember,
            "Remember something the user asked you to keep for later conversations.",
        ),
        "forget": (made.forget, _Forget, "Forget a memory for good, when the user asks for it."),
        "update_profile": (made.update, _UpdateProfile, "Change the user's profile, when the user asks for it."),
    }
    if unknown := [name for name in names if name not in known]:
        raise InvalidInputError(f"there is no memory tool {unknown[0]!r}; there are {', '.join(known)}")
    return [_tool(name, *known[name]) for name in names]


def _tool(name: str, run: Callable[..., str], schema: type[BaseModel], summary: str) -> BaseTool:
    async def later(**given: Any) -> str:
        return await asyncio.to_thread(run, **given)

    return StructuredTool.from_function(func=run, coroutine=later, name=name, description=summary, args_schema=schema)


class _Tools:
    def __init__(self, memory: ToolMemory) -> None:
        self._memory = memory

    def search(self, query: str, limit: int = 5) -> str:
        def run() -> str:
            hits = self._memory.recall(self._scope(), query, limit=limit)
            lines = [f"{hit.record.id}: {neutralise(hit.record.content)}" for hit in hits]
            return "\n".join(lines) or "Nothing is remembered about this."

        return self._told(run)

    def remember(self, content: str, kind: str = "fact") -> str:
        def run() -> str:
            # The model says that the user said so; what it read elsewhere must not become the user's own word.
            kept = self._memory.remember(self._scope(), content, kind=kind, trust="assistant", source="tool")
            if kept.state is RecordState.QUARANTINED:
                return f"Put aside as {kept.id} for the user to look at: {kept.note}."
            return f"Remembered as {kept.id}."

        return self._told(run)

    def forget(self, memory_id: str) -> str:
        def run() -> str:
            receipt = self._memory.forget(self._scope(), ids=memory_id, with_sources=True)
            return f"Forgotten: {len(receipt.records)} memories."

        return self._told(run)

    def update(self, profile: str, changes: dict[str, Any]) -> str:
        def run() -> str:
            changed = self._memory.update_profile(self._scope(), profile, changes)
            return f"The {profile} profile is at version {changed.version}."

        return self._told(run)

    def _scope(self) -> Scope:
        config, runtime = current_run()
        return find_scope(config, runtime, identify=self._memory.identify)

    @staticmethod
    def _told(run: Callable[[], str]) -> str:
        """Tell the model what went wrong, so that it can mend it; nothing was changed then."""
        try:
            return run()
        except MemoryMiddlewareError as error:
            return f"That did not work: {error}"
