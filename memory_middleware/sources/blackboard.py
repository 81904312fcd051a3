"""A shared list: every node appends, every node reads the newest."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from pathlib import Path

from memory_middleware.config import BlackboardMemoryConfig
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Exchange, Source
from memory_middleware.sources.item_file import ItemFile, newest_of_each_owner, owned_by
from memory_middleware.sources.paths import source_path
from memory_middleware.sources.registry import SourceContext

__all__ = ["BlackboardMemory", "build"]

_PREVIEW = 200


class BlackboardMemory(Source):
    """What the nodes of an owner's graph told each other, in the order they did.

    What is written is on disk when ``update`` returns, and other processes see it.

    Args:
        name: What attachments call it.
        path: A JSON file; without one nothing outlives the process.
        max_items: Items kept for each owner; the oldest go.
        clock: Tells the time in seconds.
    """

    tells = "short_term"

    def __init__(
        self,
        name: str,
        *,
        path: Path | None = None,
        max_items: int = 1000,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self._file = ItemFile(path)
        self._max_items = max_items
        self._clock = clock

    @property
    def set_aside(self) -> tuple[Path, ...]:
        """Where files that could not be read were moved."""
        return self._file.set_aside

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give the newest items, the oldest of them first; query and threshold do not count.

        Raises:
            StoreError: The file cannot be read.
        """
        items = owned_by(self._file.items(), scope)
        return items[max(0, len(items) - top_k) :]

    def update(self, exchange: Exchange, scope: Scope) -> None:
        """Append a turn: its output, or its input where it has no output.

        Raises:
            StoreError: The file cannot be written.
        """
        told = exchange.output.text if exchange.output else ""
        summary = told if told.strip() else exchange.inputs_text
        if not summary.strip():
            return
        item = MemoryItem(
            id=f"bb_{uuid.uuid4().hex}",
            content_summary=summary,
            metadata={},
            timestamp=self._clock(),
            input_snapshot=exchange.inputs,
            output_snapshot=exchange.output,
        )
        item.metadata = {
            "agent_role": exchange.role,
            "input_preview": exchange.inputs_text[:_PREVIEW],
            "attachments": item.attachments(),
            "owner_id": scope.owner_id,
        }
        self._file.change(lambda items: newest_of_each_owner([*items, item], self._max_items))

    def load(self) -> None:
        """Read the file.

        Raises:
            StoreError: The file cannot be read.
        """
        self._file.items()


def build(config: BlackboardMemoryConfig, context: SourceContext) -> BlackboardMemory:
    """Build the source that a configuration declares."""
    return BlackboardMemory(
        context.name,
        path=source_path(config.memory_path, context),
        max_items=config.max_items,
        clock=context.seconds,
    )
