"""What people give to open a memory, and what they are told when it is something else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from memory_middleware import InvalidInputError, LanceStore, Memory, MemoryConfig
from memory_middleware.storage.mirror import MirrorStore
from memory_middleware_langchain import AgentMemory


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (InMemoryStore(), r"a MemoryConfig, not InMemoryStore; use Memory\.over\(store\)"),
        ({"storage": {}}, r"not dict; use Memory\.open\(MemoryConfig\.from_dict\(…\)\)"),
        (None, r"not None; use Memory\.open\(\"\./memory\"\)"),
        (7, r"not int; use Memory\.open"),
    ],
    ids=["store", "mapping", "none", "number"],
)
@pytest.mark.parametrize("opens", [Memory.open, AgentMemory], ids=["memory", "middleware"])
def test_what_is_no_place_makes_no_folder(
    place: Any, why: str, opens: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInputError, match=why):
        opens(place)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("store", "why"),
    [
        ("./x", r"a LanceStore, not '\./x'; use Memory\.open\(place\)"),
        (MemoryConfig(), r"not MemoryConfig; use Memory\.open\(place\)"),
        (InMemoryStore(), r"not InMemoryStore; use Memory\.over\(store\)"),
        ({}, r"not dict; use Memory\.open\(MemoryConfig\.from_dict\(…\)\)"),
    ],
    ids=["folder", "config", "store", "mapping"],
)
def test_a_memory_is_made_with_a_store_of_ours(store: Any, why: str) -> None:
    with pytest.raises(InvalidInputError, match=why):
        Memory(store)


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({"language": "en"}, r"not dict; make one with MemoryConfig\.from_dict\(…\)"),
        ("memory.yaml", r"not 'memory\.yaml'; make one with MemoryConfig\.from_yaml\(path\)"),
    ],
    ids=["mapping", "file"],
)
def test_rules_are_a_configuration(config: Any, why: str, tmp_path: Path) -> None:
    for opened in (
        lambda: Memory.open(tmp_path / "memory", config=config),
        lambda: Memory.over(InMemoryStore(), config),
        lambda: Memory.in_graph(config),
    ):
        with pytest.raises(InvalidInputError, match=why):
            opened()
    with LanceStore.open(tmp_path / "store") as store, pytest.raises(InvalidInputError, match=why):
        Memory(store, config)
    assert not (tmp_path / "memory").exists()


def test_an_unknown_argument_is_one_of_what_was_called() -> None:
    for called in (Memory.open, Memory.in_graph):
        with pytest.raises(TypeError, match=r"^Memory\."):
            called(nonsense=1)  # type: ignore[call-arg]


def test_a_model_that_cannot_be_built_leaves_nothing_open(tmp_path: Path) -> None:
    def opened() -> int:
        return len(os.listdir("/proc/self/fd"))

    def attempt() -> None:
        with pytest.raises(Exception, match="nonsense"):
            Memory.open(tmp_path / "memory", model="nonsense:x")

    attempt()
    before = opened()
    attempt()
    assert opened() == before
    assert not (tmp_path / "memory").exists()


@pytest.mark.parametrize("place", ["folder", "store"])
def test_a_memory_that_cannot_be_made_closes_its_store(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    kind = LanceStore if place == "folder" else MirrorStore
    close = kind.close

    def noted(store: LanceStore) -> None:
        closed.append(place)
        close(store)

    monkeypatch.setattr(kind, "close", noted)
    more: dict[str, Any] = {"sources": 7}  # no mapping, which is seen when the sources are built
    with pytest.raises(TypeError):
        Memory.open(tmp_path / "memory", **more) if place == "folder" else Memory.over(InMemoryStore(), **more)
    assert closed == [place]
