"""English clauses about routines, appointments, and when to meet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.clock import PARTS_EN
from memory_middleware.remember.extraction.rules.dates_en import DAY_EN
from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.spans import EVERY_EN, WEEKDAY_EN, read_span_en
from memory_middleware.remember.extraction.rules.english.wording import about_their, third_person
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.texts import MASK

__all__ = ["BE", "DO", "FREE", "NOUN", "ROUTINES", "meeting_window"]

_EVENTS = (
    r"(?:appointment|appt|meeting|interview|exam|midterm|final exam|final|quiz|test|flight|demo|launch|release"
    r"|party|wedding|conference|trip"
    r"|presentation|workshop|review|surgery|operation|class"
    r"|match|concert|call|checkup|check-up|dinner|lunch|date|talk|webinar|graduation|anniversary|marathon|race"
    r"|move|holiday|vacation|visit|training|viva|defen[sc]e"
    r"|recital|hearing|court date|delivery|sprint review|standup|kickoff|kick-off|onboarding|visa interview"
    r"|audition|reservation|session|retro|town hall|reunion)"
)
_TASKS = (
    r"(?:migration|thesis|dissertation|report|proposal|grant|paper|assignment|essay|deck|slides|draft|taxes|tax return"
    r"|application|homework|presentation|release|project|manuscript|chapter|article|review|prototype|budget"
    r"|audit|survey"
    r"|rent|invoice|coursework|portfolio|submission|form|forms|paperwork|article|contract|demo)"
)
_DANGLING = re.compile(r"\b(?:in|at|on|to|for|with|a|the)$", re.IGNORECASE)
_ACTIVITY = re.compile(
    r"(?:like|love|hate|think|feel|know|hope|want|need|see|say|wonder|forget|wish|believe|guess|die|use|get|learn"
    r"|regret|miss|thank|mean|see|find|lose|tell|hear|can|will|would"
    r"|should|don't|never|always|am|is|are|was|were|be)\b",
    re.IGNORECASE,
)


_BARE_DAYS = re.compile(rf"{WEEKDAY_EN}\b(?!s)", re.IGNORECASE)
_PAST = re.compile(r"\w+ed\b|went|ran|had|did|was|were|got|took|made|saw|met|came|am|is|are", re.IGNORECASE)


def _routine(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    deed, when = reading.clause.said(found).strip(" ,"), found["when"].strip(" ,")
    if (
        reading.negated
        or MASK in found[0]
        or not deed
        or (_BARE_DAYS.match(when) and _PAST.match(deed))
        or _ACTIVITY.match(deed)
        or _DANGLING.search(deed)
        or not (said := third_person(deed))
    ):
        return
    rest = re.split(r"[,;]|:(?!\d)|\b(?:but|because|so|it|i|which|since|and i)\b", found["rest"], maxsplit=1)[0].strip(
        " ."
    )
    cadence = about_their(f"{when} {rest}".strip() if len(rest) <= 40 else when)
    key = re.sub(r"^(?:usually|always|often|also|just)\s+", "", deed, flags=re.IGNORECASE)
    if reading.ended:
        yield reading.find("routine", key, key=key, ended=True)
        return
    span = read_span_en(cadence)
    extra = {"cadence": cadence, "name": key}
    if span and span.start:
        extra["window"] = span.window  # type: ignore[assignment]
    yield reading.find("routine", f"{said} {cadence}", key=key, plain=key, extra=extra)


def _habit(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``I usually wake up at 6``."""
    if reading.negated or not re.search(
        r"\b(?:usually|normally|always|typically|generally)\b", reading.clause.text, re.IGNORECASE
    ):
        return
    deed, when = found["v"], found["when"].strip()
    extra = {"cadence": f"usually {when}", "name": deed}
    yield reading.find("routine", f"usually {third_person(deed)} {when}", key=deed, plain=deed, extra=extra)


def _event(found: re.Match[str], reading: Reading, *, variant: str = "") -> Iterator[Finding]:
    group = "v" if found["v"] else "bare"
    when = reading.day(reading.clause.text[found.end(group) :])
    if re.search(r"\bevery\b", found[0], re.IGNORECASE):
        return
    if not when or reading.negated or when.day < reading.moments.today or MASK in found[group]:
        return
    noun = re.sub(r"^(?:an?|my|the|another|our)\s+", "", reading.clause.said(found, group), flags=re.IGNORECASE)
    noun = re.sub(r"\b(?:my|our)\b", "their", noun, flags=re.IGNORECASE)
    shown = f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}" if variant == "has" else noun
    key = re.sub(r"\s+(?:with|to|at|for)\s+.*$", "", noun)
    yield reading.find(
        "event", shown, key=key, variant=variant, day=when.phrase(reading.language), event_time=reading.when(when)
    )


