"""English clauses about projects: what they are called, how they stand, when they are due."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.dates_en import DAY_EN
from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.vocabulary import normalise

__all__ = ["BE", "CAPITAL", "DO", "FINISHED", "FREE", "mention", "project_findings"]

CAPITAL = (
    r"(?-i:(?!(?:The|This|That|These|Those|Our|My|Your|His|Her|Its|Their|An?|I|We|It|Every|Each|Which|What|One|Another"
    r"|New|Project|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b)"
    r"[A-Z\u00c0-\u00de][\w.-]*(?:\s+(?:[A-Z][\w.-]*|\d+(?:\.\d+){0,7})){0,2})"
)
_NOUN = (
    r"(?:project|app|rewrite|migration|redesign|website|platform|prototype|initiative|game|site|tool"
    r"|library|plugin|bot|extension)"
)
_PROJECT = (
    r"(?:(?:the\s+|our\s+|my\s+|a\s+|this\s+)?(?:new\s+|side\s+|big\s+|internal\s+){0,7}project\s*,?\s*(?:called\s+"
    rf"|named\s+|is\s+called\s+)?[\"'「《]?(?P<a>{CAPITAL})[\"'」》]?"
    rf"|(?:the\s+|our\s+|my\s+|a\s+)?[\"'「《]?(?P<b>{CAPITAL})[\"'」》]?\s+(?P<what>{_NOUN})\b"
    rf"|(?:an?|the|our|my)\s+(?:[\w-]+\s+){{0,3}}?{_NOUN}\s*,?\s*(?:is\s+)?(?:called"
    rf"|named)\s+[\"'「《]?(?P<c>{CAPITAL})[\"'」》]?)"
)
# Of a deadline a bare name is enough: ``the deadline for Orion``, ``the Orion deadline``.
_DATED = rf"(?:{_PROJECT}|(?:the\s+|our\s+)?(?P<d>{CAPITAL}))"
_STATES = {
    "planned": r"planned|not started(?: yet)?|in planning",
    "active": r"active|in progress|ongoing|under ?way|on track|back on(?: track)?|underway|running|in full swing"
    r"|live again|delayed|behind schedule",
    "paused": r"paused|on hold|frozen|on ice|blocked|suspended|put on hold",
    "completed": r"done|finished|complete|completed|shipped|launched|delivered|live|wrapped up|over",
}
_STATE = "|".join(f"(?P<{name}>{words})" for name, words in _STATES.items())


def _which(found: re.Match[str]) -> str:
    name = next(name for group in "abcd" if (name := found.groupdict().get(group)))
    return str(name).strip()


def project_findings(reading: Reading, name: str, **known: str) -> Iterator[Finding]:
    """Say that there is a project, and what is known of it: ``status``, ``deadline``."""
    who = Who(name, "project")
    reading.people.meet(who)
    if known.get("status") != "completed":
        yield reading.find("project", name, who=Who(), extra=dict(known))
    for attribute, value in known.items():
        yield reading.find(attribute, value, who=who, extra=dict(known))


def _works(found: re.Match[str], reading: Reading, *, status: str = "active") -> Iterator[Finding]:
    name = _which(found)
    if re.match(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|I\b", name) or reading.negated:
        return
    if reading.ended:
        yield reading.find("project", name, ended=True)
        return
    known = {"status": status}
    rest = reading.clause.text[found.end() :]
    when = reading.day(rest) if re.search(r"\b(?:due|by|deadline|until|before)\b", rest, re.IGNORECASE) else None
    if when and when.day >= reading.moments.today:
        known["deadline"] = when.day.isoformat()
    yield from project_findings(reading, name, **known)


def _stands(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    status = next(name for name in _STATES if found[name])
    denied = reading.negated or re.search(r"\b(?:not|isn't)\b", found["is"] or "")
    if not denied:
        yield from project_findings(reading, _which(found), status=status)


def _known_stands(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``Harbour is live`` of a project that is known, and ``the project is done`` of the one last spoken of."""
    someone = reading.people.named(_which(found)) if found["d"] else reading.people.project
    denied = reading.negated or re.search(r"\b(?:not|isn't)\b", found["is"] or "")
    if someone and someone.relation == "project" and not denied:
        status = next(name for name in _STATES if found[name])
        yield from project_findings(reading, someone.name, status=status)


