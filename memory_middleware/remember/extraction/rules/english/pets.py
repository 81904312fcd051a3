"""English clauses that say that somebody has a pet no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.subjects import NAME_EN, Opening
from memory_middleware.remember.extraction.rules.english.values import name_of
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.people import lost_findings
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.relations import ANIMALS, RELATION_EN, relation_named

__all__ = ["FREE", "HAD", "has_died", "is_dying", "lost"]

_DIED = rule(
    r"(?:\s*'s|\s+(?:has|have|had|was|is|sadly|just|recently|unfortunately|suddenly|finally|peacefully|yesterday|now"
    r"|to be|today|already|last (?:night|week|month|year))){0,7}\s+(?:died|dead(?=\s*(?:$|[,.;!]|now\b))"
    r"|passed(?:\s+(?:away|on))?(?!\s+(?:the|a|an"
    r"|his|her|its|my|me|us|by|out|through))|put\s+(?:down|to\s+sleep)|euthani[sz]ed|crossed\s+the\s+rainbow\s+bridge"
    r"|no\s+longer\s+with\s+us)\b"
)
_ANIMAL_EN = rf"(?:(?P<relation>{'|'.join(sorted(ANIMALS))})s?\b|{RELATION_EN.replace('?P<relation>', '?P<other>')})"
_DYING = rule(r"\b(?:die[ds]?|dead|dying|passed away|put\b.*\b(?:down|to sleep)|euthani[sz]ed)\b")


def is_dying(text: str) -> bool:
    """Tell whether a clause speaks of a death, so that who is named in it need not be there any more."""
    return _DYING.search(text) is not None


def has_died(text: str, at: int) -> bool:
    """Tell whether what follows a place says that whoever was named there died."""
    return _DIED.match(text, at) is not None


def lost(reading: Reading, opening: Opening) -> list[Finding]:
    """Read ``my dog Bruno died``; nothing if the subject is no animal or lives."""
    if opening.possessive or opening.who.relation not in ANIMALS or not has_died(reading.clause.text, opening.end):
        return []
    return lost_findings(reading.people, opening.who, "en")


def _put_down(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``we had to put our dog Bruno down`` and, of a dog that is known, ``we had to put Bruno down``."""
    name = name_of(found["name"]) if found["name"] else ""
    if found["relation"]:
        who: Who | None = Who(name or "", relation_named(found["relation"]))
    else:
        who = reading.people.named(name or "")
    if who and who.relation in ANIMALS:
        yield from lost_findings(reading.people, who, "en")


def _had(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``I don't have a dog any more``, and ``any dogs``."""
    relation = relation_named(found["relation"] or found["other"])
    if reading.ended and reading.who.is_user and relation in ANIMALS:
        yield from lost_findings(reading.people, Who("", relation), "en")


FREE: tuple[Rule, ...] = (
    (
        rule(
            r"(?:i|we)\s+(?:(?:just|sadly|recently|finally)\s+){0,7}(?:had\s+to\s+)?put\s+(?:(?:my|our)\s+"
            rf"{RELATION_EN})?\s*(?P<name>{NAME_EN})?\s*(?:down|to\s+sleep)\b"
        ),
        _put_down,
    ),
)
HAD: tuple[Rule, ...] = (
    (rule(rf"(?:have|has|own|owns|keep|keeps)\s+(?:an?|any|the|my|our|that)\s+(?:[\w-]+\s+)??{_ANIMAL_EN}"), _had),
)
