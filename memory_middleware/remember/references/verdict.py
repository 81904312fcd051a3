"""What goes into the detection of references, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.items import MemoryItem
from memory_middleware.schemas.record import MemoryRecord

__all__ = ["Injected", "InjectedLike", "Reference", "ReferenceSettings"]


class InjectedLike(Protocol):
    """Anything with an id and a text."""

    @property
    def id(self) -> str:
        """What the verdict names."""
        ...

    @property
    def text(self) -> str:
        """What the agent was shown."""
        ...


@dataclass(frozen=True, slots=True)
class Injected:
    """A memory as it was shown to the agent."""

    id: str
    text: str

    @classmethod
    def of(cls, memory: MemoryRecord | MemoryItem) -> Injected:
        """Take the content of a record, or the summary of an item."""
        return cls(memory.id, memory.content if isinstance(memory, MemoryRecord) else memory.content_summary)


@dataclass(frozen=True, slots=True)
class Reference:
    """Whether an answer used a memory, and why.

    Attributes:
        memory_id: The memory.
        referenced: The verdict.
        score: From 0 to 1; a memory is referenced from ``ReferenceSettings.threshold`` on.
        signals: What spoke for it and against it; a factor below 1 made the score smaller.
        matched: The terms of the memory that the answer added to the question, in order.
    """

    memory_id: str
    referenced: bool
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)
    matched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceSettings:
    """How strict detection is.

    Attributes:
        threshold: Least score of a reference.
        similarity: Least cosine of a sentence and a memory, the question taken out of both, that counts.
        max_answer_chars: Longer answers are read at their beginning and their end.
        max_sentences: Most sentences that are embedded.
    """

    threshold: float = 0.4
    similarity: float = 0.25
    max_answer_chars: int = 12_000
    max_sentences: int = 32

    def __post_init__(self) -> None:
        for name in ("threshold", "similarity"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise InvalidInputError(f"{name} must be above 0 and at most 1, not {getattr(self, name)!r}")
        for name in ("max_answer_chars", "max_sentences"):
            if getattr(self, name) < 1:
                raise InvalidInputError(f"{name} must be 1 or more, not {getattr(self, name)!r}")
