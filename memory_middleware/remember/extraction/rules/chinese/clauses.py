"""Chinese clauses: from the subject, which may be left out, to what is said about it."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.chinese import (
    identity,
    life,
    orders,
    pets,
    places,
    projects,
    schedule,
    tastes,
)
from memory_middleware.remember.extraction.rules.chinese.subjects import (
    Opening,
    find_predicate,
    find_subject,
    is_pronoun,
    is_somebody_else,
    strip_leads,
)
from memory_middleware.remember.extraction.rules.findings import USER, Finding, Who
from memory_middleware.remember.extraction.rules.numerals import HAN_NUMBER, read_number
from memory_middleware.remember.extraction.rules.people import relation_finding
from memory_middleware.remember.extraction.rules.reading import Reading, Rule, apply_rules
from memory_middleware.remember.extraction.rules.relations import ANIMALS

__all__ = ["read_clause", "read_consequence", "read_mentions", "read_orders"]

_FIRST: tuple[Rule, ...] = (*pets.FREE, *identity.FREE, *schedule.MEETINGS)
_LAST: tuple[Rule, ...] = (*projects.FREE, *schedule.FREE, *tastes.FREE)
_FREE: tuple[Rule, ...] = (*_FIRST, *_LAST)
_FREE_NAMED: tuple[Rule, ...] = (*_FIRST, *projects.NAMED, *_LAST)
_NOUN: tuple[Rule, ...] = (*identity.NOUN, *places.NOUN, *life.NOUN, *tastes.NOUN)
_PREDICATE: tuple[Rule, ...] = (
    *identity.PREDICATE,
    *places.PREDICATE,
    *life.PREDICATE,
    *tastes.PREDICATE,
    *places.HERE,
    *life.JOBS,
    *identity.SOMEBODY,
)


_CALLED = re.compile(r"(?:名字?)?叫|名字是")
_AGED = re.compile(rf"(?:今年|现在|才|刚满?|快|已经|都){{0,3}}(?P<years>{HAN_NUMBER})\s*(?:周?岁)")
# No cat and no dog gets this old; then it is the owner who tells their age.
_OLD = 25


def read_orders(reading: Reading) -> list[Finding]:
    """Give the standing instruction that a sentence gives, if it is one."""
    if reading.asked or orders.about_meetings(reading.clause.text):
        return []
    return apply_rules(orders.RULES, reading, 0)


def read_consequence(reading: Reading) -> list[Finding]:
    """Give the standing instruction that a clause draws from the clause before it."""
    at = orders.follows(reading.clause.text)
    return [] if at is None or orders.about_meetings(reading.clause.text) else apply_rules(orders.RULES, reading, at)


def read_mentions(reading: Reading) -> list[Finding]:
    """Give who is named in a question; ``我妹妹小雨`` tells of a sister even there."""
    opening = find_subject(reading, strip_leads(reading))
    return _introduced(reading, opening) if opening else []


def read_clause(reading: Reading, inherited: Who | None, weak: bool = False) -> tuple[list[Finding], Who | None]:
    """Give what a clause says, and whom the next one is about if it names nobody."""
    at = strip_leads(reading)
    if at >= len(reading.clause.text.rstrip()):
        reading.blank = True
        return [], inherited
    if found := _free(reading, at):
        return found, USER
    opening = find_subject(reading, at)
    if opening is None and not is_pronoun(reading.clause.text, at):
        opening = _unsaid(reading, at, inherited)
    if opening is None:
        return _noted(reading, at), None
    if gone := pets.lost(reading, opening):
        return gone, None
    before = reading.people.nameless()
    findings, reading.who = _introduced(reading, opening), opening.who
    findings += _predicated(reading, opening)
    if not findings and not opening.said and is_somebody_else(reading.clause.text, at):
        return _noted(reading, at), None
    someone = reading.people.nameless()
    if someone and someone is not before and opening.who.is_user and someone.relation not in ANIMALS:
        # Who was just introduced is whom the next clause is about: 我有个哥哥，住在北京.
        return findings or _noted(reading, at), someone
    return findings or _noted(reading, at), reading.people.related(opening.who)


def _free(reading: Reading, at: int) -> list[Finding]:
    """Give what a clause says whose subject rules do not look for; a project that is only named is kept in mind."""
    if "项目" not in reading.clause.text:
        return apply_rules(_FREE, reading, at)
    found = apply_rules(_FREE_NAMED, reading, at)
    if not found:
        projects.mention(reading, at)
    return found


def _unsaid(reading: Reading, at: int, inherited: Who | None) -> Opening | None:
    """Take the subject of the clause before, or the owner at the beginning of a sentence."""
    if inherited is None and not (reading.clause.first or reading.ordered or reading.correction):
        return None
    reading.implied = True
    return Opening(_just_named(reading, at) or inherited or USER, at, said=False)


def _just_named(reading: Reading, at: int) -> Who | None:
    """Give whose name or age follows: ``我有一个女儿，叫小禾`` and ``我有一个女儿，五岁``."""
    someone, text = reading.people.nameless(), reading.clause.text
    aged = _AGED.match(text, at)
    young = aged and (someone and someone.relation not in ANIMALS or (read_number(aged["years"]) or 0) < _OLD)
    return someone if young or _CALLED.match(text, at) else None


def _noted(reading: Reading, at: int) -> list[Finding]:
    note = orders.note_of(reading, at) if reading.ordered else None
    return [note] if note else []


def _introduced(reading: Reading, opening: Opening) -> list[Finding]:
    who = opening.who
    if who.is_user or who.relation == "project" or not opening.said:
        return []
    new = bool(who.name) and not reading.people.knows(who)
    reading.people.meet(who)
    return [relation_finding(who, "zh", reading.confidence)] if new else []


def _predicated(reading: Reading, opening: Opening) -> list[Finding]:
    if found := apply_rules(_NOUN, reading, opening.end):
        return found
    if opening.possessive:
        return []
    at = find_predicate(reading, opening.end)
    if at is None:
        return []
    return apply_rules(_NOUN, reading, at) or apply_rules(_PREDICATE, reading, at)
