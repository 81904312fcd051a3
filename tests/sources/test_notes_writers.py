"""Crashes, and several writers at once."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory_middleware.errors import StoreError
from memory_middleware.sources import notes_dir, notes_files
from memory_middleware.sources.notes_dir import MemoryDir
from memory_middleware.sources.notes_files import hold_lock, write_whole
from tests.sources.notes_support import listed, save_and_delete


@pytest.fixture
def notes(tmp_path: Path) -> MemoryDir:
    return MemoryDir(tmp_path / "notes")


class Killed(BaseException):
    """Stands for the end of the process."""


def kill_at(monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    def write(path: Path, data: bytes) -> None:
        if path.name == file:
            raise Killed
        write_whole(path, data)

    monkeypatch.setattr(notes_dir, "write_whole", write)


@pytest.mark.parametrize(
    ("do", "names"),
    [
        (lambda notes: notes.save_memory("b", "user", "n", "d", "b"), ["a.md", "b.md"]),
        (lambda notes: notes.delete_memory("a"), []),
    ],
    ids=["save", "delete"],
)
def test_a_crash_between_the_two_writes_is_mended(
    notes: MemoryDir, monkeypatch: pytest.MonkeyPatch, do: Callable[[MemoryDir], object], names: list[str]
) -> None:
    notes.save_memory("a", "user", "n", "d", "b")
    with monkeypatch.context() as patch:
        kill_at(patch, "MEMORY.md")
        with pytest.raises(Killed):
            do(notes)
    assert listed(notes) == ["a.md"]
    notes.repair()
    assert listed(notes) == [entry.filename for entry in notes.scan().entries][::-1] == names


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_note(notes: MemoryDir, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    notes.save_memory("a", "user", "n", "d", "old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(StoreError, match=r"cannot write .*a\.md.*No space left"):
            notes.save_memory("a", "user", "n", "d", "new")
    assert notes.scan().entries[0].content == "old"
    assert sorted(os.listdir(notes.path)) == ["MEMORY.md", "a.md"]


def test_a_note_keeps_its_permissions(notes: MemoryDir) -> None:
    path = Path(notes.save_memory("a", "user", "n", "d", "old"))
    path.chmod(0o640)
    notes.save_memory("a", "user", "n", "d", "new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_is_replaced_and_its_target_left_alone(notes: MemoryDir, tmp_path: Path) -> None:
    target = tmp_path / "target.md"
    target.write_text("precious", encoding="utf-8")
    (notes.path / "a.md").symlink_to(target)
    notes.save_memory("a", "user", "n", "d", "b")
    assert target.read_text(encoding="utf-8") == "precious"
    assert not (notes.path / "a.md").is_symlink()


def test_threads_write_at_once(notes: MemoryDir) -> None:
    def write(worker: int) -> None:
        for at in range(8):
            notes.save_memory(f"t{worker}_{at}", "user", "n", f"{worker}", "b")
            notes.save_memory("shared", "user", "n", f"{worker}", f"{worker}" * 100)
            if at % 2:
                notes.delete_memory(f"t{worker}_{at}")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    files = [entry.filename for entry in notes.scan().entries]
    assert sorted(files) == sorted(["shared.md", *(f"t{worker}_{at}.md" for worker in range(6) for at in (0, 2, 4, 6))])
    assert sorted(listed(notes)) == sorted(files)
    assert sorted(os.listdir(notes.path)) == sorted([*files, "MEMORY.md"])


def test_processes_write_at_once(notes: MemoryDir) -> None:
    notes.index_path.write_text("# Mine\n", encoding="utf-8")
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=save_and_delete, args=(str(notes.path), worker, 12)) for worker in range(3)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        manifest = notes.scan()  # readers never see half a note
        assert manifest.problems == []
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    files = [entry.filename for entry in notes.scan().entries]
    expected = ["shared.md", *(f"w{worker}_{at}.md" for worker in range(3) for at in range(12) if at % 3)]
    assert sorted(files) == sorted(listed(notes)) == sorted(expected)
    assert notes.load_index().startswith("# Mine\n")
    assert notes.repair() == notes_dir.RepairReport()


def test_a_killed_writer_leaves_whole_notes(notes: MemoryDir) -> None:
    context = multiprocessing.get_context("spawn")
    for worker in range(2):
        process = context.Process(target=save_and_delete, args=(str(notes.path), worker, 100_000))
        process.start()
        while not (notes.path / f"w{worker}_2.md").exists():
            time.sleep(0.001)
        process.kill()
        process.join()
        notes.repair()  # the lock of the dead is free
        manifest = notes.scan()
        assert manifest.problems == []
        assert sorted(listed(notes)) == sorted(entry.filename for entry in manifest.entries)
        assert sorted(os.listdir(notes.path)) == sorted([*listed(notes), "MEMORY.md"])


def test_a_lock_that_is_never_released_is_told(notes: MemoryDir) -> None:
    message = r"another process has held .* for 0\.02 s"
    with hold_lock(notes.path), pytest.raises(StoreError, match=message), hold_lock(notes.path, timeout=0.02):
        pass
    with hold_lock(notes.path, timeout=0):
        pass


def test_a_lock_removed_meanwhile_is_asked_for_anew(notes: MemoryDir, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    lock = notes_files._try_lock

    def remove_first(handle: int) -> bool:
        calls.append(handle)
        if len(calls) == 1:
            (notes.path / notes_files.LOCK).unlink()
        return lock(handle)

    monkeypatch.setattr(notes_files, "_try_lock", remove_first)
    with hold_lock(notes.path) as held:
        assert held.exists()
    assert len(calls) == 2


def test_a_system_without_locks_is_told(notes: MemoryDir, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> bool:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(notes_files, "_try_lock", fail)
    with pytest.raises(StoreError, match="cannot lock the folder .*not supported"):
        notes.repair()


def test_folders_that_fail_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot make the folder of notes"):
        MemoryDir(tmp_path / "file")
    notes = MemoryDir(tmp_path / "notes")
    notes.index_path.mkdir()
    with pytest.raises(StoreError, match="cannot read the index"):
        notes.load_index()
    with pytest.raises(StoreError, match="cannot read the index"):
        notes.repair()
    notes.index_path.rmdir()
    notes.path.rmdir()
    with pytest.raises(StoreError, match="does not exist any more"):
        notes.repair()
    with pytest.raises(StoreError, match="cannot read the folder of notes"):
        notes.scan()
    notes.path.touch()
    with pytest.raises(StoreError, match="cannot lock the folder .*Not a directory"):
        notes.repair()


def test_a_note_that_cannot_be_deleted_is_told(notes: MemoryDir, monkeypatch: pytest.MonkeyPatch) -> None:
    notes.save_memory("a", "user", "n", "d", "b")

    def fail(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", fail)
        with pytest.raises(StoreError, match=r"cannot delete the note 'a\.md'"):
            notes.delete_memory("a")
    assert listed(notes) == ["a.md"]
