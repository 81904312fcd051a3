"""Chinese clauses that say that somebody has a pet no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_middleware.remember.extraction.rules.chinese.subjects import Opening
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.people import lost_findings
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.relations import ANIMAL_ZH, ANIMALS, relation_named

__all__ = ["FREE", "lost"]

_WHEN = r"(?:昨天|今天|前天|昨晚|上周|上个?月|去年|前几天|最近|刚刚?|已经|突然|不幸|因病|生病|还是|终于|早就){0,4}"
_DIED = rf"{_WHEN}(?:去世|过世|离世|病逝|病死|老死|死掉?|安乐死|去了?[汪喵]星球?)了"

# Of an animal that is known, to leave is to die.
_GONE = re.compile(rf"{_DIED}|{_WHEN}(?:走|没)了$")
_NEARLY = re.compile(r"差点|差一点|险些|几乎|好像|可能|快要?$|[没不会要]|以为|如果|的")


def lost(reading: Reading, opening: Opening) -> list[Finding]:
    """Read ``旺财去世了`` of an animal that is known; nothing if the subject is no animal or lives."""
    if opening.possessive or opening.who.relation not in ANIMALS or not _GONE.match(reading.clause.text, opening.end):
        return []
    return lost_findings(reading.people, opening.who, "zh")


def _lost(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``我的狗旺财去世了``, where the name may be any."""
    word = found["relation"]
    name = reading.clause.said(found, "name") if found["name"] else ""
    if _NEARLY.search(name):
        return
    if len(name) == 1 and word.endswith(name):
        # A name said twice, as in 猫|咪咪, and not 猫咪|咪.
        word, name = word[:-1], name * 2
    yield from lost_findings(reading.people, Who(name, relation_named(word), word), "zh")


def _kept(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``我不养狗了``."""
    word = found["relation"]
    yield from lost_findings(reading.people, Who("", relation_named(word), word), "zh")


FREE: tuple[Rule, ...] = (
    (
        re.compile(
            rf"(?:我们?|咱们?|俺)(?:家)?的?(?:那只|那条|大|小"
            rf"|老)?{ANIMAL_ZH}(?P<name>[\u4e00-\u9fffA-Za-z]{{1,8}}?)??{_DIED}"
        ),
        _lost,
    ),
    (
        re.compile(
            rf"(?:我们?|咱们?|俺)?(?:家)?(?:里)?(?:现在|已经|早就|以后|都|也){{0,4}}(?:不再?|没有?再?)(?:养"
            rf"|有)(?:小|那只|那条)?"
            rf"{ANIMAL_ZH}了(?!吗|么|没)"
        ),
        _kept,
    ),
    (re.compile(rf"(?:我们?|咱们?|俺)(?:家)?(?:现在|已经|早就){{0,3}}不再养{ANIMAL_ZH}"), _kept),
)
