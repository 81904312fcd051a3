"""English clauses: from the subject to what is said about it."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.english import (
    company,
    deadlines,
    identity,
    orders,
    pets,
    places,
    projects,
    schedule,
    skills,
    tastes,
    work,
)
from memory_middleware.remember.extraction.rules.english.subjects import (
    Opening,
    find_predicate,
    find_subject,
    is_over,
    strip_leads,
)
from memory_middleware.remember.extraction.rules.findings import USER, Finding, Who
from memory_middleware.remember.extraction.rules.people import relation_finding
from memory_middleware.remember.extraction.rules.proper_names import WORD_NAMES
from memory_middleware.remember.extraction.rules.reading import Reading, Rule, apply_rules

__all__ = ["read_clause", "read_consequence", "read_mentions", "read_orders"]

_FREE: tuple[Rule, ...] = (
    *pets.FREE,
    *company.FREE,
    *identity.FREE,
    *places.FREE,
    *deadlines.FREE,
    *schedule.FREE,
    *projects.FREE,
    *skills.FREE,
    *tastes.FREE,
)
_DO: tuple[Rule, ...] = (
    *identity.DO,
    *projects.DO,
    *work.HOURS,
    *schedule.DO,
    *tastes.DO,
    *places.DO,
    *schedule.ROUTINES,
    *work.WORKS,
    *work.DO,
    *pets.HAD,
    *company.HAS,
    *company.DO,
    *skills.SWITCHES,
    *skills.DO,
)
_RULES: dict[str, tuple[Rule, ...]] = {
    "be": (
        *company.FAMILY,
        *identity.BE,
        *tastes.ALLERGIC,
        *tastes.BE,
        *projects.BE,
        *skills.BE,
        *schedule.BE,
        *work.BE,
        *places.PASSING,
        *places.BE,
        *company.NAMED,
        *identity.NAMES,
    ),
    "was": (*identity.WAS, *places.WAS, *work.WAS),
    "do": _DO,
    "noun": (*identity.NOUN, *tastes.NOUN, *places.NOUN, *work.NOUN, *skills.NOUN, *schedule.NOUN),
}
# What may follow without its subject: after a clause that said something, after one that did not, or at the beginning.
_IMPLIED: tuple[Rule, ...] = (
    *tastes.ALLERGIC,
    *identity.BE,
    *work.BE,
    *places.BE,
    *skills.BE,
    *identity.WAS,
    *places.WAS,
    *work.TITLE,
    *_DO,
)
_WORD = re.compile(r"\s*(\w+)")
_REACHES = re.compile(r"[\d@]")
# Verbs that hardly ever give an order when they open a sentence.
_LEFT_OUT = re.compile(
    r"(?:(?:just|recently|finally|still|currently|now|also|really)\s+){0,3}(?:"
    r"(?P<denied>not\s+)(?P<liked>(?=(?:really\s+)?(?:(?:an?\s+)?(?:(?:big|huge)\s+)?fan\s+of|into|keen\s+on|fond\s+of)\b))"
    r"|(?P<stops>(?:do\s+not|don'?t)\s+)(?=(?:really\s+)?(?:eat|drink|like|speak|live|have|own|work)\b)"
    r"|(?P<doing>(?:learning|using|studying|freelancing|living|flying|going|moving|heading|travell?ing|teaching"
    r"|working\s+(?:as|at|for|on)|getting\s+married|(?:an?\s+)?(?:big|huge)\s+fan|obsessed|fluent|based|married(?=\s*(?:$|[,.!]|with|to|for|since|and))|retired"
    r"|into)\b)"
    r"|(?:been|can'?t\s+(?:stand|eat|drink|do)|ditched|switched|swapped|replaced|uninstalled|moved|relocated|quit|left|lost"
    r"|gave\s+up|stopped|broke\s+up|split\s+up|turned|adopted|bought|joined|started|became|graduated|grew\s+up|got"
    r"|prefer|dropped|(?:love|hate)(?!\s+(?:and|or|is|was|should|can|will|in|of|from|at|to|you|u)\b))\b)",
    re.IGNORECASE,
)
_IS = re.compile(r"(?:is|are|was|were)\b", re.IGNORECASE)
_BARE: tuple[Rule, ...] = (
    *tastes.ALLERGIC,
    *places.HOMES,
    *company.HAS,
    *work.WORKS,
    *skills.SWITCHES,
    *identity.DIETS,
    *places.ORIGINS,
    *places.AWAY_AT_WORK,
    *places.WAS,
    *projects.FINISHED,
)


def read_orders(reading: Reading) -> list[Finding]:
    """Give the standing instruction that a sentence gives, if it is one."""
    text = reading.clause.text
    if orders.about_meetings(text):
        return []
    rules = orders.ASKED if reading.asked else orders.RULES
    return apply_rules(rules, reading, len(text) - len(text.lstrip()))


def read_consequence(reading: Reading) -> list[Finding]:
    """Give the standing instruction that a clause draws from the clause before it."""
    at = orders.follows(reading.clause.text)
    return [] if at is None or orders.about_meetings(reading.clause.text) else apply_rules(orders.RULES, reading, at)


def read_mentions(reading: Reading) -> list[Finding]:
    """Give who is named in a question; ``my brother Theo`` tells of a brother even there."""
    return company.mentioned(reading, 0)


def read_clause(reading: Reading, inherited: Who | None, weak: bool = False) -> tuple[list[Finding], Who | None]:
    """Give what a clause says, and whom the next one is about if it names nobody.

    ``weak`` tells that the clause before said nothing that rules read; then only plain verbs take its subject.
    """
    at = strip_leads(reading)
    text = reading.clause.text
    if at >= len(text.rstrip()):
        reading.blank = True
        return [], inherited
    if found := apply_rules(_FREE, reading, at) or _contact(reading, at):
        over = any(finding.ended for finding in found)
        return [*found, *([] if over else company.mentioned(reading, at))], USER
    opening = find_subject(text, at, reading.people)
    if opening is None:
        found, who = _subjectless(reading, at, inherited, weak)
        projects.mention(reading, at)
        return [*found, *company.mentioned(reading, at)], who
    if gone := pets.lost(reading, opening):
        return gone, None
    findings, reading.who = _introduced(reading, opening), opening.who
    findings += _predicated(reading, opening)
    if not any(finding.ended for finding in findings):
        findings += company.mentioned(reading, at)
    if not findings and reading.ordered and (note := orders.note_of(reading, at)):
        findings = [note]
    return findings, reading.people.related(opening.who)


def _contact(reading: Reading, at: int) -> list[Finding]:
    return apply_rules(identity.CONTACT, reading, at) if _REACHES.search(reading.clause.text, at) else []


def _introduced(reading: Reading, opening: Opening) -> list[Finding]:
    who = opening.who
    if who.is_user or who.relation == "project":
        return []
    new = bool(who.name) and not reading.people.knows(who)
    reading.people.meet(who)
    return [relation_finding(who, "en", reading.confidence)] if new else []


def _is_riddle(reading: Reading, opening: Opening) -> bool:
    """Tell whether a name or a word follows somebody and nothing tells which: ``my sister joy rides on weekends``."""
    if opening.who.is_user:
        return False
    following = _WORD.match(reading.clause.text, opening.end)
    return following is not None and following[1].lower() in WORD_NAMES and following[1].lower() != "will"


def _predicated(reading: Reading, opening: Opening) -> list[Finding]:
    if opening.possessive:
        rules = _RULES["noun"] if opening.who.is_user else (*company.NOUN, *_RULES["noun"])
        return apply_rules(rules, reading, opening.end)
    predicate = find_predicate(reading, opening.end)
    if predicate is None or _is_riddle(reading, opening):
        return []
    return apply_rules(_RULES[predicate.kind], reading, predicate.end)


def _dropped(reading: Reading, at: int) -> list[Finding]:
    """Read a sentence whose ``I`` or ``I'm`` is left out: ``been freelancing as a welder``, ``can't stand olives``."""
    if not (found := _LEFT_OUT.match(reading.clause.text, at)):
        return []
    reading.negated = bool(found["denied"] or found["stops"])
    reading.ended = reading.negated and is_over(reading.clause.text)
    if reading.negated:
        at = found.end()
    if found["doing"] or found["denied"]:
        return apply_rules(_RULES["be"], reading, at)
    return apply_rules(_DO, reading, at)


def _subjectless(reading: Reading, at: int, inherited: Who | None, weak: bool) -> tuple[list[Finding], Who | None]:
    reading.implied = True
    if named := company.just_named(reading, at):
        return named, inherited
    if inherited is not None and _IS.match(reading.clause.text):
        # A verb that opens its clause is not told from what it says: ``Anna, who's 30, is a doctor``.
        return [], inherited
    if inherited is not None:
        reading.who = inherited
        predicate = find_predicate(reading, at - 1 if at else 0)
        found = apply_rules(_BARE if weak else _IMPLIED, reading, predicate.end) if predicate else []
        return found, inherited
    if reading.clause.first and (found := apply_rules(_BARE, reading, at) or _dropped(reading, at)):
        return found, USER
    note = orders.note_of(reading, at) if reading.ordered else None
    return ([note] if note else []), None
