"""Versions of notes: the bytes of their files, whoever wrote them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_middleware.errors import ConflictError, NoteError, StoreError
from memory_middleware.sources.notes_dir import MemoryDir
from tests.sources.notes_support import by_hand


@pytest.fixture
def notes(tmp_path: Path) -> MemoryDir:
    return MemoryDir(tmp_path / "notes")


def save(notes: MemoryDir, text: str, **more: object) -> str:
    return notes.save_memory("tea", "project", "Tea", "Which tea", text, **more)  # type: ignore[arg-type]


def test_a_version_names_the_bytes_of_the_file(notes: MemoryDir) -> None:
    assert notes.version("tea") is None
    save(notes, "Longjing\n")
    first = notes.version("tea.md")
    assert [entry.version for entry in notes.scan().entries] == [first]
    save(notes, "龙井\n")
    assert notes.version("tea") != first
    save(notes, "Longjing\n")
    assert notes.version("tea") == first
    by_hand(notes, "odd.md", "no note at all")
    assert notes.version("odd") is not None
    with pytest.raises(NoteError):
        notes.version("MEMORY")


def test_a_change_is_asked_about_with_the_version_that_would_go(notes: MemoryDir) -> None:
    seen: list[str | None] = []

    def never(version: str | None) -> bool:
        seen.append(version)
        return False

    with pytest.raises(ConflictError, match="the note 'tea.md' has another version by now"):
        save(notes, "Longjing\n", allowed=never)
    assert not (notes.path / "tea.md").exists()
    save(notes, "Longjing\n", allowed=lambda version: version is None)
    with pytest.raises(ConflictError):
        notes.delete_memory("tea", allowed=never)
    assert seen == [None, notes.version("tea")]
    assert notes.delete_memory("tea", allowed=lambda version: version == seen[1])
    assert not notes.delete_memory("tea", allowed=never)


def test_what_is_no_file_has_no_version_and_does_not_hang(notes: MemoryDir) -> None:
    os.mkfifo(notes.path / "tea.md")
    assert notes.version("tea") is None
    save(notes, "Longjing\n", allowed=lambda version: version is None)
    assert notes.version("tea") is not None


def test_a_file_that_cannot_be_read_is_told(notes: MemoryDir, monkeypatch: pytest.MonkeyPatch) -> None:
    save(notes, "Longjing\n")

    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(StoreError, match="cannot read the note 'tea.md'"):
        notes.version("tea")
