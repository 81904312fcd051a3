"""English clauses about who somebody is: name, age, birthday, nationality, family state, diet, contact."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from memory_middleware.remember.extraction.rules.dates_en import DAY_EN, read_month_day
from memory_middleware.remember.extraction.rules.english.subjects import NAME_EN
from memory_middleware.remember.extraction.rules.english.values import name_of
from memory_middleware.remember.extraction.rules.findings import Finding
from memory_middleware.remember.extraction.rules.lexicon import DIETS_EN, NATIONALITY_EN, zone_named
from memory_middleware.remember.extraction.rules.numerals import WORD_NUMBER, read_number
from memory_middleware.remember.extraction.rules.proper_names import PLAIN_GIVEN
from memory_middleware.remember.extraction.rules.reading import Reading, Rule

__all__ = ["BE", "CONTACT", "DIETS", "DO", "FREE", "NAMES", "NOUN", "WAS", "birthday", "rule"]

_MONTHS = "January February March April May June July August September October November December"
_MONTH_NAMES = _MONTHS.split()
_END = (
    r"(?=\s*(?:$|[,.;:!)(~]|and\b|but\b|so\b|btw\b|lol\b|now\b|from\b|by the way|here\b|old\b|tbh\b|today\b"
    r"|this\b|not\b|omg\b|haha\b|lmao\b|ugh\b|already\b|ngl\b"
    r"|who\b|living\b|working\b|with\b))"
)
_NAME_ENDS = re.compile(_END, re.IGNORECASE)
_IS_MORE = re.compile(r"\s+(?:is|are|was|were|has|means|sounds|matters)\b", re.IGNORECASE)
_ALMOST = re.compile(
    r"\b(?:basically|practically|nearly|almost|kinda|kind\s+of|sort\s+of|sometimes)\s+(?:an?\s+)?$", re.IGNORECASE
)
# Sayings, as in ``my name is mud``.
_NO_NAMES = frozenset(
    ("mud", "legion", "everywhere", "gone", "missing", "wrong", "misspelled", "mispronounced", "taken")
)


def rule(pattern: str) -> re.Pattern[str]:
    """Compile a pattern that ignores case."""
    return re.compile(pattern, re.IGNORECASE)


def _name(found: re.Match[str], reading: Reading, *, cased: bool = False) -> Iterator[Finding]:
    if reading.negated or not (name := name_of(reading.clause.said(found), cased=cased)):
        return
    if re.match(rf"(?:{NATIONALITY_EN}|{DIETS_EN})\b", name, re.IGNORECASE) or not reading.who.is_user:
        return
    yield reading.find("name", name)


def _name_told(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``my name is Ana``, unless it is part of another sentence: ``my name is Earl is a show``."""
    name = name_of(reading.clause.said(found), cased=False)
    if not name or name.lower() in _NO_NAMES:
        return
    end = reading.clause.raw.find(name, found.start("v")) + len(name)
    if name[0].isupper() and not _IS_MORE.match(reading.clause.text, end) or _NAME_ENDS.match(reading.clause.text, end):
        yield from _name(found, reading)


