"""What runs in processes of its own."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection

from langgraph.store.sqlite import SqliteStore

from tests.mirror.support import facts, over


def write_after_fork(place: str, told: Connection) -> None:
    """Write in a child that was forked while its parent had the memory open; tell what others saw."""
    with SqliteStore.from_conn_string(place) as store:
        store.setup()
        with over(store) as memory, over(store) as other:
            memory.remember("ana", "The user knows fact 0.")
            seen = [len(facts(other))]
            child = os.fork()
            if child == 0:
                memory.remember("ana", "The user knows fact 1.")
                memory.store._removed()  # type: ignore[attr-defined]
                os._exit(0)
            _, status = os.waitpid(child, 0)
            seen += [len(facts(other)), len(facts(memory))]
            memory.remember("ana", "The user knows fact 2.")
            told.send((status, [*seen, len(facts(other))]))
