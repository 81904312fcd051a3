"""The parts of an experience: actions, errors, links, fixes and the task at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memory_middleware.schemas.checks import (
    check_fraction,
    check_member,
    check_non_negative,
    check_required,
    check_text,
    check_texts,
    copied,
    expect_object,
)

__all__ = ["OUTCOMES", "PHASES", "RELATIONS", "ActionEntry", "ErrorEntry", "ErrorFix", "Link", "TaskContext"]

PHASES = ("REASON", "ACT", "REFLECT", "VERIFY")
OUTCOMES = ("success", "failure", "partial")
RELATIONS = (
    "derived_from",
    "related_to",
    "contradicts",
    "elaborates",
    "example_of",
    "supersedes",
    "superseded_by",
    "supports",
)


@dataclass
class ActionEntry:
    """One action of a task: a tool, what went in, what came out, seconds since the start."""

    tool: str
    input: str
    output: str
    timestamp: int

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data under the short keys ``t``, ``action``, ``target``, ``result``."""
        return {"t": self.timestamp, "action": self.tool, "target": self.input, "result": self.output}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ActionEntry:
        """Read plain data under the short keys or the field names."""
        expect_object(cls, data)
        return cls(
            tool=data.get("action", data.get("tool", "")),
            input=data.get("target", data.get("input", "")),
            output=data.get("result", data.get("output", "")),
            timestamp=data.get("t", data.get("timestamp", 0)),
        )

    def validate(self) -> list[str]:
        """List what is wrong; an empty list means valid."""
        return (
            check_required(self, "tool") + check_non_negative(self, "timestamp") + check_text(self, "input", "output")
        )


@dataclass
class ErrorEntry:
    """An error met during a task, and how it was resolved."""

    error_type: str
    message: str
    resolution: str

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data; ``error_type`` becomes ``type``."""
        return {"type": self.error_type, "message": self.message, "resolution": self.resolution}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ErrorEntry:
        """Read plain data; ``error_type`` is read when ``type`` is absent."""
        expect_object(cls, data)
        return cls(
            error_type=data.get("type", data.get("error_type", "")),
            message=data.get("message", ""),
            resolution=data.get("resolution", ""),
        )

    def validate(self) -> list[str]:
        """List what is wrong; an empty list means valid."""
        return check_required(self, "error_type", "message") + check_text(self, "resolution")


@dataclass
class Link:
    """A typed connection to another memory, in the manner of a slip box."""

    to_id: str
    relation: str
    strength: float = 1.0

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data; ``to_id`` becomes ``to``."""
        return {"to": self.to_id, "relation": self.relation, "strength": self.strength}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Link:
        """Read plain data; ``to_id`` is read when ``to`` is absent."""
        expect_object(cls, data)
        return cls(
            to_id=data.get("to", data.get("to_id", "")),
            relation=data.get("relation", ""),
            strength=data.get("strength", 1.0),
        )

    def validate(self) -> list[str]:
        """List what is wrong; an empty list means valid."""
        return (
            check_required(self, "to_id") + check_member(self, "relation", RELATIONS) + check_fraction(self, "strength")
        )


@dataclass
class ErrorFix:
    """A common error of a skill and its remedy."""

    error: str
    fix: str

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data."""
        return {"error": self.error, "fix": self.fix}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ErrorFix:
        """Read plain data."""
        expect_object(cls, data)
        return cls(error=data.get("error", ""), fix=data.get("fix", ""))

    def validate(self) -> list[str]:
        """List what is wrong; an empty list means valid."""
        return check_required(self, "error", "fix")


@dataclass
class TaskContext:
    """What a task is about: its goal, its phase, the files and limits it touches."""

    goal: str
    phase: str
    files: list[str] = field(default_factory=list)
    constraints: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data; ``files`` becomes ``files_involved``."""
        return {
            "goal": self.goal,
            "phase": self.phase,
            "files_involved": copied(self.files),
            "constraints": copied(self.constraints),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TaskContext:
        """Read plain data; ``files`` is read when ``files_involved`` is absent."""
        expect_object(cls, data)
        return cls(
            goal=data.get("goal", ""),
            phase=data.get("phase", ""),
            files=copied(data.get("files_involved", data.get("files", []))),
            constraints=copied(data.get("constraints", [])),
        )

    def validate(self) -> list[str]:
        """List what is wrong; an empty list means valid."""
        phase = check_member(self, "phase", PHASES) if self.phase not in ("", None) else []
        return check_required(self, "goal") + phase + check_texts(self, "files", "constraints")
