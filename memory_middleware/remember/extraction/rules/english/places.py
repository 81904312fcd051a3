"""English clauses about where somebody lives, comes from, works, goes and stays for a while."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.calendar_days import When
from memory_middleware.remember.extraction.rules.dates_en import DAY_EN
from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.values import place_of, thing_of
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.lexicon import is_known_tool
from memory_middleware.remember.extraction.rules.numerals import WORD_NUMBER, read_number
from memory_middleware.remember.extraction.rules.proper_names import PLACES, WORD_PLACES
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["AWAY_AT_WORK", "BE", "DO", "FREE", "HOMES", "NOUN", "ORIGINS", "PASSING", "WAS"]

_MOMENT = re.compile(r"\b(?:at\s+the\s+moment|right\s+now|at\s+present|currently|for\s+now)\b", re.IGNORECASE)
_ANY_MORE = re.compile(r"\s*\b(?:any\s?more|any\s+longer)\b.*$", re.IGNORECASE)
_HAVE = r"(?:(?:'?ve|have|has|'s)\s+)?(?:(?:just|recently|finally|now|since|already|both|all)\s+){0,7}"
_PLACE = r"(?P<v>[^;:!?]+)"
_PLAIN_PLACES = PLACES - WORD_PLACES
_CAPITAL = re.compile(r"\b[A-Z\u00c0-\u00de]")
_AREA = re.compile(
    r"the\s+(?:uk|us|usa|netherlands|bay|philippines|bronx|hague|midlands|countryside|suburbs)\b", re.IGNORECASE
)
_NO_PLACE = re.compile(
    r"plan\s+\w\b|customer\b|(?:tech\s+)?support\b|(?:marketing|sales|hr|accounting"
    r"|mars|venus|jupiter|saturn|pluto|heaven|\w+day)\b",
    re.IGNORECASE,
)


def _is_place(place: str) -> bool:
    """Tell whether a value names a place: by a capital that is no tool's, or as one that is known."""
    if place.lower() in _PLAIN_PLACES or _AREA.match(place):
        return True
    return bool(_CAPITAL.search(place)) and not _NO_PLACE.match(place) and not is_known_tool(place)


def _place(found: re.Match[str], reading: Reading, *, attribute: str, change: bool = False) -> Iterator[Finding]:
    place = place_of(reading.clause.said(found))
    if not place or not _is_place(place):
        return
    if reading.ended or reading.negated:
        yield reading.find(attribute, place, ended=True, extra={"only_if": not reading.ended})
        return
    left = place_of(found["old"]) if "old" in found.re.groupindex and found["old"] else None
    yield reading.find(attribute, place, change=change, extra={"left": left} if left else {})


