"""One turn, from the query to the system prompt with memory in it, beside LangMem's search tool.

``python benchmarks/bench_turn.py --records 1000 10000 100000 --owners 1000`` runs the embedded default: SQLite,
LanceDB, the local embedder. Every query is asked once. *Hot* is a process that has served the owner before, *cold* a
store that was just opened, with embedder and tokenizer loaded; *after a write* is a turn whose owner got a new record
since the last one, as in any conversation. The parts are measured inside the very turns they belong
to; CPU time is what a turn takes on a machine that others use too. The peer is ``langmem`` (``pip install langmem``)
over LangGraph's own stores, on the same texts, embedder and queries: its search tool finds ten memories, and the prompt
gets what it returns.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sqlite3
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langgraph.store.base import BaseStore, PutOp
from langgraph.store.memory import InMemoryStore
from rich.progress import Progress
from timing import show

from memory_middleware import (
    LanceStore,
    MemoryConfig,
    MemoryRecord,
    MemoryType,
    Provenance,
    Scope,
    ShortTermItem,
    compose_turn,
)
from memory_middleware.embedding import LocalEmbeddings
from memory_middleware.recall import compose, recalled
from memory_middleware.recall.context import counter_of
from memory_middleware.storage.record_pool import Candidates
from memory_middleware.storage.repositories.records import RecordRepository

ANA = Scope("ana", "thread")
THINGS = ("tea", "coffee", "bread", "boats", "trains", "gardens", "letters", "maps", "songs", "films", "cats", "rivers")
PLACES = ["Lisbon", "Oslo", "Kyoto", "Quito", "Dakar", "Lima", "Turin", "Porto", "Leeds", "Perth"]
CONFIG = MemoryConfig.from_dict({"long_term": {"max_return": 10}, "inject": {"long_term_trigger": "always"}})
PROFILE = {
    "occupation": "designer",
    "timezone": "Europe/Lisbon",
    "people": [{"name": "Marta", "relationship": "wife"}],
    "custom_rules": ["Always show prices in euro."],
}
PARTS = ("embed", "search", "rank", "budget", "render")
EACH = 100
EMBEDDER = LocalEmbeddings()


def texts(count: int) -> list[str]:
    """Make sentences that resemble what people say."""
    chance = random.Random(5)
    return [
        f"In {chance.choice(PLACES)} we talked about {chance.choice(THINGS)} and {chance.choice(THINGS)}, "
        f"note {at}, and decided on plan {chance.randrange(count)}"
        for at in range(count)
    ]


def queries(count: int, many: int = 220, seed: int = 6) -> list[str]:
    chance = random.Random(seed)
    return [
        f"what did we decide about {chance.choice(THINGS)} in {chance.choice(PLACES)}, plan {chance.randrange(count)}?"
        for _ in range(many)
    ]


def middle_and_high(times: Sequence[float]) -> tuple[float, float]:
    """Give the median and the 95th percentile."""
    ordered = sorted(times)
    return statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]


def timed(work: Callable[[str], object], asked: Sequence[str]) -> tuple[float, float]:
    times = []
    for query in asked:
        start = time.perf_counter()
        work(query)
        times.append((time.perf_counter() - start) * 1e3)
    return middle_and_high(times)


def told(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.2f} / {pair[1]:.2f}"


@contextmanager
def watched(*places: tuple[Any, str, str]) -> Iterator[dict[str, float]]:
    """Add up the milliseconds spent in functions, by label, while this lasts."""
    spent: dict[str, float] = {}

    def watch(function: Callable[..., Any], label: str) -> Callable[..., Any]:
        def run(*args: Any, **options: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*args, **options)
            finally:
                spent[label] = spent.get(label, 0.0) + (time.perf_counter() - start) * 1e3

        return run

    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    for owner, name, label in places:
        setattr(owner, name, watch(getattr(owner, name), label))
    try:
        yield spent
    finally:
        for owner, name, function in kept:
            setattr(owner, name, function)


def split(turn: Callable[[str], object], asked: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Measure whole turns and their parts."""
    found: dict[str, list[float]] = {name: [] for name in ("whole turn", "whole turn, CPU", *PARTS)}
    with watched(
        (RecordRepository, "query", "embed"),
        (RecordRepository, "pool", "search"),
        (Candidates, "scores", "search"),
        (RecordRepository, "widened", "search"),
        (recalled, "recall_records", "recall"),
        (compose, "fit_sections", "budget"),
    ) as spent:
        for query in asked:
            spent.clear()
            start, worked = time.perf_counter(), time.process_time()
            turn(query)
            spent["whole turn"] = (time.perf_counter() - start) * 1e3
            spent["whole turn, CPU"] = (time.process_time() - worked) * 1e3
            spent["rank"] = spent["recall"] - spent["embed"] - spent["search"]
            spent["render"] = spent["whole turn"] - spent["recall"] - spent["budget"]
            for name, times in found.items():
                times.append(spent[name])
    return {name: middle_and_high(times) for name, times in found.items()}