def _dropped(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    yield reading.find("project", _which(found), who=Who(), ended=True)


def _due(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if (when := reading.day(found["when"])) and not reading.negated:
        yield from project_findings(reading, _which(found), deadline=when.day.isoformat())


def _its_deadline(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``it's due on Friday`` after a project was named."""
    project, when = reading.people.project, reading.day(found["when"])
    if project and when and not reading.negated:
        yield from project_findings(reading, project.name, deadline=when.day.isoformat())


def mention(reading: Reading, at: int) -> None:
    """Take note of a project that is named and of which nothing is said yet."""
    if found := _NAMED.match(reading.clause.text, at):
        reading.people.meet(Who(_which(found), "project"))


def _renamed(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    old, new = _which(found), found["new"].strip()
    if normalise(old) != normalise(new):
        yield reading.find("project", old, ended=True, who=Who(), extra={"renamed": new})
        yield reading.find("project", new, who=Who(), extra={"former": old})


_WHEN = rf"(?P<when>{DAY_EN}.*)"
_NAMED = rule(rf"{_PROJECT}\b")
_HAVE = r"(?:(?:'?ve|have|has)\s+)?(?:(?:just|recently|finally|now|already)\s+){0,7}"
_FINISH = r"(?:finished|completed|shipped|launched|wrapped up|delivered|closed)"
BE: tuple[Rule, ...] = (
    (
        rule(
            r"(?:working\s+on|leading|running|building|managing|developing|in charge of|responsible for"
            rf"|part of)\s+{_PROJECT}"
        ),
        _works,
    ),
)
FINISHED: tuple[Rule, ...] = ((rule(rf"{_HAVE}{_FINISH}\s+{_PROJECT}"), partial(_works, status="completed")),)
DO: tuple[Rule, ...] = (
    (rule(rf"{_HAVE}(?:renamed)\s+{_PROJECT}\s+(?:to|as|into)\s+[\"']?(?P<new>{CAPITAL})"), _renamed),
    *FINISHED,
    (rule(rf"{_HAVE}(?:paused|put\s+on\s+hold|shelved|froze)\s+{_PROJECT}"), partial(_works, status="paused")),
    (rule(rf"{_HAVE}put\s+{_PROJECT}\s+on\s+(?:hold|ice)"), partial(_works, status="paused")),
    (
        rule(
            rf"{_HAVE}(?:started|kicked\s+off|work(?:s)?\s+on|working\s+on|resumed|lead|leads|manage|manages"
            rf"|run)\s+{_PROJECT}"
        ),
        _works,
    ),
    (
        rule(
            r"(?:have|has|need|must|'ve got)\s+to\s+(?:finish|deliver|submit|ship|complete|hand in"
            rf"|launch)\s+{_PROJECT}\s+(?:by|before|on|until)\s+{_WHEN}"
        ),
        _due,
    ),
)
_SLIPS = (
    r"(?:'s|\s+is|\s+(?:got|was|has been|is)?\s*(?:moved|pushed|postponed|extended|changed|set"
    r"|brought forward)(?:\s+back|\s+out)?|\s*:)(?:\s+now)?"
)
_IS_NOW = (
    r"(?P<is>'s|\s+is|\s+was|\s+has been|\s+got|\s+isn't|\s+is not)\s+(?:now\s+|finally\s+|officially\s+"
    r"|currently\s+|fully\s+|still\s+|put\s+){0,7}"
)
FREE: tuple[Rule, ...] = (
    (rule(rf"(?:my|our)\s+(?:[\w-]+\s+){{0,2}}?{_NOUN}\s+is\s+(?:called|named)\s+(?P<a>{CAPITAL})"), _works),
    (rule(rf"{_PROJECT}\s+(?:got|was|is|has been)\s+(?:cancell?ed|killed|scrapped|dropped|axed)\b"), _dropped),
    (
        rule(
            rf"(?:the\s+)?(?:new\s+)?(?:deadline|due date)\s+(?:for|of|on)\s+{_DATED}{_SLIPS}\s*(?:to\s+|for\s+|on\s+"
            rf"|until\s+|by\s+)?{_WHEN}"
        ),
        _due,
    ),
    (
        rule(
            r"(?:it'?s|it is|which is|the\s+(?:new\s+)?deadline(?:'s|\s+is)?|new deadline(?:'s|\s+is)?"
            r"|deadline(?:'s|\s+is)?|due date(?:'s|\s+is)?)\s*(?:now\s+|currently\s+)?(?:due|launching|shipping"
            r"|(?:got\s+|was\s+)?(?:moved|pushed|postponed|extended|set)\s+to)?\s*(?:on\s+|by\s+|for\s+"
            rf"|in\s+)?{_WHEN}"
        ),
        _its_deadline,
    ),
    (rule(rf"{_DATED}(?:'s)?\s+(?:deadline|due date){_SLIPS}\s*(?:to\s+|for\s+|on\s+|until\s+|by\s+)?{_WHEN}"), _due),
    (
        rule(
            rf"{_PROJECT}\s+(?:is|'s|are)\s+(?:now\s+)?(?:due|launching|shipping|going live)\s+(?:on\s+|by\s+"
            rf"|in\s+)?{_WHEN}"
        ),
        _due,
    ),
    (
        rule(
            rf"{_PROJECT}\s+(?:has\s+to|needs\s+to|must|should|will)\s+(?:be\s+)?(?:done|finished|ready|delivered"
            rf"|completed|ship|launch|go live)\s+(?:by|on|before|until)\s+{_WHEN}"
        ),
        _due,
    ),
    (
        rule(rf"{_PROJECT}{_IS_NOW}(?:{_STATE})\b"),
        _stands,
    ),
    (rule(rf"(?:(?:the|our|this)\s+project|(?P<d>{CAPITAL})){_IS_NOW}(?:{_STATE})\b"), _known_stands),
    (
        rule(
            rf"{_PROJECT}\s+(?:is\s+now\s+called|was\s+renamed(?:\s+to)?|is\s+called"
            rf"|has been renamed(?:\s+to)?)\s+(?:now\s+)?[\"']?(?P<new>{CAPITAL})"
        ),
        _renamed,
    ),
)
