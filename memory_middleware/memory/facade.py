"""A memory: open it, put it into graphs, look into it, close it."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from langchain_core.messages import BaseMessage

from memory_middleware.config import MemoryConfig
from memory_middleware.graph.events import tell
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.graph.port import Identify
from memory_middleware.graph.worker import ExtractionWorker
from memory_middleware.memory.building import Minds, folder_of, minds_of, served
from memory_middleware.memory.by_hand import ByHand, scope_of
from memory_middleware.memory.given import config_of, lance_store
from memory_middleware.memory.in_graphs import InGraphs
from memory_middleware.memory.looking import Looking
from memory_middleware.memory.moving import Moving
from memory_middleware.memory.opening import Opening
from memory_middleware.memory.visiting import visiting
from memory_middleware.recall.asked import Said
from memory_middleware.recall.compose import AgentType
from memory_middleware.recall.turn import ComposedTurn, compose_turn
from memory_middleware.remember.experience import (
    ConsolidationReport,
    consolidate,
    episode_from_run,
    keep_episode,
    last_run,
)
from memory_middleware.remember.journal import MemoryJournal
from memory_middleware.remember.observe import Observed, Observer
from memory_middleware.remember.pipeline import ExtractionPipeline, ExtractionReport
from memory_middleware.remember.references import ReferenceDetector
from memory_middleware.remember.summarizing import fold_thread
from memory_middleware.remember.turns import find_exchange
from memory_middleware.remember.upkeep import MaintenanceReport, run_maintenance
from memory_middleware.schemas import times
from memory_middleware.schemas.items import MemoryContentSnapshot
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Exchange, Source
from memory_middleware.sources.long_term.records import RecalledRecord, recall_records
from memory_middleware.sources.manager import MemoryManager
from memory_middleware.storage import LanceStore
from memory_middleware.storage.owner_list import owners
from memory_middleware.storage.pending import waiting_sessions

__all__ = ["Memory"]

_log = logging.getLogger(__name__)


@visiting
class Memory(Opening, InGraphs, ByHand, Looking, Moving):
    """A memory for agent graphs. Open one with ``Memory.open``; threads, loops and graphs may share it.

    Wherever an owner is asked for, the id of one will do, or a ``Scope`` that names the thread and the agent too. Every
    method has an async twin with an ``a`` before its name.

    Args:
        store: Where it is kept.
        config: The rules.
        identify: Tells the owner's id from LangGraph's config and runtime, instead of looking for it.
        minds: What extracts and summarises; none follows the configuration.
        owns_store: Whether closing the memory closes the store.
        clock: Tells the time of turns, for replays and tests.
        sources: Sources to use instead of building the declared ones of these names.

    Attributes:
        store: The store; ``graph.compile(store=memory.store)`` lets nodes use it too.
        config: The rules.
        journal: Usage, weights, archive and buffer by hand.
        extractor: The extractor subgraph.
        manager: The declared sources.
        failures: How often memory failed and the agent went on without it, by what failed.
    """

    def __init__(
        self,
        store: LanceStore,
        config: MemoryConfig | None = None,
        *,
        identify: Identify | None = None,
        minds: Minds | None = None,
        owns_store: bool = False,
        clock: Callable[[], datetime] = times.utc_now,
        sources: Mapping[str, Source] | None = None,
    ) -> None:
        self.store = lance_store(store)
        self.config = config_of(config)
        self.identify = identify
        self.failures: Counter[str] = Counter()
        self._minds = minds or minds_of(self.config)
        self._owns_store = owns_store
        self._clock = clock
        self._memories = store.memories
        self.journal = served(store, MemoryJournal(self._memories, self.config))
        self.manager = MemoryManager(self.config, folder_of(self.config, store), store, sources=sources, clock=clock)
        self._observer = Observer(self._memories, self.config, detector=ReferenceDetector(embed=store.embeddings))
        pipeline = ExtractionPipeline(self._memories, self._minds.extractor, self.config, clock=clock, after=self._fold)
        self.extractor = ExtractorGraph(served(store, pipeline))
        rules = self.config.extract
        self._worker = ExtractionWorker(
            self.extractor, store.database, batch_size=rules.batch_size, idle_seconds=rules.idle_seconds
        )

    def recall(
        self,
        owner: Scope | str,
        query: str,
        *,
        limit: int = 10,
        kinds: Sequence[RecordKind] | None = None,
        include: Sequence[RecordState] = (RecordState.ACTIVE,),
        as_of: datetime | None = None,
    ) -> list[RecalledRecord]:
        """Find the records that fit a query best; each tells what speaks for it.

        Args:
            owner: Whose.
            query: What is asked.
            limit: At most so many.
            kinds: Only of these kinds.
            include: Only in these states.
            as_of: As it was true at this moment.
        """
        return recall_records(
            self._memories,
            scope_of(owner),
            query,
            limit=limit,
            kinds=kinds,
            include=include,
            as_of=as_of,
            now=self._clock(),
        )

    def compose(
        self,
        owner: Scope | str,
        said: Said,
        *,
        role: AgentType | str | None = None,
        prompt: str | None = None,
        message_count: int | None = None,
    ) -> ComposedTurn:
        """Recall for a turn and compose the agent's system prompt.

        Args:
            owner: Whose, in which thread, for which agent.
            said: The query, or the messages of the thread.
            role: ``router`` or ``worker``; none follows the configuration of the agent.
            prompt: The text to compose into, instead of the library's prompt for this role.
            message_count: How many messages the thread had before the query; none counts those given.
        """
        return compose_turn(
            self.store,
            scope_of(owner),
            said,
            role=role,
            config=self.config,
            manager=self.manager,
            prompt=prompt,
            message_count=message_count,
            now=self._clock(),
        )

    def observe(
        self,
        owner: Scope | str,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str] = (),
        *,
        tokens: int = 0,
        now: datetime | None = None,
    ) -> Observed:
        """Write the last turn of a conversation down, and have it extracted when enough waits.

        Args:
            owner: Whose, in which thread, by which agent.
            messages: The conversation with its answer.
            injected: The records that stood in the prompt, or their ids.
            tokens: What they cost.
            now: When the turn happened.
        """
        scope = scope_of(owner)
        seen = self._observer.observe(scope, messages, injected, tokens=tokens, now=now or self._clock())
        self._after_turn(scope, messages, seen)
        if self._is_due(seen):
            _tell_extracted(scope, self.extractor.run(scope, force=False))
        return seen

    async def aobserve(
        self,
        owner: Scope | str,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str] = (),
        *,
        tokens: int = 0,
        now: datetime | None = None,
    ) -> Observed:
        """Write the last turn down; the async twin of ``observe``."""
        scope = scope_of(owner)
        async with self.store.visit(scope.owner_id):
            seen = await self._observer.aobserve(scope, messages, injected, tokens=tokens, now=now or self._clock())
            await asyncio.to_thread(self._after_turn, scope, messages, seen)
            if self._is_due(seen):
                _tell_extracted(scope, await self.extractor.arun(scope, force=False))
        return seen

    def flush(self, owner: Scope | str | None = None) -> list[ExtractionReport]:
        """Extract what waits now: in a thread, of an owner, or of all; and tell what came of it."""
        if isinstance(owner, Scope) and owner.thread_id:
            return self.extractor.run(owner)
        wanted = None if owner is None else scope_of(owner).owner_id
        return [
            report
            for waiting in waiting_sessions(self.store.database, limit=1_000_000)
            if wanted in (None, waiting.owner_id)
            for report in self.extractor.run(Scope(waiting.owner_id, waiting.session_id))
        ]

    def consolidate(self, owner: Scope | str, *, now: datetime | None = None) -> ConsolidationReport:
        """Draw patterns, anti-patterns and skills from the episodes of an owner's workers."""
        return consolidate(
            self._memories,
            scope_of(owner),
            now=now or self._clock(),
            embed=self.store.embeddings,
            writer=self._minds.writer,
        )

    def maintain(self, owner: Scope | str | None = None, *, now: datetime | None = None) -> list[MaintenanceReport]:
        """Do the upkeep of an owner's memory, or of everybody's, and bring the index up to date."""
        reports = []
        for name in owners(self.store.database) if owner is None else [scope_of(owner).owner_id]:
            reports.append(run_maintenance(self._memories, Scope(name), self.config, now=now or self._clock()))
            if self.config.experience.consolidate and self._memories.experience.count(Scope(name))["episode"]:
                self.consolidate(name, now=now)
        self.store.sweep_ttl()
        self.store.flush()
        return reports

    def close(self) -> None:
        """Extract what waits if that happens in the background, stop, and close the store if it is ours."""
        self._worker.stop(drain=self.config.extract.mode == "background")
        if self._owns_store:
            self.store.close()

    def note_failure(self, what: str, error: Exception) -> None:
        """Count and log a failure that must not cost the user the answer."""
        self.failures[what] += 1
        _log.warning("memory could not %s; the agent goes on without it", what, exc_info=error)

    async def arecall(self, owner: Scope | str, query: str, **more: Any) -> list[RecalledRecord]:
        """Find records; the async twin of ``recall``."""
        return await asyncio.to_thread(self.recall, owner, query, **more)

    async def acompose(self, owner: Scope | str, said: Said, **more: Any) -> ComposedTurn:
        """Compose a prompt; the async twin of ``compose``."""
        return await asyncio.to_thread(self.compose, owner, said, **more)

    async def aflush(self, owner: Scope | str | None = None) -> list[ExtractionReport]:
        """Extract what waits now; the async twin of ``flush``."""
        return await asyncio.to_thread(self.flush, owner)

    async def aconsolidate(self, owner: Scope | str, **more: Any) -> ConsolidationReport:
        """Draw lessons from episodes; the async twin of ``consolidate``."""
        return await asyncio.to_thread(self.consolidate, owner, **more)

    async def amaintain(self, owner: Scope | str | None = None, **more: Any) -> list[MaintenanceReport]:
        """Do upkeep; the async twin of ``maintain``."""
        return await asyncio.to_thread(self.maintain, owner, **more)

    async def aclose(self) -> None:
        """Close; the async twin of ``close``."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    def _after_turn(self, scope: Scope, messages: Sequence[BaseMessage], seen: Observed) -> None:
        """Write a new turn to the sources that the agent may write to, and keep the run of a worker."""
        exchange = find_exchange(messages) if seen.is_new else None
        if exchange is None:
            return
        if scope.agent and any(attachment.write for attachment in self.config.attachments(scope.agent)):
            inputs, output = MemoryContentSnapshot(exchange.user_text), MemoryContentSnapshot(exchange.answer)
            self.manager.update(scope.agent, Exchange(scope.agent, exchange.user_text, inputs, output), scope)
        self._keep_run(scope, messages, seen)

    def _keep_run(self, scope: Scope, messages: Sequence[BaseMessage], seen: Observed) -> None:
        """Keep the run of a worker that used tools as an episode."""
        if not (self.config.experience.record and seen.turn):
            return
        run = last_run(messages)
        if any(getattr(message, "tool_calls", None) for message in run):
            moment = seen.turn.happened_at
            made = episode_from_run(run, agent=scope.agent, thread_id=scope.thread_id, started=moment, ended=moment)
            keep_episode(self._memories.experience, scope, made)

    def _is_due(self, seen: Observed) -> bool:
        """Tell whether the extractor should run now, in this turn; in the background it is only woken."""
        rules = self.config.extract
        due = seen.is_new and seen.waiting >= rules.batch_size
        if rules.mode == "background" and seen.is_new:
            self._worker.wake(now=due)
        return due and rules.mode == "inline"

    def _fold(self, scope: Scope) -> None:
        fold_thread(self._memories, scope, self.config, summarizer=self._minds.summarizer)


def _tell_extracted(scope: Scope, reports: Sequence[ExtractionReport]) -> None:
    """Tell the stream of the run what came of the batches; the extractor has a stream of its own."""
    for report in reports:
        tell(
            "extracted",
            scope,
            added=list(report.added),
            superseded=list(report.superseded),
            confirmed=len(report.confirmed),
            quarantined=len(report.quarantined),
            rounds=report.rounds,
            failed=report.error is not None,
        )
