"""Two simulated years of weights: useful memories rise, noise sinks, and nothing runs away.

``python benchmarks/bench_weights.py`` lets an owner with memories of different fates take 10,000 turns. Each turn goes
through the real observer (references are found in the answer, not told), and upkeep runs once a week. The peer is the
plain counter: one more for each use, a tenth less for each idle injection, no bound and no time; what falls below the
same threshold is archived there too. Both meet the same needs, each with its own archive. Broken invariants end with
status 1; a picture is drawn if matplotlib is there.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import random
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage
from rich.progress import Progress
from timing import show

from memory_middleware import LanceStore, MemoryConfig, MemoryRecord, Scope
from memory_middleware.remember.journal import MemoryJournal
from memory_middleware.remember.observe import Observer
from memory_middleware.remember.upkeep import run_maintenance
from memory_middleware.remember.weighing import faded
from memory_middleware.schemas.record import RecordState

ANA = Scope("ana", None, "agent")
START = datetime(2024, 1, 1, 8, tzinfo=UTC)
DAYS = 730
CORE = 1.5
CONFIG = MemoryConfig()
RESULTS = Path(__file__).with_name("results")
TOPICS = ("boat", "bakery", "cousin", "garden", "project", "guitar", "clinic", "street", "teacher", "recipe")
Rate = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a class of memories.

    Attributes:
        count: How many there are.
        injected: How often a day one is injected, by the day.
        used: How many of those times the answer uses it, by the day.
        pinned: Whether it is pinned.
    """

    count: int
    injected: Rate
    used: Rate
    pinned: bool = False


def always(value: float) -> Rate:
    return lambda _day: value


def until(day: float, before: float, after: float) -> Rate:
    return lambda now: before if now < day else after


def summer(inside: float, outside: float) -> Rate:
    return lambda now: inside if 150 <= now % 365 < 215 else outside


FATES = {
    "used daily": Fate(10, always(1.0), always(0.6)),
    "used weekly": Fate(20, always(1 / 7), always(0.6)),
    "used monthly": Fate(20, always(1 / 30), always(0.6)),
    "seasonal": Fate(10, summer(0.5, 0.01), summer(0.7, 0.0)),
    "used, later not": Fate(15, always(0.5), until(240, 0.6, 0.0)),
    "used only later": Fate(15, until(240, 0.01, 0.5), until(240, 0.0, 0.6)),
    "first used late": Fate(10, until(400, 0.0, 0.5), until(400, 0.0, 0.6)),
    "pinned, idle": Fate(5, always(0.05), always(0.02), pinned=True),
    "noise": Fate(80, always(0.5), always(0.0)),
}


@dataclass(slots=True)
class Memory:
    """A memory in the simulation, beside the counter that the peer keeps for it."""

    kind: str
    record: MemoryRecord
    counter: float = 1.0
    counter_archived: bool = False
    wanted: int = 0
    missed: int = 0
    counter_missed: int = 0

    @property
    def fate(self) -> Fate:
        """What becomes of it."""
        return FATES[self.kind]

    def is_useful(self, day: float) -> bool:
        """Tell whether it is used in the month around a day."""
        return any(self.fate.used(now) * self.fate.injected(now) > 0.002 for now in (day - 15, day, day + 15))


@dataclass(slots=True)
class History:
    """What was seen: median weights by class over time, and the state at some turns."""

    turns: list[int] = field(default_factory=list)
    ours: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    counter: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    highest: list[tuple[float, float]] = field(default_factory=list)
    core: list[tuple[float, float, float, float]] = field(default_factory=list)
    lowest: float = 1.0
    misread: int = 0
    uses: int = 0