def _name_here(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read ``Marta here`` of a name that is known as one."""
    name = reading.clause.said(found)
    if name.split()[0].lower() in PLAIN_GIVEN:
        yield reading.find("name", name)


def _surname(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("surname", reading.clause.said(found))


def _nickname(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and (name := name_of(reading.clause.said(found), cased=False)):
        yield reading.find("nickname", name)


def _age(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    years = read_number(found["v"])
    if years is not None and 0 < years < 120 and not reading.negated:
        yield reading.find("age", str(years))


def _nationality(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("nationality", reading.clause.said(found))


def _marital(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("marital_status", found["v"].lower())


def _diet(found: re.Match[str], reading: Reading, *, change: bool = False) -> Iterator[Finding]:
    if _ALMOST.search(reading.clause.text, 0, found.start("v")):
        return
    word = re.sub(r"[\s-]+", "-", found["v"].lower())
    if reading.ended:
        yield reading.find("diet", word, ended=True)
    elif not reading.negated:
        yield reading.find("diet", word, change=change)


def birthday(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read a birthday; the year is kept if it is said."""
    if found["month"] or found["month2"]:
        month, day = read_month_day(found)
        year = found["year"] or found["year2"]
        if not 1 <= day <= 31:
            return
        said = f"{_MONTH_NAMES[month - 1]} {day}"
        yield reading.find("birthday", f"{said}, {year}" if year else said, plain=f"{month:02d}-{day:02d}")
    elif found["iso"]:
        yield reading.find("birthday", found["iso"])
    elif when := reading.day(found[0]):
        yield reading.find("birthday", f"{_MONTH_NAMES[when.day.month - 1]} {when.day.day}")


def _born_year(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    yield reading.find("birthday", found["v"], variant="year")


def _phone(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    digits = sum(sign.isdigit() for sign in found["v"])
    if 7 <= digits <= 15 and not reading.negated:
        yield reading.find("phone", reading.clause.said(found).rstrip(" -."))


def _mail(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("email", reading.clause.said(found).rstrip("."))


def _zone(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and (zone := zone_named(reading.clause.said(found))):
        yield reading.find("timezone", zone)


def _pronouns(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated:
        yield reading.find("pronouns", found["v"].lower())


def _health(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if not reading.negated and not reading.ended and not reading.hedged:
        yield reading.find("health", reading.clause.said(found))


def _channel(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    yield reading.find("channel", reading.clause.said(found))


_CONDITION = (
    r"(?:(?:type\s+[12]\s+)?diabet(?:es|ic)|asthma(?:tic)?|adhd|add|c(?:o)?eliac(?: disease)?|migraines"
    r"|high blood pressure|hypertension|epilepsy|epileptic|dyslexi[ac]|arthritis|insomnia"
    r"|colou?r[- ]?blind|left-handed|autism|autistic|tinnitus|hay fever|ibs|eczema|psoriasis|hard of hearing|pregnant)"
)
_PHONE = r"(?P<v>\+?\(?\d[\d ().-]{5,20}\d)"
_MAIL = r"(?P<v>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})"
_ZONE = (
    r"(?P<v>[A-Za-z]+/[A-Za-z_]+(?:/[A-Za-z_]+)?|(?:utc|gmt)\s*[+-]\s*\d{1,2}(?::?00)?|[A-Z]{2,4}\b"
    r"|(?:central european|eastern|central|mountain|pacific"
    r"|beijing|china|uk|tokyo)\s+time)"
)
_IS = r"(?:'s|\s+is|\s+are|:|\s+was|\s*=)\s*(?:now\s+|actually\s+|currently\s+){0,7}"

_FOR_A_WHILE = (
    rf"for\s+(?:(?:all\s+of\s+)?(?:{_MONTHS.replace(' ', '|')})|lent|ramadan|veganuary|now\b|today|tonight|this\s+\w+"
    r"|the\s+(?:day|week|weekend|month|season|challenge)|an?\s+(?:day|week|weekend|bit|challenge))"
)
_DIET = rule(
    rf"(?:been\s+)?(?:an?\s+)?(?:strict\s+|lifelong\s+|on\s+a\s+)?(?P<v>{DIETS_EN})\b(?!\s+(?:restaurant|burgers?|food"
    r"|recipes?|options?|at\s+heart|in\s+spirit|wannabe|curious|ish\b|today|tonight|tomorrow|this\s+\w+|until\b|till\b"
    rf"|on\s+\w+days?\b|most\s+of|sometimes|when\b|if\b|except\b|unless\b|{_FOR_A_WHILE}))"
)
DIETS: tuple[Rule, ...] = ((_DIET, _diet),)
NAMES: tuple[Rule, ...] = (
    (rule(rf"(?:called|named)\s+(?P<v>{NAME_EN})"), _name),
    (
        rule(
            rf"(?P<v>(?-i:[A-Z\u00c0-\u00de][a-z\u00df-\u024f]{{1,15}}(?:\s+[A-Z][a-z\u00df-\u024f]{{1,18}}){{0,2}}"
            rf")){_END}"
        ),
        partial(_name, cased=True),
    ),
)
BE: tuple[Rule, ...] = (
    (rule(rf"(?:an?\s+)?(?P<v>{_CONDITION})\b(?!\s+(?:friendly|people|patients))"), _health),
    (rule(rf"(?P<v>{WORD_NUMBER})(?:\s*(?:years?|yrs?)[\s-]*old|\s*y/?o\b|\s+years of age){_END}?"), _age),
    (rule(rf"(?:turning\s+)?(?P<v>\d{{2}}){_END}(?!\s*(?:and|,)\s*\d)"), _age),
    (
        rule(rf"(?:an?\s+)?(?P<v>{NATIONALITY_EN}(?:-{NATIONALITY_EN})?)(?:\s+(?:citizen|national))?{_END}"),
        _nationality,
    ),
    (
        rule(
            r"(?:happily\s+|newly\s+|already\s+|recently\s+)?(?P<v>married|single|divorced|engaged"
            r"|widowed)\b(?!\s+(?:out|in|by|malt|to\s+(?:my|the|this)\s+(?:job|work|game|sea|grind)))"
        ),
        _marital,
    ),
    *DIETS,
    (rule(rf"(?:in|on)\s+(?:the\s+)?{_ZONE}(?:\s+(?:time\s?zone|time|zone))?{_END}"), _zone),
)
WAS: tuple[Rule, ...] = (
    (rule(rf"born\s+(?:on\s+)?{DAY_EN}"), birthday),
    (rule(r"born\s+(?:\w+\s+){0,3}?in\s+(?P<v>(?:19|20)\d\d)\b"), _born_year),
)
DO: tuple[Rule, ...] = (
    (
        rule(
            r"(?:have|has|'?ve\s+got|suffer\s+from|got)\s+(?:bad\s+|mild\s+|severe\s+"
            rf"|chronic\s+)?(?P<v>{_CONDITION})\b"
        ),
        _health,
    ),
    (
        rule(
            r"(?:have|got|'?ve\s+got)\s+a\s+new\s+(?:phone\s+|mobile\s+|cell\s+)?number\s*[:,]?\s*(?:(?:it'?s"
            rf"|it is)\s+)?{_PHONE}"
        ),
        _phone,
    ),
    (rule(rf"go\s+by\s+(?P<v>{NAME_EN})"), _nickname),
    (
        rule(
            rf"(?:just\s+)?(?:turned|turn)\s+(?P<v>{WORD_NUMBER})\s*(?:today|yesterday|last\s+\w+|this\s+\w+"
            r"|in\s+\w+)?\s*$"
        ),
        _age,
    ),
    (rule(rf"turns?\s+(?:{WORD_NUMBER})\s+(?:on\s+)?{DAY_EN}"), birthday),
    (
        rule(rf"(?:(?:'?ve|have)\s+)?(?:went|gone|turned|became|become)\s+(?P<v>{DIETS_EN})\b(?!\s+{_FOR_A_WHILE})"),
        partial(_diet, change=True),
    ),
    (rule(r"(?:(?:'?ve|have)\s+)?(?:just\s+)?got(?:ten)?\s+(?P<v>married|divorced|engaged)\b"), _marital),
)
NOUN: tuple[Rule, ...] = (
    (rule(rf"(?:full\s+|first\s+|real\s+|given\s+)?name{_IS}(?P<v>[^,;:]+)"), _name_told),
    (rule(rf"(?:nick\s?name){_IS}(?P<v>[^,;:]+)"), _nickname),
    (rule(rf"(?:birthday|bday|b-day|date\s+of\s+birth|dob){_IS}(?:on\s+)?{DAY_EN}"), birthday),
    (rule(rf"pronouns{_IS}(?P<v>\w{{2,5}}/\w{{2,6}}(?:/\w{{2,6}})?)"), _pronouns),
    (rule(rf"(?:[\w ]{{2,40}}\band\s+)(?:my\s+)?e-?mail(?:\s+address)?\s*(?:is|:)?\s*{_MAIL}"), _mail),
    (rule(rf"(?:last\s+name|surname|family\s+name){_IS}(?P<v>{NAME_EN})"), _surname),
    (rule(rf"age{_IS}(?P<v>{WORD_NUMBER})"), _age),
    (
        rule(
            r"(?:(?:mobile|cell|home|work|phone|telephone|contact|whatsapp)\s*){0,7}(?:phone|number|mobile|cell"
            rf"|tel){_IS}{_PHONE}"
        ),
        _phone,
    ),
    (rule(rf"(?:(?:work|personal|private|main)\s+)?e-?mail(?:\s+address)?{_IS}{_MAIL}"), _mail),
    (rule(rf"(?:local\s+)?time(?:\s?zone)?{_IS}(?:set to\s+)?(?:the\s+)?{_ZONE}"), _zone),
)
FREE: tuple[Rule, ...] = (
    (rule(rf"name(?:'s|\s+is)\s+(?P<v>{NAME_EN}){_END}"), _name),
    (rule(rf"(?P<v>{NAME_EN})\s+here\b(?=\s*(?:$|[,.!]|again\b))"), _name_here),
    (rule(rf"it'?s\s+{_ZONE}\s+(?:time\s+)?(?:for\s+me|over\s+here|here|where\s+i\s+(?:am|live))\b"), _zone),
    (
        rule(
            r"(?:(?:you\s+can|please|just|everyone|everybody|people"
            rf"|friends)\s+){{0,7}}(?:calls?)\s+me\s+(?P<v>{NAME_EN})(?!\s+(?:back|at|on|when|if))"
        ),
        _nickname,
    ),
    (
        rule(
            r"(?:(?:you\s+can|please|just|always|best)\s+){0,7}(?:contact|reach|message|text|ping|dm)\s+me\s+(?:on|via"
            r"|by|through|over)\s+"
            r"(?P<v>slack|teams|whatsapp|telegram|signal|wechat|e-?mail|sms|discord|text|phone)\b"
        ),
        _channel,
    ),
)
# These can match only where a digit or an @ stands.
CONTACT: tuple[Rule, ...] = (
    (rule(rf"(?:(?:my|the)\s+)?new\s+(?:(?:work|private)\s+)?e-?mail(?:\s+address)?{_IS}{_MAIL}"), _mail),
    (rule(rf"(?:(?:my|the)\s+)?new\s+(?:(?:phone|mobile|cell|work)\s+)?(?:number|phone|mobile){_IS}{_PHONE}"), _phone),
    (
        rule(rf"(?:the\s+)?best\s+(?:way|place)\s+to\s+(?:reach|contact)\s+me\s+is\s+(?:at\s+|by\s+|via\s+)?{_MAIL}"),
        _mail,
    ),
    (
        rule(
            r"(?:the\s+)?best\s+(?:way|number)\s+to\s+(?:reach|contact|call)\s+me\s+(?:is|on)\s+(?:at\s+"
            rf"|on\s+)?{_PHONE}"
        ),
        _phone,
    ),
    (
        rule(
            r"(?:(?:you\s+can|please|just)\s+){0,7}(?:(?:e-?mail|write(?: to)?|contact|reach|text"
            r"|message)\s+me\s+(?:at|on|via)\s+)" + _MAIL
        ),
        _mail,
    ),
    (
        rule(
            r"(?:(?:you\s+can|please|just)\s+){0,7}(?:(?:call|contact|reach|text|phone|ring)\s+me\s+(?:at|on|via)\s+)"
            + _PHONE
        ),
        _phone,
    ),
)
