"""What is deleted leaves nothing readable on disk once its leftovers are erased."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory_middleware import LanceStore, Memory, Scope
from memory_middleware.errors import StoreError
from memory_middleware.storage.erasing import erase_leftovers, rewrite_file
from memory_middleware.testing import HashEmbeddings

SECRET = b"xylophonist"
ANA, BOB = Scope("ana", "t1"), Scope("bob", "t1")


def holding(folder: Path) -> set[str]:
    """Name the files in which the word stands."""
    return {path.name for path in folder.rglob("*") if path.is_file() and SECRET in path.read_bytes()}


def test_after_erasing_no_file_holds_what_was_forgotten(tmp_path: Path) -> None:
    with Memory.open(tmp_path, embedding=HashEmbeddings()) as memory:
        for at in range(20):
            memory.remember(ANA, f"The user is a xylophonist in band {at}.")
            memory.remember(BOB, f"The user is a drummer in band {at}.")
        memory.update_profile(ANA, "user", {"occupation": "xylophonist"})
        memory.store.flush()
        memory.forget(ANA, everything=True)
        memory.store.flush()
        assert holding(tmp_path), "a deleted row is still there for who looks at the bytes"
        report = memory.erase_leftovers()
        assert report.log_is_empty
        assert report.freed is not None
        assert holding(tmp_path) == set()
        assert len(memory.recall(BOB, "drummer", limit=50)) == 20
        assert memory.store.fsck().clean


def test_copies_from_before_a_change_of_the_schema_are_named_and_erased_if_asked(tmp_path: Path) -> None:
    with Memory.open(tmp_path, embedding=None) as memory:
        copy = tmp_path / "memory.db.v1.backup"
        copy.write_bytes(SECRET)
        assert memory.erase_leftovers().backups == (copy.name,)
        report = memory.erase_leftovers(backups=True)
        assert (report.erased, report.backups, copy.exists()) == ((copy.name,), (), False)


def test_a_reader_elsewhere_keeps_the_log_and_that_is_told(tmp_path: Path) -> None:
    with Memory.open(tmp_path, embedding=None) as memory:
        memory.remember(ANA, "The user is a drummer.")
        with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM store_items").fetchone()
            report = erase_leftovers(memory.store, patience=0.01)
            other.execute("COMMIT")
        assert not report.log_is_empty


def test_a_file_that_others_write_is_told(tmp_path: Path) -> None:
    file = tmp_path / "some.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE some (thing)")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="cannot be written anew"):
            rewrite_file(file, 0.01)
        other.execute("ROLLBACK")
        assert rewrite_file(file, 0.01)


def test_a_server_cleans_up_by_itself(postgres_url: str, tmp_path: Path) -> None:
    with LanceStore.open(postgres_url, lance_uri=str(tmp_path / "index"), embedding=None) as store:
        assert erase_leftovers(store) == (None, True, (), ())


def test_the_async_twin_erases_too(tmp_path: Path) -> None:
    with Memory.open(tmp_path, embedding=None) as memory:
        assert asyncio.run(memory.aerase_leftovers()).log_is_empty


def test_texts_that_were_forgotten_are_forgotten_in_the_process_too(tmp_path: Path) -> None:
    with Memory.open(tmp_path, embedding=HashEmbeddings()) as memory:
        kept = memory.remember(ANA, "The user is a xylophonist.")
        memory.remember(ANA, "The user likes tea.")
        before = memory.store.embedding_stats.embedded
        memory.forget(ANA, ids=kept.id)
        memory.remember(BOB, "The user likes tea.")
        assert memory.store.embedding_stats.embedded == before
        memory.remember(BOB, "The user is a xylophonist.")
        assert memory.store.embedding_stats.embedded == before + 1


def test_copies_are_found_beside_a_file_with_brackets_in_its_name(tmp_path: Path) -> None:
    with Memory.open(f"sqlite:///{tmp_path}/mem[1].db", embedding=None) as memory:
        copy = tmp_path / "mem[1].db.v1.backup"
        copy.write_bytes(SECRET)
        assert memory.erase_leftovers(backups=True).erased == (copy.name,)
        assert not copy.exists()