def opened(folder: Path) -> LanceStore:
    """Open a store whose embedder and tokenizer are loaded, since neither belongs to an owner."""
    EMBEDDER.embed_query("load")
    counter_of(CONFIG.inject.budget).count("load")
    return LanceStore.open(folder, embedding=EMBEDDER, durable=False)


def fill(store: LanceStore, scope: Scope, said: Sequence[str]) -> None:
    """Give an owner records, a profile, and the last rounds of a thread."""
    records = [
        MemoryRecord.create(
            scope.owner_id,
            text,
            kind="dialogue" if at % 2 else "fact",
            provenance=Provenance(thread_id=f"t{at // 40}", turn=at),
        )
        for at, text in enumerate(said)
    ]
    for at in range(0, len(records), 1000):
        store.memories.records.put(scope, records[at : at + 1000])
    for at in range(6):
        store.memories.short_term.append(scope, ShortTermItem(id=str(at), content=f"round {at} about tea"))
    store.memories.profiles.patch(scope, MemoryType.USER, PROFILE)


def turn_of(store: LanceStore, scope: Scope) -> Callable[[str], object]:
    return lambda query: compose_turn(store, scope, query, role="router", config=CONFIG)


def ours(count: int, asked: list[str], folder: Path) -> dict[str, tuple[float, float]]:
    with opened(folder) as store:
        fill(store, ANA, texts(count))
        store.flush()
    cold = []
    for query in asked[:5]:
        with opened(folder) as store:
            cold.append(timed(turn_of(store, ANA), [query])[0])
    with opened(folder) as store:
        for query in asked[:20]:
            turn_of(store, ANA)(query)
        hot = split(turn_of(store, ANA), asked[20:])
        return {"cold turn": middle_and_high(cold), **hot, "whole turn, after a write": after_writes(store, asked)}


def after_writes(store: LanceStore, asked: Sequence[str]) -> tuple[float, float]:
    """Measure turns that follow each other in a thread, each of which leaves a record behind."""
    turn, times = turn_of(store, ANA), []
    for at, query in enumerate(queries(len(asked), 100, seed=9)):
        place = Provenance(thread_id="live", turn=at)
        store.memories.records.put(ANA, [MemoryRecord.create("ana", query, kind="dialogue", provenance=place)])
        start = time.perf_counter()
        turn(query)
        times.append((time.perf_counter() - start) * 1e3)
    return middle_and_high(times)


