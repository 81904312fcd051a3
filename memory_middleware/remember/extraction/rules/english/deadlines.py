"""English clauses about the day a project is due: the project's own deadline, however it is named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_middleware.remember.extraction.rules.dates_en import DAY_EN
from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.projects import CAPITAL, project_findings
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.lexicon import LANGUAGES, NATIONALITY_EN, is_known_tool
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["FREE"]

_NAME = re.compile(CAPITAL)
# What tells the kind of a project and is no name of it, even with a capital at the beginning of a sentence.
_KIND = re.compile(
    r"(?:school|group|final|team|class|course|college|university|uni|semester|term|year|work|home|house|side|pet|hobby"
    r"|client|customer|research|science|art|music|history|maths?|physics|chemistry|biology|geography|economics"
    r"|statistics|design|film|video|photo|garden|kitchen|bathroom|summer|winter|spring|autumn|fall|christmas|holiday"
    rf"|capstone|senior|diploma|master'?s|bachelor'?s|phd|next|last|first|second|current|main|whole|{NATIONALITY_EN})\b",
    re.IGNORECASE,
)


def _project(found: re.Match[str], reading: Reading) -> Who | None:
    """Give the project that is meant: the one spoken of, one that is known, or one that is called a project."""
    name = reading.clause.said(found, "name")
    if name.lower() == "project":
        return reading.people.project
    someone = reading.people.named(name)
    if someone and someone.relation == "project":
        return someone
    called = (found["before"] or found["after"]) and _NAME.fullmatch(name)
    kind = _KIND.match(name) or name.lower() in LANGUAGES or is_known_tool(name)
    return Who(name, "project") if called and not kind else None


def _due(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    project, when = _project(found, reading), reading.day(found["when"])
    if project and when:
        yield from project_findings(reading, project.name, deadline=when.day.isoformat())


_WHICH = (
    r"(?:(?:the|our|my|this)\s+)?(?P<before>project\s+)?[\"']?(?P<name>\w[\w.-]*(?:\s+[\w.-]+){0,2}?)[\"']?"
    r"(?P<after>\s+project)?"
)
_IS_DUE = r"(?:'s|\s+is)\s+(?:(?:now|currently|actually|really|still|only)\s+){0,3}due\s+(?:on\s+|by\s+)?"
_IS_MOVED = (
    r"(?:\s+(?:has|was|got|is|will)(?:\s+(?:been|being|be|now|just|already)){0,3})?\s+(?:postponed|moved|pushed|delayed"
    r"|rescheduled|extended|slipped|brought\s+forward)(?:\s+(?:back|out|up|forward))?(?:\s+from\s+[\w ,]{3,30}?)?"
    r"\s+(?:to|until|till)\s+"
)
FREE: tuple[Rule, ...] = (
    (rule(rf"{_WHICH}{_IS_DUE}(?P<when>{DAY_EN}.*)"), _due),
    (rule(rf"{_WHICH}{_IS_MOVED}(?P<when>{DAY_EN}.*)"), _due),
)
