"""Experience from work: runs become episodes, episodes patterns, and what succeeds again and again a skill."""

from __future__ import annotations

from memory_middleware.remember.experience.consolidation import ConsolidationReport, consolidate
from memory_middleware.remember.experience.episode import episode_from_run, keep_episode, last_run
from memory_middleware.remember.experience.writer import ModelConsolidator, PatternWriter, Wording

__all__ = [
    "ConsolidationReport",
    "ModelConsolidator",
    "PatternWriter",
    "Wording",
    "consolidate",
    "episode_from_run",
    "keep_episode",
    "last_run",
]
