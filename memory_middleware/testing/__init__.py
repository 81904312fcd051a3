"""For people who test: a conformance suite for LangGraph stores, and an embedder and a chat model without a model."""

from memory_middleware.testing.chat_models import Rule, ScriptedChatModel
from memory_middleware.testing.embeddings import HashEmbeddings
from memory_middleware.testing.quoting import memory_lines, quote_memory
from memory_middleware.testing.stores import STORE_CHECKS, StoreFactory, run_store_checks

__all__ = [
    "STORE_CHECKS",
    "HashEmbeddings",
    "Rule",
    "ScriptedChatModel",
    "StoreFactory",
    "memory_lines",
    "quote_memory",
    "run_store_checks",
]