class Simulation:
    """Takes turns.

    Args:
        store: Where memory is kept.
        turns: How many turns the two years have.
        every: Days between runs of upkeep.
        seed: What chance begins with.
    """

    def __init__(self, store: LanceStore, turns: int, every: float, seed: int) -> None:
        self._memories = store.memories
        self._observer = Observer(store.memories, CONFIG)
        self._journal = MemoryJournal(store.memories, CONFIG)
        self._chance = random.Random(seed)
        self._turns, self._every, self._kept_at = turns, every, 0.0
        self._archived: set[str] = set()
        self.all = self._born()
        self.history = History()

    def _born(self) -> list[Memory]:
        syllables = ["ba", "ki", "lo", "mu", "re", "sa", "ti", "vo", "za", "ne"]
        names = ("".join(parts).capitalize() for parts in itertools.product(syllables, repeat=3))
        kinds = [kind for kind, fate in FATES.items() for _ in range(fate.count)]
        made = [
            Memory(
                kind,
                MemoryRecord.create(
                    "ana",
                    f"The user's {TOPICS[at % len(TOPICS)]} is called {name}.",
                    now=START,
                    pinned=FATES[kind].pinned,
                ),
            )
            for at, (kind, name) in enumerate(zip(kinds, names, strict=False))
        ]
        self._memories.records.put(ANA, [memory.record for memory in made])
        return made

    def moment(self, turn: int) -> datetime:
        """Tell when a turn happens."""
        return START + timedelta(days=DAYS * turn / self._turns)

    def take(self, turn: int) -> None:
        """Take one turn, and do the upkeep if it is time."""
        now = self.moment(turn)
        day = (now - START).total_seconds() / 86_400
        shown, used = self._needs(day)
        self._observe(turn, now, shown, used)
        if day - self._kept_at >= self._every:
            self._kept_at = day
            self._archived.update(run_maintenance(self._memories, ANA, CONFIG, now=now).archived)

    def _needs(self, day: float) -> tuple[list[Memory], set[str]]:
        """Choose what the turn is about, whoever still has it."""
        shown, used = [], set()
        for memory in self.all:
            if self._chance.random() >= memory.fate.injected(day) * DAYS / self._turns:
                continue
            is_used = self._chance.random() < memory.fate.used(day)
            archived = memory.record.id in self._archived
            memory.wanted += is_used
            memory.missed += is_used and archived
            memory.counter_missed += is_used and memory.counter_archived
            _count(memory, is_used)
            if not archived:
                shown.append(memory)
                if is_used:
                    used.add(memory.record.id)
        return shown, used

    def _observe(self, turn: int, now: datetime, shown: list[Memory], used: set[str]) -> None:
        told = [memory.record.content for memory in shown if memory.record.id in used]
        answer = " ".join(text.replace("The user's", "Your") for text in told) or "I would wait a little."
        said = [HumanMessage(f"What about it, number {turn}?", id=f"h{turn}"), AIMessage(answer, id=f"a{turn}")]
        scope = Scope("ana", f"day {now:%j %Y}", "agent")
        seen = self._observer.observe(scope, said, [memory.record for memory in shown], now=now)
        self.history.misread += len(used ^ set(seen.referenced))
        self.history.uses += len(shown)

    def look(self, turn: int) -> None:
        """Note how things stand."""
        now, history = self.moment(turn), self.history
        day = (now - START).total_seconds() / 86_400
        weights = self.weights(now)
        history.turns.append(turn)
        for kind in FATES:
            of_kind = [memory for memory in self.all if memory.kind == kind]
            history.ours[kind].append(statistics.median(weights[memory.record.id] for memory in of_kind))
            history.counter[kind].append(statistics.median(memory.counter for memory in of_kind))
        history.highest.append((max(weights.values()), max(memory.counter for memory in self.all)))
        history.lowest = min(history.lowest, *weights.values())
        history.core.append(self._judge_core(day))

    def weights(self, now: datetime) -> dict[str, float]:
        """Give all weights as they are at a moment."""
        rules = CONFIG.long_term.weights
        states = self._memories.weights.states(ANA, [memory.record.id for memory in self.all])
        return {name: faded(state, now, rules).weight for name, (_, state) in states.items()}

    def _judge_core(self, day: float) -> tuple[float, float, float, float]:
        """Give precision and recall of the core memories, ours and as many of the counter's highest."""
        useful = {memory.record.id for memory in self.all if memory.is_useful(day)}
        core = {record.id for record in self._journal.get_core_memories(ANA, CORE, limit=1000)}
        ranked = sorted(self.all, key=lambda memory: -memory.counter)
        peer = {memory.record.id for memory in ranked[: len(core)]}
        return *_scores(core, useful), *_scores(peer, useful)

    def rebuilt(self, now: datetime) -> float:
        """Rebuild all weights from the log, and give the largest difference that makes."""
        before = self.weights(now)
        self._journal.rebuild_weights(ANA)
        after = self.weights(now)
        return max(abs(before[name] - after[name]) for name in before)

    def archived(self) -> set[str]:
        """Give the ids of the archived records, as the store has them."""
        found = self._memories.records.newest(ANA, states=(RecordState.ARCHIVED,), limit=1000)
        return {record.id for record in found}


def _count(memory: Memory, used: bool) -> None:
    if memory.counter_archived:
        return
    memory.counter += 1.0 if used else -0.1
    if memory.counter < CONFIG.long_term.archive_threshold and not memory.fate.pinned:
        memory.counter_archived = True


def _scores(found: set[str], wanted: set[str]) -> tuple[float, float]:
    right = len(found & wanted)
    return right / (len(found) or 1), right / (len(wanted) or 1)


