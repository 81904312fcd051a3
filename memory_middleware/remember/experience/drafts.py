"""Patterns, anti-patterns and skills as clusters of episodes suggest them, before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from memory_middleware.remember.experience.clusters import Cluster
from memory_middleware.remember.experience.steps import CommonSteps
from memory_middleware.remember.experience.traces import Trace
from memory_middleware.remember.experience.wording import (
    ANTI_PATTERN,
    describe_goals,
    language_of,
    says,
)
from memory_middleware.schemas.experience_parts import ErrorFix
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.pattern import SemanticPattern

__all__ = [
    "LEAST_EPISODES",
    "MOST_ANTI_CONFIDENCE",
    "MOST_CONFIDENCE",
    "anti_confidence",
    "anti_patterns",
    "error_fixes",
    "pattern_confidence",
    "pattern_id",
    "pattern_of",
    "told_steps",
]

LEAST_EPISODES = 2
"""A pattern needs so many episodes."""

MOST_CONFIDENCE = 0.95
"""No pattern is surer than this by what episodes show."""
MOST_ANTI_CONFIDENCE = 0.8
"""No anti-pattern is surer than this."""

_MOST_CONDITIONS, _MOST_ACTIONS, _MOST_FIXES = 3, 5, 5


def pattern_confidence(support: int) -> float:
    """Tell how sure a pattern is that so many episodes show."""
    return min(MOST_CONFIDENCE, 0.5 + 0.1 * support)


def anti_confidence(support: int) -> float:
    """Tell how sure an anti-pattern is that so many failures show."""
    return min(MOST_ANTI_CONFIDENCE, 0.4 + 0.1 * support)


def pattern_id(*parts: str, attempt: int = 0) -> str:
    """Derive the id of a pattern from what it was drawn from: ``sem-xxxxxxxx``."""
    return f"sem-{derive_id('sem', *parts, *([attempt] if attempt else []))[4:12]}"


def pattern_of(cluster: Cluster, common: CommonSteps | None, now: datetime) -> SemanticPattern:
    """Draw a pattern from a cluster of successful episodes; its id follows from the oldest one.

    Args:
        cluster: The episodes.
        common: The steps that they have in common, if any.
        now: When it is.
    """
    goals, members = cluster.goals, cluster.members
    distinct = list(dict.fromkeys(goals))
    return SemanticPattern(
        id=pattern_id(members[0].id),
        pattern=describe_goals(goals),
        category=cluster.task_type,
        conditions=distinct[:_MOST_CONDITIONS],
        correct_approach=_approach(members, common, language_of(goals)),
        confidence=pattern_confidence(len(members)),
        source_episodes=[trace.id for trace in members],
        last_used=now,
    )


def anti_patterns(traces: Iterable[Trace], now: datetime) -> list[SemanticPattern]:
    """Draw an anti-pattern from each kind of error that failed episodes met."""
    met: dict[str, list[tuple[Trace, str]]] = {}
    names: dict[str, str] = {}
    for trace in traces:
        if trace.outcome != "failure":
            continue
        for error in trace.errors:
            key = error.kind.casefold()
            names.setdefault(key, error.kind)
            met.setdefault(key, []).append((trace, error.fix))
    return [_anti_pattern(names[key], found, now) for key, found in met.items()]


def error_fixes(traces: Iterable[Trace]) -> list[ErrorFix]:
    """List the kinds of errors that were overcome, each with the remedy that helped most often."""
    remedies: dict[str, Counter[str]] = {}
    for trace in traces:
        for error in trace.errors:
            if error.fix:
                remedies.setdefault(error.kind, Counter())[error.fix] += 1
    ranked = sorted(remedies.items(), key=lambda found: (-found[1].total(), found[0]))
    return [ErrorFix(kind, _most_common(fixes)) for kind, fixes in ranked[:_MOST_FIXES]]


def told_steps(found: CommonSteps, members: Sequence[Trace]) -> list[str]:
    """Say common steps, each with the kind of file if it was the same in all runs that have them."""
    kinds: dict[str, set[str]] = {}
    for at in found.support:
        for step in members[at].steps:
            kinds.setdefault(step.name, set()).add(step.kind)
    return [f"{name} {kinds[name].copy().pop()}".strip() if len(kinds[name]) == 1 else name for name in found.names]


def _approach(members: Sequence[Trace], common: CommonSteps | None, language: str) -> str:
    fixes = [says(language, "fix", error=known.error, fix=known.fix) for known in error_fixes(members)]
    if common is not None:
        return "; ".join([says(language, "steps") + " → ".join(told_steps(common, members)), *fixes])
    return says(language, "overcame") + "; ".join(fixes) if fixes else ""


def _anti_pattern(kind: str, found: Sequence[tuple[Trace, str]], now: datetime) -> SemanticPattern:
    traces = {trace.id: trace for trace, _fix in found}
    language = language_of(trace.goal for trace in traces.values())
    actions = Counter(action for trace in traces.values() for action in trace.last_actions)
    common = ", ".join(action for action, _count in actions.most_common(_MOST_ACTIONS))
    return SemanticPattern(
        id=pattern_id(ANTI_PATTERN, kind.casefold()),
        pattern=says(language, "avoid") + kind,
        category=ANTI_PATTERN,
        conditions=[says(language, "met", error=kind)],
        correct_approach=_most_common(Counter(fix for _trace, fix in found if fix)),
        incorrect_approach=says(language, "before") + common if common else "",
        confidence=anti_confidence(len(traces)),
        source_episodes=list(traces),
        last_used=now,
    )


def _most_common(texts: Counter[str]) -> str:
    """Give the text that comes most often, of several the one that came first."""
    return max(texts, key=lambda text: texts[text]) if texts else ""
