"""What a memory is worth for a type of task."""

from __future__ import annotations

from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.sources.experience.task_signals import TaskType
from memory_middleware.sources.experience.task_type import check_task_type
from memory_middleware.storage.documents import Experience

__all__ = ["STRATEGIES", "group_of", "is_anti_pattern", "task_score", "weight_of"]

STRATEGIES: dict[TaskType, dict[str, float]] = {
    "exploration": {"episodic": 0.6, "semantic": 0.3, "skills": 0.1, "anti_patterns": 0.0},
    "implementation": {"episodic": 0.15, "semantic": 0.5, "skills": 0.35, "anti_patterns": 0.0},
    "debugging": {"episodic": 0.4, "semantic": 0.2, "skills": 0.0, "anti_patterns": 0.4},
    "review": {"episodic": 0.3, "semantic": 0.5, "skills": 0.0, "anti_patterns": 0.2},
    "refactoring": {"episodic": 0.25, "semantic": 0.45, "skills": 0.3, "anti_patterns": 0.0},
}
"""How much each group of memories counts for a type of task."""

_BASE, _BY_IMPORTANCE = 0.7, 0.3
_ANTI = ("anti-pattern", "antipattern", "反模式")


def is_anti_pattern(pattern: SemanticPattern) -> bool:
    """Tell whether a pattern says what to avoid, by its category."""
    category = pattern.category.lower().replace("_", "-").replace(" ", "-")
    return any(name in category for name in _ANTI)


def group_of(memory: Experience) -> str:
    """Tell the group of a memory, as strategies name it."""
    if isinstance(memory, EpisodeTrace):
        return "episodic"
    if isinstance(memory, SemanticPattern):
        return "anti_patterns" if is_anti_pattern(memory) else "semantic"
    return "skills"


def weight_of(group: str, task_type: TaskType) -> float:
    """Tell how much a group counts for a type of task.

    Raises:
        InvalidInputError: The type is not known.
    """
    return STRATEGIES[check_task_type(task_type)].get(group, 0.0)


def task_score(relevance: float, weight: float, *, importance: float = 0.5, confidence: float = 1.0) -> float:
    """Join how well a memory fits the query, the weight of its group, its importance and how sure it is."""
    return relevance * weight * (_BASE + _BY_IMPORTANCE * importance) * confidence
