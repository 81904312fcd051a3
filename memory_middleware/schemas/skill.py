"""A way of doing something that has proved itself: procedural experience."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory_middleware.errors import SchemaError
from memory_middleware.schemas.checks import (
    check_fraction,
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
from memory_middleware.schemas.episode import read_moment, write_moment
from memory_middleware.schemas.experience_parts import ErrorFix

__all__ = ["ProceduralSkill"]


@dataclass
class ProceduralSkill:
    """Steps that reach a goal, what they need, and how their usual errors are mended."""

    id: str
    name: str
    description: str
    prerequisites: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    common_errors: list[ErrorFix] = field(default_factory=list)
    exit_criteria: list[str] = field(default_factory=list)
    example_usage: str | None = None
    importance: float = 0.5
    last_accessed: datetime | None = None
    access_count: int = 0

    @classmethod
    def create(cls, name: str, description: str, steps: Sequence[str], id_prefix: str = "skill") -> ProceduralSkill:
        """Make a new skill whose id is the prefix and a slug of its name."""
        return cls(id=f"{id_prefix}-{_slug(name)}", name=name, description=description, steps=list(steps))

    def add_error_fix(self, error: str, fix: str) -> None:
        """Note a common error and its remedy; ``validate`` checks both.

        Raises:
            ValueError: The errors so far are no list.
        """
        if not isinstance(self.common_errors, list):
            raise SchemaError(f"ProceduralSkill.common_errors must be a list, not {self.common_errors!r}")
        self.common_errors.append(ErrorFix(error=error, fix=fix))

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data; an absent example or time is left out."""
        data = {
            "id": self.id,
            "name": self.name,
            "description": self.description,
            "prerequisites": copied(self.prerequisites),
            "steps": copied(self.steps),
            "common_errors": write_entries(self.common_errors),
            "exit_criteria": copied(self.exit_criteria),
            "importance": self.importance,
            "access_count": self.access_count,
        }
        if self.example_usage:
            data["example_usage"] = self.example_usage
        if self.last_accessed:
            data["last_accessed"] = write_moment(self.last_accessed)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ProceduralSkill:
        """Read plain data.

        Raises:
            ValueError: A time is text that is no ISO 8601 time.
        """
        expect_object(cls, data)
        return cls(
            id=data.get("id", ""),
            name=data.get("name", ""),
            description=data.get("description", ""),
            prerequisites=copied(data.get("prerequisites", [])),
            steps=copied(data.get("steps", [])),
            common_errors=read_entries(ErrorFix, data.get("common_errors", [])),
            exit_criteria=copied(data.get("exit_criteria", [])),
            example_usage=data.get("example_usage"),
            importance=data.get("importance", 0.5),
            last_accessed=read_moment(data, "last_accessed"),
            access_count=data.get("access_count", 0),
        )

    def validate(self) -> list[str]:
        """List what is wrong, nested parts prefixed; an empty list means valid."""
        return [
            *check_required(self, "id", "name", "description"),
            *([] if self.steps else ["ProceduralSkill.steps must have at least one step"]),
            *check_fraction(self, "importance"),
            *check_non_negative(self, "access_count"),
            *check_moment(self, "last_accessed", optional=True),
            *check_text(self, "example_usage"),
            *check_texts(self, "prerequisites", "steps", "exit_criteria"),
            *check_nested(self, "common_errors", ErrorFix),
        ]


def _slug(name: str) -> str:
    lowered = name.lower().replace(" ", "-").replace("_", "-")
    return "".join(char for char in lowered if char.isalnum() or char == "-")
