"""Procedures that succeeded again and again, as skills with steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from memory_middleware.remember.experience.drafts import error_fixes, told_steps
from memory_middleware.remember.experience.steps import CommonSteps
from memory_middleware.remember.experience.traces import Trace
from memory_middleware.remember.experience.wording import language_of, says, shared_words
from memory_middleware.schemas.pattern import SemanticPattern
from memory_middleware.schemas.skill import ProceduralSkill

__all__ = ["LEAST_RUNS", "free_skill", "skill_of", "skill_of_pattern", "update_skill"]

LEAST_RUNS = 3
"""A skill needs so many successful runs."""

_LONGEST_NAME = 60
_MOST_FILES, _MOST_ERRORS = 3, 10


def skill_of(members: Sequence[Trace], common: CommonSteps | None) -> ProceduralSkill | None:
    """Draw a skill from successful runs about the same thing, or none if too few of them have steps in common.

    Steps are tools and kinds of files that the worker chose; nothing that a tool returned is among them.
    """
    if common is None or len(common.support) < LEAST_RUNS:
        return None
    runs = [members[at] for at in sorted(common.support)]
    goals = [trace.goal for trace in runs]
    language, steps = language_of(goals), told_steps(common, members)
    name = (shared_words(goals) or goals[0])[:_LONGEST_NAME].strip()
    made = ProceduralSkill.create(
        name[:1].upper() + name[1:], says(language, "skill", number=len(runs), goal=goals[0]), steps
    )
    tools = dict.fromkeys(step.split(" ", 1)[0] for step in steps)
    files = [name for name in runs[0].files_read if all(name in run.files_read for run in runs)]
    made.prerequisites = [says(language, "tool", name=tool) for tool in tools]
    made.prerequisites += [says(language, "file", name=file) for file in files[:_MOST_FILES]]
    made.common_errors = error_fixes(runs)
    made.exit_criteria = [says(language, "done", step=steps[-1])]
    if all(run.committed for run in runs):
        made.exit_criteria.append(says(language, "committed"))
    made.example_usage = goals[-1]
    return made


def skill_of_pattern(pattern: SemanticPattern, skills: Mapping[str, ProceduralSkill]) -> ProceduralSkill | None:
    """Find the skill that a pattern supports, or none."""
    return next((skills[link.to_id] for link in pattern.links if link.to_id in skills), None)


def update_skill(known: ProceduralSkill, new: ProceduralSkill, members: Sequence[Trace]) -> ProceduralSkill:
    """Give a known skill as newer runs show it; what somebody has put into other words stays."""
    if not _is_drawn(known.steps, members):
        return known
    fixes = {fix.error: fix for fix in [*known.common_errors, *new.common_errors]}
    return dataclasses.replace(
        known,
        steps=list(new.steps),
        prerequisites=list(new.prerequisites),
        exit_criteria=list(new.exit_criteria),
        common_errors=list(fixes.values())[:_MOST_ERRORS],
    )


def free_skill(new: ProceduralSkill, skills: Mapping[str, ProceduralSkill]) -> ProceduralSkill:
    """Give a new skill a name whose id nobody has; one with the same steps is the same skill."""
    number, made = 1, new
    while made.id in skills and skills[made.id].steps != new.steps:
        number += 1
        named = ProceduralSkill.create(f"{new.name} {number}", new.description, new.steps)
        made = dataclasses.replace(new, id=named.id, name=named.name)
    return skills.get(made.id, made)


def _is_drawn(steps: Sequence[str], members: Sequence[Trace]) -> bool:
    """Tell whether steps are those of runs, and not somebody's own words."""
    known = {text for trace in members for step in trace.steps for text in (step.name, f"{step.name} {step.kind}")}
    return all(step in known for step in steps)
