"""A store that serves memory from a working copy, and keeps it in another store."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self, cast

from langchain_core.embeddings import Embeddings
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, Op, PutOp, Result, SearchOp

from memory_middleware.config import EmbeddingConfig, MemoryConfig
from memory_middleware.errors import InvalidInputError, StoreError
from memory_middleware.storage.documents import document_of, is_typed
from memory_middleware.storage.indexing import Mode
from memory_middleware.storage.mirror.database import MirrorDatabase
from memory_middleware.storage.mirror.foreign import Foreign
from memory_middleware.storage.mirror.guarding import guarded
from memory_middleware.storage.mirror.ledger import Ledger
from memory_middleware.storage.mirror.luggage import Luggage
from memory_middleware.storage.mirror.mirror import Mirror
from memory_middleware.storage.mirror.taking import Taker
from memory_middleware.storage.mirror.visiting import Visit
from memory_middleware.storage.namespaces import decode_label
from memory_middleware.storage.store import LanceStore

__all__ = ["MirrorStore"]

_log = logging.getLogger(__name__)
_TYPED = ("memories", "experience")


class MirrorStore(LanceStore):
    """The working copy of a memory that lives in another store.

    It lies in a temporary folder and holds those owners that were met. Every call that names one compares it with the
    other store first, and nothing is acknowledged that the other store does not have.
    """

    _database_class = MirrorDatabase
    _folder: Path
    _mirror: Mirror

    @classmethod
    def over(
        cls,
        find: Callable[[], BaseStore | None],
        config: MemoryConfig,
        *,
        embedding: EmbeddingConfig | Embeddings | str | None = None,
    ) -> Self:
        """Make the working copy of what another store keeps.

        Args:
            find: Gives the other store, or none if it is gone.
            config: The rules.
            embedding: Turns texts into vectors, instead of the configured embedder.

        Raises:
            StoreError: The temporary folder cannot be used.
        """
        folder = Path(tempfile.mkdtemp(prefix="memory-"))
        mode: Mode = "hybrid" if config.long_term.vector_index else "lexical"
        try:
            store = cls.open(folder, embedding=embedding or config.embedding, mode=mode, durable=False)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        store._folder = folder
        store._begin(find)
        return store

    def _begin(self, find: Callable[[], BaseStore | None]) -> None:
        self._indexer.wait_for_many()
        database = cast(MirrorDatabase, self.database)
        luggage = Luggage(self._indexing)
        ledger = Ledger(database, luggage)
        ledger.set_up()
        self._mirror = Mirror(Foreign(find), ledger, Taker(database, self._executor, luggage))
        database.committed = self._committed
        self.memories = guarded(self.memories, self.visit)
        self._removed = weakref.finalize(self, _remove, self._folder, os.getpid())

    def visit(self, *owners: str | None) -> Visit:
        """Serve owners: what others wrote is read before, what is written meanwhile goes to the other store after."""
        named = [owner_id for owner_id in owners if owner_id is not None]
        return Visit(self._mirror, self.database, named if len(named) == len(owners) else None)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations on what is remembered; anything else belongs into the other store."""
        listed = list(ops)
        with self.visit(*_owners_in(listed)):
            return super().batch(listed)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations; the async twin of ``batch``."""
        listed = list(ops)
        async with self.visit(*_owners_in(listed)):
            return await super().abatch(listed)

    def close(self) -> None:
        """Write what waits, and drop the working copy."""
        try:
            if self._removed.alive:
                self._mirror.tell()
        except StoreError as error:
            _log.warning("the memory is closed with changes that its store never took: %s", error)
        finally:
            try:
                super().close()
            finally:
                self._removed()

    def _committed(self) -> None:
        if not Visit.is_open(self._mirror):
            self._mirror.tell()


def _remove(folder: Path, pid: int) -> None:
    if os.getpid() == pid:  # a forked child leaves it to its parent
        shutil.rmtree(folder, ignore_errors=True)


def _owners_in(ops: Sequence[Op]) -> list[str | None]:
    """Tell whose memory operations touch; none among them stands for everybody.

    Raises:
        InvalidInputError: One writes something that is no memory, and so would not be kept.
    """
    for op in ops:
        if isinstance(op, PutOp) and not (is_typed(op.namespace) and (op.value is None or document_of(op))):
            raise InvalidInputError(
                f"{op.key!r} in {op.namespace!r} is no memory, and this store is a working copy that goes away; put it "
                "into the store that keeps the memory"
            )
    places = [op.namespace for op in ops if isinstance(op, GetOp | PutOp) and len(op.namespace) > 1]
    places += [op.namespace_prefix for op in ops if isinstance(op, SearchOp)]
    places += [() for op in ops if isinstance(op, ListNamespacesOp)]
    touched = (place for place in places if not place or place[0] in _TYPED)
    return list(dict.fromkeys(decode_label(place[1]) if len(place) > 1 else None for place in touched))
