"""Three layers of detail: a line for an index, an entry for a timeline, and everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.schemas.skill import ProceduralSkill
from memory_middleware.schemas.times import to_utc_iso
from memory_middleware.sources.experience.labels import words
from memory_middleware.storage.documents import Experience

__all__ = ["LAYERS", "Layer", "Shown", "full_text", "index_line", "richest", "show", "timeline_entry"]

Layer = Literal["index", "timeline", "full"]
LAYERS: tuple[Layer, ...] = ("index", "timeline", "full")
_LINE = 100


class Shown(NamedTuple):
    """A memory at a layer of detail."""

    layer: Layer
    text: str


def index_line(memory: Experience, language: str = "en") -> str:
    """Say in one short line what a memory is about."""
    if isinstance(memory, EpisodeTrace):
        outcome = words(memory.outcome, language)
        return _line(words("episode", language).format(day=_day(memory.timestamp), outcome=outcome, goal=memory.goal))
    if isinstance(memory, SemanticPattern):
        return _line(words("pattern", language).format(category=memory.category, pattern=memory.pattern))
    return _line(words("skill", language).format(name=memory.name))


def timeline_entry(memory: Experience, language: str = "en") -> str:
    """Say on one line what happened and what came of it, or what to do."""
    return _flat(words("semicolon", language).join(_timeline(memory, language)))


def _timeline(memory: Experience, language: str) -> list[str]:
    if isinstance(memory, EpisodeTrace):
        happened = words("happened", language)
        told = [happened.format(day=_day(memory.timestamp), agent=memory.agent, goal=memory.goal)]
        told.append(words(memory.outcome, language))
        counts = {
            "actions": len(memory.action_log),
            "errors": len(memory.errors_encountered),
            "files": len(memory.files_modified or ()),
        }
        return told + [words(name, language).format(number) for name, number in counts.items() if number]
    if isinstance(memory, SemanticPattern):
        ways = {"do": memory.correct_approach, "avoid": memory.incorrect_approach}
        return [memory.pattern, *(words(name, language).format(way) for name, way in ways.items() if way)]
    known = words("known", language).format(name=memory.name, description=memory.description)
    return [known, words("steps", language).format(len(memory.steps))]


def full_text(memory: Experience, language: str = "en") -> str:
    """Tell a memory whole, over several lines."""
    tell = _Whole(language)
    if isinstance(memory, EpisodeTrace):
        return "\n".join(tell.episode(memory))
    if isinstance(memory, SemanticPattern):
        return "\n".join(tell.pattern(memory))
    return "\n".join(tell.skill(memory))


def show(memory: Experience, layer: Layer, language: str = "en") -> str:
    """Tell a memory at a layer of detail."""
    return _TELL[layer](memory, language)


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


class _Whole:
    """Tells memories whole in a language, part by part."""

    def __init__(self, language: str) -> None:
        self._language = language

    def episode(self, memory: EpisodeTrace) -> list[str]:
        solved = self._word("open")
        errors = [f"{met.error_type}: {met.message} -> {met.resolution or solved}" for met in memory.errors_encountered]
        actions = [f"{done.tool} {done.input or ''} -> {done.output or ''}" for done in memory.action_log]
        phase = self._word("phase").format(memory.phase) if memory.phase else ""
        return [
            self._word("whole_episode").format(when=to_utc_iso(memory.timestamp), goal=memory.goal),
            self._word("by").format(
                agent=memory.agent,
                phase=phase,
                outcome=self._word(memory.outcome),
                seconds=memory.duration_seconds,
            ),
            *self._numbered("Actions", actions),
            *self._listed("Errors", errors),
            *self._listed("Files changed", memory.files_modified),
            *self._listed("Files read", memory.files_read),
            *self._listed("Made", memory.artifacts_produced),
            *self._said("Commit", memory.git_commit),
        ]

    def pattern(self, memory: SemanticPattern) -> list[str]:
        return [
            self._word("whole_pattern").format(category=memory.category, pattern=memory.pattern),
            *self._listed("When", memory.conditions),
            *self._said("Do", memory.correct_approach),
            *self._said("Avoid", memory.incorrect_approach),
            self._word("sure").format(confidence=memory.confidence, used=memory.usage_count),
        ]

    def skill(self, memory: ProceduralSkill) -> list[str]:
        return [
            self._word("whole_skill").format(name=memory.name),
            memory.description,
            *self._listed("Needs", memory.prerequisites),
            *self._numbered("Steps", memory.steps),
            *self._listed("Errors", [f"{known.error} -> {known.fix}" for known in memory.common_errors]),
            *self._listed("Done when", memory.exit_criteria),
            *self._said("Example", memory.example_usage),
        ]

    def _word(self, key: str) -> str:
        return words(key, self._language)

    def _said(self, name: str, text: str | None) -> list[str]:
        return [f"{self._word(name)}{self._word('colon')}{text}"] if text else []

    def _listed(self, name: str, texts: Sequence[str] | None) -> list[str]:
        return self._said(name, self._word("semicolon").join(texts)) if texts else []

    def _numbered(self, name: str, texts: Sequence[str]) -> list[str]:
        head = f"{self._word(name)}{self._word('colon').strip()}"
        return [head, *(f"{at}. {text}" for at, text in enumerate(texts, 1))] if texts else []


_TELL: dict[Layer, Callable[[Experience, str], str]] = {
    "index": index_line,
    "timeline": timeline_entry,
    "full": full_text,
}


def _day(moment: datetime) -> str:
    return to_utc_iso(moment)[:10]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _line(text: str) -> str:
    flat = _flat(text)
    return flat if len(flat) <= _LINE else flat[: _LINE - 1].rstrip() + "…"
