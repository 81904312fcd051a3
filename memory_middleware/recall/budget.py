"""Fitting sections into a token budget: whole lines, first ones first, never one token over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_middleware.recall.sections import Section
from memory_middleware.tokens import TokenCounter

__all__ = ["FittedBlock", "SectionCost", "fit_sections"]


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
    costs: tuple[SectionCost, ...]

    @property
    def dropped(self) -> int:
        """How many lines found no room."""
        return sum(cost.dropped for cost in self.costs)


def fit_sections(heading: str, sections: Sequence[Section], budget: int, counter: TokenCounter) -> FittedBlock:
    """Fit sections under a heading into a budget.

    Lines are taken by the priority of their section, then in order, while they fit; a line that does
    not fit is skipped, a shorter one after it may still find room. With no line kept there is no
    block, and no heading either.

    Args:
        heading: The block's first line.
        sections: What to tell, in the order to tell it.
        budget: The most tokens of the whole text.
        counter: Counts them.
    """
    kept: dict[int, list[str]] = {}
    left = budget - counter.count(heading)
    for at, section in _by_priority(sections):
        opening = counter.count(f"\n## {section.title}\n") + 1
        for line in section.lines:
            cost = counter.count(f"- {line}\n") + (0 if at in kept else opening)
            if cost <= left:
                kept.setdefault(at, []).append(line)
                left -= cost
    return _settle(heading, sections, kept, budget, counter)


def _by_priority(sections: Sequence[Section]) -> list[tuple[int, Section]]:
    return sorted(enumerate(sections), key=lambda pair: pair[1].priority)


def _settle(
    heading: str, sections: Sequence[Section], kept: dict[int, list[str]], budget: int, counter: TokenCounter
) -> FittedBlock:
    """Count the joined text exactly, and give up last lines should joining have cost more than its parts."""
    text = _render(heading, sections, kept)
    while kept and counter.count(text) > budget:
        last = [at for at, _ in _by_priority(sections) if at in kept][-1]
        kept[last].pop()
        if not kept[last]:
            del kept[last]
        text = _render(heading, sections, kept)
    costs = tuple(
        SectionCost(
            name=section.name,
            title=section.title,
            tokens=counter.count(_render_section(section.title, kept[at])) if at in kept else 0,
            kept=len(kept.get(at, ())),
            dropped=len(section.lines) - len(kept.get(at, ())),
        )
        for at, section in enumerate(sections)
    )
    return FittedBlock(text, counter.count(text), costs)


def _render(heading: str, sections: Sequence[Section], kept: dict[int, list[str]]) -> str:
    if not kept:
        return ""
    parts = [_render_section(sections[at].title, lines) for at, lines in sorted(kept.items())]
    return "\n".join((heading, *parts))


def _render_section(title: str, lines: Sequence[str]) -> str:
    return "\n".join((f"\n## {title}", *(f"- {line}" for line in lines)))
