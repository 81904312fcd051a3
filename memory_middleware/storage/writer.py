"""Writing items: as few statements as possible for as many writers as wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memory_middleware.storage.database import Session
from memory_middleware.storage.documents import Document, is_typed
from memory_middleware.storage.indexing import Indexing
from memory_middleware.storage.namespaces import decode_label
from memory_middleware.storage.rows import ItemRows, NewItem, Renewal
from memory_middleware.storage.state import stamp_embedder
from memory_middleware.storage.typed_rows import TypedRows

__all__ = ["Batch", "Deletion", "Writer", "sweep"]


class Deletion(NamedTuple):
    """An item to be deleted where typed memory may stand."""

    item: str
    owner_id: str
    key: str


class Batch(NamedTuple):
    """The writes of one caller, all of which happen or none.

    Attributes:
        items: What to put and delete, each id at most once.
        embedder: What made the vectors of the items.
        again: Makes the items anew, if the store has another embedder by now.
        spaces: Namespaces that may be new, by their paths.
        renewals: Items that were read and live longer.
        expected: When items must have been changed last.
        documents: The typed memories among the items.
        deletions: Deleted items that may be typed memories.
        plain: Keys, by id, of plain items where typed memory may stand.
    """

    items: Sequence[NewItem]
    embedder: object
    again: Callable[[], Sequence[NewItem]]
    spaces: Mapping[str, str]
    renewals: Sequence[Renewal]
    expected: Mapping[str, int]
    documents: Mapping[str, Document]
    deletions: Sequence[Deletion]
    plain: Mapping[str, str]

    @property
    def is_simple(self) -> bool:
        """Whether it only writes items, so that it can be joined with others."""
        return not (self.renewals or self.expected or self.documents or self.deletions or self.plain)


class Writer:
    """Carries out batches inside a transaction."""

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing

    def write(self, session: Session, batches: Sequence[Batch]) -> None:
        """Carry out batches in their order.

        Raises:
            ConflictError: An item is not as it was expected to be.
            InvalidInputError: A typed memory cannot be written so.
            StoreError: The database failed, or the vectors are another embedder's by now.
        """
        if any(batch.items for batch in batches):
            stamp_embedder(session, self._indexing)
        if len(batches) == 1 and batches[0].is_simple:
            self._put(session, batches[0].spaces, self._items(batches[0]))
            return
        items: dict[str, NewItem] = {}
        spaces: dict[str, str] = {}
        for batch in batches:
            if batch.is_simple:
                for item in self._items(batch):
                    items.pop(item.id, None)
                    items[item.id] = item
                spaces.update(batch.spaces)
                continue
            self._put(session, spaces, list(items.values()))
            items, spaces = {}, {}
            self._write_one(session, batch)
        self._put(session, spaces, list(items.values()))

    def _items(self, batch: Batch) -> Sequence[NewItem]:
        """Give the items with vectors of the embedder that the store has now; reindex may have changed it."""
        return batch.items if batch.embedder is self._indexing.embeddings else batch.again()

    def _write_one(self, session: Session, batch: Batch) -> None:
        ItemRows.expect(session, batch.expected)
        ItemRows.refresh(session, batch.renewals)
        for deletion in batch.deletions:
            TypedRows.unlink(session, *deletion)
        for item, key in batch.plain.items():
            TypedRows.guard(session, item, key)
        for item in batch.documents:
            TypedRows.purge(session, item)  # what is written in the place of an expired memory is a new one
        self._put(session, batch.spaces, self._items(batch))
        TypedRows.write(session, batch.documents)

    @staticmethod
    def _put(session: Session, spaces: Mapping[str, str], items: Sequence[NewItem]) -> None:
        if items:
            ItemRows.name(session, spaces)
            ItemRows.write(session, items)


def sweep(session: Session, now: int) -> int:
    """Delete up to a thousand expired items, with the links to them, and tell how many there were."""
    for item, namespace, key in ItemRows.expired(session, now):
        if is_typed(namespace):
            TypedRows.unlink(session, item, decode_label(namespace[1]), key)
    return ItemRows.sweep(session, now)
