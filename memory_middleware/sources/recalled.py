"""What the manager recalled, and how it reads in a prompt."""

from __future__ import annotations

from dataclasses import dataclass

from memory_middleware.schemas.items import MemoryItem
from memory_middleware.schemas.neutral import contained

__all__ = ["Recalled", "RecalledItem"]

_HEAD = "===== Related Memories ====="
_FOOT = "===== End of Memory ====="


@dataclass(frozen=True, slots=True)
class RecalledItem:
    """An item, and where it comes from.

    Attributes:
        source: The name of its source.
        item: The item.
        score: The manager's; it puts the items of all sources into one order.
        budget_share: What its attachment says about the budget, for those who divide it.
        place: Where it stands among the items of its source, the best at 0.
    """

    source: str
    item: MemoryItem
    score: float
    budget_share: float | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Recalled:
    """All that was recalled for one stage of a turn, the best first.

    Attributes:
        items: The items of all sources.
        problems: Sources that failed, each with its error as text; only if failures are skipped.
    """

    items: tuple[RecalledItem, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()

    @property
    def by_source(self) -> dict[str, list[MemoryItem]]:
        """The items of each source, the source of the best item first."""
        groups: dict[str, list[MemoryItem]] = {}
        for recalled in self.items:
            groups.setdefault(recalled.source, []).append(recalled.item)
        return groups

    @property
    def formatted_text(self) -> str:
        """The summaries as text for a prompt; empty if nothing was recalled."""
        if not self.items:
            return ""
        lines = [_HEAD]
        for source, items in self.by_source.items():
            lines += ["", f"--- {source} ---"]
            lines += [f"{number}. {contained(item.content_summary)}" for number, item in enumerate(items, start=1)]
        return "\n".join([*lines, "", _FOOT])
