"""For people who test: a conformance suite for LangGraph stores, and an embedder without a model."""

from memory_middleware.testing.embeddings import HashEmbeddings
from memory_middleware.testing.stores import STORE_CHECKS, StoreFactory, run_store_checks

__all__ = ["STORE_CHECKS", "HashEmbeddings", "StoreFactory", "run_store_checks"]
