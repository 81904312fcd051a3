"""Fitting sections into a token budget: what matters most first, never one token over.

Room is given out line by line, in the order of classes, sections and lines. What a class may take is all that is
left, but for the parts reserved for the classes after it, as far as those have something to tell. So a
larger budget never costs a line but for the sake of one that matters more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from memory_middleware.errors import InvalidInputError
from memory_middleware.recall.secrets import without_secrets
from memory_middleware.recall.sections import Line, MemoryClass, Section
from memory_middleware.recall.shorten import shorten
from memory_middleware.schemas.neutral import neutralise
from memory_middleware.tokens import TokenCounter

__all__ = ["FittedBlock", "ManifestEntry", "SectionCost", "fit_sections"]

_CLASSES = tuple(MemoryClass)
_LEAST_TOKENS = 12
_LEAST_PART = 0.4
_DASH = 3
_LONGEST_TOKEN = 128


class ManifestEntry(NamedTuple):
    """What became of one line.

    Attributes:
        id: What it tells of, if it was said.
        section: Where it stands.
        status: ``kept``, ``shortened`` or ``dropped``.
        why: Why it was not kept whole.
        tokens: What it costs.
    """

    id: str | None
    section: str
    status: Literal["kept", "shortened", "dropped"]
    why: str
    tokens: int


@dataclass(frozen=True)
class SectionCost:
    """What became of one section: its tokens, and how many of its lines were kept and dropped."""

    name: str
    title: str
    tokens: int
    kept: int
    dropped: int


@dataclass(frozen=True)
class FittedBlock:
    """A block's text, what it costs, and what was left out."""

    text: str
    tokens: int
    manifest: tuple[ManifestEntry, ...]
    _sections: tuple[tuple[Section, tuple[str, ...]], ...] = field(repr=False)
    _counter: TokenCounter = field(repr=False, compare=False)

    @property
    def dropped(self) -> int:
        """How many lines found no room."""
        return sum(len(section.lines) - len(kept) for section, kept in self._sections)

    @property
    def kept(self) -> dict[str, int]:
        """How many lines of each section found room."""
        found: dict[str, int] = {}
        for section, kept in self._sections:
            found[section.name] = found.get(section.name, 0) + len(kept)
        return found

    @cached_property
    def costs(self) -> tuple[SectionCost, ...]:
        """What became of each section; its tokens are counted when they are asked for."""
        return tuple(
            SectionCost(
                section.name,
                section.title,
                self._counter.count(_render_section(section.title, kept)) if kept else 0,
                len(kept),
                len(section.lines) - len(kept),
            )
            for section, kept in self._sections
        )


def fit_sections(
    heading: str,
    sections: Sequence[Section],
    budget: int,
    counter: TokenCounter,
    *,
    shares: Mapping[MemoryClass, float] | None = None,
    caps: Mapping[str, float] | None = None,
) -> FittedBlock:
    """Fit sections under a heading into a budget.

    A line that does not fit is cut at the end of a sentence, if enough of it remains; else it is left
    out, and a shorter one after it may still find room. With no line kept there is no block, and no
    heading either.

    Args:
        heading: The block's first line.
        sections: What to tell, in the order to tell it.
        budget: The most tokens of the whole text.
        counter: Counts them.
        shares: Parts of the budget reserved for classes.
        caps: Most parts of the budget that lines of a source may take.

    Raises:
        InvalidInputError: A share lies outside 0 to 1, or they add up to more than 1.
    """
    for name, part in (*(shares or {}).items(), *(caps or {}).items()):
        if not 0.0 <= part <= 1.0:
            raise InvalidInputError(f"the share of {name} must be from 0 to 1, not {part!r}")
    if sum((shares or {}).values()) > 1.0 + 1e-9:
        raise InvalidInputError(f"shares add up to {sum((shares or {}).values()):g}; they must not pass 1")
    for section in sections:
        if not isinstance(section, Section):
            raise InvalidInputError(f"a block is made of sections, not {section!r}; see record_sections for records")
    return _Fitting(heading, sections, budget, counter, shares or {}, caps or {}).fit()


