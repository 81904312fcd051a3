"""Chinese clauses about where somebody lives and comes from, and stays for a while."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.calendar_days import When
from memory_middleware.remember.extraction.rules.chinese.values import is_city, place_of
from memory_middleware.remember.extraction.rules.dates_zh import DAY_ZH
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["HERE", "NOUN", "PREDICATE"]


def _place(found: re.Match[str], reading: Reading, *, attribute: str, change: bool = False) -> Iterator[Finding]:
    place = place_of(reading.clause.said(found))
    if not place or re.search(r"过(?:了|$)", reading.clause.text[found.end("v") : found.end("v") + 2]):
        return
    if reading.negated:
        yield reading.find(attribute, place, ended=True, extra={"only_if": not reading.ended})
        return
    left = place_of(found["old"]) if "old" in found.re.groupindex and found["old"] else None
    yield reading.find(attribute, place, change=change, extra={"left": left} if left else {})


def _moment(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``现在在柏林``; without such words it is not told whether somebody lives there."""
    place = place_of(reading.clause.said(found))
    if place and is_city(place) and not reading.negated and _MOMENT.search(reading.clause.text):
        yield reading.find("location", place)


def _from(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``我湖北的``, of a place that is known as one."""
    place = place_of(reading.clause.said(found))
    if place and is_city(place) and not reading.negated:
        yield reading.find("hometown", place)


def _stays(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    when = _end(found, reading)
    place = place_of(reading.clause.said(found)) if found["v"] else None
    if when is None or reading.negated:
        return
    day = when.last
    until = {"day": day.isoformat(), "valid_to": reading.moments.after(day)}
    if place:
        yield reading.find("location", place, variant="until", **until)
    elif not found["v"]:
        trip = "trip" if re.search("出差", found[0]) else "holiday"
        yield reading.find("location", found["why"], variant=trip, **until)


def _end(found: re.Match[str], reading: Reading) -> When | None:
    """Find until when: what stands after ``到``, else the span in which the clause lies."""
    if found["until"]:
        return reading.day(found["until"])
    when = reading.day()
    return when if when and (when.span > 1 or when.day == reading.moments.today) else None


_MOMENT = re.compile(r"现在|目前|此刻|这会儿|暂时")
_P = r"(?P<v>[^,。;!?]{2,20})"
_AWAY = r"(?P<why>出差|旅游|旅行|度假|休假|玩|培训|开会|探亲|年假|请假|过年|参展|拜访客户)"

# Where somebody lives or comes from; what they moved to takes the place of what was.
_CITY, _NEW_CITY, _HOME, _OFFICE = (
    partial(_place, attribute="city"),
    partial(_place, attribute="city", change=True),
    partial(_place, attribute="hometown"),
    partial(_place, attribute="workplace"),
)
_PLACE_FORMS = (
    (_NEW_CITY, rf"从\s*(?P<old>[^,。;搬]{{2,10}})搬(?:家|回)?(?:到|去|来|至)了?{_P}"),
    (_NEW_CITY, rf"搬(?:(?:家|回|走)?(?:到|去|来|至)|回)了?{_P}"),
    (
        _CITY,
        rf"(?:居住在|住在|租在|租房在|定居在?|常住在?|家住|住(?!院|校|宿|在|过|的)|人在(?!外)|坐标|落户在?)\s*{_P}",
    ),
    (_CITY, rf"(?:base|Base|BASE)\s*(?:在|是|:)?\s*{_P}"),
    (_CITY, r"(?:一个人|独自|长期|常年|一家人?)(?:都)?在\s*(?P<v>[^,。;!?\s]{2,8})$"),
    (
        _CITY,
        r"在\s*(?P<v>[^,。;!?\s]{2,8}?)(?:这边|那边)?(?:生活|定居|长住|租房子?|租了|合租|买了?房|安家|落脚|打拼)(?!过)",
    ),
    (_HOME, r"(?:在|是在)\s*(?P<v>[^,。;!?\s]{2,8}?)(?:出生|长大|土生土长)"),
    (_HOME, rf"(?:来自|老家是?在?|出生在|祖籍)\s*{_P}"),
)
_NOUN_FORMS = (
    (_HOME, rf"(?:老家|家乡|故乡)\s*(?:是|在|是在|:)?\s*{_P}"),
    (_CITY, rf"家(?:住)?在\s*{_P}"),
    (
        _OFFICE,
        r"(?:办公室|公司|单位|工位|实验室)(?:也|都|就|现在){0,3}(?:搬)?(?:在|到了?|位于)\s*(?P<v>[^,。;!?]{2,14})",
    ),
)
PREDICATE: tuple[Rule, ...] = (
    (
        re.compile(
            rf"在\s*(?P<v>[^,。;!?\s]{{2,12}}?)\s*{_AWAY}(?:[,\s]*(?:一直|直)?(?:待|呆|住)?到\s*(?P<until>{DAY_ZH}.*))?"
        ),
        _stays,
    ),
    (
        re.compile(rf"(?:在|去)?(?P<v>){_AWAY}(?:中)?[,\s]*(?:(?:一直|直)?(?:待|呆|休)?到\s*(?P<until>{DAY_ZH}.*)|$)"),
        _stays,
    ),
    (
        re.compile(
            rf"(?:会)?在\s*(?P<v>[^,。;!?\s]{{2,12}}?)\s*(?P<why>)(?:一直|直)?(?:待|呆|住)?到\s*(?P<until>{DAY_ZH}.*)"
        ),
        _stays,
    ),
    *((re.compile(form), reader) for reader, form in _PLACE_FORMS),
)
NOUN: tuple[Rule, ...] = tuple((re.compile(form), reader) for reader, form in _NOUN_FORMS)
# What tells a place only if nothing else is told.
HERE: tuple[Rule, ...] = (
    (re.compile(r"在\s*(?P<v>[^,。;!?\s]{2,8}?)(?:这边|呢|哦|了)?$"), _moment),
    (re.compile(r"是?(?P<v>[\u4e00-\u9fff]{2,5}?)(?:那边|这边|那旮旯)?的$"), _from),
    (
        re.compile(
            r"在\s*(?P<v>[^,。;!?\s]{2,6}?)(?:漂|待|呆|住)了?(?:快)?(?:\d+|[一二两三四五六七八九十]{1,2}|好几"
            r"|大半|半)年?[多来]?年?了$"
        ),
        _CITY,
    ),
)
