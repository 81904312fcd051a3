"""What happens when the store of somebody else fails: it is told, and nothing is lost."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore

from memory_middleware import EmbeddingError, Memory, Scope, StoreError
from tests.graph.support import listener, one_node, run
from tests.mirror.support import Moody, facts, over, say, told
from tests.support import ROOT


def test_a_write_that_the_store_did_not_take_is_an_error_and_kept(memory: Memory, moody: Moody) -> None:
    memory.remember("ana", "The user plays chess.")
    moody.is_full = True
    with pytest.raises(
        StoreError, match=r"the Moody that keeps this memory failed: ConnectionError\('the line is dead'\)"
    ):
        memory.remember("ana", "The user plays go.")
    assert facts(memory) == {"The user plays chess.", "The user plays go."}
    moody.is_full = False
    memory.recall("ana", "go")
    with over(moody) as other:
        assert facts(other) == {"The user plays chess.", "The user plays go."}
        assert told(other) == told(memory)


def test_reading_goes_on_while_the_store_takes_nothing(memory: Memory, moody: Moody, caplog: Any) -> None:
    moody.is_full = True
    with pytest.raises(StoreError):
        memory.remember("ana", "The user plays go.")
    with caplog.at_level(logging.WARNING):
        assert [hit.record.content for hit in memory.recall("ana", "go")] == ["The user plays go."]
    assert "changes wait for the store" in caplog.text


def test_a_store_that_is_down_is_told_at_once(memory: Memory, moody: Moody) -> None:
    moody.is_down = True
    with pytest.raises(StoreError, match="the line is dead"):
        memory.recall("ana", "chess")


def test_what_waits_is_not_overwritten_by_what_others_wrote(memory: Memory, moody: Moody) -> None:
    kept = memory.remember("ana", "The user plays chess.")
    with over(moody) as other:
        other.recall("ana", "chess")
        moody.is_full = True
        with pytest.raises(StoreError):
            memory.edit_record("ana", kept.id, content="The user plays go.")
        moody.is_full = False
        other.store.memories.records.patch(Scope("ana"), kept.id, content="The user plays draughts.")
        assert facts(memory) == {"The user plays go."}
        assert facts(other) == {"The user plays go."}


def test_what_is_refused_of_one_owner_holds_up_nobody_else(memory: Memory, moody: Moody) -> None:
    moody.refused = "poison"
    with pytest.raises(StoreError, match="too much"):
        memory.remember("bob", "The user knows poison.")
    memory.remember("ana", "The user plays chess.")
    with over(moody) as other:
        assert facts(other) == {"The user plays chess."}
        assert not facts(other, "bob")
    moody.refused = ""
    memory.recall("ana", "chess")
    with over(moody) as other:
        assert facts(other, "bob") == {"The user knows poison."}


def test_a_failure_inside_a_call_is_not_hidden_by_one_of_the_store(memory: Memory, moody: Moody) -> None:
    def fail(_record: object) -> Any:
        raise KeyError("mine")

    kept = memory.remember("ana", "The user plays chess.")
    moody.is_full = True
    with pytest.raises(KeyError, match="mine"):
        memory.store.memories.records.update(Scope("ana"), kept.id, fail)


def test_a_transaction_of_ones_own_is_told_when_it_ends(memory: Memory, moody: Moody) -> None:
    memories = memory.store.memories
    kept = memory.remember("ana", "The user plays chess.")
    with memories.database.writing():
        memories.records.patch(Scope("ana"), kept.id, content="The user plays go.")
        with pytest.raises(StoreError, match="read something of it before the transaction"):
            memories.records.get(Scope("bob"), kept.id)
    with over(moody) as other:
        assert facts(other) == {"The user plays go."}


def test_closing_says_what_never_arrived(moody: Moody, caplog: Any) -> None:
    with over(moody) as memory:
        memory.recall("ana", "x")
        moody.is_full = True
        with pytest.raises(StoreError):
            memory.remember("ana", "The user plays go.")
        with caplog.at_level(logging.WARNING):
            memory.close()
    assert "with changes that its store never took" in caplog.text


def test_an_agent_goes_on_without_memory(memory: Memory, moody: Moody) -> None:
    graph = one_node(memory.router(listener("Hello."))).compile()
    moody.is_down = True
    assert graph.invoke({"messages": [("user", "I play chess.")]}, run())["messages"][-1].text == "Hello."
    assert memory.failures == {"recall": 1, "observe": 1}


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("store_items", {"ns": '["memories", "bob", "fact"]'}),
        ("store_items", {"value": "{}"}),
        ("memory_turns", {"document": None}),
        ("memory_turns", {"place": "x"}),
    ],
    ids=["of another owner", "no record", "an empty column", "no place"],
)
def test_rows_that_somebody_tampered_with_are_told(moody: Moody, place: str, change: dict[str, Any]) -> None:
    with over(moody) as memory:
        say(memory, "I play chess.")
        memory.remember("ana", "The user plays chess.")
    namespace = next(one for one in moody._data if one[-1] == place)
    for item in moody._data[namespace].values():
        item.value.update(change)
    if place == "memory_turns":
        item.value.pop("entry")
    with over(moody) as again, pytest.raises(StoreError, match="is not as it was written"):
        facts(again)


def test_memory_of_a_newer_release_is_refused(moody: Moody) -> None:
    with over(moody) as memory:
        memory.remember("ana", "The user plays chess.")
    for namespace in moody._data:
        if namespace[-1] == "heads":
            for item in moody._data[namespace].values():
                item.value["format"] = 2
    with over(moody) as again, pytest.raises(StoreError, match="has format 2, this release knows 1"):
        facts(again)


def test_a_folder_that_cannot_be_used_is_left_behind_by_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(EmbeddingError, match="nobody"):
        Memory.over(InMemoryStore(), embedding="nobody:knows-this")
    assert list(tmp_path.iterdir()) == []


def test_a_killed_process_leaves_what_was_acknowledged(tmp_path: Path) -> None:
    place = str(tmp_path / "store.db")
    script = f"""
        import os, signal, tempfile
        from langgraph.store.sqlite import SqliteStore
        from tests.mirror.support import over, say
        tempfile.tempdir = {str(tmp_path)!r}
        with SqliteStore.from_conn_string({place!r}) as store, over(store) as memory:
            say(memory, "I live in Faro.")
            memory.remember("ana", "The user plays chess.")
            os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    with SqliteStore.from_conn_string(place) as store, over(store) as memory:
        memory.flush("ana")
        assert facts(memory) == {"The user plays chess.", "The user lives in Faro."}
