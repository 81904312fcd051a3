"""Links between patterns: drawn from the same episodes, backing, contradicting or resembling each other."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence

from memory_middleware.remember.experience.merging import is_anti, pattern_similarity
from memory_middleware.remember.experience.overlap import telling_words
from memory_middleware.remember.experience.wording import bare, is_made_by_rules, text_similarity, words_of
from memory_middleware.schemas.experience_parts import Link
from memory_middleware.schemas.pattern import SemanticPattern

__all__ = ["KINDS", "MOST_LINKS", "link_patterns", "links_between", "links_for"]

MOST_LINKS = 10
"""Most links of a pattern."""
KINDS = ("derived_from", "supports", "contradicts", "related_to")
"""The kinds of links that consolidation makes."""

_SUPPORTS, _CONTRADICTS = 0.7, 0.8
# Neighbours are found by the least of these.
_SAME_WAY, _OPPOSITE, _RELATED = 0.8, 0.5, 0.5


def links_between(one: SemanticPattern, other: SemanticPattern) -> list[Link]:
    """Tell how a pattern is linked with another: by shared episodes, and by the strongest of the other kinds."""
    sources, others = set(one.source_episodes or ()), set(other.source_episodes or ())
    shared = len(sources & others) / len(sources | others) if sources & others else 0.0
    found = [Link(other.id, "derived_from", shared)] if shared else []
    likeness = pattern_similarity(one, other)
    if _contradict(one, other):
        found.append(Link(other.id, "contradicts", _CONTRADICTS))
    elif one.category == other.category and (shared or _same_way(one, other)):
        found.append(Link(other.id, "supports", _SUPPORTS))
    elif likeness >= _RELATED:
        found.append(Link(other.id, "related_to", likeness))
    return found


def links_for(pattern: SemanticPattern, others: Iterable[SemanticPattern], room: int = MOST_LINKS) -> list[Link]:
    """Give the links of a pattern, in the order of the others; if there are too many, the strongest."""
    found = [link for other in others if other.id != pattern.id for link in links_between(pattern, other)]
    strongest = sorted(range(len(found)), key=lambda at: (-found[at].strength, at))[: max(0, room)]
    return [found[at] for at in sorted(strongest)]


def link_patterns(patterns: Sequence[SemanticPattern]) -> list[SemanticPattern]:
    """Give those patterns whose links change when all are linked with each other; links of others' making stay."""
    near = _Neighbours(patterns)
    ids = {pattern.id for pattern in patterns}
    changed = []
    for pattern in patterns:
        own = [link for link in pattern.links if link.relation not in KINDS or link.to_id not in ids]
        made = links_for(pattern, near.of(pattern), MOST_LINKS - len(own))
        if [*own, *made] != pattern.links:
            changed.append(dataclasses.replace(pattern, links=[*own, *made]))
    return changed


class _Neighbours:
    """Patterns that may have a link with one: those that share an episode, or enough of what they say or advise."""

    def __init__(self, patterns: Sequence[SemanticPattern]) -> None:
        self._patterns = patterns
        self._frequency = Counter(word for pattern in patterns for text in _texts(pattern) for word in words_of(text))
        self._places: dict[tuple[str, str], list[int]] = {}
        for at, pattern in enumerate(patterns):
            for key in self._keys(pattern):
                self._places.setdefault(key, []).append(at)

    def of(self, pattern: SemanticPattern) -> list[SemanticPattern]:
        found = {at for key in self._keys(pattern) for at in self._places[key]}
        return [self._patterns[at] for at in sorted(found)]

    def _keys(self, pattern: SemanticPattern) -> set[tuple[str, str]]:
        episodes = {("episode", name) for name in pattern.source_episodes or ()}
        said = {
            ("word", word)
            for text in _texts(pattern)
            for word in telling_words(words_of(text), _RELATED, self._frequency)
        }
        return episodes | said


def _texts(pattern: SemanticPattern) -> tuple[str, ...]:
    return bare(pattern.pattern), _said(pattern.correct_approach), _said(pattern.incorrect_approach)


def _contradict(one: SemanticPattern, other: SemanticPattern) -> bool:
    if is_anti(one) == is_anti(other):
        return False
    bad, good = (one, other) if is_anti(one) else (other, one)
    return text_similarity(_said(good.correct_approach), _said(bad.incorrect_approach)) >= _OPPOSITE


def _same_way(one: SemanticPattern, other: SemanticPattern) -> bool:
    return text_similarity(_said(one.correct_approach), _said(other.correct_approach)) >= _SAME_WAY


def _said(approach: str | None) -> str:
    """Give an approach that somebody put into words; tools that good and bad runs both use tell nothing."""
    return "" if not approach or is_made_by_rules(approach) else approach
