"""The embedded default: WordLlama, whose weights come inside its package."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings

from memory_middleware.errors import EmbeddingError

__all__ = ["LocalEmbeddings"]

_DIMS = (64, 128, 256)
_models: dict[int, Any] = {}
_lock = threading.Lock()


class LocalEmbeddings(Embeddings):
    """English sentence vectors in a fraction of a millisecond, with no download and no torch.

    Args:
        dim: 64, 128 or 256 numbers a vector; fewer are faster and a little worse.
    """

    multilingual = False

    def __init__(self, dim: int = 256) -> None:
        if dim not in _DIMS:
            raise EmbeddingError(f"the local embedder has vectors of {_DIMS}, not {dim!r}")
        self.dim = dim
        self.identity = f"wordllama-{dim}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts; the vectors have length 1, or 0 where a text is empty."""
        if not texts:
            return []
        model = _model(self.dim)
        if len(texts) == 1:
            return [_embed_one(model, texts[0])]
        with np.errstate(invalid="ignore"):
            vectors: list[list[float]] = np.nan_to_num(model.embed(texts, norm=True)).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Embed a query, as any text."""
        return self.embed_documents([text])[0]


def _embed_one(model: Any, text: str) -> list[float]:
    """Embed one text as the model does, without what it does for many: a third of the time."""
    ids = model.tokenizer.encode(text, add_special_tokens=False).ids
    total = model.embedding[ids].sum(axis=0)
    vector: list[float] = (total / (math.sqrt(total.dot(total)) or 1.0)).tolist()
    return vector


def _model(dim: int) -> Any:
    """Give the weights, read once in a process, however many embedders there are."""
    with _lock:
        if dim not in _models:
            _models[dim] = _read(dim)
        return _models[dim]


@contextmanager
def _own_logging() -> Iterator[None]:
    """Leave logging as the program has set it up; importing the package would set it up anew."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def _read(dim: int) -> Any:
    with _own_logging():
        # Loading the weights takes time that a program which never embeds should not spend.
        import wordllama  # noqa: PLC0415

    # Release 0.4.0 looks for its tokenizer in a folder of another name and then goes to the network;
    # its own folder given as the cache puts that right.
    folder = Path(wordllama.__file__).parent
    try:
        return wordllama.WordLlama.load(
            trunc_dim=dim if dim < max(_DIMS) else None, cache_dir=folder, disable_download=True
        )
    except (OSError, ValueError) as error:
        raise EmbeddingError(f"cannot load the local embedder: {error}; reinstall the package 'wordllama'") from error
