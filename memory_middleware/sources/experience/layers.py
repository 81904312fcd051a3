"""Three layers of detail: a line for an index, an entry for a timeline, and everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.schemas.times import to_utc_iso
from memory_middleware.storage.documents import Experience

__all__ = ["LAYERS", "Layer", "Shown", "full_text", "index_line", "richest", "show", "timeline_entry"]

Layer = Literal["index", "timeline", "full"]
LAYERS: tuple[Layer, ...] = ("index", "timeline", "full")
_LINE = 100


class Shown(NamedTuple):
    """A memory at a layer of detail."""

    layer: Layer
    text: str


def index_line(memory: Experience) -> str:
    """Say in one short line what a memory is about."""
    if isinstance(memory, EpisodeTrace):
        return _line(f"episode {_day(memory.timestamp)}, {memory.outcome}: {memory.goal}")
    if isinstance(memory, SemanticPattern):
        return _line(f"pattern, {memory.category}: {memory.pattern}")
    return _line(f"skill: {memory.name}")


def timeline_entry(memory: Experience) -> str:
    """Say on one line what happened and what came of it, or what to do."""
    if isinstance(memory, EpisodeTrace):
        told = [f"{_day(memory.timestamp)} {memory.agent}: {memory.goal}", memory.outcome]
        counts = {
            "actions": len(memory.action_log),
            "errors": len(memory.errors_encountered),
            "files changed": len(memory.files_modified or ()),
        }
        told += [f"{name}: {number}" for name, number in counts.items() if number]
        return _flat("; ".join(told))
    if isinstance(memory, SemanticPattern):
        ways = {"do": memory.correct_approach, "avoid": memory.incorrect_approach}
        return _flat("; ".join([memory.pattern, *(f"{name}: {way}" for name, way in ways.items() if way)]))
    return _flat(f"{memory.name}: {memory.description}; steps: {len(memory.steps)}")


def full_text(memory: Experience) -> str:
    """Tell a memory whole, over several lines."""
    if isinstance(memory, EpisodeTrace):
        return _episode(memory)
    if isinstance(memory, SemanticPattern):
        parts = [
            f"Pattern ({memory.category}): {memory.pattern}",
            *_listed("When", memory.conditions),
            *_said("Do", memory.correct_approach),
            *_said("Avoid", memory.incorrect_approach),
            f"Confidence: {memory.confidence:g}, used: {memory.usage_count}",
        ]
        return "\n".join(parts)
    parts = [
        f"Skill: {memory.name}",
        memory.description,
        *_listed("Needs", memory.prerequisites),
        *_numbered("Steps", memory.steps),
        *_listed("Errors", [f"{known.error} -> {known.fix}" for known in memory.common_errors]),
        *_listed("Done when", memory.exit_criteria),
        *_said("Example", memory.example_usage),
    ]
    return "\n".join(parts)


def show(memory: Experience, layer: Layer) -> str:
    """Tell a memory at a layer of detail."""
    return _TELL[layer](memory)


def richest(memory: Experience, budget: int, count: Callable[[str], int]) -> Shown | None:
    """Tell a memory in as much detail as fits, or none if not even its index line does.

    Args:
        memory: What to tell.
        budget: Most tokens.
        count: Counts the tokens of a text.
    """
    for layer in reversed(LAYERS):
        text = show(memory, layer)
        if count(text) <= budget:
            return Shown(layer, text)
    return None


def _episode(memory: EpisodeTrace) -> str:
    errors = [f"{met.error_type}: {met.message} -> {met.resolution or 'open'}" for met in memory.errors_encountered]
    actions = [f"{done.tool} {done.input or ''} -> {done.output or ''}" for done in memory.action_log]
    head = f"Episode of {to_utc_iso(memory.timestamp)}: {memory.goal}"
    phase = f", phase {memory.phase}" if memory.phase else ""
    parts = [
        head,
        f"By {memory.agent}{phase}; {memory.outcome} after {memory.duration_seconds} s",
        *_numbered("Actions", actions),
        *_listed("Errors", errors),
        *_listed("Files changed", memory.files_modified),
        *_listed("Files read", memory.files_read),
        *_listed("Made", memory.artifacts_produced),
        *_said("Commit", memory.git_commit),
    ]
    return "\n".join(parts)


_TELL: dict[Layer, Callable[[Experience], str]] = {"index": index_line, "timeline": timeline_entry, "full": full_text}


def _day(moment: datetime) -> str:
    return to_utc_iso(moment)[:10]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _line(text: str) -> str:
    flat = _flat(text)
    return flat if len(flat) <= _LINE else flat[: _LINE - 1].rstrip() + "…"


def _said(name: str, text: str | None) -> list[str]:
    return [f"{name}: {text}"] if text else []


def _listed(name: str, texts: Sequence[str] | None) -> list[str]:
    return [f"{name}: {'; '.join(texts)}"] if texts else []


def _numbered(name: str, texts: Sequence[str]) -> list[str]:
    return [f"{name}:", *(f"{at}. {text}" for at, text in enumerate(texts, 1))] if texts else []
