"""Lessons as episodes suggest them, by rules or in a writer's words."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from langchain_core.embeddings import Embeddings

from memory_middleware.remember.experience.clusters import Cluster, cluster_traces
from memory_middleware.remember.experience.drafts import LEAST_EPISODES, anti_patterns, pattern_of
from memory_middleware.remember.experience.merging import KnownPatterns, is_anti
from memory_middleware.remember.experience.skills import skill_of, skill_of_pattern
from memory_middleware.remember.experience.steps import common_steps
from memory_middleware.remember.experience.traces import Trace
from memory_middleware.remember.experience.writer import PatternWriter, Wording
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.schemas.skill import ProceduralSkill

__all__ = ["Draft", "draft_lessons", "put_into_words"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A lesson as the episodes suggest it: a pattern, perhaps a skill, and the episodes themselves."""

    pattern: SemanticPattern
    cluster: Cluster
    skill: ProceduralSkill | None = None


def draft_lessons(traces: Sequence[Trace], *, now: datetime, embed: Embeddings | None = None) -> list[Draft]:
    """Draw patterns and skills from what succeeded, and anti-patterns from what failed; pure but for the embedder.

    Args:
        traces: The oldest first.
        now: When it is.
        embed: Compares goals by meaning.

    Raises:
        EmbeddingError: The embedder failed.
    """
    successes = [trace for trace in traces if trace.outcome == "success"]
    clusters = [found for found in cluster_traces(successes, embed) if len(found.members) >= LEAST_EPISODES]
    drafts = [_draft(found, now) for found in clusters]
    return [*drafts, *(Draft(pattern, Cluster()) for pattern in anti_patterns(traces, now))]


def put_into_words(
    drafts: Sequence[Draft],
    writer: PatternWriter,
    patterns: Sequence[SemanticPattern],
    skills: Mapping[str, ProceduralSkill],
) -> list[Draft]:
    """Have new patterns and skills put into words; known ones have theirs, and anti-patterns say their error.

    Args:
        drafts: The lessons.
        writer: Puts them into words.
        patterns: The patterns that are there.
        skills: The skills that are there.
    """
    known = KnownPatterns(patterns)
    worded = []
    for draft in drafts:
        found = known.find(draft.pattern)
        has_skill = draft.skill is None or (found is not None and skill_of_pattern(found, skills) is not None)
        wanted = not is_anti(draft.pattern) and not (found is not None and has_skill)
        words = writer.word(draft.cluster, draft.skill.steps if draft.skill else []) if wanted else None
        worded.append(_said(draft, words) if words is not None else draft)
    return worded


def _draft(cluster: Cluster, now: datetime) -> Draft:
    common = common_steps([[step.name for step in trace.steps] for trace in cluster.members])
    return Draft(pattern_of(cluster, common, now), cluster, skill_of(cluster.members, common))


def _said(draft: Draft, words: Wording) -> Draft:
    pattern = dataclasses.replace(
        draft.pattern,
        pattern=words.pattern or draft.pattern.pattern,
        correct_approach=words.correct_approach or draft.pattern.correct_approach,
        incorrect_approach=words.incorrect_approach or draft.pattern.incorrect_approach,
    )
    skill = draft.skill
    if skill is not None:
        named = ProceduralSkill.create(words.skill_name or skill.name, skill.description, skill.steps)
        told = words.skill_description or skill.description
        skill = dataclasses.replace(skill, id=named.id, name=named.name, description=told)
    return dataclasses.replace(draft, pattern=pattern, skill=skill)
