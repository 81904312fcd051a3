"""A memory that lives in the time of a trace, and notes what it does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from memory_middleware import ComposedTurn, Memory, MemoryConfig, MemoryRecord, Observed, Scope

__all__ = ["TracedMemory", "config_in"]


class TracedMemory(Memory):
    """A memory for which it is always the time of the turn that is replayed.

    Attributes:
        moment: What time it is.
        composed: What was recalled since somebody asked last, by scope.
        observed: What was observed since then.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        self.moment = datetime.now(UTC)
        self.composed: list[tuple[Scope, ComposedTurn]] = []
        self.observed: list[Observed] = []
        super().__init__(*args, **{**more, "clock": lambda: self.moment})

    def compose(self, owner: Scope | str, said: Any, **more: Any) -> ComposedTurn:
        """Recall at the time of the turn, and note what was recalled."""
        turn = super().compose(owner, said, **more)
        self.composed.append((owner if isinstance(owner, Scope) else Scope(owner), turn))
        return turn

    def observe(
        self,
        owner: Scope | str,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str] = (),
        *,
        tokens: int = 0,
        now: datetime | None = None,
    ) -> Observed:
        """Write a turn down at its time, and note what was found."""
        seen = super().observe(owner, messages, injected, tokens=tokens, now=now)
        self.observed.append(seen)
        return seen


def config_in(config: MemoryConfig, folder: Path) -> MemoryConfig:
    """Give a configuration whose memory is kept in a folder of its own, and extracts when it is told to."""
    here: dict[str, Any] = {"path": str(folder), "sql_url": None, "lance_uri": None, "storage_options": {}}
    return config.model_copy(
        update={
            "storage": config.storage.model_copy(update=here),
            "extract": config.extract.model_copy(update={"mode": "manual"}),
        }
    )
