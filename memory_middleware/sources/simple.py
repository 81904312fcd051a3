"""A small cache of turns: searched by meaning, or by recency where there is no embedder."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

from memory_middleware.config import SimpleMemoryConfig
from memory_middleware.errors import EmbeddingError
from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Exchange, Source
from memory_middleware.sources.item_file import ItemFile, newest_of_each_owner, owned_by
from memory_middleware.sources.paths import source_path
from memory_middleware.sources.registry import SourceContext
from memory_middleware.sources.similarity import compare, final_score
from memory_middleware.sources.text_pieces import content_hash, key_content
from memory_middleware.sources.unit_rows import unit_rows
from memory_middleware.storage.vectors import Vectors

__all__ = ["SimpleMemory", "build"]

_log = logging.getLogger(__name__)
_MOST_ITEMS = 1000
_PREVIEW = 200


class SimpleMemory(Source):
    """Turns of an owner, each with a searchable summary; equal summaries are kept once.

    What is written is on disk when ``update`` returns, and other processes see it.

    Args:
        name: What attachments call it.
        path: A JSON file; without one nothing outlives the process.
        embeddings: Without one, the newest items are recalled.
        max_content_length: Characters of a summary.
        max_items: Items kept for each owner; the oldest go.
        clock: Tells the time in seconds.
    """

    tells = "dialogue"

    def __init__(
        self,
        name: str,
        *,
        path: Path | None = None,
        embeddings: Embeddings | None = None,
        max_content_length: int = 500,
        max_items: int = _MOST_ITEMS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self._file = ItemFile(path)
        self._vectors = Vectors(embeddings) if embeddings else None
        self._max_content_length = max_content_length
        self._max_items = max_items
        self._clock = clock

    @property
    def set_aside(self) -> tuple[Path, ...]:
        """Where files that could not be read were moved."""
        return self._file.set_aside

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give the items most like the query, the best first; without an embedder, the newest first.

        The threshold is compared with the likeness of the vectors, before texts are compared.

        Raises:
            EmbeddingError: The query cannot be embedded.
            StoreError: The file cannot be read.
        """
        items = owned_by(self._file.items(), scope)
        if self._vectors is None or not query.text.strip():
            return items[::-1][:top_k]
        asked = key_content(f"Query: {query.text}", self._max_content_length)
        vector = self._vectors.of(asked)
        cosines = _matrix(items, self._vectors) @ vector
        nearest = np.argsort(-cosines, kind="stable")[: 3 * top_k]
        scored = [
            (final_score(float(cosines[at]), compare(asked, items[at].content_summary).score), items[at])
            for at in nearest
            if threshold <= -1 or cosines[at] >= threshold
        ]
        scored.sort(key=lambda pair: -pair[0])
        return [item for _, item in scored[:top_k]]

    def update(self, exchange: Exchange, scope: Scope) -> None:
        """Keep a turn, unless its summary is there already.

        A turn that cannot be embedded is kept all the same, and embedded when it is needed.

        Raises:
            StoreError: The file cannot be written.
        """
        output = exchange.output.text if exchange.output else ""
        parts = (("Input", exchange.inputs_text), ("Output", output))
        told = "\n".join(f"{label}: {text}" for label, text in parts if text.strip())
        if not told:
            return
        summary = key_content(told, self._max_content_length)
        if _has(self._file.items(), summary, scope):
            return
        item = self._item(summary, exchange, scope)
        if self._vectors is not None:
            item = _embedded(item, self._vectors)

        def add(items: list[MemoryItem]) -> list[MemoryItem]:
            if _has(items, summary, scope):
                return items
            added = replace(item, id=_unused(item.id, items))
            return newest_of_each_owner([*items, added], self._max_items)

        self._file.change(add)

    def load(self) -> None:
        """Read the file, and embed items that have no vector of this embedder yet.

        Raises:
            StoreError: The file cannot be read or written.
        """
        items, vectors = self._file.items(), self._vectors
        if vectors is None or not (bare := [item for item in items if not _has_vector(item, vectors)]):
            return
        try:
            vectors.ready([item.content_summary for item in bare])
        except EmbeddingError as error:
            _log.warning("%d items of %r stay without a vector: %s", len(bare), self.name, error)
            return

        def fill(items: list[MemoryItem]) -> list[MemoryItem]:
            return [item if _has_vector(item, vectors) else _embedded(item, vectors) for item in items]

        self._file.change(fill)

    def _item(self, summary: str, exchange: Exchange, scope: Scope) -> MemoryItem:
        now = self._clock()
        item = MemoryItem(
            id=f"{content_hash(summary)}_{int(now)}",
            content_summary=summary,
            metadata={},
            timestamp=now,
            input_snapshot=exchange.inputs,
            output_snapshot=exchange.output,
        )
        item.metadata = {
            "agent_role": exchange.role,
            "input_preview": exchange.inputs_text[:_PREVIEW],
            "content_length": len(summary),
            "attachments": item.attachments(),
            "owner_id": scope.owner_id,
        }
        return item


def build(config: SimpleMemoryConfig, context: SourceContext) -> SimpleMemory:
    """Build the source that a configuration declares.

    Raises:
        EmbeddingError: Its embedder cannot be built.
    """
    return SimpleMemory(
        context.name,
        path=source_path(config.memory_path, context),
        embeddings=context.embed(config.embedding) if config.embedding else None,
        max_content_length=config.max_content_length,
        clock=context.seconds,
    )


def _has(items: Sequence[MemoryItem], summary: str, scope: Scope) -> bool:
    return any(item.content_summary == summary for item in owned_by(items, scope))


def _has_vector(item: MemoryItem, vectors: Vectors) -> bool:
    """Tell whether the vector of an item can be compared with those of an embedder."""
    return (
        bool(item.embedding)
        and item.metadata.get("embedder") in (None, vectors.name)
        and vectors.dims in (None, len(item.embedding or ()))
    )


def _matrix(items: Sequence[MemoryItem], vectors: Vectors) -> npt.NDArray[np.float32]:
    """Give the vectors of items as unit rows; items without one are embedded."""
    vectors.ready([item.content_summary for item in items if not _has_vector(item, vectors)])
    rows = [item.embedding if _has_vector(item, vectors) else vectors.of(item.content_summary) for item in items]
    return unit_rows(rows, vectors.dims or 0)


def _embedded(item: MemoryItem, vectors: Vectors) -> MemoryItem:
    try:
        vector = vectors.of(item.content_summary)
    except EmbeddingError as error:
        _log.warning("an item is kept without a vector for now: %s", error)
        return item
    # Eight digits hold all that such a number says, and keep the file small.
    numbers = [float(f"{part:.8g}") for part in vector.tolist()]
    return replace(item, embedding=numbers, metadata={**item.metadata, "embedder": vectors.name})


def _unused(wanted: str, items: Sequence[MemoryItem]) -> str:
    taken = {item.id for item in items}
    names = (wanted, *(f"{wanted}_{at}" for at in range(2, len(items) + 3)))
    return next(name for name in names if name not in taken)
