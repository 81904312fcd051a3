"""What of an item can be searched: the texts at its fields, their terms and their vectors."""

from __future__ import annotations

import functools
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings
from langgraph.store.base.embed import get_text_at_path, tokenize_path

from memory_middleware.embedding import embedder_name, is_multilingual
from memory_middleware.errors import EmbeddingError
from memory_middleware.storage.documents import Searched, searched_parts
from memory_middleware.storage.terms import has_cjk, terms_of
from memory_middleware.storage.view import Query

__all__ = ["Fields", "Indexing", "pack_terms"]

Fields = Sequence[str] | str | Literal[False]
Mode = Literal["hybrid", "dense", "lexical"]
Vector = npt.NDArray[np.float32]

_NEW_TEXTS = 512


class Indexing:
    """How a store makes items searchable.

    Args:
        embeddings: Turns texts into vectors; without it search is by words.
        dims: The length of the vectors; learnt from the first one if not given.
        fields: Which parts of a value are searched; ``$`` is all of it.
        mode: ``hybrid``, ``dense`` or ``lexical``.
        dense_weight: How much vectors count in hybrid search.
        cache_size: How many texts' vectors are remembered.
    """

    def __init__(
        self,
        embeddings: Embeddings | None,
        *,
        dims: int | None = None,
        fields: Sequence[str] | None = None,
        mode: Mode = "hybrid",
        dense_weight: float = 0.6,
        cache_size: int = 4096,
    ) -> None:
        self.embeddings = embeddings
        self.fields: tuple[str, ...] = tuple(fields or ("$",))
        self.mode: Mode = mode if embeddings is not None else "lexical"
        self.dims = dims
        self._weight = dense_weight
        self._cache: OrderedDict[str, Vector] = OrderedDict()
        self._cache_size = cache_size
        self._room = cache_size
        self._cache_lock = Lock()
        self.cache_hits = 0
        self.cache_misses = 0

    def become(self, other: Indexing) -> None:
        """Take over another embedder and its vectors."""
        with self._cache_lock:
            self.embeddings, self.dims, self.mode = other.embeddings, other.dims, other.mode
            self._cache = other._cache

    @property
    def name(self) -> str | None:
        """What the embedder is called, or none."""
        return embedder_name(self.embeddings) if self.embeddings is not None else None

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
        self._room = max(self._cache_size, len(texts))
        for batch in self._missing(texts):
            try:
                made = self._embedder().embed_documents(batch)
            except Exception as error:
                raise EmbeddingError(f"the embedder {self.name!r} failed on {len(batch)} texts: {error}") from error
            self._remember(batch, made)

    async def aembed(self, texts: Sequence[str]) -> None:
        """Have the vectors of some texts ready; the async twin of ``embed``."""
        self._room = max(self._cache_size, len(texts))
        for batch in self._missing(texts):
            try:
                made = await self._embedder().aembed_documents(batch)
            except Exception as error:
                raise EmbeddingError(f"the embedder {self.name!r} failed on {len(batch)} texts: {error}") from error
            self._remember(batch, made)

    def reserve(self, texts: int) -> None:
        """Remember the vectors of this many texts more from now on."""
        self._cache_size += texts

    def vectors(self, texts: Sequence[str]) -> bytes | None:
        """Pack the vectors of texts that were made ready."""
        if self.embeddings is None or not texts:
            return None
        return b"".join(self._recall(text).tobytes() for text in texts)

    def query(self, text: str) -> Query:
        """Make a query of a text whose vector was made ready."""
        foreign = self.embeddings is not None and not is_multilingual(self.embeddings) and has_cjk(text)
        if self.mode == "lexical" or self.embeddings is None or (foreign and self.mode == "hybrid"):
            return Query(None, _query_terms(text), 0.0)
        weight = 1.0 if self.mode == "dense" else self._weight
        return Query(self._recall(text), _query_terms(text), weight)

    def wanted(self, texts: Sequence[str]) -> list[str]:
        """Tell which texts need a vector at all."""
        return list(texts) if self.embeddings is not None and self.mode != "lexical" else []

    def _embedder(self) -> Embeddings:
        assert self.embeddings is not None
        return self.embeddings

    def _missing(self, texts: Sequence[str]) -> list[list[str]]:
        with self._cache_lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._cache]
            self.cache_misses += len(new)
            self.cache_hits += len(texts) - len(new)
        return [new[at : at + _NEW_TEXTS] for at in range(0, len(new), _NEW_TEXTS)]

    def _remember(self, texts: Sequence[str], made: Sequence[Sequence[float]]) -> None:
        if len(made) != len(texts):
            raise EmbeddingError(f"the embedder {self.name!r} gave {len(made)} vectors for {len(texts)} texts")
        matrix = np.asarray(made, dtype=np.float32)
        if matrix.ndim != 2 or (self.dims is not None and matrix.shape[1] != self.dims):
            raise EmbeddingError(f"the embedder {self.name!r} gave vectors of {matrix.shape[1:]}, not ({self.dims},)")
        if not np.isfinite(matrix).all():
            raise EmbeddingError(f"the embedder {self.name!r} gave a vector that is not finite")
        self.dims = int(matrix.shape[1])
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        matrix = (matrix / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
        with self._cache_lock:
            self._cache.update(zip(texts, matrix, strict=True))
            while len(self._cache) > self._room:
                self._cache.popitem(last=False)

    def _recall(self, text: str) -> Vector:
        with self._cache_lock:
            found = self._cache.get(text)
        if found is None:
            self.embed([text])
            with self._cache_lock:
                found = self._cache[text]
        return found


def pack_terms(texts: Sequence[str]) -> str | None:
    """Join the terms of texts by blanks, as the full-text index wants them."""
    return " ".join(term for text in texts for term in terms_of(text)) or None


@functools.lru_cache(4096)
def _query_terms(text: str) -> tuple[str, ...]:
    return tuple(terms_of(text))


@functools.lru_cache(256)
def _tokens(path: str) -> list[str]:
    return tokenize_path(path)


def _texts_at(value: dict[str, Any], field: str) -> list[str]:
    if field == "$":
        return [json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)]
    return get_text_at_path(value, _tokens(field))
