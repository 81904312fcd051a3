"""Drawing lessons from an owner's episodes: patterns, anti-patterns, skills and the links between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from langchain_core.embeddings import Embeddings

from memory_middleware.remember.experience.lessons import Draft, draft_lessons, put_into_words
from memory_middleware.remember.experience.linking import link_patterns
from memory_middleware.remember.experience.merging import KnownPatterns, is_anti, merge
from memory_middleware.remember.experience.skills import free_skill, skill_of_pattern, update_skill
from memory_middleware.remember.experience.traces import Trace, read_traces, trace_of
from memory_middleware.remember.experience.writer import PatternWriter
from memory_middleware.remember.tombs import mark_of
from memory_middleware.schemas.episode import EpisodeTrace
from memory_middleware.schemas.experience_parts import Link
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.schemas.scope import Scope
from memory_middleware.schemas.skill import ProceduralSkill
from memory_middleware.storage.documents import Experience
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.experience import ExperienceRepository

__all__ = ["MOST_EPISODES", "ConsolidationReport", "consolidate"]

MOST_EPISODES = 10_000
"""So many of the newest episodes are looked at; what older ones taught stays."""

_PAGE = 500


@dataclass(frozen=True, slots=True)
class ConsolidationReport:
    """What a consolidation changed."""

    patterns_created: int = 0
    patterns_merged: int = 0
    anti_patterns_created: int = 0
    skills_created: int = 0
    skills_updated: int = 0
    links_created: int = 0
    episodes_processed: int = 0


def consolidate(
    memories: Repositories,
    scope: Scope,
    *,
    now: datetime,
    embed: Embeddings | None = None,
    writer: PatternWriter | None = None,
    most: int = MOST_EPISODES,
) -> ConsolidationReport:
    """Draw lessons from an owner's episodes and write what is new, in one transaction.

    Reading, embedding and the writer's model come first and hold no lock. Done twice with the same episodes, the
    second time changes nothing; two at once do not write twice.

    Args:
        memories: Where the experience is.
        scope: Whose.
        now: When it is.
        embed: Compares goals by meaning; without it they are compared by type of task and words.
        writer: Puts new patterns into words; without it rules do.
        most: So many of the newest episodes are looked at.

    Raises:
        EmbeddingError: The embedder failed; nothing is written.
        StoreError: The database failed; nothing is written.
    """
    experience = memories.experience
    traces = read_traces(experience, scope, most)
    drafts = draft_lessons(traces, now=now, embed=embed)
    if writer is not None:
        drafts = put_into_words(drafts, writer, *_stored(experience, scope))
    with memories.database.writing():
        work = _Consolidation(*_stored(experience, scope))
        for draft in _not_forgotten(memories, scope, drafts):
            work.take(draft)
        work.link()
        experience.put(scope, work.changed())
    return dataclasses.replace(work.report, episodes_processed=len(traces))


def _not_forgotten(memories: Repositories, scope: Scope, drafts: Sequence[Draft]) -> list[Draft]:
    """Leave out lessons that were forgotten while their episodes stayed, or whose episodes were forgotten meanwhile."""
    gone = memories.tombstones.among(scope, [mark_of(draft.pattern.id) for draft in drafts])
    told = {member.id for draft in drafts for member in draft.cluster.members}
    goals = {
        one.id: trace_of(one).goal for one in memories.experience.get_many(scope, told) if isinstance(one, EpisodeTrace)
    }
    return [
        draft
        for draft in drafts
        if mark_of(draft.pattern.id) not in gone
        and all(goals.get(member.id) == member.goal for member in draft.cluster.members)
    ]


class _Consolidation:
    """Takes drafts one by one, and keeps count of what they change."""

    def __init__(self, patterns: Sequence[SemanticPattern], skills: dict[str, ProceduralSkill]) -> None:
        self.report = ConsolidationReport()
        self._known = KnownPatterns(patterns)
        self._skills = skills
        self._touched: dict[tuple[type[Experience], str], Experience] = {}

    def take(self, draft: Draft) -> None:
        """Take in a draft: a new pattern, or news of a known one, and its skill."""
        known = self._known.find(draft.pattern)
        if known is None:
            pattern = self._create(draft.pattern)
        else:
            pattern = merge(known, draft.pattern)
            if pattern != known:
                self._count("patterns_merged")
                self._keep(pattern)
        if draft.skill is not None:
            self._take_skill(pattern, draft.skill, draft.cluster.members)

    def link(self) -> None:
        """Link all patterns, if any of them is new or changed."""
        if not any(isinstance(memory, SemanticPattern) for memory in self._touched.values()):
            return
        for pattern in link_patterns(sorted(self._known.by_id.values(), key=lambda known: known.id)):
            before = {(link.to_id, link.relation) for link in self._known.by_id[pattern.id].links}
            added = {(link.to_id, link.relation) for link in pattern.links} - before
            self._count("links_created", len(added))
            self._keep(pattern)

    def changed(self) -> list[Experience]:
        """List what must be written."""
        return list(self._touched.values())

    def _create(self, draft: SemanticPattern) -> SemanticPattern:
        taken = draft.id in self._known.by_id
        pattern = dataclasses.replace(draft, id=self._known.free_id(draft.id)) if taken else draft
        self._count("anti_patterns_created" if is_anti(pattern) else "patterns_created")
        self._keep(pattern)
        return pattern

    def _take_skill(self, pattern: SemanticPattern, new: ProceduralSkill, members: Sequence[Trace]) -> None:
        known = skill_of_pattern(pattern, self._skills)
        if known is not None:
            updated = update_skill(known, new, members)
            if updated != known:
                self._count("skills_updated")
                self._keep(updated)
            return
        skill = free_skill(new, self._skills)
        if skill.id not in self._skills:
            self._count("skills_created")
            self._keep(skill)
        self._count("links_created")
        self._keep(dataclasses.replace(pattern, links=[*pattern.links, Link(skill.id, "supports")]))

    def _keep(self, memory: SemanticPattern | ProceduralSkill) -> None:
        if isinstance(memory, SemanticPattern):
            self._known.put(memory)
        else:
            self._skills[memory.id] = memory
        self._touched[type(memory), memory.id] = memory

    def _count(self, name: str, number: int = 1) -> None:
        self.report = dataclasses.replace(self.report, **{name: getattr(self.report, name) + number})


def _stored(experience: ExperienceRepository, scope: Scope) -> tuple[list[SemanticPattern], dict[str, ProceduralSkill]]:
    patterns = [one for one in _every(experience, scope, "pattern") if isinstance(one, SemanticPattern)]
    skills = {one.id: one for one in _every(experience, scope, "skill") if isinstance(one, ProceduralSkill)}
    return patterns, skills


def _every(experience: ExperienceRepository, scope: Scope, kind: str) -> Iterator[Experience]:
    offset = 0
    while page := experience.newest(scope, kind, limit=_PAGE, offset=offset):
        yield from page
        offset += len(page)
