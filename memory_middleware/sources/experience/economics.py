"""What recalling experience costs in tokens, and what to do when it costs too much."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from memory_middleware.schemas import times

__all__ = [
    "THRESHOLDS",
    "Advice",
    "Session",
    "Threshold",
    "estimate_memory_tokens",
    "estimate_tokens",
    "evaluate_thresholds",
    "savings_percent",
]

_CHARACTERS = 4


def estimate_tokens(text: str) -> int:
    """Guess the tokens of a text: a quarter of its characters. For a prompt, count with a ``TokenCounter``."""
    return len(text) // _CHARACTERS


def estimate_memory_tokens(memory: Any) -> int:
    """Guess the tokens of plain data as JSON with all but ASCII escaped."""
    return estimate_tokens(json.dumps(memory))


def savings_percent(used: int, available: int) -> float:
    """Tell how many of the available tokens were not used, in percent; where nothing is known, all."""
    return 100.0 if available <= 0 else max(0.0, 100.0 * (1.0 - used / available))


class Threshold(NamedTuple):
    """A bound of a measure, and what to do beyond it."""

    metric: str
    op: str
    value: float
    action: str
    priority: int
    advice: str


class Advice(NamedTuple):
    """What to do, and why."""

    action_type: str
    priority: int
    description: str
    triggered_by: str


THRESHOLDS: tuple[Threshold, ...] = (
    Threshold(
        *("ratio", ">", 0.15, "compress_layer3", 1),
        "Discovery/read ratio ({actual:.2f}) exceeds {value:g}. Consider compressing layer 3 memories to reduce "
        "discovery overhead.",
    ),
    Threshold(
        *("savings_percent", "<", 50, "review_topic_relevance", 2),
        "Savings ({actual:.1f}%) below {value:g}%. Review topic indexing to improve relevance matching.",
    ),
    Threshold(
        *("layer3_loads", ">", 3, "create_specialized_index", 3),
        "Whole memories were loaded {actual:g} times, more than {value:g}. An index for this kind of task would help.",
    ),
    Threshold(
        *("discovery_tokens", ">", 200, "reorganize_topic_index", 4),
        "Finding memories took {actual:g} tokens, more than {value:g}. Shorter or fewer index lines would help.",
    ),
)
_BEYOND: dict[str, Callable[[float, float], bool]] = {
    ">": lambda actual, bound: actual > bound,
    "<": lambda actual, bound: actual < bound,
}


def evaluate_thresholds(metrics: Mapping[str, float]) -> list[Advice]:
    """List what the measures call for, the most urgent first; a measure that is absent calls for nothing."""
    return [
        Advice(
            bound.action,
            bound.priority,
            bound.advice.format(actual=metrics[bound.metric], value=bound.value),
            f"{bound.metric} {bound.op} {bound.value:g} (actual: {metrics[bound.metric]})",
        )
        for bound in THRESHOLDS
        if bound.metric in metrics and _BEYOND[bound.op](metrics[bound.metric], bound.value)
    ]


@dataclass
class Session:
    """Counts what recalling cost in one session.

    Attributes:
        session_id: What the session is called.
        started_at: When it began.
        available_tokens: The tokens of all memories that could have been read, if known.
        metrics: The counts by name.
    """

    session_id: str
    started_at: datetime = field(default_factory=times.utc_now)
    available_tokens: int = 0
    metrics: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("discovery_tokens", "read_tokens", "layer1_loads", "layer2_loads", "layer3_loads", "cache_hits")
            + ("cache_misses",),
            0,
        )
    )

    def discover(self, tokens: int) -> None:
        """Count tokens that were spent on finding memories."""
        self.metrics["discovery_tokens"] += max(0, tokens)

    def read(self, tokens: int, layer: int) -> None:
        """Count the tokens of memories that were read at a layer, 1 to 3; another layer counts no load."""
        self.metrics["read_tokens"] += max(0, tokens)
        if f"layer{layer}_loads" in self.metrics:
            self.metrics[f"layer{layer}_loads"] += 1

    def cached(self, hit: bool) -> None:
        """Count a look into a cache."""
        self.metrics["cache_hits" if hit else "cache_misses"] += 1

    @property
    def ratio(self) -> float:
        """Tokens spent on finding for each token read."""
        return self.metrics["discovery_tokens"] / max(1, self.metrics["read_tokens"])

    def summary(self) -> dict[str, Any]:
        """Tell the counts, what was saved, and what they call for."""
        used = self.metrics["discovery_tokens"] + self.metrics["read_tokens"]
        told = {"ratio": self.ratio, "savings_percent": savings_percent(used, self.available_tokens)}
        return {
            "session_id": self.session_id,
            "started_at": self.started_at.isoformat(),
            "metrics": dict(self.metrics),
            **told,
            "thresholds_triggered": [advice._asdict() for advice in evaluate_thresholds({**self.metrics, **told})],
        }
