"""Replaying a recorded conversation through a real graph, to see what memory does turn by turn.

The names load when they are first asked for: a graph needs LangGraph, for which help and completion should not wait.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory_middleware_cli.replay.reading import read_trace
    from memory_middleware_cli.replay.result import Replay
    from memory_middleware_cli.replay.running import replay
    from memory_middleware_cli.replay.trace import Trace

__all__ = ["Replay", "Trace", "read_trace", "replay"]

_HOMES = {"Replay": "result", "Trace": "trace", "read_trace": "reading", "replay": "running"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
