"""Spans for OpenTelemetry, where it is installed: counts and hashes, never content."""

from __future__ import annotations

import functools
import hashlib
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memory_middleware.schemas.scope import Scope

__all__ = ["Span", "span"]


class Span:
    """A span to note counts in; without OpenTelemetry it notes nothing."""

    def __init__(self, inner: Any = None) -> None:
        self._inner = inner

    def note(self, **counts: float | bool) -> None:
        """Note numbers."""
        if self._inner is not None:
            for name, value in counts.items():
                self._inner.set_attribute(f"memory.{name}", value)


@contextmanager
def span(name: str, scope: Scope) -> Iterator[Span]:
    """Open a span around some work of memory."""
    tracer = _tracer()
    if tracer is None:
        yield Span()
        return
    with tracer.start_as_current_span(f"memory.{name}") as inner:
        inner.set_attribute("memory.owner", hashlib.sha256(scope.owner_id.encode("utf-8", "replace")).hexdigest()[:16])
        if scope.agent:
            inner.set_attribute("memory.agent", scope.agent)
        yield Span(inner)


@functools.cache
def _tracer() -> Any:
    try:
        trace = importlib.import_module("opentelemetry.trace")
    except ImportError:
        return None
    return trace.get_tracer("memory_middleware")