def _stay(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    place, when = place_of(reading.clause.said(found)), _until(found, reading)
    if not place or not _is_place(place) or not when or reading.negated:
        return
    day = when.last
    yield reading.find("location", place, variant="until", day=day.isoformat(), valid_to=reading.moments.after(day))


def _moment(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``in Berlin at the moment``; without such words it is not told whether somebody lives there."""
    place = place_of(_ANY_MORE.sub("", reading.clause.said(found)))
    if place and reading.ended:
        yield reading.find("location", place, ended=True, extra={"only_if": True})
    elif place and _MOMENT.search(reading.clause.text) and not reading.negated:
        yield reading.find("location", place)


def _away(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    when = _until(found, reading)
    if when and not reading.negated:
        variant = "trip" if re.search("trip|travel", found["v"], re.IGNORECASE) else "holiday"
        day = when.last
        yield reading.find(
            "location", found["v"].lower(), variant=variant, day=day.isoformat(), valid_to=reading.moments.after(day)
        )


def _until(found: re.Match[str], reading: Reading) -> When | None:
    if found["length"]:
        count = 1 if found["length"].lower() in ("a", "an", "another", "the") else read_number(found["length"]) or 0
        unit = {"day": 1, "week": 7, "month": 30}[found["lasting"].lower()]
        return reading.moments.ahead(count * unit)
    return reading.day(found["until"] or found["during"])


def _leaves(found: re.Match[str], reading: Reading, *, variant: str) -> Iterator[Finding]:
    place, when = place_of(reading.clause.said(found)), reading.day(found["when"])
    if place and not (place[0].isupper() or place.split()[0].lower() in PLACES):
        return
    if place and when and not reading.negated and not re.search(r"\b(?:every|each)\b", found[0], re.IGNORECASE):
        yield reading.find(
            "event",
            place,
            key=f"{'trip' if variant == 'goes' else 'move'} to {place}",
            variant=variant,
            day=when.phrase(reading.language),
            event_time=reading.when(when),
        )


def _frequents(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    place = thing_of(reading.clause.said(found))
    if place and not reading.negated and (place[0].isupper() or re.search(r"\b(?-i:[A-Z])", place)):
        yield reading.find("place", place)


_UNTIL = (
    rf"\s*,?\s*(?:(?:until|till?|through|thru|up to)\s+(?P<until>(?:the\s+)?{DAY_EN}|this\s+\w+).*"
    rf"|(?P<during>this\s+(?:whole\s+)?(?:week|weekend|month))\b.*"
    rf"|for\s+(?:the\s+next\s+|another\s+)?(?P<length>{WORD_NUMBER}|a|an|the)\s+(?:more\s+)?(?P<lasting>day|week"
    r"|month)s?\b.*)$"
)
_WHEN = rf"\s+(?P<when>(?:on\s+|this\s+|next\s+|in\s+|at\s+the\s+)?{DAY_EN}.*)$"

_LIVES = rule(
    rf"{_HAVE}(?:lives?|living|lived|resid(?:e|es|ing)|been living|settled(?: down)?)\s+(?:\w+ly\s+)?(?:here\s+"
    rf"|alone\s+|together\s+|by myself\s+|on my own\s+|with\s+(?:my|our|an?|two|some)\s+[\w ]{{2,25}}?\s+)?(?:in"
    rf"|near|outside(?:\s+of)?|just\s+outside(?:\s+of)?|close\s+to)\s+{_PLACE}"
)
_MOVED = rule(
    rf"{_HAVE}(?:moved|relocated|emigrated)(?:\s+(?:back|over|here|house|out|away"
    rf"|home)){{0,7}}\s+(?:from\s+(?P<old>[^,;]{{2,40}}?)\s+)?(?:down\s+|up\s+)?(?:to|into)\s+{_PLACE}"
)
_HOUSE = rule(
    rf"{_HAVE}(?:bought|buying|rent|rents|renting|rented|closed\s+on|own|owns)\s+(?:an?|our|my)\s+(?:[\w-]+\s+){{0,2}}?"
    rf"(?:house|home|flat|apartment|condo|place)\s+in\s+{_PLACE}"
)
_STAYS = rule(
    r"(?:staying\s+|travell?ing\s+|visiting\s+|working\s+(?:from|in)\s+|here\s+|away\s+|over\s+)?(?:in\s+"
    rf"|around\s+)?(?P<v>[^;:!?,]{{2,40}}?){_UNTIL}"
)
_AWAY = rule(
    r"(?P<v>on\s+(?:a\s+)?(?:business trip|vacation|holidays?|leave|pto|parental leave|sick leave|trip)"
    rf"|travell?ing|out of (?:the )?office|away|off(?: work)?){_UNTIL}"
)

_GREW = rule(rf"(?:grew\s+up|come|comes)\s+(?:in|from)\s+{_PLACE}")
FREE: tuple[Rule, ...] = (
    (
        rule(rf"(?:i|we)(?:'ll|\s+will)\s+be\s+(?:in|visiting)\s+(?P<v>[^;:!?,]{{2,40}}?){_WHEN}"),
        partial(_leaves, variant="goes"),
    ),
)
HOMES: tuple[Rule, ...] = (
    (_LIVES, partial(_place, attribute="city")),
    (_MOVED, partial(_place, attribute="city", change=True)),
    (_HOUSE, partial(_place, attribute="city")),
)
ORIGINS: tuple[Rule, ...] = ((_GREW, partial(_place, attribute="hometown")),)
PASSING: tuple[Rule, ...] = (
    (_AWAY, _away),
    (_STAYS, _stay),
    (rule(r"(?:staying\s+|travell?ing\s+|over\s+)?in\s+(?P<v>(?-i:[A-Z])[^;:!?,]{1,40})$"), _moment),
)
AWAY_AT_WORK: tuple[Rule, ...] = (
    (_AWAY, _away),
    (
        rule(
            r"(?:working\s+(?:from|in)|staying\s+in|travell?ing\s+in|visiting"
            rf"|holidaying\s+in)\s+(?P<v>[^;:!?,]{{2,40}}?){_UNTIL}"
        ),
        _stay,
    ),
)
BE: tuple[Rule, ...] = (
    (
        rule(
            r"(?:flying|travell?ing|going|heading|off|driving|taking a trip)\s+(?:out\s+|over\s+"
            rf"|back\s+)?to\s+(?P<v>[^;:!?,]{{2,40}}?){_WHEN}"
        ),
        partial(_leaves, variant="goes"),
    ),
    (
        rule(rf"(?:moving|relocating)\s+(?:out\s+|over\s+|back\s+)?to\s+(?P<v>[^;:!?,]{{2,40}}?){_WHEN}"),
        partial(_leaves, variant="moves"),
    ),
    *HOMES,
    (rule(rf"(?:based|located)\s+(?:out\s+of|in|at)\s+{_PLACE}"), partial(_place, attribute="city")),
    (rule(rf"(?:originally\s+|born and raised\s+)?from\s+{_PLACE}"), partial(_place, attribute="hometown")),
    (rule(rf"(?:born|raised)\s+(?:and\s+(?:raised|bred)\s+)?in\s+{_PLACE}"), partial(_place, attribute="hometown")),
)
WAS: tuple[Rule, ...] = (
    (rule(rf"(?:born|raised)\s+(?:and\s+(?:raised|bred)\s+)?in\s+{_PLACE}"), partial(_place, attribute="hometown")),
)
DO: tuple[Rule, ...] = (
    *HOMES,
    *ORIGINS,
    (
        rule(
            r"(?:fly|flies|travel|travels|go|goes|leave|leaves)\s+(?:out\s+)?(?:to"
            rf"|for)\s+(?P<v>[^;:!?,]{{2,40}}?){_WHEN}"
        ),
        partial(_leaves, variant="goes"),
    ),
    (
        rule(
            r"(?:go|goes|hang(?:s)? out|eat|eats|get (?:my )?(?:coffee|lunch|groceries)|shop|shops|work|train"
            r"|trains)\s+(?:to|at|from)\s+(?P<v>[^;!?,]{2,50}?)\s+(?:almost\s+|nearly\s+)?(?:every|all the time"
            r"|a lot|daily|most|regularly|often)\b.*"
        ),
        _frequents,
    ),
)
NOUN: tuple[Rule, ...] = (
    (rule(rf"(?:home\s?town|birthplace)(?:'s|\s+is)\s+(?:in\s+)?{_PLACE}"), partial(_place, attribute="hometown")),
    (
        rule(rf"(?:home|house|apartment|flat|place|home\s+city|family\s+home)(?:'s|\s+is)\s+in\s+{_PLACE}"),
        partial(_place, attribute="city"),
    ),
    (rule(rf"(?:city|home\s+city|location)(?:'s|\s+is)\s+(?:now\s+)?{_PLACE}"), partial(_place, attribute="city")),
    (
        rule(
            r"(?:office|work\s?place|company'?s? office|desk|lab|studio)(?:'s|\s+is)\s+(?:located\s+)?(?:in|at"
            rf"|on)\s+{_PLACE}"
        ),
        partial(_place, attribute="workplace"),
    ),
)