def by_class(simulation: Simulation, marks: list[int]) -> None:
    history, archived = simulation.history, simulation.archived()
    at = [history.turns.index(mark) for mark in marks]
    rows = []
    for kind in FATES:
        of_kind = [memory for memory in simulation.all if memory.kind == kind]
        wanted = sum(memory.wanted for memory in of_kind)
        rows.append(
            (
                kind,
                *(f"{history.ours[kind][place]:.2f}" for place in at),
                _percent(memory.record.id in archived for memory in of_kind),
                _share(sum(memory.missed for memory in of_kind), wanted),
                f"{history.counter[kind][at[-1]]:.1f}",
                _percent(memory.counter_archived for memory in of_kind),
                _share(sum(memory.counter_missed for memory in of_kind), wanted),
            )
        )
    headings = ("median", *(_short(mark) for mark in marks), "archived", "missed", "counter", "arch.", "missed")
    show("By class; missed are uses that met an archived memory", headings, rows)


def overall(simulation: Simulation, marks: list[int]) -> None:
    history = simulation.history
    at = [history.turns.index(mark) for mark in marks]
    core = [[f"{100 * value:.0f}" for value in history.core[place]] for place in at]
    rows = [
        ("highest weight", *(f"{history.highest[place][0]:.2f}" for place in at)),
        ("highest counter", *(f"{history.highest[place][1]:.0f}" for place in at)),
        (f"core memories (from {CORE}): precision / recall, %", *(f"{one[0]} / {one[1]}" for one in core)),
        ("as many of the counter's highest", *(f"{one[2]} / {one[3]}" for one in core)),
    ]
    show("Over all", ("", *(f"{_short(mark)} turns" for mark in marks)), rows)


def invariants(simulation: Simulation, turns: int) -> list[tuple[str, bool, str]]:
    """Check what must hold."""
    history, ceiling = simulation.history, CONFIG.long_term.weights.ceiling
    archived = simulation.archived()
    peak = max(highest for highest, _ in history.highest)
    quarter = len(history.highest) // 4
    third, fourth = (
        statistics.mean(highest for highest, _ in part)
        for part in (history.highest[-2 * quarter : -quarter], history.highest[-quarter:])
    )
    drift = simulation.rebuilt(simulation.moment(turns))
    pinned = [memory for memory in simulation.all if memory.fate.pinned and memory.record.id in archived]
    last = {kind: values[-1] for kind, values in history.ours.items()}
    order = last["used daily"] > last["used weekly"] > last["used monthly"] > last["noise"]
    return [
        (f"every weight between 0 and {ceiling:g}", history.lowest >= 0 and peak <= ceiling, f"{peak:.2f} at most"),
        # Single peaks are chance; a drift would show in the mean of a quarter.
        ("the highest does not drift", fourth <= 1.05 * third, f"{third:.2f}, then {fourth:.2f} on average"),
        ("more use, more weight", order, ", ".join(f"{value:.2f}" for value in last.values())),
        ("the log rebuilds the live weights", drift < 1e-6, f"{drift:.1e} apart"),
        ("nothing pinned is archived", not pinned, f"{len(pinned)}"),
        ("references found as they were meant", not history.misread, f"{history.misread} of {history.uses:,} differ"),
    ]


def _percent(flags: Iterable[bool]) -> str:
    values = list(flags)
    return _share(sum(values), len(values))


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def _short(turn: int) -> str:
    return f"{turn / 1000:g} k"


def draw(history: History) -> None:
    try:
        pyplot = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        return
    RESULTS.mkdir(exist_ok=True)
    figure, sides = pyplot.subplots(1, 2, figsize=(12, 4.6))
    for side, values, title in zip(
        sides, (history.ours, history.counter), ("Weights", "The plain counter"), strict=True
    ):
        for kind, medians in values.items():
            side.plot(history.turns, medians, label=kind)
        side.set_title(f"{title}: median by class")
        side.set_xlabel("turn")
    sides[0].axhline(CONFIG.long_term.archive_threshold, color="grey", linestyle=":")
    sides[1].legend(fontsize=8, loc="upper left")
    figure.tight_layout()
    figure.savefig(RESULTS / "weights.png", dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--upkeep-days", type=float, default=7.0, help="days between runs of upkeep")
    parser.add_argument("--seed", type=int, default=17)
    options = parser.parse_args()
    marks = [options.turns // 10, options.turns // 2, options.turns]
    with (
        tempfile.TemporaryDirectory() as name,
        LanceStore.open(name, embedding=None, durable=False) as store,
        Progress() as progress,
    ):
        simulation = Simulation(store, options.turns, options.upkeep_days, options.seed)
        for turn in progress.track(range(1, options.turns + 1), description="turns"):
            simulation.take(turn)
            if turn % (options.turns // 100) == 0:
                simulation.look(turn)
        by_class(simulation, marks)
        overall(simulation, marks)
        found = invariants(simulation, options.turns)
    rows = [(what, "holds" if holds else "BROKEN", told) for what, holds, told in found]
    show("What must hold", ("", "", "seen"), rows)
    draw(simulation.history)
    sys.exit(0 if all(holds for _, holds, _ in found) else 1)


if __name__ == "__main__":
    main()
