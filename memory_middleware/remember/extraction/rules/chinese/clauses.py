"""Chinese clauses: from the subject, which may be left out, to what is said about it."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.chinese import (
    identity,
    kin,
    life,
    orders,
    pets,
    places,
    projects,
    schedule,
    tastes,
)
from memory_middleware.remember.extraction.rules.chinese.subjects import (
    CUE,
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
from memory_middleware.remember.extraction.rules.relations import ANIMALS, RELATION_ZH

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
# After a clause that was not read, somebody this young is hardly the owner.
_GROWN = 14
# Whoever is liked has relatives too: 我喜欢周杰伦，女儿叫小周周.
_ASIDE = frozenset({"taste", "favorite"})
_ANOTHER = re.compile(rf"[\u4e00-\u9fff]{{1,6}}?(?:名?叫|姓)|{RELATION_ZH}{CUE}")
_AND = re.compile(r"[、和跟与]")
# What somebody who was named goes on with; anything else may be another subject.
_GOES_ON = re.compile(
    r"(?:人|性格|脾气|长得|个子|身高|工作|平时|很|特别|非常|超|挺|蛮|比较|都|也|还|就|是|在|会|有|没|不|喜欢|爱|做|当|从|去"
    r"|来|刚|已经|正|一直|住|读|上|学|用|开|对|最)"
)


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
    fresh, reading.people.fresh = reading.people.fresh, None
    opening, findings = None, _free(reading, at)
    who: Who | None = USER if findings else None
    if not findings:
        opening = find_subject(reading, at)
        if opening is None and not is_pronoun(reading.clause.text, at):
            opening = _unsaid(reading, at, inherited, weak, fresh)
    if opening:
        findings, who = _told(reading, at, opening)
    if any(finding.attribute == "relation" and not finding.ended for finding in findings):
        reading.people.fresh = reading.people.last
    reading.aside = any(finding.attribute in _ASIDE for finding in findings)
    return findings or _noted(reading, at), who


def _told(reading: Reading, at: int, opening: Opening) -> tuple[list[Finding], Who | None]:
    """Give what a clause says of its subject, and whom the next one is about if it names nobody."""
    if gone := pets.lost(reading, opening):
        return gone, None
    before = reading.people.last
    findings, reading.who = _introduced(reading, opening), opening.who
    findings += _predicated(reading, opening)
    if not findings and not opening.said and _turns_away(reading.clause.text, at, opening.who):
        return [], None
    someone = reading.people.last
    if someone and someone is not before and opening.who.is_user and someone.relation not in ANIMALS:
        # Who was just introduced is whom the next clause is about: 我有个哥哥，住在北京. Of two it may be either.
        return findings, None if _AND.search(reading.clause.text) else someone
    return findings, reading.people.related(opening.who)


def _turns_away(text: str, at: int, who: Who) -> bool:
    """Tell whether a clause that rules cannot read seems to be about somebody else: ``大宝叫朵朵``, ``大宝很可爱``."""
    if who.is_user:
        return is_somebody_else(text, at) or _ANOTHER.match(text, at) is not None
    return _GOES_ON.match(text, at) is None


def _free(reading: Reading, at: int) -> list[Finding]:
    """Give what a clause says whose subject rules do not look for; a project that is only named is kept in mind."""
    if "项目" not in reading.clause.text:
        return apply_rules(_FREE, reading, at)
    found = apply_rules(_FREE_NAMED, reading, at)
    if not found:
        projects.mention(reading, at)
    return found


def _unsaid(reading: Reading, at: int, inherited: Who | None, weak: bool, fresh: Who | None) -> Opening | None:
    """Take the subject of the clause before, or the owner at the beginning of a sentence."""
    if kin.names_a_relative(reading.clause.text, at):
        return kin.find_relative(reading, at, inherited, weak)
    if inherited is None and not (reading.clause.first or reading.ordered or reading.correction):
        return None
    reading.implied = True
    aged = _AGED.match(reading.clause.text, at)
    if not aged:
        named = reading.people.nameless() if _CALLED.match(reading.clause.text, at) else None
        return Opening(named or inherited or USER, at, said=False)
    who = _aged(reading, read_number(aged["years"]) or 0, fresh) or inherited or USER
    doubted = who is fresh and reading.clause.first or who.is_user and weak and _is_child(aged)
    return None if doubted else Opening(who, at, said=False)


def _aged(reading: Reading, years: int, fresh: Who | None) -> Who | None:
    """Give whose age follows: ``我女儿叫小禾，五岁`` and ``我有一个女儿，五岁``."""
    someone = fresh or reading.people.nameless()
    return someone if someone and (someone.relation not in ANIMALS or years < _OLD) else None


def _is_child(aged: re.Match[str]) -> bool:
    return (read_number(aged["years"]) or 0) < _GROWN


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
