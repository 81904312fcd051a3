"""English clauses about languages, tools and what somebody is good at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.values import skills_of, thing_of
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.lexicon import LANGUAGE_EN, is_known_tool, looks_like_tool
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["BE", "DO", "FREE", "NOUN", "SWITCHES"]

_EACH = re.compile(rf"\b{LANGUAGE_EN}\b", re.IGNORECASE)
_LIST = (
    r"(?P<v>(?:(?:a (?:little|bit of)|some|fluent|basic|good|decent|both|conversational|native|a tiny bit of"
    rf"|enough|bad|broken)\s+){{0,7}}{LANGUAGE_EN}\b(?:[^;:!?]*))"
)
# ``moved to Sales`` and ``moved to Friday`` are no programs, whatever their capital.
_MOVED = re.compile(r"\bmoved\b", re.IGNORECASE)


def _speaks(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated or reading.ended:
        return
    for language in _EACH.finditer(_until_but(found["v"])):
        name = language[0].capitalize() if language[0].islower() else language[0]
        yield reading.find("speaks", name, key=language[0])


def _until_but(text: str) -> str:
    return re.split(r"\b(?:but|because|so|not|no|never|learning|want|with|i)\b", text, maxsplit=1, flags=re.IGNORECASE)[
        0
    ]


def _native(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        said = found["v"].capitalize()
        yield reading.find("native_language", said)
        yield reading.find("speaks", said, key=said)


def _learns(found: re.Match[str], reading: Reading, *, over: bool = False) -> Iterator[Finding]:
    ended = over or reading.ended
    if reading.negated and not ended:
        return
    for thing in skills_of(reading.clause.said(found)):
        if not re.match(r"(?:how|to|more|about|a lot|that|from|lots|new things)\b", thing, re.IGNORECASE):
            yield reading.find("learning", thing, ended=ended)


def _uses(found: re.Match[str], reading: Reading, *, over: bool = False) -> Iterator[Finding]:
    ended = over or reading.ended
    if reading.negated and not ended:
        return
    for tool in skills_of(reading.clause.said(found)):
        if looks_like_tool(tool):
            yield reading.find("uses", tool, ended=ended)


def _switches(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated:
        return
    looks = is_known_tool if _MOVED.search(found[0]) and not found["old"] else looks_like_tool
    new = [tool for tool in skills_of(reading.clause.said(found)) if looks(tool)]
    old = [tool for tool in skills_of(found["old"] or "") if looks_like_tool(tool)]
    if not new:
        return
    for tool in old:
        yield reading.find("uses", tool, ended=True)
    yield from (reading.find("uses", tool) for tool in new)


def _knows(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated or reading.ended:
        return
    for skill in skills_of(reading.clause.said(found)):
        if not re.match(
            r"(?:you|it|this|that|what|him|her|them|making|doing|being|remembering|names|math jokes)\b",
            skill,
            re.IGNORECASE,
        ):
            yield reading.find("knows", skill)


def _car(found: re.Match[str], reading: Reading, *, change: bool = False) -> Iterator[Finding]:
    car = thing_of(
        re.sub(r"\s+(?:to|for|and|but|which|that|from|now)\b.*$", "", reading.clause.said(found), flags=re.IGNORECASE)
    )
    if (
        car
        and not reading.negated
        and not reading.ended
        and re.search(r"(?-i:[A-Z])|car|truck|van|tesla|toyota|honda", car)
    ):
        yield reading.find("car", f"{'an' if car[0].lower() in 'aeiou' else 'a'} {car}", plain=car, change=change)


_TOOL = r"(?P<v>[^;:!?]+)"
_HAVE = r"(?:(?:'?ve|have|has)\s+)?(?:(?:just|recently|finally|now|been|completely|fully)\s+){0,7}"
BE: tuple[Rule, ...] = (
    (rule(rf"fluent\s+in\s+{_LIST}"), _speaks),
    (rule(rf"(?:bilingual|trilingual)\s+(?:in\s+)?{_LIST}"), _speaks),
    (rule(rf"(?:an?\s+)?native\s+(?P<v>{LANGUAGE_EN})(?:\s+speaker)?\b"), _native),
    (
        rule(
            r"(?:currently\s+|slowly\s+|also\s+){0,7}(?:learning|trying to learn|picking up|teaching "
            r"myself)\s+(?P<v>[^;:!?]+)"
        ),
        _learns,
    ),
    (rule(rf"(?:still\s+|now\s+|mostly\s+){{0,7}}using\s+{_TOOL}"), _uses),
    (
        rule(
            r"on\s+(?:an?\s+)?(?P<v>(?:windows|mac|macos|macbook|linux|ubuntu|debian|fedora|arch|android|ios"
            r"|iphone|ipad|pixel)"
            r"\b(?!\s+(?:and|or)\s+(?:the|my|a)\b)[^;:!?]*)"
        ),
        _uses,
    ),
    (
        rule(
            r"(?:an?\s+)?(?:real\s+|pretty\s+|very\s+|quite\s+){0,7}(?:expert|experienced|proficient|skilled"
            r"|specialist|well versed)\s+(?:in|at|with|on)\s+(?P<v>[^;:!?]+)"
        ),
        _knows,
    ),
    (rule(r"(?:pretty\s+|very\s+|really\s+|quite\s+){0,7}(?:good|great)\s+(?:at|with)\s+(?P<v>[^;:!?]+)"), _knows),
)
SWITCHES: tuple[Rule, ...] = (
    (
        rule(
            rf"{_HAVE}(?:switched|migrated|moved|shifted)\s+(?:(?:everything|stuff|it all"
            rf"|all(?:\s+of)?(?:\s+our|\s+my)?\s+\w+"
            rf"|our\s+\w+|my\s+\w+)\s+)?(?:over\s+)?(?:off(?:\s+of)?|away\s+from|from)\s+(?P<old>[^,;]{{1,40}}?)\s+"
            rf"(?:over\s+)?(?:on)?to\s+{_TOOL}"
        ),
        _switches,
    ),
    (
        rule(
            rf"{_HAVE}(?:switched|migrated|moved|went|changed|converted)\s+(?:over\s+|away\s+"
            rf"|back\s+)?from\s+(?P<old>[^,;]{{1,40}}?)\s+(?:over\s+|back\s+)?to\s+{_TOOL}"
        ),
        _switches,
    ),
)
DO: tuple[Rule, ...] = (
    (rule(rf"grew\s+up\s+(?:speaking|with)\s+{_LIST}"), _speaks),
    (
        rule(rf"(?:learned|learnt|studied)\s+{_LIST}\s+(?:in|at)\s+(?:high\s+)?(?:school|uni|university|college)"),
        _speaks,
    ),
    (rule(rf"(?:can\s+)?(?:speaks?)\s+{_LIST}"), _speaks),
    (
        rule(
            rf"{_HAVE}(?:switched|migrated|moved|changed|converted)\s+(?:over\s+"
            rf"|back\s+)?to\s+(?:using\s+)?{_TOOL}(?P<old>)"
        ),
        _switches,
    ),
    (
        rule(
            rf"{_HAVE}(?:replaced|swapped|ditched|dropped|traded)\s+(?P<old>[^,;]{{1,40}}?)\s+(?:for|with"
            rf"|in favou?r of)\s+{_TOOL}"
        ),
        _switches,
    ),
    (
        rule(
            rf"{_HAVE}(?:stopped|quit|(?:gave|given)\s+up(?:\s+on)?|dropped|abandoned)\s+(?:my\s+)?(?:learning"
            rf"|studying)"
            r"\s+(?P<v>[^;:!?]+)"
        ),
        partial(_learns, over=True),
    ),
    (rule(rf"{_HAVE}(?:stopped|quit|gave up)\s+using\s+{_TOOL}"), partial(_uses, over=True)),
    (
        rule(rf"{_HAVE}(?:got rid of|ditched|uninstalled|abandoned|gave up on|dropped)\s+{_TOOL}"),
        partial(_uses, over=True),
    ),
    (
        rule(
            rf"{_HAVE}(?:use|uses|using|rel(?:y|ies) on|deploy(?:s)? (?:with|on|to)|host(?:s)? on|run(?:s)? on"
            rf"|code(?:s)? in|program(?:s)? in|develop(?:s)? in|build(?:s)? with)\s+{_TOOL}"
        ),
        _uses,
    ),
    (rule(rf"writes?\s+(?:mostly\s+|mainly\s+|code in\s+|everything in\s+)?{_TOOL}"), _uses),
    (
        rule(
            r"(?:speciali[sz]es?\s+in|(?:know|knows)(?=\s+.+\s+(?:very well|really well|well"
            r"|inside out)))\s+(?P<v>[^;:!?]+?)(?:\s+(?:very well|really well|well|inside out).*)?$"
        ),
        _knows,
    ),
    (
        rule(
            r"(?:have|has|'?ve\s+got)\s+(?:\w+\s+|\d+\+?\s+)?years?\s+(?:of\s+)?experience\s+(?:in"
            r"|with)\s+(?P<v>[^;:!?]+)"
        ),
        _knows,
    ),
    (
        rule(
            r"(?:(?:'?ve|have)\s+)?(?:just\s+|recently\s+)?(?:started|begun|began)\s+(?:learning"
            r"|to learn)\s+(?P<v>[^;:!?]+)"
        ),
        _learns,
    ),
    (rule(r"(?:drives?|owns?)\s+an?\s+(?:old\s+|new\s+|used\s+)?(?P<v>[^;:!?]+)"), _car),
    (
        rule(
            r"(?:(?:'?ve|have)\s+)?(?:just\s+)?(?:bought|got|leased)\s+(?:myself\s+)?an?\s+(?:new\s+"
            r"|used\s+)?(?P<v>(?:Tesla|Toyota|Honda|BMW|Audi|Volvo|Ford|Mazda|Nissan|Hyundai|Kia|VW|Volkswagen"
            r"|Porsche|Subaru|Fiat|Skoda|Renault|Peugeot|Mercedes|Ferrari|Lexus|Jeep|Chevy|Chevrolet|Mini|Dacia|Seat|Suzuki|Rivian|Polestar)\b[^;:!?]*)"
        ),
        partial(_car, change=True),
    ),
)
NOUN: tuple[Rule, ...] = (
    (
        rule(rf"(?:native language|mother tongue|first language|native tongue)(?:'s|\s+is)\s+(?P<v>{LANGUAGE_EN})\b"),
        _native,
    ),
    (
        rule(
            rf"(?P<v>{LANGUAGE_EN})\s+(?:is|isn't)\s+(?:\w+\s+)?(?:decent|good|okay|ok|fine|fluent|great|solid"
            r"|rusty|passable|conversational|not bad|excellent|native)\b"
        ),
        _speaks,
    ),
    (rule(r"car(?:'s|\s+is)\s+(?:an?\s+)?(?!(?:named|called)\b)(?P<v>[^;:!?]+)"), _car),
    (
        rule(
            r"(?:main\s+|favou?rite\s+)?(?:editor|ide|browser|phone|laptop|os|operating system|text editor"
            rf"|note app|terminal|database)(?:'s|\s+is)\s+(?:an?\s+)?{_TOOL}"
        ),
        _uses,
    ),
)
FREE: tuple[Rule, ...] = (
    (rule(r"it'?s\s+all\s+(?P<v>[^;:!?,]{2,30}?)\s+(?:now|these days|nowadays)\b"), _uses),
    (
        rule(
            r"(?P<v>[\w+#.][\w+#. -]{0,24}?)\s+is\s+my\s+(?:bread and butter|forte|specialty|speciality"
            r"|strong suit|area of expertise|main expertise)\b"
        ),
        _knows,
    ),
    (rule(rf"native\s+(?P<v>{LANGUAGE_EN})\s+speaker\b"), _native),
)
