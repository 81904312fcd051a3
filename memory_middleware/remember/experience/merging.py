"""Deciding whether a pattern is known already, and joining it with the one that is there."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from memory_middleware.remember.experience.drafts import (
    MOST_ANTI_CONFIDENCE,
    MOST_CONFIDENCE,
    anti_confidence,
    pattern_confidence,
    pattern_id,
)
from memory_middleware.remember.experience.overlap import telling_words
from memory_middleware.remember.experience.wording import (
    ANTI_PATTERN,
    bare,
    is_made_by_rules,
    text_similarity,
    words_of,
)
from memory_middleware.schemas.pattern import SemanticPattern

__all__ = ["ALIKE", "ALIKE_ANTI", "KnownPatterns", "is_anti", "merge", "pattern_similarity"]

ALIKE = 0.8
"""Least similarity at which two patterns are one."""
ALIKE_ANTI = 0.6
"""Least similarity at which two anti-patterns are one."""

_PER_MERGE = 0.05
_MOST_CONDITIONS = 10


def is_anti(pattern: SemanticPattern) -> bool:
    """Tell an anti-pattern."""
    return pattern.category == ANTI_PATTERN


def pattern_similarity(one: SemanticPattern, other: SemanticPattern) -> float:
    """Tell how alike two patterns are by what they say; words that rules put into every pattern do not count."""
    return text_similarity(bare(one.pattern), bare(other.pattern))


def merge(known: SemanticPattern, new: SemanticPattern) -> SemanticPattern:
    """Join a new pattern with a known one, whose id, use and own words stay.

    Episodes that were counted already prove nothing new: without another one, the known pattern stays as it is.
    """
    sources = list(dict.fromkeys([*(known.source_episodes or ()), *new.source_episodes]))
    if len(sources) == len(known.source_episodes or ()):
        return known
    by_support = (anti_confidence if is_anti(known) else pattern_confidence)(len(sources))
    most = MOST_ANTI_CONFIDENCE if is_anti(known) else MOST_CONFIDENCE
    conditions = list(dict.fromkeys([*(known.conditions or ()), *new.conditions]))
    return dataclasses.replace(
        known,
        pattern=_better(known.pattern, new.pattern),
        conditions=conditions[: max(_MOST_CONDITIONS, len(known.conditions or ()))],
        correct_approach=_better(known.correct_approach, new.correct_approach),
        incorrect_approach=_better(known.incorrect_approach, new.incorrect_approach),
        confidence=max(known.confidence, by_support, min(most, known.confidence + _PER_MERGE)),
        source_episodes=sources,
        last_used=new.last_used or known.last_used,
    )


class KnownPatterns:
    """The patterns that are there, looked up by what they were drawn from and by what they say."""

    def __init__(self, patterns: Iterable[SemanticPattern]) -> None:
        self.by_id: dict[str, SemanticPattern] = {}
        self._citing: dict[str, set[str]] = {}
        self._saying: dict[str, set[str]] = {}
        for pattern in patterns:
            self.put(pattern)

    def put(self, pattern: SemanticPattern) -> None:
        """Take in a pattern, or its new version."""
        self.by_id[pattern.id] = pattern
        for episode in pattern.source_episodes or ():
            self._citing.setdefault(episode, set()).add(pattern.id)
        for word in telling_words(words_of(bare(pattern.pattern)), ALIKE_ANTI):
            self._saying.setdefault(word, set()).add(pattern.id)

    def find(self, new: SemanticPattern) -> SemanticPattern | None:
        """Find the pattern that a new one is a version of, or none.

        One whose id follows from one of its episodes is; so is one that was drawn from all of them, and one that
        says the same. An anti-pattern is known by its error alone.
        """
        if is_anti(new):
            own = self.by_id.get(new.id)
            return own if own is not None and is_anti(own) else self._alike(new, ALIKE_ANTI)
        return self._drawn_from(new.source_episodes) or self._covering(new.source_episodes) or self._alike(new, ALIKE)

    def free_id(self, *parts: str) -> str:
        """Derive an id that no other pattern has."""
        attempt = 0
        while (made := pattern_id(*parts, attempt=attempt)) in self.by_id:
            attempt += 1
        return made

    def _covering(self, episodes: Sequence[str]) -> SemanticPattern | None:
        citing = [self._citing.get(episode, set()) for episode in episodes]
        shared = sorted(set.intersection(*citing)) if citing else []
        return next((self.by_id[name] for name in shared if not is_anti(self.by_id[name])), None)

    def _drawn_from(self, episodes: Sequence[str]) -> SemanticPattern | None:
        for episode in episodes:
            found = self.by_id.get(pattern_id(episode))
            if found is not None and not is_anti(found) and episode in (found.source_episodes or ()):
                return found
        return None

    def _alike(self, new: SemanticPattern, least: float) -> SemanticPattern | None:
        words = telling_words(words_of(bare(new.pattern)), ALIKE_ANTI)
        near = {name for word in words for name in self._saying.get(word, ())}
        family = [self.by_id[name] for name in sorted(near) if is_anti(self.by_id[name]) == is_anti(new)]
        best = max(family, key=lambda known: pattern_similarity(known, new), default=None)
        return best if best is not None and pattern_similarity(best, new) >= least else None


def _better(known: str, new: str) -> str:
    """Keep known words, unless there are none or rules made them and have newer ones."""
    return new if new and (not known or is_made_by_rules(known)) else known
