"""One turn's memory, from the query to the text of the block, at 1,000 to 100,000 records of one owner.

``python benchmarks/bench_turn.py --records 1000 10000`` runs the embedded default: SQLite, LanceDB, the local
embedder. The peer does what LangMem's search tool does: it embeds the query, searches LangGraph's own store and joins
what it finds; in memory and in SQLite.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langgraph.store.base import BaseStore, PutOp
from langgraph.store.memory import InMemoryStore
from rich.progress import Progress
from timing import show

from memory_middleware import LanceStore, MemoryConfig, MemoryRecord, Provenance, Scope, ShortTermItem, TokenCounter
from memory_middleware.embedding import LocalEmbeddings
from memory_middleware.recall import fit_sections
from memory_middleware.recall.context import build_memory_context_with_stats
from memory_middleware.recall.record_lines import record_sections
from memory_middleware.sources.long_term.records import recall_records

ANA = Scope("ana", "thread")
THINGS = ("tea", "coffee", "bread", "boats", "trains", "gardens", "letters", "maps", "songs", "films", "cats", "rivers")
PLACES = ["Lisbon", "Oslo", "Kyoto", "Quito", "Dakar", "Lima", "Turin", "Porto", "Leeds", "Perth"]
CONFIG = MemoryConfig.from_dict({"long_term": {"max_return": 10}, "inject": {"long_term_trigger": "always"}})


def texts(count: int) -> list[str]:
    """Make sentences that resemble what people say."""
    chance = random.Random(5)
    return [
        f"In {chance.choice(PLACES)} we talked about {chance.choice(THINGS)} and {chance.choice(THINGS)}, "
        f"note {at}, and decided on plan {chance.randrange(count)}"
        for at in range(count)
    ]


def queries(count: int) -> list[str]:
    chance = random.Random(6)
    return [
        f"what did we decide about {chance.choice(THINGS)} in {chance.choice(PLACES)}, plan {chance.randrange(count)}?"
        for _ in range(220)
    ]


def timed(work: Callable[[str], object], asked: list[str]) -> tuple[float, float]:
    times = []
    for query in asked:
        start = time.perf_counter()
        work(query)
        times.append((time.perf_counter() - start) * 1e3)
    times.sort()
    return statistics.median(times), times[int(0.95 * (len(times) - 1))]


def told(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.2f} / {pair[1]:.2f}"


def ours(count: int, asked: list[str], folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with LanceStore.open(folder, durable=False) as store:
        records = [
            MemoryRecord.create(
                "ana",
                text,
                kind="dialogue" if at % 2 else "fact",
                provenance=Provenance(thread_id=f"t{at // 40}", turn=at),
            )
            for at, text in enumerate(texts(count))
        ]
        for at in range(0, count, 500):
            store.memories.records.put(ANA, records[at : at + 500])
        for at in range(6):
            store.memories.short_term.append(ANA, ShortTermItem(id=str(at), content=f"round {at} about tea"))
        store.flush()
    with LanceStore.open(folder, durable=False) as store:
        start = time.perf_counter()
        build_memory_context_with_stats(store.memories, ANA, asked[0], 4, CONFIG)
        found["first turn of a process"] = (time.perf_counter() - start) * 1e3
        for query in asked[1:10]:
            build_memory_context_with_stats(store.memories, ANA, query, 4, CONFIG)
        found["whole turn"] = timed(
            lambda query: build_memory_context_with_stats(store.memories, ANA, query, 4, CONFIG), asked[10:110]
        )
        found["embed"] = timed(store.memories.records.query, asked[110:])
        found["recall"] = timed(lambda query: recall_records(store.memories, ANA, query), asked[110:])
        hits = [hit.record for hit in recall_records(store.memories, ANA, asked[0])]
        counter = TokenCounter()
        found["render and budget"] = timed(
            lambda _query: fit_sections("Remembered:", record_sections(hits), 1024, counter), asked[:100]
        )
    return found


def peer(store: BaseStore, count: int, asked: list[str]) -> tuple[float, float]:
    """Search as LangMem's tool does, and join what is found."""
    said = texts(count)
    for at in range(0, count, 500):
        ops = range(at, min(count, at + 500))
        store.batch([PutOp(("memories", "ana"), str(number), {"content": said[number]}) for number in ops])
    store.search(("memories", "ana"), query=asked[0])
    few = asked[10 : 30 if count > 5000 else 110]
    return timed(
        lambda query: "\n".join(item.value["content"] for item in store.search(("memories", "ana"), query=query)), few
    )


def sqlite_store(folder: Path, index: Any) -> BaseStore:
    module = importlib.import_module("langgraph.store.sqlite")
    loads = hasattr(sqlite3.Connection, "enable_load_extension")
    driver: Any = sqlite3 if loads else importlib.import_module("pysqlite3")
    connection = driver.connect(folder / "peer.db", check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    store: BaseStore = module.SqliteStore(connection, index={**index, "text_fields": index["fields"]})
    store.setup()  # type: ignore[attr-defined]
    return store


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[1000, 10_000])
    options = parser.parse_args()
    index: Any = {"dims": 256, "embed": LocalEmbeddings(), "fields": ["content"]}
    rows: dict[str, list[str]] = {}
    with Progress() as progress:
        task = progress.add_task("sizes", total=3 * len(options.records))
        for count in options.records:
            asked = queries(count)
            with tempfile.TemporaryDirectory() as name:
                found = ours(count, asked, Path(name) / "ours")
                progress.advance(task)
                found["peer: InMemoryStore"] = peer(InMemoryStore(index=index), count, asked)
                progress.advance(task)
                try:
                    found["peer: SqliteStore WAL"] = peer(sqlite_store(Path(name), index), count, asked)
                except (ImportError, AttributeError) as error:
                    progress.console.print(f"SqliteStore left out: {error}")
                progress.advance(task)
            for label, value in found.items():
                rows.setdefault(label, []).append(told(value) if isinstance(value, tuple) else f"{value:.0f}")
                if label.startswith("peer"):
                    rows[label][-1] += f" ({value[0] / found['whole turn'][0]:.1f}x)"
    heads = ("milliseconds, median / p95", *(f"{count:,} records" for count in options.records))
    show("One turn: embed, recall, budget, render", heads, [(label, *values) for label, values in rows.items()])


if __name__ == "__main__":
    main()
