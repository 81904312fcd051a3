"""Embedding of texts that are longer than a model takes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from langchain_core.embeddings import Embeddings

from memory_middleware.embedding.identity import embedder_name, is_multilingual
from memory_middleware.errors import EmbeddingError

__all__ = ["PieceEmbeddings", "split_text", "with_pieces"]

_SENTENCE = re.compile(r"[^.!?。！？；\n]*[.!?。！？；\n]+|[^.!?。！？；\n]+")
_STRATEGIES = ("average", "weighted")
_DEFAULT_LENGTH = 8000


def split_text(text: str, limit: int) -> list[str]:
    """Split a text at sentence ends, or at blanks where a sentence is too long, or anywhere.

    Args:
        text: Any text.
        limit: Most characters of a piece.
    """
    pieces, current = [], ""
    for sentence in _SENTENCE.findall(text):
        if len(current) + len(sentence) > limit:
            pieces.append(current)
            current = ""
        while len(sentence) > limit:
            at = sentence.rfind(" ", 0, limit) + 1 or limit
            pieces.append(sentence[:at])
            sentence = sentence[at:]
        current += sentence
    return [piece.strip() for piece in (*pieces, current) if piece.strip()]


class PieceEmbeddings(Embeddings):
    """Embeds long texts by their pieces, and gives the mean of those vectors at length 1.

    Args:
        inner: Embeds the pieces.
        max_length: Most characters of a piece.
        split: Whether to split longer texts; else they are cut.
        weighted: Whether longer pieces count more.
    """

    def __init__(self, inner: Embeddings, max_length: int, *, split: bool = True, weighted: bool = False) -> None:
        self.inner = inner
        self.multilingual = is_multilingual(inner)
        self.identity = f"{embedder_name(inner)}/{max_length}{'s' * split}{'w' * weighted}"
        self._max_length = max_length
        self._split = split
        self._weighted = weighted

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts."""
        pieces = [self._pieces(text) for text in texts]
        return self._joined(pieces, self.inner.embed_documents([piece for each in pieces for piece in each]))

    def embed_query(self, text: str) -> list[float]:
        """Embed a query; a short one as the inner embedder does."""
        pieces = self._pieces(text)
        if len(pieces) == 1:
            return self.inner.embed_query(pieces[0])
        return self.embed_documents([text])[0]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts."""
        pieces = [self._pieces(text) for text in texts]
        return self._joined(pieces, await self.inner.aembed_documents([piece for each in pieces for piece in each]))

    async def aembed_query(self, text: str) -> list[float]:
        """Embed a query; a short one as the inner embedder does."""
        pieces = self._pieces(text)
        return (
            await self.inner.aembed_query(pieces[0]) if len(pieces) == 1 else (await self.aembed_documents([text]))[0]
        )

    def _pieces(self, text: str) -> list[str]:
        if len(text) <= self._max_length:
            return [text]
        pieces = split_text(text, self._max_length) if self._split else []
        return pieces or [text[: self._max_length]]

    def _joined(self, pieces: Sequence[Sequence[str]], made: Sequence[list[float]]) -> list[list[float]]:
        rest = iter(made)
        groups = [[next(rest) for _ in each] for each in pieces]
        return [self._mean(each, vectors) for each, vectors in zip(pieces, groups, strict=True)]

    def _mean(self, pieces: Sequence[str], vectors: Sequence[list[float]]) -> list[float]:
        if len(pieces) == 1:
            return vectors[0]
        weights = [len(piece) if self._weighted else 1 for piece in pieces]
        total = [
            sum(weight * part for weight, part in zip(weights, column, strict=True))
            for column in zip(*vectors, strict=True)
        ]
        length = math.hypot(*total) or 1.0
        return [part / length for part in total]


def with_pieces(embeddings: Embeddings, params: dict[str, Any]) -> Embeddings:
    """Follow the settings ``use_chunking``, ``chunk_strategy`` and ``max_length``, where there are any.

    Raises:
        EmbeddingError: One of them is wrong.
    """
    split, strategy = params.get("use_chunking", False), params.get("chunk_strategy", "average")
    length = params.get("max_length", _DEFAULT_LENGTH)
    if strategy not in _STRATEGIES:
        raise EmbeddingError(f"unknown chunk_strategy {strategy!r}; known: {', '.join(_STRATEGIES)}")
    if isinstance(length, bool) or not isinstance(length, int) or length < 1:
        raise EmbeddingError(f"max_length must be a number of characters, not {length!r}")
    if not isinstance(split, bool):
        raise EmbeddingError(f"use_chunking must be true or false, not {split!r}")
    if not split and "max_length" not in params:
        return embeddings
    return PieceEmbeddings(embeddings, length, split=split, weighted=strategy == "weighted")
