"""What the processes of the crash and concurrency tests do."""

from __future__ import annotations

import os
import random
import threading
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from langgraph.store.base import PutOp
from sqlalchemy import Connection as SqlConnection

from memory_middleware.errors import StoreError
from memory_middleware.storage import LanceStore
from memory_middleware.storage.database import Database
from memory_middleware.storage.migrations import MIGRATIONS, migrate
from memory_middleware.testing import HashEmbeddings

TEXT: Any = {"dims": 64, "embed": HashEmbeddings(), "fields": ["text"]}


def open_store(folder: str) -> LanceStore:
    """Open the store under test, with views so small that the index is used."""
    return LanceStore.open(folder, index=TEXT, view_rows=20)


def write_until_killed(folder: str, mode: str, seed: int, told: Connection) -> None:
    """Write items, and tell of each once it is acknowledged; index or rebuild on the way."""
    chance = random.Random(seed)
    with open_store(folder) as store:
        for at in range(100_000):
            key = f"{seed}-{at}"
            store.put(("crash", str(at % 3)), key, {"text": f"item {key}", "at": at})
            told.send(("put", f"{at % 3}", key))
            if chance.random() < 0.2:
                gone = chance.randrange(at + 1)
                told.send(("delete", f"{gone % 3}", f"{seed}-{gone}"))  # from now on it may be gone
                store.delete(("crash", str(gone % 3)), f"{seed}-{gone}")
            if mode == "index" and at % 10 == 9:
                store.flush()
            if mode == "reindex" and at % 20 == 19:
                store.reindex()


def widen(connection: SqlConnection) -> None:
    """A migration with many steps, each of which a process may not survive."""
    connection.exec_driver_sql("ALTER TABLE store_items ADD COLUMN colour TEXT")
    for at in range(300):
        connection.exec_driver_sql("UPDATE store_items SET colour = ?", (f"colour {at}",))
        connection.exec_driver_sql(f"CREATE TABLE step_{at} (id INTEGER)")


def migrate_until_killed(folder: str, told: Connection) -> None:
    """Bring a store to a schema of tomorrow."""
    database = Database(f"sqlite:///{folder}/memory.db")
    told.send("begin")
    migrate(database, (*MIGRATIONS, widen))
    told.send("end")
    database.close()


def open_without_rights(folder: str, told: Connection) -> None:
    """Try to use a store whose folder cannot be written, and tell what happens."""
    with open_store(folder) as store:
        store.put(("a",), "k", {"text": "kept"})
    for place in (Path(folder), *Path(folder).rglob("*")):
        place.chmod(0o555 if place.is_dir() else 0o444)
    if os.geteuid() == 0:
        os.seteuid(65534)  # root may write anywhere
    try:
        with open_store(folder) as store:
            store.put(("a",), "k", {"text": "changed"})
        told.send("written")
    except StoreError as error:
        told.send(str(error))


def use_after_fork(folder: str, told: Connection) -> None:
    """Use a store in a child that was forked while the parent had it open."""
    with open_store(folder) as store:
        store.put(("a",), "parent", {"text": "tea of the parent"})
        store.search(("a",), query="tea")
        child = os.fork()
        if child == 0:
            store.put(("a",), "child", {"text": "tea of the child"})
            found = sorted(item.key for item in store.search(("a",), query="tea"))
            os._exit(0 if found == ["child", "parent"] else 1)
        _, status = os.waitpid(child, 0)
        told.send((status, sorted(item.key for item in store.search(("a",), query="tea"))))


def mix(folder: str, name: str, rounds: int, told: Connection | None = None) -> dict[str, int]:
    """Put, change, delete, read, search and index; tell what must be there in the end."""
    chance = random.Random(name)
    mine: dict[str, int] = {}
    with open_store(folder) as store:
        for at in range(rounds):
            key = f"{name}-{chance.randrange(12)}"
            action = chance.random()
            if action < 0.5:
                store.put(("mix", name), key, {"text": f"word{at} of {name}", "n": at})
                mine[key] = at
            elif action < 0.6:
                store.delete(("mix", name), key)
                mine.pop(key, None)
            elif action < 0.75:
                found = {item.key: item.value["n"] for item in store.search(("mix", name), query=name, limit=50)}
                assert found == mine, f"{name} found {found}, wrote {mine}"
            elif action < 0.9:
                item = store.get(("mix", name), key)
                assert (item.value["n"] if item else None) == mine.get(key)
            elif action < 0.95:
                store.search((), query="word1", limit=5)
            else:
                store.flush()
    if told is not None:
        told.send(mine)
    return mine


def search_after_fork(folder: str, index_used: bool, told: Connection) -> None:
    """Search and write in a forked child, whose parent has used the index or not; tell how that went."""
    with open_store(folder) as store:
        store._indexer._quiet = 600.0  # whether the index is used is up to this function
        store.batch([PutOp(("a",), f"k{at}", {"text": f"tea number{at}"}) for at in range(40)])
        if index_used:
            store.flush()
        ours, theirs = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # LanceDB warns of forks, which is why it is not used after one
            child = os.fork()
        if child == 0:
            store.put(("a",), "child", {"text": "tea of the child"})
            try:
                store.flush()
            except StoreError as error:
                os.write(theirs, str(error).encode())
            os.write(theirs, b" ")
            right = len(store.search(("a",), query="tea", limit=100)) == 41
            os._exit(0 if right else 1)
        _, status = os.waitpid(child, 0)
        found = store.search(("a",), query="tea", limit=100)
        told.send((status, os.read(ours, 1000).decode(), len(found)))


def write_with_locks_held(folder: str, told: Connection) -> None:
    """Fork while every small lock of a store is held by another thread; tell how its child ended."""
    with open_store(folder) as store:
        store.put(("a",), "parent", {"text": "tea"})
        store.search(("a",), query="tea")
        vectors = store._indexing._vectors
        assert vectors is not None
        locks = [store.database.pulse._lock, vectors._lock, store._executor._wide._rankings._lock]
        held, done = threading.Event(), threading.Event()

        def hold() -> None:
            with locks[0], locks[1], locks[2]:
                held.set()
                done.wait()

        threading.Thread(target=hold, daemon=True).start()
        held.wait()
        child = os.fork()
        if child == 0:
            store.batch([PutOp(("a",), f"k{at}", {"text": f"new tea{at}"}) for at in range(30)])
            os._exit(0 if store.search(("a",), query="another tea") else 1)
        told.send(os.waitpid(child, 0)[1])
        done.set()
