"""Putting what clusters have in common into words: the port, and a chat model behind it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from langchain_core.language_models import BaseChatModel
from langgraph.errors import GraphBubbleUp

from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.remember.experience.brief import brief
from memory_middleware.remember.experience.clusters import Cluster
from memory_middleware.remember.experience.drafts import error_fixes
from memory_middleware.remember.experience.wording import language_of
from memory_middleware.remember.turns import message_text

__all__ = ["ModelConsolidator", "PatternWriter", "Wording"]

_log = logging.getLogger(__name__)

_PATTERN, _APPROACH, _NAME = 300, 500, 60
_MOST_GOALS = 12
_TRAILING = re.compile(r",(\s*[}\]])")
_NAMES = ("pattern", "correct_approach", "incorrect_approach", "skill_name", "skill_description")


@dataclass(frozen=True, slots=True)
class Wording:
    """Words for a pattern, and for its skill; what is empty is said by rules."""

    pattern: str = ""
    correct_approach: str = ""
    incorrect_approach: str = ""
    skill_name: str = ""
    skill_description: str = ""


@runtime_checkable
class PatternWriter(Protocol):
    """Puts a cluster into words. It decides nothing else: steps, confidence and sources follow from the episodes."""

    def word(self, cluster: Cluster, steps: Sequence[str]) -> Wording | None:
        """Say what the episodes of a cluster have in common, or none to leave it to rules."""
        ...


class ModelConsolidator:
    """A chat model that puts clusters into words; when it fails, rules do.

    The model sees goals, tools and kinds of errors, never what tools returned.

    Args:
        model: The model.
        prompts: Where the prompt ``consolidate`` is; by default the library's own, in the language of the goals.
    """

    def __init__(self, model: BaseChatModel, *, prompts: PromptLibrary | None = None) -> None:
        self._model = model
        self._prompts = prompts
        self._shipped: dict[str, PromptLibrary] = {}

    def word(self, cluster: Cluster, steps: Sequence[str]) -> Wording | None:
        """Ask the model once; an answer that cannot be read, or an error, gives none."""
        try:
            answer = self._model.invoke(self._prompt(cluster, steps), config={"tags": ["nostream"]})
            return _wording(message_text(answer))
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 - providers fail in many ways, and rules can always do it
            _log.warning("a pattern is worded by rules, since the model failed: %s", error)
            return None

    def _prompt(self, cluster: Cluster, steps: Sequence[str]) -> str:
        goals = list(dict.fromkeys(cluster.goals))[:_MOST_GOALS]
        fixes = [f"- {known.error} -> {known.fix}" for known in error_fixes(cluster.members)]
        return self._library(language_of(goals)).render(
            "consolidate",
            goals="\n".join(f"- {goal}" for goal in goals),
            episodes=str(len(cluster.members)),
            steps="\n".join(f"- {step}" for step in steps),
            errors="\n".join(fixes),
        )

    def _library(self, language: str) -> PromptLibrary:
        if self._prompts is not None:
            return self._prompts
        if language not in self._shipped:
            self._shipped[language] = PromptLibrary(language=language)
        return self._shipped[language]


def _wording(answer: str) -> Wording | None:
    data = _read_object(answer)
    if data is None:
        _log.warning("a pattern is worded by rules, since the model gave no JSON object: %r", answer[:200])
        return None
    limits = {"pattern": _PATTERN, "skill_name": _NAME}
    told = {name: data[name] for name in _NAMES if isinstance(data.get(name), str)}
    return Wording(**{name: brief(text, limits.get(name, _APPROACH)) for name, text in told.items()})


def _read_object(answer: str) -> dict[str, Any] | None:
    """Read the first JSON object of an answer, also among prose, in fences, or with trailing commas."""
    decoder = json.JSONDecoder(strict=False)
    for text in (answer, _TRAILING.sub(r"\1", answer)):
        for start in (found.start() for found in re.finditer(r"\{", text)):
            try:
                data, _end = decoder.raw_decode(text, start)
            except ValueError:
                continue
            if any(name in data for name in _NAMES):
                return dict(data)
    return None
