"""Putting what clusters have in common into words: the port, and a chat model behind it."""

from __future__ import annotations

import logging
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
from memory_middleware.remember.extraction.loose_json import find_json
from memory_middleware.remember.prompts_in import PromptsIn
from memory_middleware.remember.turns import message_text

__all__ = ["ModelConsolidator", "PatternWriter", "Wording"]

_log = logging.getLogger(__name__)

_PATTERN, _APPROACH, _NAME = 300, 500, 60
_MOST_GOALS = 12
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
        self._prompts = PromptsIn(prompts)

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
        return self._prompts.language(language_of(goals)).render(
            "consolidate",
            goals="\n".join(f"- {goal}" for goal in goals),
            episodes=str(len(cluster.members)),
            steps="\n".join(f"- {step}" for step in steps),
            errors="\n".join(fixes),
        )


def _wording(answer: str) -> Wording | None:
    data = _read_object(answer)
    if data is None:
        _log.warning("a pattern is worded by rules, since the model gave no JSON object: %r", answer[:200])
        return None
    limits = {"pattern": _PATTERN, "skill_name": _NAME}
    told = {name: data[name] for name in _NAMES if isinstance(data.get(name), str)}
    return Wording(**{name: brief(text, limits.get(name, _APPROACH)) for name, text in told.items()})


def _read_object(answer: str) -> dict[str, Any] | None:
    """Give the first JSON object of an answer that tells something we asked for."""
    found = (value for value in find_json(answer).values if isinstance(value, dict))
    return next((value for value in found if any(name in value for name in _NAMES)), None)
