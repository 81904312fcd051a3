"""What of an item can be searched: the texts at its fields, their terms and their vectors."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.embeddings import Embeddings
from langgraph.store.base.embed import get_text_at_path, tokenize_path

from memory_middleware.embedding import is_multilingual, is_named
from memory_middleware.storage.documents import Searched, searched_parts
from memory_middleware.storage.terms import has_cjk, query_terms, terms_of
from memory_middleware.storage.vector_cache import VectorCache
from memory_middleware.storage.vectors import EmbeddingStats, Vector, Vectors
from memory_middleware.storage.view import Query

__all__ = ["Fields", "Indexing", "Mode", "pack_terms"]

Fields = Sequence[str] | str | Literal[False]
Mode = Literal["hybrid", "dense", "lexical"]


class Indexing:
    """How a store makes items searchable.

    Args:
        embeddings: Turns texts into vectors; without it search is by words.
        dims: The length of the vectors; learnt from the first one if not given.
        fields: Which parts of a value are searched; ``$`` is all of it.
        mode: ``hybrid``, ``dense`` or ``lexical``.
        dense_weight: How much vectors count in hybrid search.
        batch_size: How many texts the embedder gets at once.
    """

    def __init__(
        self,
        embeddings: Embeddings | None,
        *,
        dims: int | None = None,
        fields: Sequence[str] | None = None,
        mode: Mode = "hybrid",
        dense_weight: float = 0.6,
        batch_size: int = 256,
    ) -> None:
        self._vectors = Vectors(embeddings, dims=dims, batch_size=batch_size) if embeddings is not None else None
        self.fields: tuple[str, ...] = tuple(fields or ("$",))
        self.mode: Mode = mode if embeddings is not None else "lexical"
        self._weight = dense_weight

    def become(self, other: Indexing) -> None:
        """Take over another embedder and its vectors."""
        self._vectors, self.mode = other._vectors, other.mode

    def keep_on_disk(self, cache: VectorCache) -> None:
        """Keep the vectors of a slow embedder."""
        if self._vectors is not None and is_named(self._vectors.embeddings):
            self._vectors.disk = cache

    @property
    def embeddings(self) -> Embeddings | None:
        """What turns texts into vectors, or none."""
        return self._vectors.embeddings if self._vectors is not None else None

    @property
    def dims(self) -> int | None:
        """The length of vectors, or none while it is not known."""
        return self._vectors.dims if self._vectors is not None else None

    def forget(self, texts: Sequence[str]) -> None:
        """Forget the vectors of texts that were deleted."""
        if self._vectors is not None:
            self._vectors.forget(texts)

    def learn_dims(self, dims: int) -> None:
        """Note the length of the vectors that a store has."""
        if self._vectors is not None:
            self._vectors.dims = dims

    @property
    def stats(self) -> EmbeddingStats:
        """Where vectors came from so far."""
        return self._vectors.stats if self._vectors is not None else EmbeddingStats(0, 0, 0)

    @property
    def name(self) -> str | None:
        """What the embedder is called, or none."""
        return self._vectors.name if self._vectors is not None else None

    def searched(self, value: Mapping[str, Any], fields: Fields | None) -> Searched:
        """Tell what of a value is searched.

        Args:
            value: The value of an item.
            fields: The parts that count, none for the store's own choice, or the kind of a typed memory.
        """
        if fields is False:
            return Searched([], [])
        if isinstance(fields, str):
            return searched_parts(fields, value)
        chosen = self.fields if fields is None else fields
        found = [found for field in chosen for found in _texts_at(dict(value), field) if found.strip()]
        return Searched(found, found)

    def embed(self, texts: Sequence[str]) -> None:
        """Have the vectors of some texts ready.

        Raises:
            EmbeddingError: The embedder failed, or gave vectors of another length.
        """
        if self._vectors is not None and texts:
            self._vectors.ready(texts)

    async def aembed(self, texts: Sequence[str]) -> None:
        """Have the vectors of some texts ready; the async twin of ``embed``."""
        if self._vectors is not None and texts:
            await self._vectors.aready(texts)

    def learn(self, vectors: Mapping[str, Vector]) -> None:
        """Take vectors over that this embedder made elsewhere."""
        if self._vectors is not None:
            self._vectors.learn(vectors)

    def reserve(self, texts: int) -> None:
        """Remember the vectors of this many texts more from now on, or so many less if negative."""
        if self._vectors is not None:
            self._vectors.reserve(texts)

    def vectors(self, texts: Sequence[str]) -> bytes | None:
        """Pack the vectors of texts that were made ready."""
        if self._vectors is None or not texts:
            return None
        return b"".join([self._vectors.of(text).tobytes() for text in texts])

    def query(self, text: str) -> Query:
        """Make a query of a text whose vector was made ready."""
        vectors = self._vectors
        if vectors is None or self.mode == "lexical" or (self.mode == "hybrid" and self._is_foreign(text)):
            return Query(text, None, _query_terms(text), 0.0)
        return Query(text, vectors.of(text), _query_terms(text), 1.0 if self.mode == "dense" else self._weight)

    def wanted(self, texts: Sequence[str]) -> list[str]:
        """Tell which texts need a vector at all."""
        return list(texts) if self._vectors is not None and self.mode != "lexical" else []

    def _is_foreign(self, text: str) -> bool:
        return self._vectors is not None and not is_multilingual(self._vectors.embeddings) and has_cjk(text)


def pack_terms(texts: Sequence[str]) -> str | None:
    """Join the terms of texts by blanks, as the full-text index wants them."""
    return " ".join(filter(None, [" ".join(terms_of(text)) for text in texts])) or None


@functools.lru_cache(4096)
def _query_terms(text: str) -> tuple[str, ...]:
    return tuple(query_terms(text))


@functools.lru_cache(256)
def _tokens(path: str) -> list[str]:
    return tokenize_path(path)


def _texts_at(value: dict[str, Any], field: str) -> list[str]:
    if field == "$":
        return [json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)]
    found = value.get(field) if field.isidentifier() else None
    if isinstance(found, str):  # by far the most usual
        return [found]
    return get_text_at_path(value, _tokens(field))
