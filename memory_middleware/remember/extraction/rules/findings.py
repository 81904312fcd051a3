"""What a rule finds in a clause, before it becomes a fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory_middleware.remember.extraction.rules.vocabulary import address_of

__all__ = ["HEDGED", "IMPLIED", "ORDERED", "PLAIN", "USER", "Finding", "Who"]

ORDERED, PLAIN, IMPLIED, HEDGED = 0.95, 0.88, 0.85, 0.6


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a fact is about: the owner, or somebody or something with a name or at least a relation.

    Attributes:
        name: The name; empty for the owner and for somebody known by relation alone.
        relation: What tells two of one name apart, as in the table of relations.
        word: The relation as it was said, for sentences in Chinese.
    """

    name: str = ""
    relation: str = ""
    word: str = field(default="", compare=False)

    @property
    def subject(self) -> str:
        """The subject of an address: ``user``, ``Anna (sister)`` or ``sister``."""
        if self.name and self.relation:
            return f"{self.name} ({self.relation})"
        return self.name or self.relation or "user"

    @property
    def is_user(self) -> bool:
        """Whether this is the owner."""
        return not self.name and not self.relation


USER = Who()


@dataclass(frozen=True, slots=True)
class Finding:
    """One value at one address, or the end of it.

    Attributes:
        attribute: A name from the table of attributes.
        value: The value as it stands in the sentence.
        key: What the address names besides the attribute, if it is keyed; the value unless told.
        variant: Which sentence of the attribute says it.
        who: Whom it is about.
        plain: The value as it stands in the profile; the value unless told.
        day: The date in the sentence.
        ended: That it does not hold any more, with nothing in its place.
        correction: That what stood at this address before was never true.
        change: That what stood at this address before was true until now.
        extra: More for the profile: windows, cadence, category, status.
    """

    attribute: str
    value: str
    key: str = ""
    variant: str = ""
    who: Who = USER
    plain: str = ""
    day: str = ""
    language: str = "en"
    confidence: float = PLAIN
    ended: bool = False
    correction: bool = False
    change: bool = False
    event_time: datetime | None = None
    valid_to: datetime | None = None
    replace: str | None = None
    evidence: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def subject(self) -> str:
        """The subject of its address."""
        return self.who.subject

    @property
    def address(self) -> str:
        """The attribute of its address, as ``city`` or ``taste:coffee``."""
        if "address" in self.extra:
            return str(self.extra["address"])
        return address_of(self.attribute, self.key or self.value)

    @property
    def bare(self) -> str:
        """The value for the profile."""
        return self.plain or self.value
