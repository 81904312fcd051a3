"""English clauses about the people and animals around somebody."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.pets import has_died, is_dying
from memory_middleware.remember.extraction.rules.english.subjects import NAME_EN
from memory_middleware.remember.extraction.rules.english.values import name_of
from memory_middleware.remember.extraction.rules.findings import Finding, Who
from memory_middleware.remember.extraction.rules.lexicon import is_known_tool
from memory_middleware.remember.extraction.rules.people import lost_findings, parted_findings, relation_finding
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.relations import ANIMALS, RELATION_EN, is_single, relation_named
from memory_middleware.remember.extraction.rules.vocabulary import normalise

__all__ = ["DO", "FAMILY", "FREE", "HAS", "NAMED", "NOUN", "just_named", "mentioned"]

_CHILDREN = r"(?:kids?|children|child|sons?|daughters?|boys|girls|twins|siblings|brothers?|sisters?)"
_ANIMALS = r"dogs|cats|puppies|kittens|rabbits|hamsters|parrots"
_NAMES = rf"{NAME_EN}(?:\s*(?:,\s*and|,|and|&)\s*{NAME_EN}){{0,5}}"
_COUNT = r"(?:two|three|four|five|six|\d)"


def meet(reading: Reading, who: Who) -> Finding:
    """Take note of somebody with a name, and say who they are."""
    reading.people.meet(who)
    return relation_finding(who, "en", reading.confidence)


def _named(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``my boss is Tom`` and ``my sister is called Anna``."""
    who = reading.who
    name = name_of(reading.clause.said(found))
    if not name or not who.relation or reading.negated or re.search(r"\s", who.relation):
        return
    if who.name and not is_single(who.relation):
        return
    yield meet(reading, Who(name, who.relation))