class _Fitting:
    def __init__(
        self,
        heading: str,
        sections: Sequence[Section],
        budget: int,
        counter: TokenCounter,
        shares: Mapping[MemoryClass, float],
        caps: Mapping[str, float],
    ) -> None:
        self._heading = heading
        self._sections = [_titled(section) for section in sections]
        self._budget = budget
        self._counter = counter
        self._shares = shares
        self._caps = {source: part * budget for source, part in caps.items()}
        self._lines = without_secrets([_lines(section) for section in sections])
        # No token of any encoding covers more bytes; longer texts need no counting to be too long.
        self._longest = _LONGEST_TOKEN * (budget / counter.factor + 1)
        self._costs = [[self._cost(line.text) for line in lines] for lines in self._lines]
        self._kept: dict[int, dict[int, str]] = {}
        self._status: dict[tuple[int, int], ManifestEntry] = {}
        self._left = float(budget - counter.count(heading))
        self._taken: dict[str, float] = {}
        self._reserved = self._reservations()

    def fit(self) -> FittedBlock:
        order = sorted(range(len(self._sections)), key=lambda at: _CLASSES.index(self._sections[at].memory_class))
        for at in order:
            room = self._left - self._reserved_after(self._sections[at].memory_class)
            for number, line in enumerate(self._lines[at]):
                room -= self._take(at, number, line, room)
        return self._settled(order)

    def _reserved_after(self, memory_class: MemoryClass) -> float:
        later = _CLASSES[_CLASSES.index(memory_class) + 1 :]
        return sum(self._reserved.get(other, 0.0) for other in later)

    def _reservations(self) -> dict[MemoryClass, float]:
        """Tell what is kept for each class: its share, or what it would take if it could, if that is less."""
        demand: dict[MemoryClass, float] = {}
        for section, costs in zip(self._sections, self._costs, strict=True):
            if costs and self._shares.get(section.memory_class):
                wanted = self._opening(section) + sum(costs)
                demand[section.memory_class] = demand.get(section.memory_class, 0.0) + wanted
        return {kind: min(self._shares[kind] * self._budget, wanted) for kind, wanted in demand.items()}

    def _take(self, at: int, number: int, line: Line, room: float) -> float:
        """Keep a line if there is room, whole or shortened, and tell what it cost."""
        section = self._sections[at]
        opening = 0.0 if at in self._kept else self._opening(section)
        within = room
        if line.source in self._caps:
            within = min(within, self._caps[line.source] - self._taken.get(line.source, 0.0))
        text, status, why = line.text, "kept", ""
        whole = cost = self._costs[at][number]
        if whole + opening > within:
            text = ""
            if whole < math.inf:
                least = max(_LEAST_TOKENS, int(_LEAST_PART * whole))
                text = shorten(line.text, int(within - opening) - _DASH, self._counter, least=least)
            status, why = ("shortened", "the rest found no room") if text else ("dropped", "no room")
            if line.source in self._caps and within < room:
                why = f"{line.source} has used its share"
            cost = self._cost(text) if text else 0.0
        cost = cost + opening if text else 0.0
        if text and cost > within:
            text, cost, status, why = "", 0.0, "dropped", why or "no room"
        if text:
            self._kept.setdefault(at, {})[number] = text
            self._left -= cost
            if line.source is not None:
                self._taken[line.source] = self._taken.get(line.source, 0.0) + cost
        entry = ManifestEntry(line.id, section.name, status, why, int(cost))  # type: ignore[arg-type]
        self._status[at, number] = entry
        return cost

    def _settled(self, order: Sequence[int]) -> FittedBlock:
        """Count the joined text exactly, and give up last lines should joining have cost more than its parts."""
        text = self._render()
        while self._kept and self._counter.count(text) > self._budget:
            last = next(at for at in reversed(order) if at in self._kept)
            number = max(self._kept[last])
            del self._kept[last][number]
            self._status[last, number] = self._status[last, number]._replace(status="dropped", why="no room", tokens=0)
            if not self._kept[last]:
                del self._kept[last]
            text = self._render()
        manifest = tuple(self._status[place] for place in sorted(self._status))
        told = tuple((section, tuple(self._kept.get(at, {}).values())) for at, section in enumerate(self._sections))
        return FittedBlock(text, self._counter.count(text), manifest, told, self._counter)

    def _render(self) -> str:
        if not self._kept:
            return ""
        parts = [
            _render_section(self._sections[at].title, list(kept.values())) for at, kept in sorted(self._kept.items())
        ]
        return "\n".join((self._heading, *parts))

    def _opening(self, section: Section) -> float:
        return self._counter.count(f"\n## {section.title}\n") + 1

    def _cost(self, text: str) -> float:
        if len(text) > self._longest:
            return math.inf
        return self._counter.count(f"- {text}\n")


def _lines(section: Section) -> list[Line]:
    """Give the lines, safe to stand in a block whoever made them."""
    lines = (line if isinstance(line, Line) else Line(line) for line in section.lines)
    return [line if line.is_neutral else replace(line, text=neutralise(line.text)) for line in lines]


def _titled(section: Section) -> Section:
    title = neutralise(section.title)
    return section if title == section.title else replace(section, title=title)


def _render_section(title: str, lines: Sequence[str]) -> str:
    return "\n".join((f"\n## {title}", *(f"- {line}" for line in lines)))
