"""What kind of task is at hand: exploring, implementing, debugging, reviewing or refactoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory_middleware.errors import InvalidInputError
from memory_middleware.sources.experience.task_signals import SIGNALS, TaskType, begins_word, mentions

__all__ = ["TASK_TYPES", "Task", "check_task_type", "detect_task_type", "query_text", "task_matches"]

TASK_TYPES: tuple[TaskType, ...] = tuple(SIGNALS)
_USUAL = "implementation"
_KEYWORD, _ACTION, _PHASE = 2, 3, 4
_MOST_FILES = 3


@dataclass(frozen=True, slots=True)
class Task:
    """What an agent is about to do.

    Attributes:
        goal: What is to be reached, in words.
        phase: The phase of work, such as ``planning``.
        action_type: The tool that is used, such as ``run_test``.
        files: The files it is about.
    """

    goal: str = ""
    phase: str = ""
    action_type: str = ""
    files: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Task:
        """Read plain data; what is absent is empty.

        Raises:
            InvalidInputError: A part is no text, or the files are no list of texts.
        """
        parts = {name: data.get(name) or "" for name in ("goal", "phase", "action_type")}
        files = data.get("files") or ()
        for name, part in parts.items():
            if not isinstance(part, str):
                raise InvalidInputError(f"the {name} of a task must be text, not {part!r}")
        listed = isinstance(files, Sequence) and not isinstance(files, str)
        if not listed or not all(isinstance(file, str) for file in files):
            raise InvalidInputError(f"the files of a task must be a list of texts, not {files!r}")
        return cls(**parts, files=tuple(files))


def detect_task_type(task: Task) -> TaskType:
    """Tell the type of a task by its goal, action and phase; one without any hint is an implementation."""
    goal, action, phase = task.goal.lower(), task.action_type.lower(), task.phase.lower()
    points = dict.fromkeys(TASK_TYPES, 0)
    for kind, signals in SIGNALS.items():
        points[kind] += _KEYWORD * sum(mentions(goal, keyword) for keyword in signals.keywords)
        points[kind] += _KEYWORD * sum(word in goal for word in signals.words)
        points[kind] += _ACTION * sum(known in action for known in signals.actions)
        points[kind] += _PHASE * sum(known in phase for known in signals.phases)
    best = max(points, key=lambda kind: points[kind])
    return best if points[best] else _USUAL


def query_text(task: Task) -> str:
    """Say a task as one text to search for, with its first three files."""
    parts = [
        task.goal,
        f"phase: {task.phase}" if task.phase else "",
        f"action: {task.action_type}" if task.action_type else "",
        f"files: {', '.join(task.files[:_MOST_FILES])}" if task.files else "",
    ]
    return " ".join(part for part in parts if part)


def task_matches(task_type: TaskType, *, phase: str = "", category: str = "") -> int:
    """Count what of a memory fits a type of task, from 0 to 2; what is empty fits nothing.

    Raises:
        InvalidInputError: The type is not known.
    """
    signals = SIGNALS[check_task_type(task_type)]
    asked, about = phase.strip(), category.strip().lower()
    in_phase = asked.upper() in signals.cycle or any(known in asked.lower() for known in signals.phases)
    return int(in_phase) + int(any(begins_word(about, known) for known in signals.categories))


def check_task_type(task_type: TaskType) -> TaskType:
    """Give back a known type of task.

    Raises:
        InvalidInputError: It is not known.
    """
    if task_type not in SIGNALS:
        raise InvalidInputError(f"unknown type of task {task_type!r}; known: {', '.join(TASK_TYPES)}")
    return task_type
