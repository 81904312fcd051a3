"""Opening a memory: in a folder, in a database, over somebody else's store, or in whatever store a graph has."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langgraph.store.base import BaseStore

from memory_middleware.config import EmbeddingConfig, MemoryConfig
from memory_middleware.errors import InvalidInputError
from memory_middleware.graph.port import Identify
from memory_middleware.memory.building import Minds, minds_of
from memory_middleware.memory.given import config_of, storage_at
from memory_middleware.memory.graph_memory import GraphMemory
from memory_middleware.remember.extraction.base import Extractor
from memory_middleware.remember.summarizing import Summarizer
from memory_middleware.schemas import times
from memory_middleware.sources.base import Source
from memory_middleware.storage import LanceStore
from memory_middleware.storage.mirror import MirrorStore

__all__ = ["Opening"]


class Opening:
    """The ways to come by a memory."""

    if TYPE_CHECKING:

        def __init__(self, store: LanceStore, config: MemoryConfig | None = None, **_more: Any) -> None: ...

    @classmethod
    def open(
        cls,
        place: str | Path | MemoryConfig = "./memory",
        *,
        identify: Identify | None = None,
        model: BaseChatModel | str | None = None,
        extractor: Extractor | None = None,
        summarizer: Summarizer | None = None,
        embedding: EmbeddingConfig | Embeddings | str | None = None,
        config: MemoryConfig | None = None,
        clock: Callable[[], datetime] = times.utc_now,
        sources: Mapping[str, Source] | None = None,
    ) -> Self:
        """Open a memory, made if it is not there yet; no key, no server and no network are needed.

        Args:
            place: A folder, a database URL such as ``postgresql://…``, or a configuration that names the place.
            identify: Tells the owner's id from LangGraph's config and runtime.
            model: The chat model that extracts and summarises, or its name such as ``openai:gpt-4o-mini``; none
                follows the configuration, which uses rules by default.
            extractor: Draws facts from dialogue, instead of rules or the model.
            summarizer: Makes summaries, instead of rules or the model.
            embedding: Turns texts into vectors, instead of the configured embedder.
            config: The rules, where ``place`` is none.
            clock: Tells the time of turns, for replays and tests.
            sources: Sources to use instead of building the declared ones of these names.

        Raises:
            InvalidInputError: It is no place, or the rules are no configuration.
            StoreError: The place cannot be used, or was made with another embedder.
        """
        rules = place if isinstance(place, MemoryConfig) else config_of(config)
        if not isinstance(place, MemoryConfig):
            storage = rules.storage.model_copy(update=storage_at(place))
            rules = rules.model_copy(update={"storage": storage})
        minds = _minds(rules, model, extractor, summarizer)
        store = LanceStore.from_config(rules, embedding=embedding)
        return cls._owning(store, rules, identify=identify, minds=minds, clock=clock, sources=sources)

    @classmethod
    def from_yaml(cls, source: str | Path, **more: Any) -> Self:
        """Open the memory that a YAML file describes; the rest is as for ``open``.

        Raises:
            ConfigError: The file cannot be read, or something in it is wrong.
        """
        return cls.open(MemoryConfig.from_yaml(source), **more)

    @classmethod
    def over(
        cls,
        store: BaseStore,
        config: MemoryConfig | None = None,
        *,
        identify: Identify | None = None,
        model: BaseChatModel | str | None = None,
        extractor: Extractor | None = None,
        summarizer: Summarizer | None = None,
        embedding: EmbeddingConfig | Embeddings | str | None = None,
        clock: Callable[[], datetime] = times.utc_now,
        sources: Mapping[str, Source] | None = None,
    ) -> Self:
        """Keep a memory in a LangGraph store of your own, such as a ``PostgresStore``; it is never closed by this.

        A ``LanceStore`` is used as it is. Any other keeps each row as an item, and memory is served from a working copy
        in a temporary folder. Several processes may share the store; whoever writes a row last wins, since it has no
        compare-and-swap.

        Args:
            store: Any ``BaseStore``, set up already.
            config: The rules; where they say memory is stored does not count, but for files of sources.
            identify: Tells the owner's id from LangGraph's config and runtime.
            model: The chat model that extracts and summarises, or its name.
            extractor: Draws facts from dialogue, instead of rules or the model.
            summarizer: Makes summaries, instead of rules or the model.
            embedding: Turns texts into vectors, instead of the configured embedder.
            clock: Tells the time of turns, for replays and tests.
            sources: Sources to use instead of building the declared ones of these names.

        Raises:
            InvalidInputError: It is no store, or a ``LanceStore`` with another embedder is asked for.
        """
        if not isinstance(store, BaseStore):
            raise InvalidInputError(f"memory is kept over a LangGraph store, not {store!r}; Memory.open takes a place")
        rules = config_of(config)
        minds = _minds(rules, model, extractor, summarizer)
        return cls._over(lambda: store, rules, embedding, identify=identify, minds=minds, clock=clock, sources=sources)

    @classmethod
    def in_graph(
        cls,
        config: MemoryConfig | None = None,
        *,
        identify: Identify | None = None,
        model: BaseChatModel | str | None = None,
        extractor: Extractor | None = None,
        summarizer: Summarizer | None = None,
        embedding: EmbeddingConfig | Embeddings | str | None = None,
        clock: Callable[[], datetime] = times.utc_now,
        sources: Mapping[str, Source] | None = None,
    ) -> GraphMemory:
        """Make a memory that is kept in the store of whichever graph it runs in, as ``compile(store=…)`` was given it.

        Nothing is opened until a graph runs. The arguments are those of ``over``.
        """
        rules = config_of(config)
        minds = _minds(rules, model, extractor, summarizer)
        more = {"minds": minds, "clock": clock, "sources": sources}

        def opened(store: BaseStore) -> Any:
            # The memory must not keep the store alive, by which it is found itself.
            return cls._over(weakref.ref(store), rules, embedding, **more)

        return GraphMemory(cls, opened, rules, identify=identify)

    @classmethod
    def _over(
        cls,
        find: Callable[[], BaseStore | None],
        rules: MemoryConfig,
        embedding: EmbeddingConfig | Embeddings | str | None,
        **more: Any,
    ) -> Self:
        store = find()
        if not isinstance(store, LanceStore):
            return cls._owning(MirrorStore.over(find, rules, embedding=embedding), rules, **more)
        if embedding is not None:
            raise InvalidInputError(f"a LanceStore has its embedder, {store.embedder_name!r}; open it with another one")
        return cls(store, rules, **more)

    @classmethod
    def _owning(cls, store: LanceStore, rules: MemoryConfig, **more: Any) -> Self:
        """Make a memory that closes its store, also when it cannot be made."""
        try:
            return cls(store, rules, owns_store=True, **more)
        except BaseException:
            store.close()
            raise


def _minds(
    rules: MemoryConfig,
    model: BaseChatModel | str | None,
    extractor: Extractor | None,
    summarizer: Summarizer | None,
) -> Minds:
    made = minds_of(rules, model) if extractor is None else Minds(extractor)
    return made._replace(summarizer=summarizer or made.summarizer)


for _name in ("open", "from_yaml", "over", "in_graph"):  # so that Python's own complaints name what was called
    getattr(Opening, _name).__func__.__qualname__ = f"Memory.{_name}"
