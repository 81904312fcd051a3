"""A memory in the store that the running graph has."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import threading
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any, Self

from langgraph.store.base import BaseStore

from memory_middleware.config import MemoryConfig
from memory_middleware.errors import InvalidInputError
from memory_middleware.graph.identity import current_run, find_scope
from memory_middleware.graph.port import Identify
from memory_middleware.memory.in_graphs import InGraphs
from memory_middleware.storage import LanceStore

__all__ = ["GraphMemory"]

_log = logging.getLogger(__name__)


class GraphMemory(InGraphs):
    """Serves graphs from the store that each was compiled with; made by ``Memory.in_graph``.

    Inside a node, every method of a ``Memory`` can be called on it. There is one memory for each store, as long as that
    lives; a ``LanceStore`` lives until this is closed, too.

    Args:
        kind: What kind of memory is opened.
        opened: Opens the memory of a store, without keeping the store alive.
        config: The rules.
        identify: Tells the owner's id from LangGraph's config and runtime.

    Attributes:
        config: The rules.
        failures: How often memory failed and the agent went on without it, by what failed.
    """

    def __init__(
        self,
        kind: type,
        opened: Callable[[BaseStore], Any],
        config: MemoryConfig,
        *,
        identify: Identify | None = None,
    ) -> None:
        self.config = config
        self.failures: Counter[str] = Counter()
        self._kind = kind
        self._opened = opened
        self._identify = identify
        self._memories: weakref.WeakKeyDictionary[BaseStore, Any] = weakref.WeakKeyDictionary()
        self._endings: weakref.WeakKeyDictionary[BaseStore, Any] = weakref.WeakKeyDictionary()
        self._lock = threading.Lock()

    def identify(self, config: Any, runtime: Any) -> str:
        """Tell the owner of a run, once it is clear that its graph has a store at all.

        Raises:
            InvalidInputError: The graph has no store, or nothing tells the owner.
        """
        _store_of(runtime)
        return self._identify(config, runtime) if self._identify else find_scope(config, runtime).owner_id

    def current(self) -> Any:
        """Give the ``Memory`` of the graph that runs now.

        Raises:
            InvalidInputError: No graph runs here, or it has no store.
        """
        store = _store_of(current_run()[1])
        with self._lock:
            found = self._memories.get(store)
            if found is None:
                found = self._memories[store] = self._opened(store)
                if not isinstance(store, LanceStore):  # whose memory holds it, and so would hold it for ever
                    self._endings[store] = ending = weakref.finalize(store, found.close)
                    ending.atexit = False
        return found

    def note_failure(self, what: str, error: Exception) -> None:
        """Count and log a failure that must not cost the user the answer."""
        self.failures[what] += 1
        _log.warning("memory could not %s; the agent goes on without it", what, exc_info=error)

    def close(self) -> None:
        """Close the memories of all stores that were met, and not the stores; nothing of them is kept."""
        with self._lock:
            memories, self._memories = list(self._memories.values()), weakref.WeakKeyDictionary()
            endings, self._endings = list(self._endings.values()), weakref.WeakKeyDictionary()
        for ending in endings:
            ending.detach()
        for memory in memories:
            memory.close()

    async def aclose(self) -> None:
        """Close; the async twin of ``close``."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    def __getattr__(self, name: str) -> Any:
        """Give a method of the memory of the graph that runs when it is called."""
        method = None if name.startswith("_") else getattr(self._kind, name, None)
        if not callable(method):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if inspect.iscoroutinefunction(method):
            return functools.partial(self._acall, name)
        return functools.partial(self._call, name)

    def _call(self, name: str, *given: Any, **more: Any) -> Any:
        return getattr(self.current(), name)(*given, **more)

    async def _acall(self, name: str, *given: Any, **more: Any) -> Any:
        memory = await asyncio.to_thread(self.current)  # opening one takes a while
        return await getattr(memory, name)(*given, **more)


def _store_of(runtime: Any) -> BaseStore:
    if runtime is None:
        raise InvalidInputError(
            "this memory is kept in the store of the graph, and no graph runs here; call it inside a node, or use "
            "Memory.over(store)"
        )
    store = getattr(runtime, "store", None)
    if not isinstance(store, BaseStore):
        raise InvalidInputError(
            "this memory is kept in the store of the graph, and the graph that runs here has none; compile it with "
            "store=…, or use a memory with a place of its own: Memory.open(path)"
        )
    return store
