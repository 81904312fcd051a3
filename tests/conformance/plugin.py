"""Puts our store in the place of LangGraph's, for LangGraph's own store tests.

Loaded with ``-p`` before collection, so that no file of theirs is edited or copied.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import langgraph.store.memory
import langgraph.store.sqlite
import langgraph.store.sqlite.aio

from memory_middleware.storage import LanceStore
from memory_middleware.storage.database import Database
from memory_middleware.storage.store import _indexing

_ASYNC_UPSTREAM = ("setup", "sweep_ttl", "start_ttl_sweeper", "stop_ttl_sweeper")


def _settings(index: dict[str, Any] | None) -> Any:
    """Their SQLite tests name the fields by another key than LangGraph's interface does."""
    if index is None:
        return None
    return {"fields" if key == "text_fields" else key: value for key, value in index.items()}


class SyncAdapter:
    """Stands in for ``SqliteStore``."""

    @classmethod
    @contextmanager
    def from_conn_string(cls, _conn: str, *, index: Any = None, ttl: Any = None) -> Iterator[LanceStore]:
        with LanceStore.from_conn_string(":memory:", index=_settings(index), ttl=ttl) as store:
            yield store


class _Awaitable:
    """Our store with the methods awaitable that are so in ``AsyncSqliteStore``."""

    def __init__(self, store: LanceStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in _ASYNC_UPSTREAM:
            return found

        async def call(*args: Any, **options: Any) -> Any:
            return found(*args, **options)

        return call


class AsyncAdapter:
    """Stands in for ``AsyncSqliteStore``."""

    @classmethod
    @asynccontextmanager
    async def from_conn_string(cls, _conn: str, *, index: Any = None, ttl: Any = None) -> AsyncIterator[_Awaitable]:
        with LanceStore.from_conn_string(":memory:", index=_settings(index), ttl=ttl) as store:
            yield _Awaitable(store)


class MemoryAdapter(LanceStore):
    """Stands in for ``InMemoryStore``, which is made by its class."""

    def __init__(self, *, index: Any = None) -> None:
        folder = tempfile.mkdtemp()
        database = Database(f"sqlite:///{folder}/memory.db")
        super().__init__(database, indexing=_indexing(index, None), lance_uri=f"{folder}/index")
        self.setup()


langgraph.store.sqlite.SqliteStore = SyncAdapter  # type: ignore[misc,assignment]
langgraph.store.sqlite.AsyncSqliteStore = AsyncAdapter  # type: ignore[misc,assignment]
langgraph.store.sqlite.aio.AsyncSqliteStore = AsyncAdapter  # type: ignore[misc,assignment]
langgraph.store.memory.InMemoryStore = MemoryAdapter  # type: ignore[misc,assignment]


def pytest_collection_finish() -> None:
    """Put our store in the place of the one that LangGraph's graph tests inject."""
    fixtures = sys.modules.get("tests.conftest")
    if hasattr(fixtures, "_store_memory"):
        fixtures._store_memory = _opened  # type: ignore[union-attr]


@contextmanager
def _opened() -> Iterator[LanceStore]:
    with LanceStore.from_conn_string(":memory:") as store:
        yield store
