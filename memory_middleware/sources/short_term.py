"""The last rounds of a thread as a source."""

from __future__ import annotations

from memory_middleware.errors import ConfigError
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Source
from memory_middleware.sources.registry import SourceContext
from memory_middleware.storage.repositories.short_term import ShortTermRepository

__all__ = ["ShortTermSource", "build"]


class ShortTermSource(Source):
    """The newest items of the thread that the scope names, the newest first; the query does not matter.

    Args:
        name: What attachments call it.
        items: Where they are kept.
    """

    tells = "short_term"

    def __init__(self, name: str, items: ShortTermRepository) -> None:
        self.name = name
        self._items = items

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give the newest items; outside a thread there are none."""
        if not scope.thread_id:
            return []
        return [
            MemoryItem(
                id=item.id,
                content_summary=item.content,
                metadata={"turn": item.turn, "compressed": item.compressed},
                timestamp=item.created_at.timestamp(),
            )
            for item in reversed(self._items.recent(scope, top_k))
        ]


def build(_config: object, context: SourceContext) -> Source:
    """Build the source over the memory's own storage.

    Raises:
        ConfigError: There is no storage.
    """
    if context.store is None:
        raise ConfigError("short_term needs the memory's own storage; give the manager a LanceStore", context.name)
    return ShortTermSource(context.name, context.store.memories.short_term)
