"""Long-term records as a source: found by meaning, words, neighbours, speakers and time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memory_middleware.errors import ConfigError
from memory_middleware.schemas import times
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Source
from memory_middleware.sources.long_term.records import RecalledRecord, recall_records
from memory_middleware.sources.registry import SourceContext
from memory_middleware.storage.repositories import Repositories

__all__ = ["LongTermSource", "RecordItem", "build"]


@dataclass
class RecordItem(MemoryItem):
    """A record as an item, with the hit that it is made of."""

    hit: RecalledRecord | None = None


class LongTermSource(Source):
    """The records of whoever asks.

    Args:
        name: What attachments call it.
        memories: Where the records are.
        clock: Tells the time.
    """

    tells = "facts"

    def __init__(self, name: str, memories: Repositories, *, clock: Callable[[], datetime] = times.utc_now) -> None:
        self.name = name
        self._memories = memories
        self._clock = clock

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give the best records.

        A threshold beyond -1 is the least cosine of a record; where a query has no vector, the least part of its
        words that a record holds.
        """
        hits = recall_records(self._memories, scope, query.text, limit=top_k, now=self._clock())
        if threshold > -1.0:
            hits = [hit for hit in hits if (hit.coverage if hit.cosine is None else hit.cosine) >= threshold]
        return [
            RecordItem(
                id=hit.record.id,
                content_summary=hit.record.content,
                metadata={"kind": hit.record.kind.value, "score": hit.score, "signals": hit.signals},
                timestamp=hit.record.updated_at.timestamp(),
                hit=hit,
            )
            for hit in hits
        ]


def build(_config: object, context: SourceContext) -> Source:
    """Build the source over the memory's own storage.

    Raises:
        ConfigError: There is no storage.
    """
    if context.store is None:
        raise ConfigError("long_term needs the memory's own storage; give the manager a LanceStore", context.name)
    return LongTermSource(context.name, context.store.memories, clock=context.clock)
