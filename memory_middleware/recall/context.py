"""The text of one turn's memory: gate, recall and budget, with what it took."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass
from datetime import datetime

from memory_middleware.config import BudgetConfig, MemoryConfig, Stage
from memory_middleware.recall.budget import FittedBlock, fit_sections
from memory_middleware.recall.labels import words
from memory_middleware.recall.recalled import RecalledMemory, recall_for_agent, recall_memory
from memory_middleware.recall.record_lines import RECORD_SECTIONS
from memory_middleware.recall.sections import MemoryClass
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.records import RecalledRecord
from memory_middleware.sources.manager import MemoryManager
from memory_middleware.storage.repositories import Repositories
from memory_middleware.tokens import TokenCounter

__all__ = [
    "ContextStats",
    "MemoryContext",
    "RecalledMemory",
    "budget_of",
    "build_memory_context_with_stats",
    "counter_of",
    "injected_records",
    "recall_memory",
    "shares_of",
    "stats_of",
]


@dataclass(frozen=True, slots=True)
class ContextStats:
    """What one turn's memory holds and took.

    ``problems`` tells what failed and was skipped, ``silence`` why nothing was injected, ``other_count`` how many
    lines of the profile and of other sources were.
    """

    short_term_count: int
    long_term_count: int
    total_tokens: int
    dropped: int
    took_ms: float
    problems: tuple[str, ...] = ()
    silence: str = ""
    other_count: int = 0


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """The text to inject, empty if nothing is, and what it is made of."""

    text: str
    stats: ContextStats
    block: FittedBlock
    hits: tuple[RecalledRecord, ...]


def build_memory_context_with_stats(
    memories: Repositories,
    scope: Scope,
    query: str,
    message_count: int,
    config: MemoryConfig | None = None,
    *,
    manager: MemoryManager | None = None,
    stage: Stage | str = Stage.GEN,
    counter: TokenCounter | None = None,
    now: datetime | None = None,
) -> MemoryContext:
    """Build the text of one turn's memory, and tell what it holds and took.

    Args:
        memories: Where memory is kept.
        scope: Whose, in which thread, for which agent.
        query: What is asked.
        message_count: How many messages the thread had before it.
        config: The rules; none uses the defaults.
        manager: Holds the sources that the agent is attached to.
        stage: Of the agent's turn.
        counter: Counts tokens; none follows the budget's settings.
        now: The present moment.
    """
    started = time.perf_counter()
    chosen = config or MemoryConfig()
    recalled = recall_for_agent(memories, scope, query, message_count, chosen, manager=manager, stage=stage, now=now)
    budget = chosen.inject.budget
    block = fit_sections(
        words("user_block", chosen.language),
        recalled.sections,
        budget_of(chosen, scope.agent),
        counter or counter_of(budget),
        shares=shares_of(budget),
        caps=recalled.caps,
    )
    return MemoryContext(block.text, stats_of(block, recalled, started), block, recalled.hits)


def budget_of(config: MemoryConfig, agent: str | None) -> int:
    """Give the tokens that an agent's memory may take."""
    own = config.agents.get(agent) if agent else None
    return (own.budget_tokens if own else None) or config.inject.budget.total_tokens


def shares_of(budget: BudgetConfig) -> dict[MemoryClass, float]:
    """Give the parts of a budget that are reserved for classes of memory."""
    return {kind: getattr(budget.shares, kind.value) for kind in MemoryClass}


def counter_of(budget: BudgetConfig) -> TokenCounter:
    """Give the counter that a budget asks for; equal settings share one, and with it what was counted before."""
    return _counter(budget.encoding, budget.model, budget.factor)


@functools.lru_cache(16)
def _counter(encoding: str | None, model: str | None, factor: float | None) -> TokenCounter:
    return TokenCounter.from_config(
        BudgetConfig.model_validate({"encoding": encoding, "model": model, "factor": factor})
    )


def injected_records(block: FittedBlock, hits: tuple[RecalledRecord, ...]) -> tuple[RecalledRecord, ...]:
    """Give the records that found room in a block, whole or shortened."""
    told = {entry.id for entry in block.manifest if entry.section in RECORD_SECTIONS and entry.status != "dropped"}
    return tuple(hit for hit in hits if hit.record.id in told)


def stats_of(block: FittedBlock, recalled: RecalledMemory, started: float) -> ContextStats:
    """Tell what a block holds, and what it took since a moment of the performance counter."""
    kept = block.kept
    short = kept.pop("recent", 0)
    long = sum(kept.pop(name, 0) for name in RECORD_SECTIONS)
    return ContextStats(
        short_term_count=short,
        long_term_count=long,
        total_tokens=block.tokens,
        dropped=block.dropped,
        took_ms=(time.perf_counter() - started) * 1e3,
        problems=recalled.problems,
        silence="" if block.text else recalled.silence or "nothing was recalled",
        other_count=sum(kept.values()),
    )
