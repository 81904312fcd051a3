"""Replaying a recorded conversation through a real graph, to see what memory does turn by turn."""

from memory_middleware_cli.replay.reading import read_trace
from memory_middleware_cli.replay.result import Replay
from memory_middleware_cli.replay.running import replay
from memory_middleware_cli.replay.trace import Trace

__all__ = ["Replay", "Trace", "read_trace", "replay"]
