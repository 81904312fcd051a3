"""The trace of one task as it happened: episodic experience."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory_middleware.errors import SchemaError
from memory_middleware.schemas import times
from memory_middleware.schemas.checks import (
    check_fraction,
    check_member,
    check_moment,
    check_nested,
    check_non_negative,
    check_required,
    check_text,
    check_texts,
    copied,
    expect_object,
    read_entries,
    write_entries,
)
from memory_middleware.schemas.experience_parts import OUTCOMES, PHASES, ActionEntry, ErrorEntry

__all__ = ["EpisodeTrace", "read_moment", "write_moment"]


@dataclass
class EpisodeTrace:
    """One task from start to end: what was done, what went wrong, what came of it."""

    id: str
    task_id: str
    timestamp: datetime
    duration_seconds: int
    agent: str
    phase: str
    goal: str
    action_log: list[ActionEntry] = field(default_factory=list)
    outcome: str = "success"
    errors_encountered: list[ErrorEntry] = field(default_factory=list)
    artifacts_produced: list[str] = field(default_factory=list)
    git_commit: str | None = None
    tokens_used: int = 0
    files_read: list[str] = field(default_factory=list)
    files_modified: list[str] = field(default_factory=list)
    importance: float = 0.5
    last_accessed: datetime | None = None
    access_count: int = 0

    @classmethod
    def create(cls, task_id: str, agent: str, goal: str, phase: str = "ACT", id_prefix: str = "ep") -> EpisodeTrace:
        """Start a trace now, with an id ``prefix-YYYY-MM-DD-xxxxxxxx``."""
        now = times.utc_now()
        return cls(
            id=f"{id_prefix}-{now:%Y-%m-%d}-{str(uuid.uuid4())[:8]}",
            task_id=task_id,
            timestamp=now,
            duration_seconds=0,
            agent=agent,
            phase=phase,
            goal=goal,
        )

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data; phase, goal and the files touched stand under ``context``."""
        data = {
            "id": self.id,
            "task_id": self.task_id,
            "timestamp": write_moment(self.timestamp),
            "duration_seconds": self.duration_seconds,
            "agent": self.agent,
            "context": {"phase": self.phase, "goal": self.goal, "files_involved": self._files_involved()},
            "action_log": write_entries(self.action_log),
            "outcome": self.outcome,
            "errors_encountered": write_entries(self.errors_encountered),
            "artifacts_produced": copied(self.artifacts_produced),
            "git_commit": self.git_commit,
            "tokens_used": self.tokens_used,
            "files_read": copied(self.files_read),
            "files_modified": copied(self.files_modified),
            "importance": self.importance,
            "access_count": self.access_count,
        }
        if self.last_accessed:
            data["last_accessed"] = write_moment(self.last_accessed)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EpisodeTrace:
        """Read plain data, also in the older flat form without ``context``.

        Raises:
            ValueError: A time is text that is no ISO 8601 time, or ``context`` is no object.
        """
        expect_object(cls, data)
        context = data.get("context") or {}
        if not isinstance(context, Mapping):
            raise SchemaError(f"EpisodeTrace.context must be an object, not {context!r}")
        moment = read_moment(data, "timestamp")
        return cls(
            id=data.get("id", ""),
            task_id=data.get("task_id", ""),
            timestamp=moment if isinstance(moment, datetime) else times.utc_now(),
            duration_seconds=data.get("duration_seconds", 0),
            agent=data.get("agent", ""),
            phase=context.get("phase", data.get("phase", "")),
            goal=context.get("goal", data.get("goal", "")),
            action_log=read_entries(ActionEntry, data.get("action_log", [])),
            outcome=data.get("outcome", "success"),
            errors_encountered=read_entries(ErrorEntry, data.get("errors_encountered", [])),
            artifacts_produced=copied(data.get("artifacts_produced", [])),
            git_commit=data.get("git_commit"),
            tokens_used=data.get("tokens_used", 0),
            files_read=copied(data.get("files_read", context.get("files_involved", []))),
            files_modified=copied(data.get("files_modified", [])),
            importance=data.get("importance", 0.5),
            last_accessed=read_moment(data, "last_accessed"),
            access_count=data.get("access_count", 0),
        )

    def validate(self) -> list[str]:
        """List what is wrong, nested parts prefixed; an empty list means valid."""
        return [
            *check_required(self, "id", "task_id", "agent", "goal"),
            *(check_member(self, "phase", PHASES) if self.phase not in ("", None) else []),
            *check_member(self, "outcome", OUTCOMES),
            *check_non_negative(self, "duration_seconds", "tokens_used"),
            *check_fraction(self, "importance"),
            *check_non_negative(self, "access_count"),
            *check_moment(self, "timestamp"),
            *check_moment(self, "last_accessed", optional=True),
            *check_text(self, "git_commit"),
            *check_texts(self, "artifacts_produced", "files_read", "files_modified"),
            *check_nested(self, "action_log", ActionEntry),
            *check_nested(self, "errors_encountered", ErrorEntry),
        ]

    def _files_involved(self) -> list[str]:
        named = (name for group in (self.files_read, self.files_modified) if isinstance(group, list) for name in group)
        return list(dict.fromkeys(name for name in named if isinstance(name, str)))


def read_moment(data: Mapping[str, Any], name: str) -> Any:
    """Read an optional time: nothing and empty text are none, text is parsed, the rest is kept.

    Raises:
        SchemaError: The text is no ISO 8601 time; the message names the field.
    """
    value = data.get(name)
    if value is None or value == "":
        return None
    try:
        return times.parse_utc(value) if isinstance(value, str) else value
    except ValueError as error:
        raise SchemaError(f"{name} must be an ISO 8601 time, not {value!r}") from error


def write_moment(value: Any) -> Any:
    """Write a time in UTC, leaving what cannot be told so as it stands."""
    if not isinstance(value, datetime):
        return value
    try:
        return times.to_utc_iso(value)
    except OverflowError:
        return value.isoformat()