def _pronoun_named(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``his name is Bruno`` after somebody without a name."""
    if reading.who.relation and not reading.negated and (name := name_of(reading.clause.said(found), cased=False)):
        yield meet(reading, Who(name, reading.who.relation))


def _named_it(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``I named him Leo`` after an animal without a name."""
    someone = reading.people.nameless()
    if someone and someone.relation in ANIMALS and not reading.negated and (name := name_of(found["v"])):
        yield meet(reading, Who(name, someone.relation))


def _has(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    relation = relation_named(found["relation"])
    if reading.negated or not reading.who.is_user:
        return
    name = name_of(found["name"]) if found["name"] else None
    if name:
        yield meet(reading, Who(name, relation))
    elif relation not in ANIMALS or _KEPT.match(reading.clause.text, found.end()):
        reading.people.meet(Who("", relation))
        if relation in ANIMALS:
            address = {"address": f"pet:{relation}", "relation": relation, "word": relation}
            yield reading.find("children", f"a {found['relation'].lower()}", extra=address)


def _count(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and not re.match(r"\s+(?:old|ago|to|more)\b", reading.clause.text[found.end() :]):
        yield reading.find("children", found["v"].lower(), extra={"address": f"family:{_family(found['v'])}"})


def _parent(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        count = found["v"].lower()
        yield reading.find("children", f"{count} children", extra={"address": "family:children"})


def _animals(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``three cats: Luna, Milo and Pip``."""
    relation = relation_named(found["kind"].lower().rstrip("s"))
    names = [name for part in re.split(r"\s*(?:,|and|&)\s*", found["names"]) if (name := name_of(part))]
    if not reading.negated:
        yield from (meet(reading, Who(name, relation)) for name in names[:6])


def _family(said: str) -> str:
    word = normalise(said.split()[-1])
    return "siblings" if word.startswith(("sibling", "brother", "sister")) else "children"


def _married_to(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if name := name_of(found["v"]):
        yield reading.find("marital_status", "married")
        yield meet(reading, Who(name, "partner"))


def _works_with(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    name = name_of(found["v"])
    if not name or is_known_tool(name.split()[0]):
        return
    who = Who(name, "colleague")
    if reading.negated or reading.ended:
        yield Finding(
            "relation",
            name,
            ended=True,
            language="en",
            extra={"address": f"colleague:{normalise(name)}", "relation": "colleague", "word": "colleague"},
        )
    else:
        yield meet(reading, who)


def _parted(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    relation = relation_named(found["relation"])
    who = reading.people.related(Who(found["name"] or "", relation))
    address = relation if is_single(relation) else f"{relation}:{normalise(who.name)}"
    yield Finding(
        "relation",
        who.name,
        ended=True,
        language="en",
        extra={"address": address, "relation": relation, "word": relation},
    )


def _parted_from(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``we broke up`` and ``I broke up with Dan`` of a partner who is known."""
    if not reading.negated:
        yield from parted_findings(reading.people, found["name"] or "", "en")


_MENTION = re.compile(
    rf"\b(?:my|our)\s+(?:[\w-]+\s+)?{RELATION_EN}\s*,?\s+(?P<name>{NAME_EN})(?!\s*(?:and|or)\s+my)", re.IGNORECASE
)

# A name that is thought about: ``I'd name my dog Rex``.
_WOULD_NAME = re.compile(
    r"(?:'d|\b(?:would|will|should|could|might|want\s+to|wanna|gonna|going\s+to|let's|thinking\s+of|considering))\s+"
    r"(?:\w+\s+)?(?:name|naming|call|calling)\b",
    re.IGNORECASE,
)


# The second of what somebody has: ``three kids and a dog named Cooper``.
_ALSO = re.compile(
    rf"\b(?:have|has|got|'ve)\b[^;:!?]{{2,40}}?\s(?:and|,)\s+an?\s+(?:[\w-]+\s+){{0,2}}?{RELATION_EN}\s+(?:named|called)\s+(?P<name>{NAME_EN})",
    re.IGNORECASE,
)


def mentioned(reading: Reading, at: int) -> list[Finding]:
    """Find somebody who is named in passing, as in ``I met my cousin Ines``."""
    if reading.negated or reading.ended or _WOULD_NAME.search(reading.clause.text):
        return []
    found = _MENTION.search(reading.clause.text, at) or _ALSO.search(reading.clause.text, at)
    if not found or not (name := name_of(found["name"])):
        return []
    who = Who(name, relation_named(found["relation"]))
    if who.relation in ANIMALS and is_dying(reading.clause.text):
        return lost_findings(reading.people, who, "en") if has_died(reading.clause.text, found.end("name")) else []
    if reading.people.knows(who):
        return []
    return [meet(reading, who)]


_ONLY_CALLED = re.compile(
    rf"(?:who(?:'s|\s+is)\s+)?(?:(?:we\s+|i\s+)?named\s+(?:him|her|it)|called|named)\s+(?P<v>{NAME_EN})", re.IGNORECASE
)


def just_named(reading: Reading, at: int) -> list[Finding]:
    """Read ``called Mia`` after somebody without a name, as in ``we have a daughter, called Mia``."""
    someone, found = reading.people.nameless(), _ONLY_CALLED.match(reading.clause.text, at)
    if someone and found and (name := name_of(reading.clause.said(found))):
        return [meet(reading, Who(name, someone.relation))]
    return []


# A dog without a name is somebody's own if the clause says no more of it: not ``a dog to walk``, ``a cat on my lap``.
_KEPT = re.compile(
    r"\s*(?:$|[,.;:!?)(]|(?:and|or|but|who|which|that|whose|at\s+home|now|too|as\s+well|already|lol|btw|haha|myself|so"
    r"|because|also|since|with\s+(?:an?|the|my|our)\s|from\s+(?:a|the)\s+(?:shelter|rescue|pound|breeder)"
    r"|(?:last|this)\s+(?:week|month|year|\w+day|spring|summer|autumn|fall|winter)|yesterday|today|recently|in\s+\d{4}"
    r"|as\s+a\s+pet|though|tho|he's|she's|he|she|i|we)\b)",
    re.IGNORECASE,
)
_CALLED = rf"(?:\s*,?\s*(?:named|called|whose name is|,|\()\s*(?P<name>{NAME_EN}))?"


def _is_my(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``Tom is my brother``."""
    name = name_of(found["name"])
    if name and name.lower() not in ("this", "that", "who", "here", "it", "today", "tomorrow"):
        yield meet(reading, Who(name, relation_named(found["relation"])))


def _reports(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and not reading.ended and (name := name_of(found["v"])):
        yield meet(reading, Who(name, "boss"))


FREE: tuple[Rule, ...] = (
    (
        rule(rf"(?:me\s+and\s+)?(?P<name>{NAME_EN})(?:\s+and\s+(?:me|i))?\s+(?:just\s+)?(?:broke|split)\s+up\b"),
        _parted_from,
    ),
    (
        rule(
            rf"(?:my|our)\s+(?:[\w-]+\s+)?(?P<kind>{_ANIMALS})\s*(?:[:,(]|are\s+(?:named|called)|named|called)\s*"
            rf"(?P<names>{_NAMES})"
        ),
        _animals,
    ),
    (
        rule(
            rf"(?:my|our)\s+(?P<v>{_COUNT}\s+(?:\w+\s+)?(?:kids|children|sons|daughters|boys|girls))\b(?=\s*(?:$|[,.!(]|(?:are|were|have|had|love|hate|go|keep|and|both|always|never|just|can|don't|will|want|need|who|aged?)\b))"
        ),
        _count,
    ),
    (
        rule(
            rf"(?P<name>{NAME_EN})\s+(?:is|was just made|became)\s+(?:now\s+)?(?:my"
            rf"|our)\s+(?:new\s+)?{RELATION_EN}(?!\s*(?:'s|in|of)\b)"
        ),
        _is_my,
    ),
)
FAMILY: tuple[Rule, ...] = (
    (
        rule(
            r"(?:an?|the)\s+(?:(?:proud|single|busy|working)\s+){0,7}(?:mom|mum|dad|father|mother|parent)\s+(?:of"
            rf"|to)\s+(?P<v>{_COUNT})\b"
        ),
        _parent,
    ),
    (rule(rf"married\s+to\s+(?P<v>{NAME_EN})"), _married_to),
)
NAMED: tuple[Rule, ...] = (
    (
        rule(
            rf"(?:(?:this|an?|some)\s+(?:\w+\s+)?(?:guy|girl|dude|woman|man|lady|person)\s+)?(?:called|named)\s+(?P<v>{NAME_EN})"
        ),
        _named,
    ),
    (rule(rf"(?P<v>{NAME_EN})\s*(?:$|[,.;)(]|and\b|from\b|btw\b)"), _named),
    (rule(rf"working\s+(?:closely\s+|together\s+)?with\s+(?P<v>{NAME_EN})(?!\s+(?:and|on|in)\b)"), _works_with),
)
HAS: tuple[Rule, ...] = (
    (
        rule(
            r"(?:(?:have|has|got|'?ve\s+got|adopted|'?ve\s+adopted|bought|own|owns)\s+)(?:an?"
            rf"|one|another)\s+(?:[\w-]+\s+){{0,3}}?{RELATION_EN}"
            r"(?!\s+(?:\w{2,}ing|food|business|park|show|bed|house|person|lover|toys?|allergy|biscuit|problem|question)\b)"
            rf"{_CALLED}"
        ),
        _has,
    ),
)
DO: tuple[Rule, ...] = (
    (rule(rf"(?:(?:'?ve|have)\s+)?(?:named|call|called)\s+(?:him|her|it)\s+(?P<v>{NAME_EN})"), _named_it),
    (
        rule(
            rf"(?:have|has|got|'?ve\s+got)\s+{_COUNT}\s+(?:[\w-]+\s+)?(?P<kind>{_ANIMALS})\s*(?:[:,(]|named|called)\s*"
            rf"(?P<names>{_NAMES})"
        ),
        _animals,
    ),
    (rule(rf"reports?\s+(?:directly\s+)?to\s+(?P<v>{NAME_EN})"), _reports),
    (rule(rf"(?:have|has|got|'?ve\s+got)\s+(?P<v>{_COUNT}\s+(?:\w+\s+)?{_CHILDREN})\b"), _count),
    (rule(rf"works?\s+(?:closely\s+|together\s+)?with\s+(?P<v>{NAME_EN})"), _works_with),
    (
        rule(
            rf"(?:just\s+)?(?:broke|split|have split|have broken)\s+up(?:\s+with\s+(?P<name>{NAME_EN}))?(?!\s+with)\b"
        ),
        _parted_from,
    ),
    (rule(rf"(?:just\s+)?(?:broke|split)\s+up\s+with\s+my\s+{RELATION_EN}(?:\s+(?P<name>{NAME_EN}))?"), _parted),
)
NOUN: tuple[Rule, ...] = ((rule(r"name(?:'s|\s+is)\s+(?P<v>[^,;:]+)"), _pronoun_named),)
