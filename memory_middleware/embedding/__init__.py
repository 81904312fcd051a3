"""Texts to vectors: the local default, providers, and what an embedder is called."""

from memory_middleware.embedding.factory import build_embeddings
from memory_middleware.embedding.identity import embedder_name, is_multilingual
from memory_middleware.embedding.local import LocalEmbeddings

__all__ = ["LocalEmbeddings", "build_embeddings", "embedder_name", "is_multilingual"]
