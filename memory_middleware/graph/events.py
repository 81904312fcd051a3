"""What memory tells the stream of a run: counts and ids, never content."""

from __future__ import annotations

from typing import Any

from langgraph.config import get_stream_writer

from memory_middleware.recall.turn import ComposedTurn
from memory_middleware.remember.observe import Observed
from memory_middleware.schemas.scope import Scope

__all__ = ["tell", "tell_recalled", "tell_referenced"]


def tell(kind: str, scope: Scope, **counts: Any) -> None:
    """Write a custom event to the stream; outside of a graph nobody listens."""
    try:
        write = get_stream_writer()
    except (RuntimeError, KeyError):
        return
    write({"type": f"memory.{kind}", "agent": scope.agent, "thread_id": scope.thread_id, **counts})


def tell_recalled(scope: Scope, turn: ComposedTurn) -> None:
    """Tell what was injected."""
    stats = turn.stats
    tell(
        "recalled",
        scope,
        ids=[hit.record.id for hit in turn.injected],
        short_term=stats.short_term_count,
        long_term=stats.long_term_count,
        tokens=stats.total_tokens,
        dropped=stats.dropped,
        silence=stats.silence,
        took_ms=round(stats.took_ms, 2),
    )


def tell_referenced(scope: Scope, seen: Observed) -> None:
    """Tell what of it the answer used."""
    tell(
        "referenced",
        scope,
        ids=list(seen.referenced),
        injected=len(seen.references),
        new=seen.is_new,
        waiting=seen.waiting,
    )