def many_owners(owners: int, folder: Path) -> dict[str, tuple[float, float]]:
    """Measure the first turns and later turns of many owners with a hundred records each."""
    scopes = [Scope(f"owner{at}", "thread") for at in range(owners)]
    said = texts(EACH)
    with opened(folder) as store:
        for scope in scopes:
            fill(store, scope, said)
        store.flush()
    with opened(folder) as store:
        turn_of(store, scopes[0])("a query that loads the embedder")
        order = random.Random(3).sample(scopes, min(owners, 300))
        asked = iter(queries(EACH, 2 * len(order), seed=7))
        cold = [timed(turn_of(store, scope), [next(asked)])[0] for scope in order]
        hot = [timed(turn_of(store, scope), [next(asked)])[0] for scope in order]
    return {"cold turn": middle_and_high(cold), "whole turn": middle_and_high(hot)}


def peer(store: BaseStore, count: int, asked: Sequence[str]) -> tuple[float, float]:
    """Let LangMem's tool search, and put what it returns into a prompt."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tool = importlib.import_module("langmem").create_search_memory_tool(("memories", "ana"), store=store)
    said = texts(count)
    for at in range(0, count, 500):
        ops = range(at, min(count, at + 500))
        store.batch([PutOp(("memories", "ana"), str(number), {"content": said[number]}) for number in ops])
    tool.invoke({"query": asked[0], "limit": 10})
    few = asked[20 : 120 if count <= 2000 else 40 if count <= 20_000 else 25]
    return timed(lambda query: f"You are a router.\n{tool.invoke({'query': query, 'limit': 10})}", few)


def sqlite_store(folder: Path, index: Any) -> BaseStore:
    module = importlib.import_module("langgraph.store.sqlite")
    loads = hasattr(sqlite3.Connection, "enable_load_extension")
    driver: Any = sqlite3 if loads else importlib.import_module("pysqlite3")
    connection = driver.connect(folder / "peer.db", check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    store: BaseStore = module.SqliteStore(connection, index={**index, "text_fields": index["fields"]})
    store.setup()  # type: ignore[attr-defined]
    return store


def peers(count: int, asked: list[str], folder: Path, tell: Callable[[str], None]) -> dict[str, tuple[float, float]]:
    index: Any = {"dims": 256, "embed": EMBEDDER, "fields": ["content"]}
    makers: dict[str, Callable[[], BaseStore]] = {
        "LangMem, InMemoryStore": lambda: InMemoryStore(index=index),
        "LangMem, SqliteStore WAL": lambda: sqlite_store(folder, index),
    }
    found = {}
    for name, make in makers.items():
        try:
            found[name] = peer(make(), count, asked)
        except (ImportError, AttributeError) as error:
            tell(f"{name} left out: {error}; pip install langmem langgraph-checkpoint-sqlite")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="*", default=[1000, 10_000])
    parser.add_argument("--owners", type=int, default=0, help=f"also this many owners with {EACH} records each")
    parser.add_argument("--no-peers", action="store_true", help="leave LangMem out")
    options = parser.parse_args()
    columns: dict[str, dict[str, tuple[float, float]]] = {}
    with Progress() as progress:
        task = progress.add_task("sizes", total=len(options.records) + bool(options.owners))
        for count in options.records:
            asked = queries(count)
            with tempfile.TemporaryDirectory() as name:
                found = ours(count, asked, Path(name) / "ours")
                if not options.no_peers:
                    found |= peers(count, asked, Path(name), progress.console.print)
                columns[f"{count:,} records"] = found
            progress.advance(task)
        if options.owners:
            with tempfile.TemporaryDirectory() as name:
                columns[f"{options.owners:,} owners"] = many_owners(options.owners, Path(name))
            progress.advance(task)
    labels = dict.fromkeys(label for found in columns.values() for label in found)
    rows = [(label, *(_cell(label, found) for found in columns.values())) for label in labels]
    show("One turn: embed, search, rank, budget, render", ("milliseconds, median / p95", *columns), rows)


def _cell(label: str, found: dict[str, tuple[float, float]]) -> str:
    if label not in found:
        return ""
    times = f" ({found[label][0] / found['whole turn'][0]:.1f}x)" if label.startswith("LangMem") else ""
    return told(found[label]) + times


if __name__ == "__main__":
    main()
