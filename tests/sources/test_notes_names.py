"""What a note may be called, and what it may hold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memory_middleware.errors import NoteError
from memory_middleware.sources import notes_files
from memory_middleware.sources.notes_dir import MemoryDir


@pytest.fixture
def notes(tmp_path: Path) -> MemoryDir:
    return MemoryDir(tmp_path / "notes")


@pytest.mark.parametrize("name", ["../x", "/etc/x", "..\\..\\x.md", "C:\\notes\\x", " x ", "a/../x.md", "./x"])
def test_folders_in_a_name_are_ignored(notes: MemoryDir, tmp_path: Path, name: str) -> None:
    assert Path(notes.save_memory(name, "user", "n", "d", "b")) == notes.path / "x.md"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["MEMORY.md", "notes", "x.md"]
    assert notes.delete_memory(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "is empty"),
        (".md", "is empty"),
        ("x/", "is empty"),
        ("..", "is empty"),
        ("  ", "is empty"),
        ("a\x00b", r"must not hold '\\x00'"),
        ("a\nb", r"must not hold '\\n'"),
        ("a:b", "must not hold ':'"),
        ("what?", r"must not hold '\?'"),
        ("a\ud800", r"must not hold '\\ud800'"),
        (".hidden", "must not begin with a dot"),
        ("CON", "reserved for a device"),
        ("com1.txt", "reserved for a device"),
        ("n" * 253, "has 256 bytes, more than 255"),
        ("字" * 85, "has 258 bytes"),
        (None, "must be text, not None"),
    ],
)
def test_names_that_cannot_be_kept_are_refused(notes: MemoryDir, name: Any, message: str) -> None:
    with pytest.raises(NoteError, match=message) as caught:
        notes.save_memory(name, "user", "n", "d", "b")
    assert "use a short name such as 'user_go_expert'" in str(caught.value)
    assert os.listdir(notes.path) == []


def test_the_longest_name_is_kept(notes: MemoryDir) -> None:
    name = "字" * 84
    notes.save_memory(name, "user", "n", "d", "b")
    assert notes.delete_memory(name)


def test_the_index_in_other_case_is_refused_where_the_system_ignores_case(notes: MemoryDir) -> None:
    (notes.path / notes_files.LOCK.upper()).touch()  # as such a file system would show it
    with pytest.raises(NoteError, match=r"'memory' is the index MEMORY\.md on this file system"):
        notes.save_memory("memory", "user", "n", "d", "b")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (("diary", "n", "d", "b"), "note type 'diary' is none of"),
        (("user", "n", "d", "\ud800"), r"the content of note 'a\.md' holds '\\ud800', which is no character"),
        (("user", "n", "\udc80", "b"), r"the description of note 'a\.md' holds '\\udc80'"),
        (("user", "n", "d", "x" * 1_000_001), "bytes pass the limit of 1000000; split the note"),
        (("user", "n", "d" * 5000, "b"), "passes the limit of 4096"),
        (("user", None, "d", "b"), "the name of note 'a.md' must be text, not None"),
    ],
)
def test_notes_that_could_not_be_read_back_are_not_written(notes: MemoryDir, values: Any, message: str) -> None:
    with pytest.raises(NoteError, match=message):
        notes.save_memory("a", *values)
    assert os.listdir(notes.path) == []
