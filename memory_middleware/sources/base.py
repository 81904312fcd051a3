"""What can be recalled from, and perhaps written to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from memory_middleware.schemas.items import MemoryContentSnapshot, MemoryItem
from memory_middleware.schemas.scope import Scope

__all__ = ["Exchange", "MemoryKind", "Source"]

MemoryKind = Literal["corrections", "profile", "facts", "dialogue", "short_term", "experience", "documents"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn of an agent node: what it was given and what it answered.

    Attributes:
        role: The name of the agent node.
        inputs_text: What it was given, as one text.
        inputs: The same, whole.
        output: What it answered, whole.
    """

    role: str
    inputs_text: str
    inputs: MemoryContentSnapshot | None = None
    output: MemoryContentSnapshot | None = None


class Source(ABC):
    """A memory that agent nodes can be attached to.

    A subclass must be able to retrieve. One that cannot be written to leaves ``update`` as it is; one that
    keeps nothing outside the process leaves ``load`` and ``save``. All methods may be called from several
    threads at once.

    Attributes:
        name: What attachments call it.
        tells: What kind of memory its items are, which decides their place and their share in a block. An item
            whose metadata has ``tells`` decides for itself.
    """

    name: str
    tells: ClassVar[MemoryKind] = "documents"

    @abstractmethod
    def retrieve(
        self, query: MemoryContentSnapshot, scope: Scope, *, top_k: int, threshold: float = -1.0
    ) -> list[MemoryItem]:
        """Give at most ``top_k`` items for a query, the best first.

        Args:
            query: What is asked, perhaps with images and files.
            scope: Whose memory, in which thread, for which agent.
            top_k: Most items.
            threshold: Least similarity of an item; -1 means any.
        """

    def update(self, exchange: Exchange, scope: Scope) -> None:  # noqa: B027 - a source may be read-only
        """Take over a turn."""

    def load(self) -> None:  # noqa: B027 - a source may keep nothing
        """Read what was kept."""

    def save(self) -> None:  # noqa: B027 - a source may keep nothing
        """Keep what there is."""
