"""What several episodes have in common: semantic experience."""

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
from memory_middleware.schemas.experience_parts import Link

__all__ = ["SemanticPattern"]


@dataclass
class SemanticPattern:
    """A lesson drawn from episodes: when it applies, what works, what does not."""

    id: str
    pattern: str
    category: str
    conditions: list[str] = field(default_factory=list)
    correct_approach: str = ""
    incorrect_approach: str = ""
    confidence: float = 0.8
    source_episodes: list[str] = field(default_factory=list)
    usage_count: int = 0
    last_used: datetime | None = None
    links: list[Link] = field(default_factory=list)
    importance: float = 0.5
    last_accessed: datetime | None = None
    access_count: int = 0

    @classmethod
    def create(
        cls,
        pattern: str,
        category: str,
        conditions: list[str] | None = None,
        correct_approach: str = "",
        incorrect_approach: str = "",
        id_prefix: str = "sem",
    ) -> SemanticPattern:
        """Make a new pattern with an id ``prefix-xxxxxxxx``, last used now."""
        return cls(
            id=f"{id_prefix}-{str(uuid.uuid4())[:8]}",
            pattern=pattern,
            category=category,
            conditions=list(conditions or []),
            correct_approach=correct_approach,
            incorrect_approach=incorrect_approach,
            last_used=times.utc_now(),
        )

    def increment_usage(self) -> None:
        """Count one use and note the time.

        Raises:
            ValueError: The count so far is no number.
        """
        if messages := check_non_negative(self, "usage_count"):
            raise SchemaError(messages[0])
        self.usage_count += 1
        self.last_used = times.utc_now()

    def add_link(self, to_id: str, relation: str, strength: float = 1.0) -> None:
        """Link to another memory.

        Raises:
            ValueError: The link is not valid; nothing is added.
        """
        link = Link(to_id=to_id, relation=relation, strength=strength)
        if messages := link.validate():
            raise SchemaError(f"Invalid link: {'; '.join(messages)}")
        if not isinstance(self.links, list):
            raise SchemaError(f"SemanticPattern.links must be a list, not {self.links!r}")
        self.links.append(link)

    def to_dict(self) -> dict[str, Any]:
        """Write as plain data; times that are not set are left out."""
        data = {
            "id": self.id,
            "pattern": self.pattern,
            "category": self.category,
            "conditions": copied(self.conditions),
            "correct_approach": self.correct_approach,
            "incorrect_approach": self.incorrect_approach,
            "confidence": self.confidence,
            "source_episodes": copied(self.source_episodes),
            "usage_count": self.usage_count,
            "links": write_entries(self.links),
            "importance": self.importance,
            "access_count": self.access_count,
        }
        for name in ("last_used", "last_accessed"):
            if moment := getattr(self, name):
                data[name] = write_moment(moment)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SemanticPattern:
        """Read plain data.

        Raises:
            ValueError: A time is text that is no ISO 8601 time.
        """
        expect_object(cls, data)
        return cls(
            id=data.get("id", ""),
            pattern=data.get("pattern", ""),
            category=data.get("category", ""),
            conditions=copied(data.get("conditions", [])),
            correct_approach=data.get("correct_approach", ""),
            incorrect_approach=data.get("incorrect_approach", ""),
            confidence=data.get("confidence", 0.8),
            source_episodes=copied(data.get("source_episodes", [])),
            usage_count=data.get("usage_count", 0),
            last_used=read_moment(data, "last_used"),
            links=read_entries(Link, data.get("links", [])),
            importance=data.get("importance", 0.5),
            last_accessed=read_moment(data, "last_accessed"),
            access_count=data.get("access_count", 0),
        )

    def validate(self) -> list[str]:
        """List what is wrong, nested parts prefixed; an empty list means valid."""
        return [
            *check_required(self, "id", "pattern", "category"),
            *check_fraction(self, "confidence"),
            *check_non_negative(self, "usage_count"),
            *check_fraction(self, "importance"),
            *check_non_negative(self, "access_count"),
            *check_moment(self, "last_used", optional=True),
            *check_moment(self, "last_accessed", optional=True),
            *check_text(self, "correct_approach", "incorrect_approach"),
            *check_texts(self, "conditions", "source_episodes"),
            *check_nested(self, "links", Link),
        ]
