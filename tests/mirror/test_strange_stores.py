"""Stores that cap their pages, hold what nobody expects, or stop in the middle; and all ways to ask for everybody."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import Op, PutOp, Result, SearchOp
from langgraph.store.memory import InMemoryStore

from memory_middleware import Memory, Scope
from memory_middleware.storage.mirror import MirrorStore
from memory_middleware.storage.owners import digest
from tests.mirror.support import Moody, facts, over


class Capped(InMemoryStore):
    """A store that gives at most seven items at once, whatever it is asked."""

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return super().batch([op._replace(limit=min(op.limit, 7)) if isinstance(op, SearchOp) else op for op in ops])


class Interrupted(InMemoryStore):
    """A store in whose writing somebody presses Ctrl-C, once told to."""

    is_interrupted = False

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        listed = list(ops)
        if self.is_interrupted and any(isinstance(op, PutOp) for op in listed):
            raise KeyboardInterrupt
        return super().batch(listed)


def test_pages_are_read_until_one_is_empty() -> None:
    store = Capped()
    with over(store) as memory:
        for at in range(20):
            memory.remember("ana", f"The user owns boat number {at}.")
        for at in range(10):
            memory.remember(f"owner {at}", "The user plays chess.")
    with over(store) as again:
        assert len(again.list_records("ana", limit=100).records) == 20
        assert len(again.maintain()) == 11


def test_what_somebody_else_put_beside_the_rows_does_no_harm(moody: Moody) -> None:
    with over(moody) as memory:
        memory.remember("ana", "The user plays chess.")
    moody.put(("memory_middleware", digest("ana")), "stray", {"text": "?"})
    moody.put(("memory_middleware", digest("ana"), "store_items", "below"), "stray", {"text": "?"})
    with over(moody) as again:
        assert facts(again) == {"The user plays chess."}


def test_a_search_that_names_nobody_finds_everybody(moody: Moody) -> None:
    with over(moody) as memory:
        for owner in ("ana", "bob"):
            memory.remember(owner, "The user plays chess.")
    everybody = {("memories", "ana", "fact"), ("memories", "bob", "fact")}
    for prefix in (("memories",), ()):
        with over(moody) as again:
            assert {item.namespace for item in again.store.search(prefix)} == everybody
    with over(moody) as again:
        assert set(again.store.list_namespaces()) == everybody


def test_a_search_elsewhere_visits_nobody(moody: Moody) -> None:
    with over(moody) as memory:
        moody.batches.clear()
        assert memory.store.search(("notes",)) == []
        assert memory.store.get(("memories",), "k") is None
        assert moody.batches == []


def test_an_owner_that_is_named_by_keyword_is_visited(moody: Moody) -> None:
    with over(moody) as memory:
        kept = memory.remember("ana", "The user plays chess.")
    with over(moody) as again:
        found: Any = again.store.memories.records.get(scope=Scope("ana"), record_id=kept.id)
        assert found is not None and found.content == "The user plays chess."


def test_a_memory_that_is_interrupted_while_it_closes_leaves_no_folder() -> None:
    store = Interrupted()
    memory = Memory.over(store)
    assert isinstance(memory.store, MirrorStore)
    folder = Path(str(memory.store.database.url.database)).parent
    assert folder.exists()
    store.is_interrupted = True
    with pytest.raises(KeyboardInterrupt):
        memory.remember("ana", "The user plays chess.")
    with pytest.raises(KeyboardInterrupt):
        memory.close()
    assert not folder.exists()
