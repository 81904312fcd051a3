"""The manager: what agents recall from their sources, and what is written to them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import ConfigError, MemoryConfig, MemoryContentSnapshot, MemoryItem, Scope, Stage
from memory_middleware.config.base import ConfigModel
from memory_middleware.config.store_kinds import _KINDS, register_store_kind
from memory_middleware.schemas.neutral import contained
from memory_middleware.sources import (
    Exchange,
    MemoryManager,
    Recalled,
    RecalledItem,
    Source,
    SourceContext,
    list_memory_stores,
    register_memory_store,
)
from memory_middleware.sources.registry import _FACTORIES
from memory_middleware.testing import HashEmbeddings
from tests.sources.support import ANN, BOB, turn
from tests.support import vectors

RECORDED = vectors("002_devall/manager_retrieve")


class FixedSource(Source):
    """Gives the same items always, and notes what it is asked."""

    def __init__(self, name: str, items: list[MemoryItem]) -> None:
        self.name = name
        self.items = items
        self.calls: list[list[Any]] = []
        self.done: list[str] = []

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        self.calls.append(["role", query.text, top_k, threshold])
        return self.items[:top_k]

    def update(self, exchange: Exchange, scope: Scope) -> None:
        self.done.append(f"update {exchange.inputs_text}")

    def load(self) -> None:
        self.done.append("load")

    def save(self) -> None:
        self.done.append("save")


class BrokenSource(FixedSource):
    """Fails at everything."""

    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        raise OSError("the disk is gone")

    def update(self, exchange: Exchange, scope: Scope) -> None:
        raise OSError("the disk is gone")

    def load(self) -> None:
        raise ZeroDivisionError

    def save(self) -> None:
        raise ZeroDivisionError


def declare(*names: str, attachments: list[dict[str, Any]], **more: Any) -> MemoryConfig:
    stores = [{"name": name, "type": "blackboard", "config": {}} for name in names]
    return MemoryConfig.from_dict({"memory": stores, "agents": {"answer": {"memories": attachments}}, **more})


def recorded_sources() -> dict[str, FixedSource]:
    return {
        name: FixedSource(
            name,
            [
                MemoryItem(
                    item["id"], item["content_summary"], {}, timestamp=RECORDED["now"] - 3600 * item["age_hours"]
                )
                for item in items
            ],
        )
        for name, items in RECORDED["stores"].items()
    }


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_recorded_recall_is_the_same(at: int, tmp_path: Path) -> None:
    case = RECORDED["cases"][at]
    sources = recorded_sources()
    config = declare(*sources, attachments=case["attachments"])
    manager = MemoryManager(
        config, tmp_path, sources=sources, clock=lambda: datetime.fromtimestamp(RECORDED["now"], UTC)
    )
    found = manager.retrieve("answer", case["query"], ANN, Stage(case["stage"]))
    expected = case["expected"] or {"formatted_text": "", "item_ids": []}
    assert found.formatted_text == expected["formatted_text"]
    assert [recalled.item.id for recalled in found.items] == expected["item_ids"]
    assert {name: source.calls for name, source in sources.items() if source.calls} == case["store_calls"]


def test_a_source_attached_twice_repeats_no_item(tmp_path: Path) -> None:
    case = RECORDED["cases"][3]
    sources = recorded_sources()
    config = declare(*sources, attachments=case["attachments"])
    manager = MemoryManager(
        config, tmp_path, sources=sources, clock=lambda: datetime.fromtimestamp(RECORDED["now"], UTC)
    )
    found = manager.retrieve("answer", case["query"], ANN)
    assert [recalled.item.id for recalled in found.items] == list(dict.fromkeys(case["expected"]["item_ids"]))
    assert sources["notes"].calls == case["store_calls"]["notes"]
    manager.update("answer", turn("once"), ANN)
    assert sources["notes"].done == ["update once", "save"]


def test_an_attachment_to_an_unknown_store_is_refused() -> None:
    case = RECORDED["cases"][4]
    assert case["error"] == "ValueError"
    with pytest.raises(ConfigError, match="memory reference 'zz' not defined"):
        declare(attachments=case["attachments"])


def test_stages_flags_and_shares_are_honoured(tmp_path: Path) -> None:
    names = ["late", "silent", "full"]
    sources = {name: FixedSource(name, [MemoryItem(name, f"text of {name}", {})]) for name in names}
    attachments = [
        {"name": "late", "retrieve_stage": ["finished"], "write": False},
        {"name": "silent", "read": False},
        {"name": "full", "budget_share": 0.25, "similarity_threshold": 0.4},
    ]
    manager = MemoryManager(declare(*names, attachments=attachments), tmp_path, sources=sources)
    (found,) = manager.retrieve("answer", "q", ANN, Stage.GEN).items
    assert (found.source, found.budget_share) == ("full", 0.25)
    assert sources["full"].calls == [["role", "q", 3, 0.4]]
    assert len(manager.retrieve("answer", "q", ANN, Stage.FINISHED).items) == 2
    manager.update("answer", turn("new"), ANN)
    assert [sources[name].done for name in names] == [[], ["update new", "save"], ["update new", "save"]]


def test_an_agent_without_attachments_recalls_and_writes_nothing(tmp_path: Path) -> None:
    manager = MemoryManager(MemoryConfig(), tmp_path)
    manager.update("nobody", turn("a"), ANN)
    assert manager.retrieve("nobody", "q", ANN) == Recalled()
    assert not list(tmp_path.iterdir())


def test_agents_share_the_declared_sources_through_files(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "deploy.md").write_text("We deploy every friday at noon.", encoding="utf-8")
    embedding = {"provider": "local", "model": "wordllama"}
    config = MemoryConfig.from_dict(
        {
            "memory": [
                {"name": "cache", "type": "simple", "config": {"memory_path": "auto", "embedding": embedding}},
                {"name": "board", "type": "blackboard", "config": {"memory_path": "auto"}},
                {
                    "name": "docs",
                    "type": "file",
                    "config": {
                        "index_path": "auto",
                        "file_sources": [{"path": str(tmp_path / "docs")}],
                        "embedding": embedding,
                    },
                },
            ],
            "agents": {
                "writer": {"memories": [{"name": "cache"}, {"name": "board"}]},
                "reader": {"memories": [{"name": name} for name in ("cache", "board", "docs")]},
            },
        }
    )
    folder = tmp_path / "session"
    manager = MemoryManager(config, folder, embed=lambda _: HashEmbeddings())
    manager.load()
    manager.update("writer", turn("when do we deploy", "on friday", role="writer"), ANN)
    manager.save()
    for fresh in (manager, MemoryManager(config, folder, embed=lambda _: HashEmbeddings())):
        found = fresh.retrieve("reader", MemoryContentSnapshot("deploy friday"), ANN)
        assert set(found.by_source) == {"cache", "board", "docs"}
        assert set(fresh.retrieve("reader", "deploy friday", BOB).by_source) == {"docs"}
    assert {path.name for path in folder.glob("*.json")} == {"cache.json", "board.json", "docs.json"}


def test_a_source_that_fails_is_skipped_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    sources: dict[str, FixedSource] = {
        "bad": BrokenSource("bad", []),
        "good": FixedSource("good", [MemoryItem("g", "text", {})]),
    }
    config = declare(*sources, attachments=[{"name": "bad"}, {"name": "good"}])
    manager = MemoryManager(config, tmp_path, sources=sources)
    with caplog.at_level(logging.WARNING):
        found = manager.retrieve("answer", "q", ANN)
        manager.load()
        manager.update("answer", turn("new"), ANN)
        manager.save()
    assert [recalled.source for recalled in found.items] == ["good"]
    assert found.problems == (("bad", "the disk is gone"),)
    assert sources["good"].done == ["load", "update new", "save", "save"]
    assert caplog.text.count("memory source 'bad' could not be") == 4


def test_a_source_that_fails_is_raised_if_asked_for(tmp_path: Path) -> None:
    config = declare("bad", attachments=[{"name": "bad"}], on_error="raise")
    manager = MemoryManager(config, tmp_path, sources={"bad": BrokenSource("bad", [])})
    with pytest.raises(OSError, match="the disk is gone"):
        manager.retrieve("answer", "q", ANN)


class _OwnConfig(ConfigModel):
    word: str = "x"


@pytest.fixture
def own_kinds() -> Iterator[None]:
    """Forget kinds that a test registers."""
    known, factories = dict(_KINDS), dict(_FACTORIES)
    yield
    for now, before in ((_KINDS, known), (_FACTORIES, factories)):
        now.clear()
        now.update(before)  # type: ignore[arg-type]  # each with its own


@pytest.mark.usefixtures("own_kinds")
def test_kinds_of_users_and_implicit_sources_are_built_once(tmp_path: Path) -> None:
    built: list[str] = []

    def factory(config: Any, context: SourceContext) -> Source:
        built.append(context.name)
        return FixedSource(context.name, [MemoryItem("i", "text", {})])

    register_memory_store("own", _OwnConfig, factory, "for this test")
    _FACTORIES["short_term"] = factory
    config = MemoryConfig.from_dict(
        {
            "memory": [{"name": "mine", "type": "own", "config": {"word": "y"}}],
            "agents": {
                "one": {"memories": [{"name": "mine"}, {"name": "short_term"}]},
                "two": {"memories": [{"name": "mine"}, {"name": "short_term"}]},
            },
        }
    )
    manager = MemoryManager(config, tmp_path)
    assert built == ["mine", "short_term"]
    listed = {kind.name: kind for kind in list_memory_stores()}
    assert {"simple", "file", "blackboard", "own"} <= set(listed)
    assert list(listed["own"].field_specs()) == ["word"]
    assert set(manager.retrieve("two", "text", ANN).by_source) == {"mine", "short_term"}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.text(min_size=1, max_size=9)), max_size=12))
def test_the_text_names_every_item_once_below_its_source(pairs: list[tuple[str, str]]) -> None:
    items = [RecalledItem(name, MemoryItem("i", text, {}), 0.0) for name, text in pairs]
    told = Recalled(tuple(items)).formatted_text
    assert bool(told) == bool(pairs)
    for name, group in Recalled(tuple(items)).by_source.items():
        numbered = "\n".join(f"{at}. {contained(item.content_summary)}" for at, item in enumerate(group, start=1))
        assert f"\n\n--- {name} ---\n{numbered}\n\n" in told


@pytest.mark.usefixtures("own_kinds")
def test_a_kind_that_nothing_builds_is_refused(tmp_path: Path) -> None:
    register_store_kind("dream", _OwnConfig, "settings alone")
    config = MemoryConfig.from_dict({"memory": [{"name": "m", "type": "dream", "config": {"word": "y"}}]})
    with pytest.raises(ConfigError, match=r"memory\.m: nothing builds sources of type 'dream'"):
        MemoryManager(config, tmp_path)
