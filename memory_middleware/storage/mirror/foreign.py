"""The other store: how memory lies in it, and how it is asked.

Everything of an owner is below ``("memory_middleware", digest of the id)``, one namespace for each table, one item for
each row. There each writer has a slot of its own, in which it says how often it wrote and what last; a store has no
compare-and-swap, so one place for all would lose what two write at once. Slots have fixed names, since to get an item
by its name is what every store does fast.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from langgraph.store.base import BaseStore, GetOp, Item, Op, PutOp, Result, SearchOp
from langgraph.store.base.batch import AsyncBatchedBaseStore

from memory_middleware.errors import StoreError
from memory_middleware.storage.owners import digest

__all__ = ["Foreign", "Head", "Row"]

Row = tuple[str, str]
"""The table of a row, and its name there."""

_ROOT = "memory_middleware"
_OWNERS = (_ROOT, "owners")
_HEADS = "heads"
_NEWS = "news"
_SLOTS = tuple(f"{at:02}" for at in range(64))
_FORMAT = 1
_PAGE = 10_000
_ATTEMPTS = 5


class Head(NamedTuple):
    """How far a writer has come with an owner.

    Attributes:
        writer: Who.
        slot: Where it says so.
        writes: How often it wrote.
        since: The news go back to the write after this one.
        news: What it wrote last, each with the number of the write.
        seen: When the store was told, in microseconds.
    """

    writer: str
    slot: str
    writes: int = 0
    since: int = 0
    news: tuple[tuple[int, Row], ...] = ()
    seen: int = 0


class Foreign:
    """A store of somebody else's.

    Args:
        find: Gives the store, or none if it is gone.
    """

    def __init__(self, find: Callable[[], BaseStore | None]) -> None:
        self._find = find

    def heads(self, owner: str) -> list[Head]:
        """Give the heads of all writers of an owner, without their news."""
        found = self._read([GetOp((_ROOT, owner, _HEADS), slot, False) for slot in _SLOTS])
        return [_head(item) for item in found if isinstance(item, Item)]

    def news(self, owner: str, heads: Sequence[Head]) -> list[Head]:
        """Give heads with their news, as far as they are there."""
        found = self._read([GetOp((_ROOT, owner, _NEWS), head.slot, False) for head in heads])
        return [_with_news(head, item.value) for head, item in zip(heads, found, strict=True) if isinstance(item, Item)]

    @staticmethod
    def slot_for(heads: Sequence[Head]) -> str:
        """Choose a slot: one that is free, else the one that was not written to for longest."""
        free = sorted(set(_SLOTS) - {head.slot for head in heads})
        return secrets.choice(free) if free else min(heads, key=lambda head: head.seen).slot

    def rows(self, owner: str, wanted: Sequence[Row]) -> dict[Row, Mapping[str, Any] | None]:
        """Give rows by their names; those that are not there are none."""
        found: dict[Row, Mapping[str, Any] | None] = {}
        for at in range(0, len(wanted), _PAGE):
            part = wanted[at : at + _PAGE]
            items = self._read([GetOp((_ROOT, owner, name), key, False) for name, key in part])
            found |= {
                row: item.value if isinstance(item, Item) else None for row, item in zip(part, items, strict=True)
            }
        return found

    def everything(self, owner: str) -> dict[Row, Mapping[str, Any]]:
        """Give all rows of an owner."""
        rows = (item for item in self._below((_ROOT, owner)) if len(item.namespace) == 3)
        return {(item.namespace[2], item.key): item.value for item in rows if item.namespace[2] not in (_HEADS, _NEWS)}

    def owners(self) -> Iterator[str]:
        """Go through the ids of all owners."""
        return (json.loads(_checked(item.value)["owner_id"]) for item in self._below(_OWNERS))

    def write(self, ops: Sequence[Op]) -> None:
        """Write in one batch.

        Raises:
            StoreError: The store failed.
        """
        self._run(ops)

    @staticmethod
    def put(owner: str, row: Row, value: Mapping[str, Any] | None) -> PutOp:
        """Make the operation that writes a row, or deletes it; it is never embedded and never expires."""
        return PutOp((_ROOT, owner, row[0]), row[1], None if value is None else dict(value), index=False)

    @staticmethod
    def put_owner(owner_id: str) -> PutOp:
        """Make the operation that lists an owner."""
        told = {"format": _FORMAT, "owner_id": json.dumps(owner_id)}
        return PutOp(_OWNERS, digest(owner_id), told, index=False)

    @staticmethod
    def put_head(owner: str, head: Head) -> list[PutOp]:
        """Make the operations that write a head and its news."""
        told = {"format": _FORMAT, "writer": head.writer, "writes": head.writes}
        news = {**told, "since": head.since, "news": [[number, *row] for number, row in head.news]}
        return [
            PutOp((_ROOT, owner, place), head.slot, value, index=False)
            for place, value in ((_NEWS, news), (_HEADS, told))
        ]

    def _below(self, prefix: tuple[str, ...]) -> Iterator[Item]:
        offset = 0
        while True:
            found: Any = self._read([SearchOp(prefix, limit=_PAGE, offset=offset, refresh_ttl=False)])[0]
            if not found:  # a page that is not full need not be the last, as some stores give less than they are asked
                return
            # Some stores take an underscore for any letter.
            yield from (item for item in found if item.namespace[: len(prefix)] == prefix)
            offset += len(found)

    def _read(self, ops: Sequence[Op]) -> list[Result]:
        for _ in range(_ATTEMPTS):
            try:
                return self._run(ops)
            except StoreError as error:
                # A store in memory does not expect that somebody writes while it searches.
                if not isinstance(error.__cause__, RuntimeError):
                    raise
        return self._run(ops)

    def _run(self, ops: Sequence[Op]) -> list[Result]:
        store = self._find()
        if store is None:
            raise StoreError("the store that this memory was kept in is gone; keep a reference to it")
        _refuse_own_loop(store)
        try:
            return store.batch(ops)
        except Exception as error:
            raise StoreError(f"the {type(store).__name__} that keeps this memory failed: {error!r}") from error


def _refuse_own_loop(store: BaseStore) -> None:
    """Refuse a call that could never end: one that waits for the loop it stands on, or for one that does not run."""
    if not isinstance(store, AsyncBatchedBaseStore) or type(store).batch is not AsyncBatchedBaseStore.batch:
        return
    name = type(store).__name__
    try:
        running: object = asyncio.get_running_loop()
    except RuntimeError:
        running = None
    if running is store._loop:
        raise StoreError(f"{name} works on this event loop, so memory cannot wait for it here; use the async methods")
    if not store._loop.is_running():
        raise StoreError(f"the event loop of the {name} does not run any more; open the store on one that does")


def _checked(value: Mapping[str, Any]) -> Mapping[str, Any]:
    if value.get("format") != _FORMAT:
        found = value.get("format")
        raise StoreError(f"the memory in this store has format {found!r}, this release knows {_FORMAT}; update it")
    return value


def _head(item: Item) -> Head:
    value = _checked(item.value)
    return Head(value["writer"], item.key, value["writes"], seen=int(item.updated_at.timestamp() * 1_000_000))


def _with_news(head: Head, value: Mapping[str, Any]) -> Head:
    """Read the news of a head; those of somebody who took the slot meanwhile tell nothing of it."""
    if value["writer"] != head.writer:
        return head._replace(since=head.writes)
    news = tuple((number, (name, key)) for number, name, key in value["news"])
    return head._replace(since=value["since"], news=news)
