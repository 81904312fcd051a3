"""Texts to vectors: the local default, providers, and what an embedder is called."""

from memory_middleware.embedding.factory import build_embeddings
from memory_middleware.embedding.identity import embedder_name, is_multilingual, is_named
from memory_middleware.embedding.local import LocalEmbeddings
from memory_middleware.embedding.minilm import MiniLMEmbeddings
from memory_middleware.embedding.patience import pause_before_retry, status_of

__all__ = [
    "LocalEmbeddings",
    "MiniLMEmbeddings",
    "build_embeddings",
    "embedder_name",
    "is_multilingual",
    "is_named",
    "pause_before_retry",
    "status_of",
]
