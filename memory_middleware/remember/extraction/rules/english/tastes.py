"""English clauses about what somebody likes, avoids, and must not eat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.english.allergens import is_allergen
from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.values import tastes_of, thing_of, things_of
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["ALLERGIC", "BE", "DO", "FREE", "NOUN"]

_DOING = re.compile(r"^\w{3,}ing\b", re.IGNORECASE)
_OVER = re.compile(r"\s+(?:over|to|rather than|instead of|more than)\s+", re.IGNORECASE)
_OFFERED = re.compile(
    r"^(?:those|these|this|that)\b|^the\s+(?:first|second|third|last|other|latter|former|new|old)\b|\b(?:one|ones|version|option|way|answer)$",
    re.IGNORECASE,
)
_SOMETIMES = re.compile(
    r"\b(?:after|before|when|while|during|unless|at\s+(?:night|work|home|lunch|\d)|in\s+the\s+(?:morning|afternoon|evening)"
    r"|on\s+(?:\w+days?|weekends?)|past\s+\d)\b",
    re.IGNORECASE,
)


def _taste(found: re.Match[str], reading: Reading, *, variant: str = "", hobby: bool = False) -> Iterator[Finding]:
    if reading.negated or reading.ended:
        variant = _DENIED.get(variant, "")
        if not variant:
            return
    for thing in tastes_of(reading.clause.said(found)):
        interest = (hobby or bool(_DOING.match(thing))) and not variant
        yield reading.find("taste", thing, variant=variant, change=reading.ended, extra={"interest": interest})


_DENIED = {"": "dislike", "prefer": "dislike"}


def _prefers(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if reading.negated:
        return
    said, *rest = _OVER.split(reading.clause.said(found), maxsplit=1)
    if (thing := thing_of(said)) and not _OFFERED.search(thing):
        over = thing_of(rest[0]) if rest else None
        shown = f"{thing} to {over}" if over else thing
        yield reading.find("taste", shown, key=thing, variant="prefer", plain=thing)


def _refuses(found: re.Match[str], reading: Reading, *, denied: bool = False) -> Iterator[Finding]:
    if not (denied or reading.negated or reading.ended):
        return
    if _SOMETIMES.search(reading.clause.said(found)):
        return
    drink = found["verb"].lower().startswith("drink")
    for thing in things_of(re.sub(r"\b(?:at all|ever)\b.*$", "", reading.clause.said(found))):
        if not re.match(
            r"(?:much|enough|out|that|this|well|breakfast|lunch|dinner|before|after|any|another|one|a|an|my|your|anything"
            r"|more|all|half|here|now|right|alone|fast|properly|like|as)\b",
            thing,
            re.IGNORECASE,
        ):
            yield reading.find("taste", thing, variant="no_drink" if drink else "no_food")


def _quit(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and (thing := thing_of(reading.clause.said(found))):
        yield reading.find("taste", thing, variant="quit")


def _allergy(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    for thing in things_of(reading.clause.said(found)):
        bare = re.sub(r"\b(?:allergy|allergies)$", "", thing).strip()
        if is_allergen(bare):
            yield reading.find("allergy", bare, variant="none" if reading.negated or reading.ended else "")


def _person(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    thing = thing_of(reading.clause.said(found))
    if (
        thing
        and not reading.negated
        and thing.lower() not in ("people", "nice", "good", "bad", "different", "quiet", "private", "busy")
    ):
        yield reading.find("taste", thing)


def _favorite(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    said = reading.clause.said(found)
    said = said if re.search(r"\sare\s", found[0]) else said.split(",")[0]
    value, kind = thing_of(said), found["kind"].strip().lower()
    if value and not reading.negated and kind not in ("part", "thing about this"):
        yield reading.find("favorite", value, key=kind, extra={"kind": kind})


def _likes_to(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    deed = re.split(r"\s+(?:and|but|because|when|with|on|in|at|every|while|so|for|before|after)\b", found["v"])[
        0
    ].strip(" .,")
    if re.match(
        r"(?:see|know|be|get|have|do|make|take|think|say|just|go|keep|hear|ask|add|use|try|imagine|believe|point|pickup|workout|not|die|cry|scream|puke"
        r"|vomit|quit|wait|leave)\b",
        deed,
    ):
        return
    if _WANTS_MORE.fullmatch(deed) and deed != found["v"].strip(" .,"):
        return
    if 0 < len(deed.split()) <= 3 and not re.search(r"\b(?:it|this|that|you|them|him|her)\b", deed):
        doing = _gerund(deed)
        variant = "dislike" if reading.negated != (found["hate"] is not None) else ""
        yield reading.find("taste", doing, variant=variant, extra={"interest": not variant})


# Says little without what follows it: ``spend time with``, ``play with``.
_WANTS_MORE = re.compile(
    r"(?:spend\b.*|play|talk|look|listen|stay|live|sit|hang|hang out|walk|pick\s?up\b.*|deal|mess)", re.IGNORECASE
)


def _gerund(deed: str) -> str:
    verb, *rest = deed.split()
    if re.fullmatch(r"(?:swim|run|jog|shop|sit|win|cut|hit|plan|chat)", verb):
        verb += verb[-1]
    return " ".join([f"{re.sub(r'(?<=[^aeo])e$', '', verb)}ing", *rest])


def _plays(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and not reading.ended:
        yield reading.find("plays", reading.clause.said(found))


_PLAYED = (
    r"(?:the\s+)?(?:\w+\s+)?(?:piano|guitar|violin|clarinet|cello|drums|flute|saxophone|sax|trumpet|ukulele|bass"
    r"|harp|banjo|viola|oboe|football|soccer|tennis|basketball|volleyball|badminton"
    r"|chess|golf|rugby|cricket|hockey|baseball|squash|padel|table tennis|ping pong|poker|go)"
)
_THING = r"(?P<v>[^;!?]+)"
ALLERGIC: tuple[Rule, ...] = ((rule(rf"(?:\w+\s+)?allergic\s+to\s+{_THING}"), _allergy),)
BE: tuple[Rule, ...] = (
    (
        rule(
            r"(?:\w+ly\s+|so\s+|big\s+){0,7}(?:into|fond\s+of|crazy\s+about|obsessed\s+with|interested\s+in"
            rf"|passionate\s+about|keen\s+on|mad\s+about)\s+{_THING}"
        ),
        partial(_taste, hobby=True),
    ),
    (
        rule(
            r"(?:not\s+)?(?:an?\s+)?(?:big\s+|huge\s+|massive\s+|real\s+|great\s+|avid\s+|die-?hard\s+){0,7}(?:fan"
            rf"|lover)\s+of\s+{_THING}"
        ),
        partial(_taste, hobby=True),
    ),
    (rule(r"(?:more\s+)?(?:of\s+)?an?\s+(?P<v>[\w ]{2,20}?)\s+person\b"), _person),
    (
        rule(
            r"an?\s+(?:big\s+|huge\s+|total\s+)?(?P<v>(?:coffee|tea|cat|dog|wine|beer|chess|anime|jazz|opera|book"
            r"|cheese|chocolate))\s+(?:lover|fan|addict|nerd|geek)\b"
        ),
        _person,
    ),
)
DO: tuple[Rule, ...] = (
    (rule(rf"(?:can'?t|cannot|can\s+not)\s+(?:stand|bear)\s+{_THING}"), partial(_taste, variant="dislike")),
    (rule(rf"(?:hates?|dislikes?|detests?|loathes?|despises?)\s+{_THING}"), partial(_taste, variant="dislike")),
    (
        rule(
            r"(?:(?:'?ve|have|has)\s+)?(?:(?:just|really|completely|totally|kind of)\s+)?(?:gone|went)\s+off\s+"
            r"(?!(?:on|at|to|in"
            r"|with|for|the|topic|track|script|course|grid|road|piste|sick|duty|line|air)\b)(?P<v>[^;!?]+?)"
            r"(?:\s+(?:a while|some time|\w+ (?:days|weeks|months|years))\s+ago|\s+(?:recently|completely|entirely))?$"
        ),
        partial(_taste, variant="dislike"),
    ),
    (rule(rf"(?:try to\s+)?avoids?\s+(?:eating\s+|drinking\s+)?{_THING}"), partial(_taste, variant="avoid")),
    (rule(r"(?:support|supports|root for|cheer for)\s+(?P<v>(?-i:[A-Z])[^,;!?]{1,30})"), partial(_taste, hobby=True)),
    (rule(rf"(?:like|likes|love|loves|adore|adores|enjoy|enjoys|dig)\s+{_THING}"), _taste),
    (rule(r"(?:like|likes|love|loves|prefers?|(?P<hate>hate|hates))\s+to\s+(?P<v>[a-z][^,;!?]{2,60})"), _likes_to),
    (rule(rf"(?:can\s+)?plays?\s+(?P<v>{_PLAYED})\b(?!\s+(?:every|on|each|with|tomorrow|tonight|later))"), _plays),
    (rule(rf"prefers?\s+{_THING}"), _prefers),
    (rule(rf"(?P<verb>eat|drink|touch|consume)\s+{_THING}"), _refuses),
    (rule(rf"(?:can'?t|cannot)\s+(?P<verb>eat|drink|have)\s+{_THING}"), partial(_refuses, denied=True)),
    (
        rule(
            r"(?:(?:'?ve|have|has)\s+)?(?:quit|gave\s+up|given\s+up)\s+(?P<v>smoking|drinking|alcohol|sugar"
            r"|caffeine|coffee|gluten|dairy|meat|vaping|social media)\b"
        ),
        _quit,
    ),
    (
        rule(rf"(?:(?:'?ve|have|has)\s+)?(?:stopped|quit|gave\s+up|given\s+up)\s+(?P<verb>eating|drinking)\s+{_THING}"),
        partial(_refuses, denied=True),
    ),
    (
        rule(
            r"(?:have|has|got|'?ve\s+got)\s+(?:an?\s+)?(?:\w+ly\s+|severe\s+|bad\s+|strong\s+)?(?:allergy"
            r"|allergies)\s+to\s+(?P<v>[^;!?]+)"
        ),
        _allergy,
    ),
    (
        rule(
            r"(?:have|has|got|'?ve\s+got)\s+(?:an?\s+)?(?:severe\s+|bad\s+"
            r"|strong\s+)?(?P<v>[\w ]{2,30}?)\s+allerg(?:y|ies)\b"
        ),
        _allergy,
    ),
)
FREE: tuple[Rule, ...] = (
    (rule(rf"favou?rite\s+(?P<kind>[\w ]{{2,25}}?)(?:'s|\s+is|\s+are)\s+{_THING}"), _favorite),
    (rule(r"no\s+(?P<v>[a-z]+(?:\s+[a-z]+)?)\s+for\s+me\b"), partial(_taste, variant="avoid")),
)
NOUN: tuple[Rule, ...] = (
    (
        rule(
            rf"(?:all[- ]time\s+)?favou?rite\s+(?P<kind>[\w ]{{2,25}}?)(?:\s+(?:of all time|ever))?(?:'s|\s+is"
            rf"|\s+are|\s+has to be)\s+{_THING}"
        ),
        _favorite,
    ),
    (
        rule(rf"(?:main\s+)?(?:hobby|hobbies|passion|passions|interests?)(?:\s+is|\s+are|\s+include)\s+{_THING}"),
        partial(_taste, hobby=True),
    ),
)
