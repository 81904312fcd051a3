"""What can be recalled from: one file for each kind, and the registry."""

from memory_middleware.sources.base import Exchange, Source
from memory_middleware.sources.registry import (
    RegisteredStore,
    SourceContext,
    build_source,
    list_memory_stores,
    register_memory_store,
)

__all__ = [
    "Exchange",
    "RegisteredStore",
    "Source",
    "SourceContext",
    "build_source",
    "list_memory_stores",
    "register_memory_store",
]
