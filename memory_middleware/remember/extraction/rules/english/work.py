"""English clauses about what somebody does for a living, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.clock import CLOCK_EN, read_clock_en
from memory_middleware.remember.extraction.rules.english.employers import LEFT, is_at_work, is_hired, left_for_good
from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.values import (
    occupation_of,
    organisation_of,
    place_of,
    thing_of,
)
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.lexicon import JOB_HEADS
from memory_middleware.remember.extraction.rules.proper_names import PLACES
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["BE", "DO", "HOURS", "NOUN", "TITLE", "WAS", "WORKS"]

_AT = re.compile(r"\b(?:at|for|with)\s+(?P<v>.+)$", re.IGNORECASE)
_IN = re.compile(r"\b(?:based\s+)?(?:in|here in)\s+(?P<v>.+)$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+(?P<v>(?-i:[A-Z]).+)$", re.IGNORECASE)


_IN_JEST = re.compile(
    r"\b(?:basically|literally|practically|low-?key|virtually)\s+(?:an?|the)\b|\bat this point\b|\bprofessional\s+"
    r"(?:napper|procrastinator|worrier|overthinker|complainer|eater|sleeper|snacker|lurker|idiot)\b",
    re.IGNORECASE,
)


def with_article(job: str) -> str:
    """Put an article before an occupation that wants one."""
    if re.match(
        r"(?:head|director|vp|cto|ceo|cfo|coo|retired|unemployed|self-employed|between|the|a|an|one)\b",
        job,
        re.IGNORECASE,
    ):
        return job
    vowel = re.match(r"(?!uni|use|eu|one|u[xi]\b)[aeiou]|(?-i:[FHLMNRSX][A-Z]{1,3})\b", job, re.IGNORECASE)
    return f"{'an' if vowel else 'a'} {job}"


def _job(found: re.Match[str], reading: Reading, *, change: bool = False) -> Iterator[Finding]:
    said = reading.clause.said(found)
    if not (job := occupation_of(said)) or _IN_JEST.search(reading.clause.text[: found.end("v")]):
        return
    if reading.negated or reading.ended:
        yield reading.find("occupation", job, ended=True, extra={"only_if": not reading.ended})
        return
    yield reading.find("occupation", with_article(job), plain=job, change=change)
    yield from _around(said, reading)


def _around(said: str, reading: Reading) -> Iterator[Finding]:
    """Read what follows an occupation: at which organisation, in which city."""
    if (at := _AT.search(said)) and (place := organisation_of(at["v"])) and (_is_named(place)):
        yield reading.find("employer", place)
    if (where := _IN.search(said)) and (city := place_of(where["v"])) and city[0].isupper():
        yield reading.find("workplace", city)
    elif (origin := _FROM.search(said)) and (town := place_of(origin["v"])):
        yield reading.find("hometown", town)


def _is_named(text: str) -> bool:
    return text[0].isupper() or text[0].isdigit() or text.lower().startswith(("a ", "an ", "the ", "my "))


def _employer(found: re.Match[str], reading: Reading, *, change: bool = False, over: bool = False) -> Iterator[Finding]:
    said = reading.clause.said(found)
    place = organisation_of(said)
    if not place or re.match(r"my (?:own|dad|mom|father|mother)\b", place):
        return
    if reading.negated or reading.ended or over:
        yield reading.find("employer", place, ended=True, extra={"only_if": not (reading.ended or over)})
        return
    yield reading.find("employer", place, change=change)
    if (role := re.search(r"\bas\s+(?:an?\s+|the\s+)?(?P<v>.+)$", said, re.IGNORECASE)) and (
        job := occupation_of(role["v"])
    ):
        yield reading.find("occupation", with_article(job), plain=job, change=change)
    elif (where := _IN.search(said)) and (city := place_of(where["v"])) and city[0].isupper():
        yield reading.find("workplace", city)


def _at(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``I'm at Siemens these days``; being somewhere else is no job."""
    if is_at_work(reading.clause.text, found.start("v")):
        yield from _employer(found, reading)


