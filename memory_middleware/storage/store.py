"""A LangGraph store on SQL, with LanceDB as its index."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, ClassVar, Self

from langchain_core.embeddings import Embeddings
from langgraph.store.base import BaseStore, IndexConfig, Op, Result, TTLConfig, ensure_embeddings

from memory_middleware.config import EmbeddingConfig, MemoryConfig
from memory_middleware.embedding import LocalEmbeddings, build_embeddings
from memory_middleware.errors import InvalidInputError, StoreError
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database
from memory_middleware.storage.executor import Executor
from memory_middleware.storage.indexer import Indexer
from memory_middleware.storage.indexing import Indexing, Mode
from memory_middleware.storage.lance_index import LanceIndex
from memory_middleware.storage.location import locate
from memory_middleware.storage.migrations import migrate
from memory_middleware.storage.progress import Progress, shown
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.state import check_embedder, store_id
from memory_middleware.storage.sweeper import Sweeper
from memory_middleware.storage.upkeep import IndexReport, compare, reembed
from memory_middleware.storage.vector_cache import VectorCache
from memory_middleware.storage.vectors import EmbeddingStats
from memory_middleware.storage.views import Views
from memory_middleware.storage.writer import sweep

__all__ = ["LanceStore"]


class LanceStore(BaseStore):
    """A LangGraph ``BaseStore`` that keeps items in SQL and finds them by meaning and by words.

    Open one with ``LanceStore.open``; it works from sync and async code, from many threads and from
    several processes at once.

    Attributes:
        memories: What memory keeps by owner: profiles, records, experience and the journal.
        database: Where the items are.
    """

    supports_ttl = True
    _database_class: ClassVar[type[Database]] = Database
    __slots__ = (
        "_executor",
        "_index",
        "_indexer",
        "_indexing",
        "_sweeper",
        "_views",
        "database",
        "memories",
        "ttl_config",
    )

    def __init__(
        self,
        database: Database,
        *,
        indexing: Indexing,
        lance_uri: str,
        storage_options: dict[str, str] | None = None,
        ttl: TTLConfig | None = None,
        view_rows: int = 20_000,
        total_rows: int = 200_000,
    ) -> None:
        self.database = database
        self.ttl_config = ttl
        self._indexing = indexing
        indexing.keep_on_disk(VectorCache(database))
        self._views = Views(
            database,
            lambda: indexing.dims,
            lambda session: check_embedder(session, indexing),
            view_rows=view_rows,
            total_rows=total_rows,
            clock=lambda: clock.now(),
        )
        self._index = LanceIndex(lance_uri, indexing, storage_options)
        self._indexer = Indexer(database, self._index, clock=lambda: clock.now())
        self._executor = Executor(database, indexing, self._views, self._index, self._indexer)
        self.memories = Repositories(database, self._executor)
        self._sweeper = Sweeper(self.sweep_ttl)

    @classmethod
    def open(
        cls,
        uri: str | Path = "./memory",
        *,
        embedding: EmbeddingConfig | Embeddings | str | None = "local",
        index: IndexConfig | None = None,
        mode: Mode = "hybrid",
        ttl: TTLConfig | None = None,
        lance_uri: str | None = None,
        storage_options: dict[str, str] | None = None,
        durable: bool = True,
        view_rows: int = 20_000,
    ) -> Self:
        """Open a store, made if it is not there yet.

        Args:
            uri: A folder for the embedded store, or a database URL such as ``postgresql://…``.
            embedding: Turns texts into vectors; by default on this machine. A text such as
                ``openai:text-embedding-3-small`` names a provider and its model. None means that items
                are found by their words only.
            index: LangGraph's index settings ``dims``, ``embed`` and ``fields``, instead of ``embedding``.
            mode: ``hybrid`` searches by meaning and words, ``dense`` by meaning alone, ``lexical`` by words.
            ttl: LangGraph's settings for items that expire.
            lance_uri: Where the index is: a folder, ``s3://…`` or ``db://…``; by default beside the items.
            storage_options: LanceDB's options for an object store.
            durable: Whether a write waits until the disk has it.
            view_rows: Namespaces with up to this many items are searched in memory.

        Raises:
            StoreError: The place cannot be used, or was made with another embedder.
        """
        place = locate(uri, lance_uri)
        store = cls(
            cls._database_class(place.sql_url, durable=durable),
            indexing=_indexing(index, embedding, mode),
            lance_uri=place.lance_uri,
            storage_options=storage_options,
            ttl=ttl,
            view_rows=view_rows,
        )
        try:
            store.setup()
        except StoreError:
            store.close()
            raise
        return store

    @classmethod
    def from_config(
        cls,
        config: MemoryConfig,
        *,
        embedding: EmbeddingConfig | Embeddings | str | None = None,
        ttl: TTLConfig | None = None,
    ) -> Self:
        """Open the store that a configuration describes.

        Args:
            config: The configuration.
            embedding: Turns texts into vectors, instead of the configured embedder.
            ttl: LangGraph's settings for items that expire.
        """
        storage = config.storage
        return cls.open(
            storage.sql_url or storage.path,
            embedding=embedding or config.embedding,
            mode="hybrid" if config.long_term.vector_index else "lexical",
            lance_uri=storage.lance_uri,
            storage_options={key: str(value) for key, value in storage.storage_options.items()} or None,
            ttl=ttl,
        )

    @classmethod
    @contextmanager
    def from_conn_string(
        cls, conn_string: str, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> Iterator[Self]:
        """Open a store for a ``with`` block, as LangGraph's own stores do; ``:memory:`` is a temporary one.

        Without ``index`` items are found by their words only.
        """
        with tempfile.TemporaryDirectory() as folder:
            uri = folder if conn_string == ":memory:" else conn_string
            with cls.open(uri, index=index, embedding=None, ttl=ttl) as store:
                yield store

    @property
    def embeddings(self) -> Embeddings | None:
        """What turns texts into vectors, or none."""
        return self._indexing.embeddings

    @property
    def embedder_name(self) -> str | None:
        """The identity of what turns texts into vectors, or none."""
        return self._indexing.name if self._indexing.embeddings is not None else None

    @property
    def embedding_stats(self) -> EmbeddingStats:
        """How many vectors were remembered, found on disk, or made by the embedder."""
        return self._indexing.stats

    @property
    def index_config(self) -> IndexConfig | None:
        """The index settings as LangGraph names them, or none without an embedder."""
        if self._indexing.embeddings is None:
            return None
        return {
            "dims": self._indexing.dims or 0,
            "embed": self._indexing.embeddings,
            "fields": list(self._indexing.fields),
        }

    def setup(self) -> None:
        """Bring the database to the newest schema and check that it was made with this embedder."""
        migrate(self.database)
        with self.database.writing() as session:
            check_embedder(session, self._indexing)
            self._index.store = store_id(session)

    def visit(self, *_owners: str | None) -> Any:
        """Be about to serve owners, or everybody if one is none; only a copy of another store looks there first."""
        return nullcontext()

    def flush(self) -> int:
        """Bring the index up to date now and tell how many changes it took.

        Raises:
            StoreError: The index cannot be written, or this thread is inside a transaction.
        """
        self._refuse_in_transaction("flushed")
        return self._indexer.drain()

    def reindex(
        self,
        embedding: EmbeddingConfig | Embeddings | str | None = None,
        *,
        progress: Progress | bool | None = None,
    ) -> int:
        """Build the index anew from the items and tell how many there are; reads and writes go on meanwhile.

        Args:
            embedding: Make new vectors with this embedder first. Other processes must then open the
                store anew.
            progress: True shows a bar; a function is called with the number of items done and of all
                items, again and again.

        Raises:
            StoreError: The index cannot be written.
            EmbeddingError: The new embedder failed; the store is as it was.
        """
        self._refuse_in_transaction("reindexed")
        if embedding is not None:
            made = _indexing(None, embedding, self._indexing.mode if self._indexing.embeddings else "hybrid")
            made.fields = self._indexing.fields
            made.keep_on_disk(VectorCache(self.database))
            with shown(progress, "new vectors") as told:
                reembed(self.database, made, progress=told, clock=lambda: clock.now())
            self._indexing.become(made)
            self._views.clear()
        with shown(progress, "index") as told:
            return self._indexer.rebuild(told)

    def fsck(self, *, repair: bool = True) -> IndexReport:
        """Compare the index with the items, and by default mend it.

        Raises:
            StoreError: The index cannot be mended.
        """
        self.sweep_ttl()
        self.flush()
        report = compare(self.database, self._index, clock=lambda: clock.now())
        if repair and not report.clean:
            self._indexer.rebuild()
            return report._replace(repaired=True)
        return report

    def close(self) -> None:
        """Stop background work and close all connections.

        Raises:
            StoreError: This thread is inside a transaction.
        """
        self._refuse_in_transaction("closed")
        self._sweeper.stop()
        self._indexer.stop()
        self._views.clear()
        self.database.close()

    def _refuse_in_transaction(self, what: str) -> None:
        if self.database.in_transaction:
            raise StoreError(f"the store cannot be {what} inside a transaction; end it first")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await asyncio.to_thread(self.close)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: reads see the state before the batch, writes are one transaction."""
        return self._executor.run(ops)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations; the async twin of ``batch``."""
        if self.database.in_transaction:
            raise StoreError("a transaction belongs to its thread; inside one, use the methods that are not async")
        plan = self._executor.plan(ops)
        await self._indexing.aembed(plan.texts)
        return await asyncio.to_thread(self._executor.execute, plan)

    def sweep_ttl(self) -> int:
        """Delete expired items now and tell how many."""
        swept = 0
        while True:
            with self.database.writing() as session:
                found = sweep(session, clock.now())
            swept += found
            if not found:
                return swept

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> Any:
        """Delete expired items from time to time, in the background."""
        settings = self.ttl_config or {}
        return self._sweeper.start(float(sweep_interval_minutes or settings.get("sweep_interval_minutes") or 5) * 60)

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """Stop the background sweeper; tell whether it has stopped."""
        return self._sweeper.stop(timeout)


def _indexing(
    index: IndexConfig | None, embedding: EmbeddingConfig | Embeddings | str | None, mode: Mode = "hybrid"
) -> Indexing:
    if mode not in ("hybrid", "dense", "lexical"):
        raise InvalidInputError(f"mode must be 'hybrid', 'dense' or 'lexical', not {mode!r}")
    if index is not None:
        embed = index.get("embed")
        embeddings = ensure_embeddings(embed) if embed is not None else None
        return Indexing(embeddings, dims=index.get("dims"), fields=index.get("fields"), mode=mode)
    batch = embedding.params.get("batch_size") if isinstance(embedding, EmbeddingConfig) else None
    made = build_embeddings(embedding) if isinstance(embedding, EmbeddingConfig | str) else embedding
    dims = made.dim if isinstance(made, LocalEmbeddings) else None
    return Indexing(made, dims=dims, mode=mode, batch_size=int(batch or 256))
