"""The write path: observe, extraction by rules, the extractor subgraph, and what models cost beside LangMem and mem0.

``python benchmarks/bench_write.py --records 1000 10000 100000`` observes turns with five injected memories and an
answer of 500 characters on the embedded default, every commit durable, in a process that has served the owner before.
The floor is a bare SQLite transaction that writes the same rows; both take turns, so that the disk is the same.
On a machine in use a thread waits for a core, which Linux tells; rows without that wait are nearer to a free machine.
``--profile`` shows where the time goes. LangMem (``pip install langmem``) and mem0 (``pip install mem0ai``) remember
the same conversation through a provider on loopback that answers at once and counts; without them, or with
``--no-peers``, they are left out. A picture is drawn if matplotlib is there.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import importlib
import json
import os
import pstats
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench_turn import fill, middle_and_high, texts, watched
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from recording_provider import Counts, recording_provider
from rich.progress import Progress
from scripted_turns import ScriptedTurn, conversation
from timing import core_wait, cpu_seconds, show
from write_floor import Floor

from memory_middleware import Dialogue, LanceStore, MemoryConfig, MemoryRecord, Scope
from memory_middleware.embedding import LocalEmbeddings
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.remember import observe
from memory_middleware.remember.extraction.base import ExtractionBatch
from memory_middleware.remember.extraction.rules import RuleExtractor
from memory_middleware.remember.observe import Observer
from memory_middleware.remember.pipeline import ExtractionPipeline
from memory_middleware.remember.references import ReferenceDetector

ANA = Scope("ana", "bench", "worker")
RESULTS = Path(__file__).with_name("results")
EMBEDDER = LocalEmbeddings()
INJECTED, ANSWER, BATCH = 5, 500, 5
BLOCK, BLOCKS, WARM = 25, 12, 50
PARTS = ("find exchange", "references", "transaction", "rest")
LABELS = {
    "observe": "observe, whole",
    **{part: f"  {part}" for part in PARTS},
    "at once": "  whole, less the wait for a core",
    "cpu": "  whole, CPU time",
    "aobserve": "aobserve, whole",
    "floor": "floor: a bare transaction, same rows",
    "floor at once": "  less the wait for a core",
}
FILLERS = (
    "The harbour is quiet in the morning and most of the stalls open before nine.",
    "You can take the tram to the old town, and walk back along the river.",
    "I would keep the second day free, because the weather turns quickly in spring.",
    "If that does not suit you, the later train is almost empty and just as fast.",
    "Prices have risen a little, though the market is still cheaper than the shops.",
)
Turn = tuple[list[BaseMessage], list[MemoryRecord]]
Pair = tuple[float, float]


def turns(pool: Sequence[MemoryRecord], count: int) -> list[Turn]:
    """Make turns whose answers use the first of the injected memories."""
    chance, made = random.Random(8), []
    for at in range(count):
        shown = chance.sample(list(pool), INJECTED)
        answer = f"You may remember this: {shown[0].content}."
        while len(answer) < ANSWER:
            answer += f" {chance.choice(FILLERS)} See stop {chance.randrange(100)}."
        question = f"What did we decide about the trip, day {at}?"
        said: list[BaseMessage] = [HumanMessage(question, id=f"h{at}"), AIMessage(answer[:ANSWER], id=f"a{at}")]
        made.append((said, shown))
    return made


@contextmanager
def prepared(count: int, folder: Path) -> Iterator[tuple[LanceStore, Observer, list[Turn]]]:
    """Give an owner so many records, a warm observer, and turns to observe."""
    with LanceStore.open(folder, embedding=EMBEDDER, durable=False) as store:
        fill(store, ANA, texts(count))
        store.flush()
    with LanceStore.open(folder, embedding=EMBEDDER) as store:
        pool = store.memories.records.newest(ANA, limit=400)
        observer = Observer(store.memories, MemoryConfig(), detector=ReferenceDetector(embed=EMBEDDER))
        made = turns(pool, WARM + 2 * BLOCK * BLOCKS)
        for said, shown in made[:WARM]:
            observer.observe(ANA, said, shown, tokens=100)
        yield store, observer, made[WARM:]


def observed(count: int, folder: Path) -> dict[str, Pair]:
    """Measure observing, its parts, its async twin and the floor, a block of each after the other."""
    found: dict[str, list[float]] = {name: [] for name in LABELS}
    with (
        prepared(count, folder) as (store, observer, made),
        Floor(store.database.url.database, folder) as floor,
        asyncio.Runner() as runner,
    ):
        for at in range(0, len(made), 2 * BLOCK):
            with _watched() as spent:
                for part in _fives(store, made[at : at + BLOCK]):
                    for said, shown in part:
                        _one(observer, said, shown, spent, found)
            for whole, at_once in floor.block():
                found["floor"].append(whole)
                found["floor at once"].append(at_once)
            for part in _fives(store, made[at + BLOCK : at + 2 * BLOCK]):
                found["aobserve"] += runner.run(_later(observer, part))
            floor.skip()
        through = through_subgraph(store, conversation(10 * BATCH, seed=4), "subgraph")
    return {**{name: middle_and_high(times) for name, times in found.items()}, "batches": (through, 0.0)}


def _watched() -> Any:
    return watched(
        (observe, "find_exchange", "find exchange"),
        (ReferenceDetector, "detect", "references"),
        (Observer, "_write", "transaction"),
    )


def _fives(store: LanceStore, made: Sequence[Turn]) -> Iterator[Sequence[Turn]]:
    """Give turns five by five; between them the buffer is settled, as the extractor does."""
    for at in range(0, len(made), BATCH):
        waiting = store.memories.dialogues.batch(ANA, "bench", 1000)
        store.memories.dialogues.settle(ANA, waiting)
        yield made[at : at + BATCH]


def _one(
    observer: Observer,
    said: list[BaseMessage],
    shown: list[MemoryRecord],
    spent: dict[str, float],
    found: dict[str, list[float]],
) -> None:
    spent.clear()
    waited, cpu = core_wait(), time.process_time()
    start = time.perf_counter()
    observer.observe(ANA, said, shown, tokens=100)
    spent["observe"] = (time.perf_counter() - start) * 1e3
    found["cpu"].append((time.process_time() - cpu) * 1e3)
    found["at once"].append(spent["observe"] - (core_wait() - waited) * 1e3)
    spent["rest"] = spent["observe"] - sum(spent[name] for name in PARTS[:3])
    for name in ("observe", *PARTS):
        found[name].append(spent[name])


async def _later(observer: Observer, made: Sequence[Turn]) -> list[float]:
    times = []
    for said, shown in made:
        start = time.perf_counter()
        await observer.aobserve(ANA, said, shown, tokens=100)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def profiled(count: int, folder: Path) -> None:
    with prepared(count, folder) as (store, observer, made):
        profile = cProfile.Profile()
        for part in _fives(store, made):
            for said, shown in part:
                profile.runcall(observer.observe, ANA, said, shown, tokens=100)
        pstats.Stats(profile).sort_stats("cumulative").print_stats(45)


def rounds_of(said: Sequence[ScriptedTurn], thread: str) -> list[Dialogue]:
    return [Dialogue.create("ana", thread, turn.question, turn.answer, turn=at) for at, turn in enumerate(said)]


def rule_throughput(said: Sequence[ScriptedTurn]) -> float:
    """Give the rounds a second that rules read."""
    rounds = rounds_of(said, "rules")
    read = [ExtractionBatch(tuple(rounds[at : at + BATCH])) for at in range(0, len(rounds), BATCH)]
    extractor = RuleExtractor()
    return len(rounds) / cpu_seconds(lambda: [extractor.extract(batch) for batch in read])


WAYS = ("steps without LangGraph", "subgraph", "subgraph, async")


def through_subgraph(store: LanceStore, said: Sequence[ScriptedTurn], way: str) -> float:
    """Give the batches a second that go through the subgraph, or through its steps without LangGraph."""
    pipeline = ExtractionPipeline(store.memories, RuleExtractor(), MemoryConfig())
    graph = ExtractorGraph(pipeline)
    for thread, turns_of_it in (("warm", conversation(BATCH, seed=2)), ("told", said)):
        for one in rounds_of(turns_of_it, thread):
            store.memories.dialogues.append(Scope("ana"), one)
        scope, start = Scope("ana", thread), time.perf_counter()
        if way == "subgraph":
            done = len(graph.run(scope))
        elif way == "subgraph, async":
            done = len(asyncio.run(graph.arun(scope)))
        else:
            done = _plainly(pipeline, scope)
        taken = time.perf_counter() - start
    return done / taken


def subgraph(said: Sequence[ScriptedTurn], folder: Path) -> dict[str, float]:
    """Measure each way in a memory that is empty at first."""
    found: dict[str, float] = {}
    for way in WAYS:
        with LanceStore.open(folder / way.replace(" ", "-"), embedding=EMBEDDER) as store:
            found[way] = through_subgraph(store, said, way)
    return found


def _plainly(pipeline: ExtractionPipeline, scope: Scope) -> int:
    done = 0
    while work := pipeline.batch(scope, force=True):
        for step in (pipeline.extract, pipeline.check, pipeline.reconcile, pipeline.write, pipeline.settle):
            step(work)
        done += 1
    return done


def costs(count: int, tell: Callable[[str], None], *, peers: bool) -> dict[str, tuple[Counts, float, int]]:
    """Let everybody remember the same conversation, and count."""
    said = conversation(count)
    systems = [("ours", BATCH)]
    if peers:
        systems += [("langmem", 1), ("langmem", BATCH), ("langmem tool", 1), ("mem0", 1), ("mem0", BATCH)]
    found = {}
    with recording_provider({turn.question: turn.fact for turn in said if turn.fact}) as provider:
        for system, batch in systems:
            provider.start_over()
            with tempfile.TemporaryDirectory() as name:
                done = _client(system, provider.url, count, batch, name)
            if done.returncode:
                tell(f"{system} left out: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")
                continue
            told = json.loads(done.stdout.splitlines()[-1])
            label = system if system == "langmem tool" else f"{system}, {batch} a call"
            found[label] = (provider.counts, told["ms"], told["kept"])
    return found


def _client(system: str, url: str, count: int, batch: int, folder: str) -> subprocess.CompletedProcess[str]:
    """Run a client whose home is a folder that goes away, and that sends nothing to anybody."""
    quiet = {"MEM0_TELEMETRY": "False", "MEM0_DIR": folder, "LANGSMITH_TRACING": "false", "HOME": folder}
    return subprocess.run(
        [
            sys.executable,
            str(Path(__file__).with_name("write_clients.py")),
            system,
            url,
            str(count),
            str(batch),
            folder,
        ],
        env={"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **quiet},
        capture_output=True,
        text=True,
        check=False,
    )


def show_observe(found: dict[int, dict[str, Pair]]) -> None:
    rows = []
    for name, label in LABELS.items():
        cells = [f"{each[name][0]:.2f} / {each[name][1]:.2f}" for each in found.values()]
        rows.append((label, *cells))
    beside = [f"{each['at once'][0] / each['floor at once'][0]:.1f}x" for each in found.values()]
    rows.append(("observe over the floor, both less it", *beside))
    rows.append(("subgraph beside them, batches/s", *(f"{each['batches'][0]:.1f}" for each in found.values())))
    title = f"Observe: {INJECTED} injected memories, an answer of {ANSWER} characters, durable; ms, median / p95"
    show(title, ("", *(f"{count:,} records" for count in found)), rows)


def show_costs(found: dict[str, tuple[Counts, float, int]], count: int) -> None:
    each = 100 / count
    rows = []
    for name, (counts, ms, kept) in found.items():
        # An agent has to be asked once for its answer anyway.
        calls = (counts.chats - (count if name == "langmem tool" else 0)) * each
        rows.append(
            (
                name,
                f"{calls:.0f}",
                f"{counts.embeddings * each:.0f}",
                f"{counts.tokens_in * each:,.0f}",
                f"{counts.tokens_out * each:,.0f}",
                f"{ms:.1f}",
                f"{kept}",
            )
        )
    headings = ("", "chat", "embed", "tokens in", "out", "ms a turn", "kept")
    facts = len({turn.fact for turn in conversation(count)} - {""})
    show(f"Cost per 100 turns, counted on a provider that answers at once; {facts} facts to keep", headings, rows)


def draw(found: dict[int, dict[str, Pair]], spent: dict[str, tuple[Counts, float, int]], count: int) -> None:
    try:
        pyplot = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        return
    RESULTS.mkdir(exist_ok=True)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2))
    sizes = [f"{size:,}" for size in found]
    below = [0.0] * len(sizes)
    for part in PARTS:
        values = [each[part][0] for each in found.values()]
        left.bar(sizes, values, 0.5, bottom=below, label=part)
        below = [one + other for one, other in zip(below, values, strict=True)]
    left.plot(
        sizes, [each["floor"][0] for each in found.values()], "k_", markersize=40, label="bare SQLite transaction"
    )
    left.set_title("Observe by records of the owner, median ms")
    left.legend(fontsize=8, markerscale=0.3)
    names = list(spent)
    extra = [counts.chats - (count if name == "langmem tool" else 0) for name, (counts, _, _) in spent.items()]
    right.barh(names[::-1], [calls * 100 / count for calls in extra][::-1])
    right.set_title("Chat calls per 100 turns")
    figure.tight_layout()
    figure.savefig(RESULTS / "write.png", dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--turns", type=int, default=100, help="turns of the conversation that models read")
    parser.add_argument("--no-peers", action="store_true", help="leave LangMem and mem0 out")
    parser.add_argument("--profile", action="store_true", help="only profile observe, at the first number of records")
    options = parser.parse_args()
    if options.profile:
        with tempfile.TemporaryDirectory() as name:
            profiled(options.records[0], Path(name) / "store")
        return
    found: dict[int, dict[str, Pair]] = {}
    with Progress() as progress, tempfile.TemporaryDirectory() as name:
        task = progress.add_task("", total=len(options.records) + 2)
        for count in options.records:
            progress.update(task, description=f"observe at {count:,}")
            found[count] = observed(count, Path(name) / str(count))
            progress.advance(task)
        progress.update(task, description="extraction")
        said = conversation(250)
        read, through = rule_throughput(said), subgraph(said, Path(name))
        progress.advance(task)
        progress.update(task, description="costs of models")
        spent = costs(options.turns, progress.console.print, peers=not options.no_peers)
        progress.advance(task)
    show_observe(found)
    rows = [("rules, rounds/s of CPU", f"{read:,.0f}", "")]
    plain = through["steps without LangGraph"]
    rows += [(f"{label}, batches/s", f"{value:,.1f}", f"{value / plain:.2f}x") for label, value in through.items()]
    show(f"Extraction by rules, batches of {BATCH}", ("", "", "of the plain steps"), rows)
    show_costs(spent, options.turns)
    draw(found, spent, options.turns)


if __name__ == "__main__":
    main()
