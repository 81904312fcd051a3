"""An embedder that needs no model: texts that share words are near to each other."""

from __future__ import annotations

import hashlib
import math

from langchain_core.embeddings import Embeddings

__all__ = ["HashEmbeddings"]


class HashEmbeddings(Embeddings):
    """Vectors of hashed words. Deterministic on every machine, and good enough to tell order.

    Args:
        dim: The length of the vectors.
    """

    def __init__(self, dim: int = 64) -> None:
        self.dim = dim
        self.identity = f"hash-{dim}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Embed a text."""
        vector = [0.0] * self.dim
        for word in text.lower().split():
            digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
            vector[int.from_bytes(digest[:4]) % self.dim] += 1.0 if digest[4] % 2 else -1.0
        length = math.sqrt(sum(part * part for part in vector)) or 1.0
        return [part / length for part in vector]
