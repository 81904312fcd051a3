"""Running a trace turn by turn, in its own time: threads that fall quiet are extracted, and upkeep is done daily."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from memory_middleware import (
    ExtractionReport,
    MemoryConfig,
    MemoryRecord,
    RecordKind,
    RecordState,
    Scope,
    run_maintenance,
)
from memory_middleware_cli.replay.graph import Player, build_graph
from memory_middleware_cli.replay.knowing import known_at_end, profiles_at_end
from memory_middleware_cli.replay.memory import TracedMemory, config_in
from memory_middleware_cli.replay.result import Injection, Learned, Replay, Told, TurnResult
from memory_middleware_cli.replay.trace import Trace, TraceTurn

__all__ = ["replay"]

_LASTING = [kind for kind in RecordKind if kind is not RecordKind.DIALOGUE]
_ALL = 100_000


def replay(
    trace: Trace,
    config: MemoryConfig | None = None,
    *,
    name: str = "defaults",
    owner: str | None = None,
    done: Callable[[TurnResult], None] | None = None,
) -> Replay:
    """Run a trace through a router/worker graph with a new memory in a folder that is removed afterwards.

    Args:
        trace: The recorded conversation.
        config: The rules; where it keeps its memory is not used. None means the defaults, in the trace's language.
        name: What the configuration is called.
        owner: Whose memory it is, instead of whom the trace names.
        done: Called after every turn.
    """
    rules = config or MemoryConfig.from_dict({"language": trace.language})
    whose = owner or trace.owner or "owner"
    with tempfile.TemporaryDirectory() as folder, TracedMemory.open(config_in(rules, Path(folder))) as memory:
        running = _Running(memory, whose)
        for turn in trace.turns:
            result = running.take(turn)
            if done is not None:
                done(result)
        running.finish()
        records = running.records()
        return Replay(
            name=trace.name,
            about=trace.about,
            config=name,
            owner=whose,
            language=rules.language,
            turns=tuple(running.results),
            known=known_at_end(records, trace),
            profiles=profiles_at_end(memory, whose),
            contents={record.id: record.content for record in records},
            failures=sum(memory.failures.values()),
        )


class _Running:
    """A replay under way."""

    def __init__(self, memory: TracedMemory, owner: str) -> None:
        self.results: list[TurnResult] = []
        self._memory = memory
        self._owner = Scope(owner)
        self._player = Player()
        self._graph = build_graph(memory, self._player)
        self._idle = timedelta(seconds=memory.config.extract.idle_seconds)
        self._waiting: dict[str, TurnResult] = {}

    def take(self, turn: TraceTurn) -> TurnResult:
        """Replay one turn."""
        self._settle_quiet(turn)
        result = TurnResult(turn.number, turn.thread, turn.time, turn.agent, turn.said)
        if self.results and self.results[-1].time.date() != turn.time.date():
            result.learned += self._upkeep(turn)
        self._memory.moment = turn.time
        self._speak(turn, result)
        self.results.append(result)
        self._waiting[turn.thread] = result
        result.learned += self._extract(turn.thread, force=False)
        result.weights = {record.id: round(record.weight, 4) for record in self.records()}
        return result

    def finish(self) -> None:
        """Extract what is left when the trace ends."""
        for thread, last in list(self._waiting.items()):
            last.learned += self._extract(thread, force=True)
        if self.results:
            self.results[-1].weights = {record.id: round(record.weight, 4) for record in self.records()}

    def records(self) -> list[MemoryRecord]:
        """List all records but those of dialogue, the oldest first."""
        found = self._memory.store.memories.records.newest(
            self._owner, states=tuple(RecordState), kinds=_LASTING, limit=_ALL
        )
        return sorted(found, key=lambda record: (record.created_at, record.id))

    def _speak(self, turn: TraceTurn, result: TurnResult) -> None:
        memory = self._memory
        memory.composed.clear()
        memory.observed.clear()
        self._player.load(turn)
        run: Any = {"configurable": {"thread_id": turn.thread, "user_id": self._owner.owner_id}}
        state = self._graph.invoke({"messages": [turn.asked]}, run)
        result.answer = state["messages"][-1].text
        result.injections = tuple(self._injection(scope, composed) for scope, composed in memory.composed)
        used = {name for seen in memory.observed for name in seen.referenced}
        result.referenced = tuple(told for told in result.injected if told.id in used)

    def _injection(self, scope: Scope, composed: Any) -> Injection:
        config, agent = self._memory.config, str(scope.agent)
        own = config.agents.get(agent)
        return Injection(
            agent=agent,
            tokens=composed.block.tokens,
            budget=(own.budget_tokens if own else None) or config.inject.budget.total_tokens,
            records=tuple(Told.of(hit.record) for hit in composed.injected),
            lines=composed.stats.short_term_count + composed.stats.other_count,
            dropped=composed.block.dropped,
            silence=composed.stats.silence,
            text=composed.block.text,
        )

    def _settle_quiet(self, turn: TraceTurn) -> None:
        """Extract threads that were quiet for a while before this turn, at the time they had been."""
        for thread, last in list(self._waiting.items()):
            if last.time + self._idle <= turn.time:
                self._memory.moment = last.time + self._idle
                last.learned += self._extract(thread, force=True)
                del self._waiting[thread]

    def _extract(self, thread: str, *, force: bool) -> Learned:
        reports = self._memory.extractor.run(Scope(self._owner.owner_id, thread), force=force)
        return sum((self._learned(report) for report in reports), Learned())

    def _learned(self, report: ExtractionReport) -> Learned:
        aside = set(report.quarantined)
        return Learned(
            added=self._told(name for name in report.added if name not in {*aside, *report.superseded}),
            superseded=self._told(report.superseded),
            confirmed=self._told(report.confirmed),
            quarantined=self._told(report.quarantined),
            refused=tuple((one.content, one.why) for one in report.refused),
            profiles=tuple(kind.value for kind in report.profile.changed),
            errors=(report.error,) if report.error else (),
        )

    def _upkeep(self, turn: TraceTurn) -> Learned:
        self._memory.moment = turn.time
        report = run_maintenance(self._memory.store.memories, self._owner, self._memory.config, now=turn.time)
        return Learned(archived=self._told(report.archived), ended=self._told(report.ended))

    def _told(self, names: Iterable[str]) -> tuple[Told, ...]:
        found = self._memory.store.memories.records.get_many(self._owner, names)
        return tuple(Told.of(record) for record in found)
