"""Files of simple and blackboard sources: shared, atomic, never silently lost."""

from __future__ import annotations

import json
import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import StoreError
from memory_middleware.config import BlackboardMemoryConfig, SimpleMemoryConfig
from memory_middleware.sources import SourceContext, build_source
from memory_middleware.sources.json_file import JsonFile
from tests.sources.support import ANN, BOB, append_turns, open_source, start_processes, summaries, turn
from tests.support import vectors

KINDS = ["simple", "blackboard"]
CONFIGS: dict[str, Any] = {"simple": SimpleMemoryConfig, "blackboard": BlackboardMemoryConfig}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_read_by_the_next(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "items.json"
    open_source(kind, path).update(turn("colour?", "blue"), ANN)
    entries = json.loads(path.read_text(encoding="utf-8"))
    assert [list(entry) for entry in entries] == vectors("002_devall/persistence")["cases"][0]["file_keys"]
    again = open_source(kind, path)
    again.load()
    again.save()
    assert len(summaries(again)) == 1
    assert {file.name for file in path.parent.iterdir()} == {"items.json", "items.json.lock"}


@pytest.mark.parametrize("kind", KINDS)
def test_auto_and_relative_paths_are_in_the_folder(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "session"
    for name, path, wanted in [
        ("board", "auto", "board.json"),
        ("bare", "items.json", "items.json"),
        ("deep", "a/b.json", "a/b.json"),
        ("absolute", str(tmp_path / "c.json"), "../c.json"),
    ]:
        source = build_source(kind, CONFIGS[kind](memory_path=path), SourceContext(name, folder))
        source.update(turn("colour?", "blue"), ANN)
        assert (folder / wanted).is_file()


def test_names_that_would_become_one_file_are_kept_apart(tmp_path: Path) -> None:
    names = ["a/b", "a_b", "a:b", "../a", "记忆" * 60, "x" * 300]
    for name in names:
        config = BlackboardMemoryConfig(memory_path="auto")
        build_source("blackboard", config, SourceContext(name, tmp_path)).update(turn(name), ANN)
    assert len(list(tmp_path.glob("*.json"))) == len(names)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written_without_a_path(kind: str, tmp_path: Path) -> None:
    source = build_source(kind, CONFIGS[kind](), SourceContext("s", tmp_path))
    source.update(turn("colour?", "blue"), ANN)
    assert len(summaries(source)) == 1
    assert not list(tmp_path.iterdir())
    assert source.set_aside == ()  # type: ignore[attr-defined]  # of both kinds


@pytest.mark.parametrize("kind", KINDS)
def test_owners_see_and_push_out_their_own_items_only(kind: str, tmp_path: Path) -> None:
    source = open_source(kind, tmp_path / "items.json", max_items=2)
    source.update(turn("secret", "of bob"), BOB)
    for at in range(4):
        source.update(turn("asks", f"ann {at}"), ANN)
    assert sorted(text[-5:] for text in summaries(source)) == ["ann 2", "ann 3"]
    assert [text[-6:] for text in summaries(source, scope=BOB)] == ["of bob"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_item_that_names_no_owner_is_for_all(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text('[{"id": "x", "content_summary": "old", "metadata": null, "timestamp": 1.5}]', encoding="utf-8")
    source = open_source(kind, path)
    assert summaries(source) == summaries(source, scope=BOB) == ["old"]


@pytest.mark.parametrize("kind", KINDS)
def test_threads_and_processes_at_once_lose_nothing(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    processes = start_processes(append_turns, *((kind, str(path), name, 15) for name in ("p0", "p1", "p2")))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda at: append_turns(kind, str(path), f"t{at}", 15), range(4)))
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    entries = json.loads(path.read_text(encoding="utf-8"))
    previews = sorted(entry["metadata"]["input_preview"] for entry in entries)
    names = ["p0", "p1", "p2", "t0", "t1", "t2", "t3"]
    assert previews == sorted(f"{name} asks {at}" for name in names for at in range(15))


@pytest.mark.parametrize("kind", KINDS)
def test_threads_may_share_one_source(kind: str, tmp_path: Path) -> None:
    for path in (None, tmp_path / "items.json"):
        source = open_source(kind, path)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda at, to=source: (to.update(turn(f"ask {at}"), ANN), summaries(to)), range(40)))
        assert len(summaries(source)) == 40


def test_what_another_process_writes_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    ours = open_source("blackboard", path)
    ours.update(turn("one"), ANN)
    assert summaries(ours) == ["one"]
    open_source("blackboard", path).update(turn("two"), ANN)
    assert summaries(ours) == ["one", "two"]
    os.utime(path, (1, 1))  # an old file is read once
    assert summaries(ours) == summaries(ours) == ["one", "two"]
    open_source("blackboard", path).update(turn("three"), ANN)
    assert summaries(ours) == ["one", "two", "three"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_process_leaves_a_whole_file(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    append_turns(kind, str(path), "first", 1)
    for _ in range(3):
        (process,) = start_processes(append_turns, (kind, str(path), "victim", 10_000))
        before = path.stat().st_mtime_ns
        while path.stat().st_mtime_ns == before and process.is_alive():
            threading.Event().wait(0.005)
        process.kill()
        process.join(30)
        source = open_source(kind, path)
        found = len(summaries(source))
        assert found >= 2
        source.update(turn(f"after {found}", "still works"), ANN)
        assert len(summaries(source)) == found + 1
    assert not list(tmp_path.glob("*corrupt*"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("broken", [b"{not json", b"\xff\xfe\x00", b'{"items": []}', b"", b"[" * 100_000])
def test_a_corrupt_file_is_moved_aside_and_told(
    kind: str, broken: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "items.json"
    path.write_bytes(broken)
    source: Any = open_source(kind, path)
    with caplog.at_level(logging.WARNING):
        source.load()
    assert "it was moved to" in caplog.text
    (aside,) = source.set_aside
    assert aside.name.startswith("items.json.corrupt-")
    assert aside.read_bytes() == broken
    assert summaries(source) == []
    source.update(turn("new", "item"), ANN)
    assert len(summaries(open_source(kind, path))) == 1
    assert aside.read_bytes() == broken


@pytest.mark.parametrize("kind", KINDS)
def test_a_corrupt_file_is_moved_aside_by_a_write_too(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text('[{"id": "x"', encoding="utf-8")
    source: Any = open_source(kind, path)
    source.update(turn("new", "item"), ANN)
    assert source.set_aside[0].read_text(encoding="utf-8") == '[{"id": "x"'
    assert len(summaries(source)) == 1


@pytest.mark.parametrize(
    "bad",
    [
        "text",
        {"content_summary": "no id"},
        {"id": "x", "content_summary": 5},
        {"id": "x", "content_summary": "s", "metadata": []},
        {"id": "x", "content_summary": "s", "embedding": ["a"]},
        {"id": "x", "content_summary": "s", "timestamp": "now"},
        {"id": "x", "content_summary": "s", "input_snapshot": "text"},
    ],
)
def test_sound_items_of_a_damaged_file_stay_and_the_file_is_kept_aside(bad: object, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    good: dict[str, Any] = {"id": "g", "content_summary": "good", "metadata": {}, "embedding": None, "timestamp": 1.0}
    path.write_text(json.dumps([bad, good]), encoding="utf-8")
    source: Any = open_source("blackboard", path)
    assert summaries(source) == ["good"]
    assert json.loads(source.set_aside[0].read_text(encoding="utf-8")) == [bad, good]
    assert json.loads(path.read_text(encoding="utf-8")) == [good]


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text('[{"id": "x", "content_summary": "marked"}]', encoding="utf-8-sig")
    assert summaries(open_source("blackboard", path)) == ["marked"]


def test_text_that_has_no_utf8_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    for text in ("half \ud83d", "whole 😀"):
        open_source("blackboard", path).update(turn("odd", text), ANN)
    assert summaries(open_source("blackboard", path)) == ["half \ud83d", "whole 😀"]


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    source = open_source("blackboard", path)
    source.update(turn("kept"), ANN)
    (tmp_path / "items.json.tmp").mkdir()
    with pytest.raises(StoreError, match=r"cannot use '.*items\.json'.*check its folder"):
        source.update(turn("lost"), ANN)
    assert summaries(source) == summaries(open_source("blackboard", path)) == ["kept"]


def test_a_path_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    source = open_source("simple", tmp_path / "file" / "items.json")
    with pytest.raises(StoreError, match="check its"):
        source.update(turn("a"), ANN)
    (tmp_path / "items.json").mkdir()
    with pytest.raises(StoreError, match="cannot read"):
        summaries(open_source("simple", tmp_path / "items.json"))


def test_the_rights_of_a_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    source = open_source("blackboard", path)
    source.update(turn("one"), ANN)
    path.chmod(0o640)
    source.update(turn("two"), ANN)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "items.json"
    link.symlink_to(tmp_path / "real" / "items.json")
    open_source("blackboard", link).update(turn("one"), ANN)
    assert link.is_symlink()
    assert (tmp_path / "real" / "items.json").is_file()


def test_a_lock_that_is_never_let_go_is_told(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    with (
        JsonFile(path).locked(),
        pytest.raises(StoreError, match=r"was locked for 0\.05 s"),
        JsonFile(path, patience=0.05).locked(),
    ):
        pass
