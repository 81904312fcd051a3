"""What can be recalled from: one file for each kind, the registry, and the manager of an application's sources."""

from memory_middleware.sources.base import Exchange, MemoryKind, Source
from memory_middleware.sources.injection import inject_text
from memory_middleware.sources.manager import MemoryManager
from memory_middleware.sources.recalled import Recalled, RecalledItem
from memory_middleware.sources.registry import (
    RegisteredStore,
    SourceContext,
    build_source,
    list_memory_stores,
    register_memory_store,
)

__all__ = [
    "Exchange",
    "MemoryKind",
    "MemoryManager",
    "Recalled",
    "RecalledItem",
    "RegisteredStore",
    "Source",
    "SourceContext",
    "build_source",
    "inject_text",
    "list_memory_stores",
    "register_memory_store",
]
