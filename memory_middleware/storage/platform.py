"""For ``langgraph.json``: ``"store": {"path": "memory_middleware.storage.platform.create_store"}``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from memory_middleware.config import MemoryConfig
from memory_middleware.config.environment import environment
from memory_middleware.storage.store import LanceStore

__all__ = ["create_store"]


@asynccontextmanager
async def create_store() -> AsyncIterator[LanceStore]:
    """Open the store that the file named by ``MEMORY_CONFIG`` describes, or the embedded default.

    Nothing here blocks the server's event loop. The store sweeps expired items itself, since the
    server leaves that to custom stores.
    """
    path = environment().get("MEMORY_CONFIG")
    config = await asyncio.to_thread(MemoryConfig.from_yaml, path) if path else MemoryConfig()
    store = await asyncio.to_thread(LanceStore.from_config, config)
    store.start_ttl_sweeper()
    async with store:
        yield store
