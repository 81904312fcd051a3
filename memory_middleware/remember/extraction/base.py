"""The port of extractors, and what goes in and out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import Dialogue, Fact
from memory_middleware.schemas.record import MemoryRecord

__all__ = ["Extraction", "ExtractionBatch", "Extractor", "Retraction"]


@dataclass(frozen=True, slots=True)
class ExtractionBatch:
    """What an extractor reads.

    Attributes:
        rounds: The rounds, the oldest first. Injected memory is already taken out of them.
        known: Records near to what the rounds say, for ``replace``.
        max_facts: At most so many facts are wanted.
        auto_tag: Whether the extractor may choose tags.
        language: The language of prompts, ``en`` or ``zh``.
        before: The round before the first one, read earlier; "I was joking" may mean it.
    """

    rounds: tuple[Dialogue, ...]
    known: tuple[MemoryRecord, ...] = ()
    max_facts: int = 10
    auto_tag: bool = True
    language: str = "en"
    before: Dialogue | None = None

    @property
    def today(self) -> datetime:
        """The moment of the last round."""
        return self.rounds[-1].created_at if self.rounds else times.utc_now()


@dataclass(frozen=True, slots=True)
class Retraction:
    """What is not true any more, or never was, with nothing in its place.

    Attributes:
        subject: Of which address.
        attribute: Of which address; none means that ``content`` names the record.
        content: The text of the record, if there is no address.
        evidence: The ids of the rounds that say so.
        rounds: The ids of rounds whose facts were never meant, as after "I was joking".
        said_at: When it was said; filled in from the evidence.
        cited: The rounds of the evidence; filled in, since whose words they are decides what they can end.
    """

    subject: str | None = None
    attribute: str | None = None
    content: str | None = None
    evidence: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    said_at: datetime | None = None
    cited: tuple[Dialogue, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor found; all of it may be empty.

    Attributes:
        facts: The facts, the most useful first. Each names the rounds it came from as evidence.
        retractions: What does not hold any more.
        profile_patch: Parts of the profiles to set, as ``{"user": {…}, "work": {…}}``. Lists hold entries to add
            or to change, found again by their name; what is not named stays.
        profile_removals: Parts to take out, in the same shape: a list names entries, namesakes with
            their relationship, and null clears a value.
    """

    facts: tuple[Fact, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    profile_patch: Mapping[str, Any] = field(default_factory=dict)
    profile_removals: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class Extractor(Protocol):
    """Draws facts from rounds. Finding nothing is an empty ``Extraction``; failing raises ``ExtractionError``."""

    def extract(self, batch: ExtractionBatch) -> Extraction:
        """Read a batch."""
        ...

    async def aextract(self, batch: ExtractionBatch) -> Extraction:
        """Read a batch; the async twin."""
        ...
