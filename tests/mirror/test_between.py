"""What is written here while rows of others are being taken over is newer than they are, and stays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from memory_middleware import Memory, StoreError
from memory_middleware.storage.owners import digest
from tests.mirror.support import Moody, facts, over

_LIMIT = 20


class Stopping(DeterministicFakeEmbedding):
    """An embedder that lets something happen once when it reads a text."""

    size: int = 8
    at: str = "never"
    happens: Callable[[], Any] | None = None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if self.happens is not None and any(self.at in text for text in texts):
            happens, self.happens = self.happens, None
            happens()
        return super().embed_documents(texts)


@contextmanager
def a_visit_that(memory: Memory, does: Callable[[], Any]) -> Iterator[Callable[[], None]]:
    """A long visit on a thread of its own, as a flush with a model is; give what makes it write, and waits for that."""
    is_open, may_write, has_written = threading.Event(), threading.Event(), threading.Event()

    def visit() -> None:
        with memory.store.visit("ana"):
            is_open.set()
            may_write.wait(_LIMIT)
            try:
                does()
            finally:
                has_written.set()

    def write() -> None:
        may_write.set()
        assert has_written.wait(_LIMIT)

    thread = threading.Thread(target=visit)
    thread.start()
    assert is_open.wait(_LIMIT)
    yield write
    write()
    thread.join(_LIMIT)


def test_an_edit_and_a_profile_that_were_acknowledged_are_not_overwritten(moody: Moody) -> None:
    embedder = Stopping()
    with over(moody, embedding=embedder) as memory, over(moody) as other:
        kept = memory.remember("ana", "The user plays chess.")

        def write() -> None:
            memory.edit_record("ana", kept.id, content="The user plays bridge.")
            memory.update_profile("ana", "user", {"occupation": "nurse"})

        with a_visit_that(memory, write) as happens:
            other.edit_record("ana", kept.id, content="The user plays go.")
            other.update_profile("ana", "user", {"occupation": "pilot"})
            embedder.at, embedder.happens = "plays go", happens
            memory.recall("ana", "what does the user play?")
        for one in (memory, other):
            assert facts(one) == {"The user plays bridge."}
            assert one.profile("ana").occupation == "nurse"  # type: ignore[union-attr]


def test_an_edit_of_what_others_deleted_is_not_dropped(moody: Moody) -> None:
    embedder = Stopping()
    with over(moody, embedding=embedder) as memory, over(moody) as other:
        kept = memory.remember("ana", "The user plays chess.")
        edit = lambda: memory.edit_record("ana", kept.id, content="The user plays bridge.")  # noqa: E731
        with a_visit_that(memory, edit) as happens:
            other.store.delete(("memories", "ana", "fact"), kept.id)
            other.remember("ana", "The user owns a boat.")
            embedder.at, embedder.happens = "boat", happens
            memory.recall("ana", "what does the user play?")
        for one in (memory, other):
            assert facts(one) == {"The user plays bridge.", "The user owns a boat."}


def test_a_name_that_cannot_be_read_stops_only_its_owner(moody: Moody) -> None:
    with over(moody) as memory:
        memory.remember("ana", "The user plays chess.")
        memory.remember("eve", "The user plays go.")
    moody.put(("memory_middleware", digest("eve"), "record_edits"), "nonsense", {"version": 1})
    with over(moody) as again:
        assert facts(again) == {"The user plays chess."}
        with pytest.raises(StoreError, match="'nonsense' is no name of a row of 'record_edits'"):
            facts(again, "eve")
        again.remember("ana", "The user owns a boat.")
    with over(moody) as third:
        assert facts(third) == {"The user plays chess.", "The user owns a boat."}


def test_a_mark_with_a_colon_in_it_is_read_and_told(moody: Moody) -> None:
    with over(moody) as memory:
        memory.remember("eve", "The user plays go.")
        with memory.store.visit("eve"), memory.store.database.writing() as session:
            session.raw(f"INSERT INTO memory_tombstones (owner, mark, made_at) VALUES ('{digest('eve')}', 'a:b', 1)")
        memory.remember("ana", "The user plays chess.")
    with over(moody) as again:
        assert facts(again, "eve") == {"The user plays go."}
        assert facts(again) == {"The user plays chess."}


def test_profiles_of_two_owners_never_share_an_id(moody: Moody) -> None:
    with over(moody) as memory:
        memory.update_profile("ana", "user", {"occupation": "nurse"})
        memory.update_profile("eve", "user", {"occupation": "pilot"})
    for place, items in moody._data.items():
        if place[-1] == "memories":
            assert all("id" not in item.value for item in items.values())
            for item in items.values():
                item.value["id"] = "the same for all"  # as a release before wrote it
    with over(moody) as again:
        found = [again.profile(owner).occupation for owner in ("ana", "eve")]  # type: ignore[union-attr]
        assert found == ["nurse", "pilot"]
