"""One turn's memory: gate, recall, budget and text, with what it took."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import datetime

from memory_middleware.config import MemoryConfig
from memory_middleware.errors import EmbeddingError, StoreError
from memory_middleware.recall.budget import FittedBlock, fit_sections
from memory_middleware.recall.gate import should_inject, wants_long_term
from memory_middleware.recall.labels import words
from memory_middleware.recall.record_lines import record_sections, short_term_section
from memory_middleware.recall.sections import MemoryClass, Section
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.records import RecalledRecord, RelevanceFloor, recall_records
from memory_middleware.storage.repositories import Repositories
from memory_middleware.tokens import TokenCounter

__all__ = ["ContextStats", "MemoryContext", "RecalledMemory", "build_memory_context_with_stats", "recall_memory"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ContextStats:
    """What one turn's memory holds and took.

    ``problems`` tells what failed and was skipped, ``silence`` why nothing was injected.
    """

    short_term_count: int
    long_term_count: int
    total_tokens: int
    dropped: int
    took_ms: float
    problems: tuple[str, ...] = ()
    silence: str = ""


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """The text to inject, empty if nothing is, and what it is made of."""

    text: str
    stats: ContextStats
    block: FittedBlock
    hits: tuple[RecalledRecord, ...]


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """What a turn recalls, before it is fitted into a budget."""

    sections: tuple[Section, ...]
    hits: tuple[RecalledRecord, ...]
    problems: tuple[str, ...] = ()
    silence: str = ""


def recall_memory(
    memories: Repositories,
    scope: Scope,
    query: str,
    message_count: int,
    config: MemoryConfig,
    *,
    now: datetime | None = None,
) -> RecalledMemory:
    """Recall what the rules allow for a query: the last rounds of the thread, and long-term records.

    Raises:
        EmbeddingError: The embedder failed, and the configuration says ``on_error: raise``.
        StoreError: The store failed to recall records, and the configuration says so.
    """
    if not config.enabled:
        return RecalledMemory((), (), silence="memory is switched off")
    if not should_inject(query, message_count, config.inject):
        first = config.inject.first_round_empty and message_count <= 0
        return RecalledMemory((), (), silence="the first round stays empty" if first else "the query is too short")
    hits: list[RecalledRecord] = []
    problems: tuple[str, ...] = ()
    if config.long_term.enabled and wants_long_term(query, config.inject):
        floor = None if config.inject.long_term_trigger == "always" else RelevanceFloor()
        try:
            hits = recall_records(memories, scope, query, limit=config.long_term.max_return, now=now, floor=floor)
        except (EmbeddingError, StoreError) as error:
            if config.on_error == "raise":
                raise
            _log.warning("long-term memory could not be recalled", exc_info=error)
            problems = (str(error),)
    sections = record_sections([hit.record for hit in hits], config.language)
    if scope.thread_id and config.inject.short_term_count:
        items = memories.short_term.recent(scope, config.inject.short_term_count)
        sections += short_term_section(items, config.language)
    return RecalledMemory(tuple(sections), tuple(hits), problems)


def build_memory_context_with_stats(
    memories: Repositories,
    scope: Scope,
    query: str,
    message_count: int,
    config: MemoryConfig | None = None,
    *,
    counter: TokenCounter | None = None,
    now: datetime | None = None,
) -> MemoryContext:
    """Build the text of one turn's memory, and tell what it holds and took.

    Args:
        memories: Where memory is kept.
        scope: Whose, in which thread.
        query: What is asked.
        message_count: How many messages the thread had before it.
        config: The rules; none uses the defaults.
        counter: Counts tokens; none follows the budget's settings.
        now: The present moment.
    """
    started = time.perf_counter()
    chosen = config or MemoryConfig()
    recalled = recall_memory(memories, scope, query, message_count, chosen, now=now)
    budget = chosen.inject.budget
    block = fit_sections(
        words("user_block", chosen.language),
        recalled.sections,
        budget.total_tokens,
        counter or TokenCounter.from_config(budget),
        shares={kind: getattr(budget.shares, kind.value) for kind in MemoryClass},
    )
    kept = {cost.name: cost.kept for cost in block.costs}
    short = kept.pop("recent", 0)
    stats = ContextStats(
        short_term_count=short,
        long_term_count=sum(kept.values()),
        total_tokens=block.tokens,
        dropped=block.dropped,
        took_ms=(time.perf_counter() - started) * 1e3,
        problems=recalled.problems,
        silence=recalled.silence or ("" if block.text else "nothing was recalled"),
    )
    return MemoryContext(block.text, stats, block, recalled.hits)
