"""Folding the old rounds of a thread into its summary."""

from __future__ import annotations

import logging

from memory_middleware.config import MemoryConfig
from memory_middleware.errors import ExtractionError
from memory_middleware.remember.short_term import MOST_UNFOLDED
from memory_middleware.remember.summarizing.salient import SalientSummarizer, Summarizer
from memory_middleware.schemas.dialogue import ThreadSummary
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.repositories import Repositories
from memory_middleware.tokens import TokenCounter

__all__ = ["fold_thread"]

_log = logging.getLogger(__name__)


def fold_thread(
    memories: Repositories,
    scope: Scope,
    config: MemoryConfig,
    *,
    summarizer: Summarizer | None = None,
    counter: TokenCounter | None = None,
) -> ThreadSummary | None:
    """Fold all but the newest rounds of a thread into its summary, if the thread has grown long enough.

    A summariser that fails is replaced by rules, so that nothing is lost.

    Args:
        memories: Where the rounds are.
        scope: Whose, in which thread.
        config: ``summarize`` tells when, ``short_term`` how many rounds stay as they are.
        summarizer: Makes the summary; none uses rules.
        counter: Counts tokens.

    Returns:
        The new summary, or none if there was nothing to fold.
    """
    rules = config.summarize
    if not rules.enabled:
        return None
    counted = counter or TokenCounter.from_config(config.inject.budget)
    items = memories.short_term.recent(scope, MOST_UNFOLDED)
    old = items[: max(0, len(items) - config.short_term.compression_threshold)]
    is_long = len(items) > config.short_term.max_items
    if not old or not (is_long or sum(counted.count(item.content) for item in items) >= rules.trigger_tokens):
        return None
    known = memories.summaries.get(scope)
    previous = known.content if known else ""
    rounds = [item.content for item in old]
    text = _summary(summarizer, previous, rounds, rules.max_tokens) or SalientSummarizer(counted).summarize(
        previous, rounds, rules.max_tokens
    )
    if not text:
        return None
    summary = ThreadSummary(content=text, rounds=(known.rounds if known else 0) + len(old))
    with memories.database.writing():
        # What was forgotten while the summary was made must not come back in it.
        now = {item.id: item.content for item in memories.short_term.recent(scope, MOST_UNFOLDED)}
        if memories.summaries.get(scope) != known or any(now.get(item.id) != item.content for item in old):
            return None
        memories.short_term.delete(scope, [item.id for item in old])
        memories.summaries.put(scope, summary)
    return summary


def _summary(summarizer: Summarizer | None, previous: str, rounds: list[str], max_tokens: int) -> str:
    if summarizer is None:
        return ""
    try:
        return summarizer.summarize(previous, rounds, max_tokens)
    except ExtractionError as error:
        _log.warning("the model gave no summary; rules make one instead (%s)", error)
        return ""
