"""Where memory lives: SQL as the truth, LanceDB as the index, both as a LangGraph store."""

from memory_middleware.storage.namespaces import decode_label, encode_label
from memory_middleware.storage.store import LanceStore
from memory_middleware.storage.upkeep import IndexReport

__all__ = ["IndexReport", "LanceStore", "decode_label", "encode_label"]