def _joined(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if is_hired(reading.clause.text, found.start("v")):
        yield from _employer(found, reading, change=True)


def _left(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``I quit my job at Google`` and, of the employer that is known, ``I left Google``."""
    if found["job"]:
        yield from _employer(found, reading, over=True)
    elif name := left_for_good(reading.clause.text, found.start("v")):
        yield reading.find("employer", name, ended=True, extra={"only_if": True, "whole": True})


def _jobless(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("employer", "", ended=True)


def _state(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("occupation", found["v"].lower(), plain=found["v"].lower())


def _studies(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated or reading.ended or re.search(r"\b(?:next|soon|someday|eventually)\b", found[0], re.IGNORECASE):
        return
    groups = found.groupdict()
    if (
        groups.get("subject")
        and (subject := thing_of(groups["subject"]))
        and not re.match(r"(?:for|hard|abroad)\b", subject)
    ):
        yield reading.find("field_of_study", subject)
    if groups.get("school") and (school := organisation_of(groups["school"])) and school[0].isupper():
        yield reading.find("school", school)


def _teaches(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    subject = thing_of(re.sub(r"\s+(?:at|in|to|for|and)\b.*$", "", reading.clause.said(found), flags=re.IGNORECASE))
    if (
        subject
        and not reading.negated
        and not reading.ended
        and len(subject.split()) <= 3
        and subject.lower() not in ("kids", "children", "people", "classes")
    ):
        yield reading.find("occupation", f"a {subject} teacher", plain=f"{subject} teacher")
        if (where := _IN.search(reading.clause.said(found))) and where["v"].split()[0].lower() in PLACES:
            yield reading.find("workplace", where["v"].split()[0])


def _runs(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and not reading.ended:
        what = re.sub(r"\b(?:my|our)\b", "their", reading.clause.said(found), flags=re.IGNORECASE)
        yield reading.find("occupation", f"running {what}", plain=f"running {what}", extra={"weak": True})


def _branch(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and not reading.ended:
        yield reading.find("occupation", f"working in {found['v']}", plain=f"working in {found['v']}")


def _does(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``I do UX at a startup called Fernwell``."""
    if reading.negated or reading.ended:
        return
    yield reading.find("occupation", f"working in {found['branch']}", plain=f"working in {found['branch']}")
    if (place := organisation_of(reading.clause.said(found))) and _is_named(place):
        yield reading.find("employer", place)


def _works_there(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    place = place_of(reading.clause.said(found))
    if place and place.lower() in PLACES and not reading.negated and not reading.ended:
        yield reading.find("workplace", place)


def _mode(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and not reading.ended:
        yield reading.find("work_mode", " ".join(found["v"].lower().split()))


def _graduated(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if school := organisation_of(reading.clause.said(found)):
        yield reading.find("alma_mater", school)


def _works_in(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if (job := occupation_of(found["job"])) and not reading.negated:
        yield reading.find("occupation", with_article(job), plain=job)
        if city := place_of(found["v"]):
            yield reading.find("workplace", city)


def _student(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated or reading.ended:
        return
    kind = found["v"].strip()
    yield reading.find("occupation", with_article(kind), plain=kind)
    yield from _studies(found, reading)


def _hours(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    spans = [re.fullmatch(CLOCK_EN, found[name].strip(), re.IGNORECASE) for name in ("start", "stop")]
    start, stop = (read_clock_en(span) if span else None for span in spans)
    if not start or not stop or reading.negated:
        return
    if stop <= start and stop.hour < 12:
        stop = stop.replace(hour=stop.hour + 12)
    if stop > start:
        window = {"start": f"{start:%H:%M}", "end": f"{stop:%H:%M}"}
        yield reading.find("working_hours", f"{start:%H:%M} to {stop:%H:%M}", extra={"window": window})


_ORG = r"(?P<v>[^;:!?]+)"
_BRANCHES = (
    r"marketing|finance|sales|tech|it|hr|healthcare|education|retail|construction|consulting|logistics|hospitality"
    r"|advertising|publishing|insurance|banking|real estate|law|design|research|academia"
    r"|biotech|pharma|journalism|accounting|customer support|customer service|cyber ?security|data science"
    r"|machine learning|film|gaming|agriculture|government|public relations|pr"
)
_SHOPS = (
    r"(?:bakery|caf[eé]|coffee shop|restaurant|bar|bookshop|bookstore|shop|store|startup|company|business|agency"
    r"|farm|studio|gym|salon|hotel|consultancy|food truck|blog|podcast|youtube channel|law firm)"
)
_CLOCK = r"\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?"

BE: tuple[Rule, ...] = (
    (rule(r"(?P<v>retired|unemployed|self-employed|between jobs)\b"), _state),
    (
        rule(
            r"(?:an?\s+)?(?P<v>(?:\w+[\s-]){0,2}(?:student|undergrad"
            r"|phd candidate))\b(?:\s+of\s+(?P<subject>[^,;]+?))?(?:\s+(?:at|in)\s+(?P<school>[^,;]+))?$"
        ),
        _student,
    ),
    (
        rule(
            r"(?:currently\s+)?(?:an?\s+(?=[\w ]{2,20}\s+major\b)|studying|majoring in|doing (?:my|a) (?:phd|degree"
            r"|master'?s) in)\s*(?P<subject>[^,;]+?)(?:\s+major\b(?:\s+in\s+\w+)?)?(?:\s+at\s+(?P<school>[^,;]+))?$"
        ),
        _studies,
    ),
    (rule(r"(?:an?|the|your|one of the)\s+(?P<v>[^;:!?]+)"), _job),
    (rule(r"(?:now\s+)?(?P<v>(?:head|director|vp|cto|ceo|cfo|coo|lead|founder|co-founder)\b[^;:!?]*)"), _job),
    (rule(r"(?:(?:now|still|currently)\s+)?working\s+as\s+(?:an?\s+|the\s+)?(?P<v>[^;:!?]+)"), _job),
    (rule(rf"(?:working|employed)\s+(?:at|for|with)\s+{_ORG}"), _employer),
    (rule(r"at\s+(?P<v>(?-i:[A-Z])[^;:!?]*)$"), _at),
    (rule(r"(?:promoted|made)\s+(?:to\s+)?(?:an?\s+)?(?P<v>[^;:!?]+)"), partial(_job, change=True)),
)
# A title without an article, after a name or an age: ``I'm Tomas, product manager at X``.
TITLE: tuple[Rule, ...] = ((rule(rf"(?P<v>(?:[\w-]+\s+){{0,3}}?{JOB_HEADS}\b[^;:!?]*)"), _job),)
WAS: tuple[Rule, ...] = (
    (rule(r"(?:just\s+|recently\s+)?promoted\s+to\s+(?:an?\s+|the\s+)?(?P<v>[^;:!?]+)"), partial(_job, change=True)),
    (rule(rf"(?:laid off|fired|let go)\s+(?:from|by|at)\s+{_ORG}"), partial(_employer, over=True)),
)
_HAVE = r"(?:(?:'?ve|have|has)\s+)?(?:(?:just|recently|finally|now|been)\s+){0,7}"
HOURS: tuple[Rule, ...] = (
    (rule(rf"works?\s+(?:from\s+)?(?P<start>{_CLOCK})\s*(?:-|\u2013|to|until|till)\s*(?P<stop>{_CLOCK})"), _hours),
)
WORKS: tuple[Rule, ...] = (
    (rule(r"been\s+(?:an?|the)\s+(?P<v>[^;:!?]+)"), _job),
    (rule(rf"{_HAVE}(?:work|freelanc)(?:e|es|s|ing|ed)?\s+(?:\w+ly\s+)?as\s+(?:an?\s+|the\s+)?(?P<v>[^;:!?]+)"), _job),
    (
        rule(
            rf"(?:{_HAVE}work(?:s|ing)?|(?:'?ve|have|has)\s+(?:been\s+)?work(?:ed|ing))\s+(?:full[- ]time\s+"
            rf"|part[- ]time\s+|remotely\s+)?(?:at|for)\s+{_ORG}"
        ),
        _employer,
    ),
)
DO: tuple[Rule, ...] = (
    (
        rule(
            rf"{_HAVE}(?:joined|got\s+(?:hired|a\s+job)\s+(?:at|by|with)|started (?:working\s+)?(?:at|for)"
            rf"|started (?:a|my) new (?:job|position|role) (?:at"
            rf"|with))\s+(?P<v>(?:an?\s+[\w ]{{2,30}}\s+(?:called|named)\s+)?(?-i:[A-Z])[^;:!?]*)"
        ),
        _joined,
    ),
    (rule(rf"{_HAVE}started (?:working )?as\s+(?:an?\s+|the\s+)?(?P<v>[^;:!?]+)"), partial(_job, change=True)),
    (
        rule(
            rf"{_HAVE}(?:changed|switched) (?:jobs?|companies)\s+(?:to|and (?:am )?(?:now )?(?:at|with"
            rf"|joined))\s+{_ORG}"
        ),
        partial(_employer, change=True),
    ),
    (rule(rf"{_HAVE}(?:became|become)\s+(?:an?\s+|the\s+)?(?P<v>[^;:!?]+)"), partial(_job, change=True)),
    (rule(rf"{_HAVE}(?:got|been)\s+promoted\s+to\s+(?:an?\s+|the\s+)?(?P<v>[^;:!?]+)"), partial(_job, change=True)),
    (rule(rf"{_HAVE}{LEFT}"), _left),
    (rule(r"(?:study|studies|major(?:s|ed)? in)\s+(?P<subject>[^,;]+?)(?:\s+at\s+(?P<school>[^,;]+))?$"), _studies),
    (
        rule(
            rf"{_HAVE}(?:quit|lost|left|resigned from)\s+(?P<v>my\s+(?:old\s+)?job)\b(?!\s+(?:at|as|with))"
            rf"|{_HAVE}(?:got|been)\s+(?:laid off|fired(?!\s+up)|let go)\b"
        ),
        _jobless,
    ),
    (rule(rf"{_HAVE}(?P<v>retired)\b"), _state),
    (rule(r"teach(?:es)?\s+(?P<v>[^,;:!?]+)"), _teaches),
    (
        rule(
            r"(?:run|runs|own|owns|founded|co-founded)\s+(?P<v>(?:an?|my own"
            rf"|our own)\s+(?:[\w-]+\s+){{0,2}}?{_SHOPS})\b"
        ),
        _runs,
    ),
    (
        rule(
            rf"{_HAVE}work(?:s|ing)?\s+(?P<v>remotely|from home|part[- ]time|full[- ]time|night shifts?|nights"
            r"|hybrid|freelance)\b"
        ),
        _mode,
    ),
    (rule(rf"{_HAVE}work(?:s|ing)?\s+in\s+(?P<v>{_BRANCHES})\b"), _branch),
    (
        rule(
            rf"(?:do|does)\s+(?P<branch>{_BRANCHES}|ux|ui|qa|devops|front-?end|back-?end|it support"
            rf"|support)\s+(?:at|for)\s+{_ORG}"
        ),
        _does,
    ),
    (
        rule(rf"{_HAVE}work(?:s|ing)?\s+in\s+(?P<v>[^,;:!?]{{2,30}}?)\s+as\s+(?:an?\s+|the\s+)?(?P<job>[^;:!?]+)"),
        _works_in,
    ),
    (rule(rf"{_HAVE}work(?:s|ing)?\s+in\s+(?P<v>(?-i:[A-Z])[^;:!?,]{{1,30}})$"), _works_there),
    (rule(rf"{_HAVE}graduated\s+from\s+(?P<v>(?-i:[A-Z])[^,;:!?]+)"), _graduated),
)
NOUN: tuple[Rule, ...] = (
    (
        rule(
            r"(?:(?:day\s+)?job|occupation|profession|position|role|job\s+title|title)(?:'s"
            r"|\s+is)\s+(?:now\s+)?(?:an?\s+|the\s+)?(?P<v>[^;:!?]+)"
        ),
        _job,
    ),
    (rule(r"(?:employer|company|workplace)(?:'s|\s+is)\s+(?:called\s+|now\s+)?(?P<v>(?-i:[A-Z])[^;:!?]*)"), _employer),
    (
        rule(
            rf"working\s+hours\s+are\s+(?:from\s+)?(?P<start>{_CLOCK})\s*(?:-|\u2013|to|until"
            rf"|till)\s*(?P<stop>{_CLOCK})"
        ),
        _hours,
    ),
    (rule(r"major(?:'s|\s+is)\s+(?P<subject>[^,;]+?)$"), _studies),
)
