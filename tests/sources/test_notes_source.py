"""Notes as a source of recall."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory_middleware.config.store_kinds import NotesMemoryConfig
from memory_middleware.schemas import MemoryContentSnapshot, Scope
from memory_middleware.sources import Exchange, SourceContext, build_source
from memory_middleware.sources.notes import NotesSource, build
from memory_middleware.sources.notes_dir import MemoryDir

ANN = Scope("ann")


@pytest.fixture
def source(tmp_path: Path) -> NotesSource:
    notes = MemoryDir(tmp_path / "notes")
    notes.save_memory("go", "user", "Go expert", "ten years of Go", "Explain channels and goroutines briefly.")
    notes.save_memory("db", "feedback", "Real databases", "no mocked databases", "Tests talk to a real database.")
    notes.save_memory("freeze", "project", "Merge freeze", "no merges after 5 March", "The release branch is cut.")
    notes.save_memory("zh", "reference", "缺陷跟踪", "流水线的缺陷", "流水线缺陷记录在 Linear 项目 INGEST 中。")
    return NotesSource("my_notes", notes)


def ask(source: NotesSource, text: str, top_k: int = 5, threshold: float = -1.0) -> list[str]:
    items = source.retrieve(MemoryContentSnapshot(text), ANN, top_k=top_k, threshold=threshold)
    return [str(item.metadata["filename"]) for item in items]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("may I mock the database in this test?", ["db.md"]),
        ("goroutine", ["go.md"]),
        ("when is the release", ["freeze.md"]),
        ("流水线的缺陷在哪里", ["zh.md"]),
        ("INGEST", ["zh.md"]),
        ("weather", []),
        ("what is it", []),
        ("", []),
    ],
)
def test_notes_are_found_by_words(source: NotesSource, query: str, found: list[str]) -> None:
    assert ask(source, query) == found


def test_items_carry_what_a_prompt_needs(source: NotesSource) -> None:
    then = time.time() - 3 * 86_400 - 60
    os.utime(source.notes.path / "go.md", (then, then))
    (item,) = source.retrieve(MemoryContentSnapshot("goroutines"), ANN, top_k=3)
    assert item.id == "my_notes:go.md"
    assert item.content_summary == "Go expert — ten years of Go\nExplain channels and goroutines briefly."
    assert item.timestamp == pytest.approx(then)
    assert str(item.metadata.pop("stale_note")).startswith("⚠️ This note was saved 3 days ago.")
    assert item.metadata == {
        "filename": "go.md",
        "type": "user",
        "name": "Go expert",
        "description": "ten years of Go",
        "age": "3 days ago",
        "similarity": 1.0,
    }
    (fresh,) = source.retrieve(MemoryContentSnapshot("freeze"), ANN, top_k=3)
    assert (fresh.metadata["age"], fresh.metadata["stale_note"]) == ("today", None)


def test_no_more_than_asked_for_and_no_less_alike(source: NotesSource) -> None:
    query = "real database release"
    assert ask(source, query) == ["db.md", "freeze.md"]
    assert ask(source, query, top_k=1) == ["db.md"]
    assert ask(source, query, top_k=0) == []
    assert ask(source, query, threshold=0.5) == ["db.md"]
    assert ask(source, query, threshold=0.7) == []


def test_of_equal_notes_feedback_comes_first_then_the_newest(source: NotesSource) -> None:
    for age, (name, kind) in enumerate([("new", "user"), ("old", "user"), ("rule", "feedback")]):
        path = source.notes.save_memory(name, kind, "Same", "", "identical words")
        os.utime(path, (time.time() - age * 60,) * 2)
    assert ask(source, "identical") == ["rule.md", "new.md", "old.md"]


def test_hand_edits_are_found_at_once(source: NotesSource) -> None:
    assert ask(source, "kubernetes") == []
    (source.notes.path / "hand.md").write_text("---\ntype: user\nname:\n---\nkubernetes", encoding="utf-8")
    assert ask(source, "kubernetes") == ["hand.md"]
    (source.notes.path / "hand.md").unlink()
    assert ask(source, "kubernetes") == []


def test_a_turn_writes_nothing(source: NotesSource) -> None:
    before = sorted(os.listdir(source.notes.path))
    source.update(Exchange("worker", "remember this"), ANN)
    source.save()
    assert sorted(os.listdir(source.notes.path)) == before


def test_loading_mends_the_index(source: NotesSource, monkeypatch: pytest.MonkeyPatch) -> None:
    index = source.notes.index_path
    whole = set(index.read_text(encoding="utf-8").split("\n"))
    index.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)  # as in a folder that is read-only
        source.load()
    assert not index.exists()
    source.load()
    assert set(index.read_text(encoding="utf-8").split("\n")) == whole


def test_threads_search_while_others_write(source: NotesSource) -> None:
    def work(at: int) -> list[str]:
        if at % 4 == 0:
            source.notes.save_memory(f"n{at}", "project", "n", "d", "filler")
        return ask(source, "goroutine")

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(24))) == [["go.md"]] * 24


def test_it_is_built_from_configuration(tmp_path: Path) -> None:
    config = NotesMemoryConfig(path="team/notes")
    made = build_source("notes", config, SourceContext("mine", tmp_path, language="zh"))
    assert isinstance(made, NotesSource)
    assert (made.name, made.notes.path) == ("mine", (tmp_path / "team" / "notes").resolve())
    assert made.notes.language == "zh"
    absolute = build(NotesMemoryConfig(path=str(tmp_path / "elsewhere")), SourceContext("mine", tmp_path / "x"))
    assert isinstance(absolute, NotesSource)
    assert absolute.notes.path == (tmp_path / "elsewhere").resolve()
    assert absolute.notes.language == "en"
