"""Vectors that travel with their items, where making them again would cost time or money."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from memory_middleware.embedding import LocalEmbeddings, is_named
from memory_middleware.storage.indexing import Indexing

__all__ = ["Luggage"]


class Luggage:
    """Packs and unpacks vectors.

    Those of the local embedder are made faster than they are read. Those of one that does not say which model it is
    might be another one's tomorrow.

    Args:
        indexing: Has the embedder.
    """

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing

    def packed(self, vectors: bytes | None) -> dict[str, str]:
        """Give the fields that an item has for its vectors."""
        embedder, name = self._indexing.embeddings, self._indexing.name
        if not vectors or not name or embedder is None or isinstance(embedder, LocalEmbeddings):
            return {}
        return {"embedder": name, "vectors": base64.b64encode(vectors).decode()} if is_named(embedder) else {}

    def unpack(self, texts: Sequence[str], value: Mapping[str, Any]) -> None:
        """Learn the vectors of texts from the fields of an item, if the same embedder made them.

        Raises:
            ValueError: They are no vectors of so many texts.
        """
        if "vectors" not in value or value["embedder"] != self._indexing.name or not texts:
            return
        flat = np.frombuffer(base64.b64decode(value["vectors"]), dtype=np.float32)
        self._indexing.learn(dict(zip(texts, flat.reshape(len(texts), -1), strict=True)))

    def ready(self, texts: Sequence[str]) -> None:
        """Have the vectors of texts made that are not known."""
        self._indexing.embed(texts)