def _due(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``the migration is due Friday``, of something that has no name of its own."""
    when = reading.day(found["when"])
    if when and not reading.negated and when.day >= reading.moments.today and MASK not in found[0]:
        what = f"{reading.clause.said(found).lower()} deadline"
        yield reading.find("event", what, day=when.phrase(reading.language), event_time=reading.when(when))


def _wedding(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    when = reading.day(found["when"])
    if when and not reading.negated and when.day >= reading.moments.today:
        yield reading.find(
            "event",
            "gets married",
            key="wedding",
            variant="does",
            day=when.phrase(reading.language),
            event_time=reading.when(when),
        )


def meeting_window(found: re.Match[str], reading: Reading, *, attribute: str = "no_meetings") -> Iterator[Finding]:
    """Read the span in which meetings are not, or best, held."""
    said = re.split(r"[;:](?!\d)|,|\b(?:please|because|unless|if|since|so)\b", reading.clause.said(found), maxsplit=1)[
        0
    ].strip(" .,")
    span = read_span_en(said)
    if span and MASK not in said:
        if re.match(rf"{PARTS_EN}s?$", said, re.IGNORECASE):
            said = f"in the {said.lower()}"
        shown = (
            said
            if re.match(r"(?:before|after|on|in|at|between|from|during|until|past)\b", said, re.IGNORECASE)
            else f"on {said}"
        )
        shown = re.sub(r"\s+(?:pls|plz|for me|thanks|ok|okay|at all|tho|though)$", "", shown, flags=re.IGNORECASE)
        yield reading.find(attribute, shown, key=span.key, extra={"window": span.window})


_ROUTINE = rule(
    rf"(?P<v>[a-z][^;:!?,]{{1,60}}?)\s+(?:almost\s+|pretty much\s+|nearly\s+)?(?P<when>{EVERY_EN})(?P<rest>(?:\s.*)?)$"
)


def _no_meetings(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated or " no " in found[0]:
        yield from meeting_window(found, reading)


_WHEN = rf"(?P<when>{DAY_EN}.*)"
_IS_ON = (
    r"(?:'s|s(?=\s+(?:at|on)\s)|\s+is|\s+are|\s+will\s+be|\s+starts|\s+(?:got|was|has been|is)?\s*(?:moved"
    r"|pushed|postponed"
    r"|rescheduled|scheduled|changed)(?:\s+back)?)"
)
BE: tuple[Rule, ...] = (
    (rule(rf"getting\s+married\s+(?:on\s+|in\s+)?{_WHEN}"), _wedding),
    (
        rule(
            r"having\s+(?P<v>(?:an?|my|the"
            rf"|another)\s+(?:[\w'-]+\s+){{0,3}}?{_EVENTS})\s+(?:[\w' ]{{0,30}}?\s)?(?:on\s+|at\s+)?{_WHEN}"
        ),
        partial(_event, variant="has"),
    ),
)
DO: tuple[Rule, ...] = (
    (
        rule(
            r"(?:have|need|got|'?ve\s+got)\s+to\s+(?:submit|finish|hand\s+in|turn\s+in|file|send"
            r"|deliver)\s+(?:my|the|our)\s+"
            rf"(?P<v>(?:[\w-]+\s+){{0,2}}?{_TASKS})\s+(?:by|before|on)\s+{_WHEN}"
        ),
        _due,
    ),
    (
        rule(
            r"(?:have|has|got|'?ve\s+got)\s+(?P<v>(?:an?|my|the"
            rf"|another)\s+(?:[\w'-]+\s+){{0,3}}?{_EVENTS}(?:\s+(?:with|to"
            rf"|for)\s+[\w. ]{{2,30}}?)?)\s+(?:(?:scheduled|booked|coming up"
            rf"|due)\s+)?(?:at\s+[\d:]+\s*(?:[ap]m)?\s+)?(?:on\s+|for\s+)?{_WHEN}"
        ),
        partial(_event, variant="has"),
    ),
    (
        rule(
            r"(?:do|take|have|want|accept|like|schedule|attend|join|hold)\s+(?:any\s+|no\s+)?(?:meetings"
            r"|calls)\s+(?P<v>.+)"
        ),
        _no_meetings,
    ),
    (
        rule(r"prefers?\s+(?:to have\s+|having\s+)?(?:my\s+)?(?:meetings|calls)\s+(?P<v>.+)"),
        partial(meeting_window, attribute="meetings"),
    ),
    (
        rule(r"(?:do|does|get)\s+(?:my\s+)?(?:best\s+)?(?:deep|focus(?:ed)?)\s+work(?:\s+done)?\s+(?P<v>.+)"),
        partial(meeting_window, attribute="deep_work"),
    ),
    (
        rule(
            r"(?P<v>wake up|get up|go to (?:bed|sleep|work)|start work(?:ing)?|finish work|have (?:breakfast|lunch"
            r"|dinner)|eat (?:breakfast|lunch|dinner)|work out|exercise|run|walk the dog)\s+(?P<when>(?:at|around"
            r"|about)\s+\d{1,2}(?::\d{2})?\s*(?:[ap]m)?)\b"
        ),
        _habit,
    ),
)
ROUTINES: tuple[Rule, ...] = ((_ROUTINE, _routine),)
NOUN: tuple[Rule, ...] = (
    (
        rule(
            r"(?P<v>(?:lease|contract|visa|passport|subscription|trial|membership|insurance|internship|probation"
            r"|semester|term|vacation|holiday|leave|warranty)\s+(?:ends|expires|starts|begins"
            rf"|runs out))\s+(?:on\s+)?{_WHEN}"
        ),
        partial(_event, variant="that"),
    ),
    (
        rule(
            rf"(?P<v>(?:[\w'-]+\s+){{0,3}}?{_EVENTS}(?:\s+(?:with|at|for)\s+[\w. ]{{2,30}}?)?){_IS_ON}\s*(?:for\s+"
            rf"|on\s+|to\s+|at\s+(?:\d[\d:]*\s*(?:[ap]m)?\s+)?)?{_WHEN}"
        ),
        _event,
    ),
)
FREE: tuple[Rule, ...] = (
    (
        rule(
            r"(?:(?:please|pls)\s+)?(?:don'?t|do\s+not)\s+(?:call|ring|text|ping|bother|message|disturb"
            r"|contact)\s+me\s+"
            r"(?P<v>(?:before|after|between|on|in\s+the)\s+.+)"
        ),
        meeting_window,
    ),
    (
        rule(
            rf"(?:(?:the|my|our|this)\s+)?(?P<v>(?:[\w-]+\s+){{0,2}}?{_TASKS})(?:'s|\s+is|\s+are)?\s+(?:now\s+)?due\s+"
            rf"(?:on\s+|by\s+|back\s+)?{_WHEN}"
        ),
        _due,
    ),
    (rule(r"(?:i|we)\s+(?:want|need|prefer|would like)\s+no\s+(?:meetings|calls)\s+(?P<v>.+)"), meeting_window),
    (
        rule(
            rf"(?P<when>(?:on\s+)?{WEEKDAY_EN}(?<=s)\b(?:\s*(?:,|and"
            rf"|&)\s*{WEEKDAY_EN}(?<=s)\b){{0,6}})(?P<rest>)\s*,?\s+(?:i|we)\s+"
            r"(?:usually\s+|always\s+|often\s+)?(?P<v>[a-z][^;:!?,]{2,60})$"
        ),
        _routine,
    ),
    (
        rule(
            r"(?P<v>[\w ]{3,40}?)\s+(?:works?|is|are|would be)\s+(?:the\s+)?(?:best|better"
            r"|good)(?:\s+time)?\s+(?:for\s+me\s+)?for\s+(?:my\s+)?(?:meetings|calls)\b"
        ),
        partial(meeting_window, attribute="meetings"),
    ),
    (
        rule(
            r"(?P<v>[\w ]{3,40}?)\s+(?:are|is)\s+(?:my\s+|a\s+|always\s+){0,7}(?:no[- ]meetings?|meeting[- ]free"
            r"|off[- ]limits for meetings)\b"
        ),
        meeting_window,
    ),
    (
        rule(
            rf"(?:(?:the|this|that)\s+(?P<v>(?:[\w'-]+\s+){{0,2}}?{_EVENTS})"
            rf"|(?P<bare>{_EVENTS})){_IS_ON}\s*(?:for\s+|on\s+|to\s+"
            rf"|at\s+)?{_WHEN}"
        ),
        _event,
    ),
    (
        rule(
            r"(?:(?:please|pls|and|also)\s+){0,7}(?:no|(?:don'?t|do not|never)\s+(?:ever\s+)?(?:schedule|book|plan"
            r"|set up|arrange|put|give me|accept)(?:\s+me)?(?:\s+for)?(?:\s+any|\s+in)?"
            r"|avoid(?:\s+scheduling|\s+booking)?)\s+(?:any\s+|my\s+)?(?:meetings?|calls?|appointments?"
            r"|anything)\s+(?:(?:on|in|into)\s+my\s+calendar\s+)?(?P<v>.+)"
        ),
        meeting_window,
    ),
    (
        rule(
            r"(?:(?:please|pls|always)\s+){0,7}(?:schedule|book|plan|put|set up)\s+(?:my\s+|all\s+"
            r"|all my\s+)?(?:meetings|calls)\s+(?:only\s+)?(?:for\s+)?(?P<v>.+)"
        ),
        partial(meeting_window, attribute="meetings"),
    ),
    (
        rule(
            r"(?:(?:please|pls|always)\s+){0,7}keep\s+(?:my\s+)?(?P<v>.+?)\s+(?:free(?:\s+of\s+meetings)?"
            r"|meeting[- ]free|clear)\b"
        ),
        meeting_window,
    ),
    (
        rule(
            rf"(?P<when>{EVERY_EN})(?P<rest>(?:\s+(?:at|from)\s+[\d:]+\s*(?:[ap]m)?)?)\s*,?\s+(?:i"
            rf"|we)\s+(?:usually\s+|always\s+|often\s+|both\s+){{0,7}}(?P<v>[a-z][^;:!?,]{{2,60}})$"
        ),
        _routine,
    ),
)
