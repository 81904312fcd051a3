"""Relatives whom a Chinese clause names without saying whose they are: 我老公叫李强，女儿叫朵朵."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.chinese.subjects import CUE, Opening
from memory_middleware.remember.extraction.rules.chinese.values import NAME_ZH
from memory_middleware.remember.extraction.rules.findings import Who
from memory_middleware.remember.extraction.rules.people import People
from memory_middleware.remember.extraction.rules.reading import Reading
from memory_middleware.remember.extraction.rules.relations import RELATIONS, relation_named

__all__ = ["find_relative", "names_a_relative"]

_SPOUSES = frozenset({"wife", "husband", "partner"})
_CHILDREN = frozenset({"son", "daughter", "child"})
_PARENTS = frozenset({"mother", "father"})
_SIBLINGS = frozenset({"sister", "brother"})
_GRAND = frozenset({"grandmother", "grandfather"})
_IN_LAWS = frozenset({"mother-in-law", "father-in-law"})
_FAMILY = _SPOUSES | _CHILDREN | _PARENTS | _SIBLINGS | _GRAND | _IN_LAWS
# Who is still the owner's own after somebody; a brother's daughter and a wife's mother are their own.
_AFTER: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (_SPOUSES, _CHILDREN),
    (_CHILDREN, _CHILDREN),
    (_PARENTS, _PARENTS | _SIBLINGS | _GRAND),
    (_SIBLINGS, _SIBLINGS | _PARENTS),
    (_GRAND, _GRAND | _PARENTS),
    (_IN_LAWS, _IN_LAWS),
)
_WORDS = sorted((word for word, kin in RELATIONS.items() if kin in _FAMILY and not word.isascii()), key=len)
_RELATIVE = re.compile(
    rf"(?:大|二|小)?(?P<relation>{'|'.join(reversed(_WORDS))})(?P<name>{NAME_ZH})??(?P<poss>的)?(?![和跟与、]){CUE}"
)


def names_a_relative(text: str, at: int) -> bool:
    """Tell whether a clause begins with a relative and does not say whose."""
    return _RELATIVE.match(text, at) is not None


def find_relative(reading: Reading, at: int, inherited: Who | None, weak: bool) -> Opening | None:
    """Give the owner's relative with whom a clause begins; none if it may be somebody else's."""
    found = _RELATIVE.match(reading.clause.text, at)
    if not found or inherited is None or weak:
        return None
    word = found["relation"]
    relation = relation_named(word)
    if not _is_own(relation, inherited, reading.people):
        return None
    reading.implied = True
    name = reading.clause.said(found, "name") if found["name"] else ""
    who = reading.people.related(Who(name, relation, word))
    return Opening(who, found.end(), bool(found["poss"]))


def _is_own(relation: str, inherited: Who, people: People) -> bool:
    before = people.last if inherited.is_user else inherited
    return before is None or any(before.relation in group and relation in after for group, after in _AFTER)
