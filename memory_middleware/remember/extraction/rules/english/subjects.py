"""The openings of English clauses: what leads in, whom they are about, and whether they deny it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_middleware.remember.extraction.rules.findings import USER, Who
from memory_middleware.remember.extraction.rules.people import People
from memory_middleware.remember.extraction.rules.reading import Reading
from memory_middleware.remember.extraction.rules.relations import RELATION_EN, relation_named

__all__ = ["NAME_EN", "Opening", "Predicate", "find_predicate", "find_subject", "is_over", "strip_leads"]

NAME_EN = (
    r"(?:(?:dr|mr|mrs|ms"
    r"|prof)\b\.?\s+)?(?-i:[A-Z\u00c0-\u00de](?:[\w\u00c0-\u024f-]|['’](?!s\b))*[\w](?:\s+[A-Z\u00c0-\u00de][\w\u00c0-\u024f-]+){"
    r"0,2})"
)

_ORDER = re.compile(
    r"(?:(?:please|pls|plz|kindly|can you|could you|you should|also|and)\s+){0,7}(?:remember|memori[sz]e|keep in mind"
    r"|bear in mind|don'?t forget|do not forget"
    r"|make a note|take note|note|note down|for the record|save|store)\b\s*(?:this\b|that\b)?\s*[,:]?\s*(?:that\s+)?",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"(?:i\s+(?:think|guess|believe|suppose|reckon)|maybe|perhaps|probably|possibly|i'?m not (?:100% )?sure,? but"
    r"|if i remember (?:correctly|right)"
    r"|iirc|afaik|apparently)\b\s*,?\s*(?:that\s+)?",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"(?:no+(?=\s*(?:[,.;:!]|$)|\s+(?:i|it|my|that|the|actually|sorry|wait|im)\b)|nope|nah|sorry|correction|wait"
    r"|oops|whoops|my (?:bad|mistake)|i meant(?: to say)?|i mean|what i meant (?:is|was)|(?:i was|i got (?:it"
    r"|that)|that'?s|that was|you'?re|it'?s) "
    r"wrong|i misspoke|typo|not quite|scratch that|let me correct (?:that|myself)|i have to correct myself"
    r"|on second thought)\b\s*[,.:;!-]*\s*(?:that\s+)?",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"(?:(?:from|starting|beginning|as of)\s+(?:(?:next|this|the)\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|week|month|today|tomorrow|now)(?:\s+on)?\b[\s,]*(?=(?:i|i'm|im|we)[ '])"
    r"|(?:and|but|so|well|also|oh|hey|hi|hello|yo|yes|yep|yeah|ok|okay|hmm+|um+|uh+|ah|btw|by the way|fyi|ps"
    r"|p\.s\.|to be honest|tbh|honestly|frankly"
    r"|not gonna lie|ngl|as you know|these days|nowadays|now|currently|right now|at the moment|personally"
    r"|for context|quick context|a bit of context|some context"
    r"|just so you know|you should know|turns out|guess what|good news|big news|lol|haha+|then|plus|because|cuz"
    r"|coz|cause"
    r"|since|while|though|although|whereas|as"
    r"|anyway|actually|in fact|basically|there|everyone|everybody|all|team|folks|guys|just|again|unfortunately"
    r"|luckily|sadly|finally|this year|last (?:year|month|week|night|summer)"
    r"|recently|yesterday|today|i (?:should|forgot to|wanted to|want to|have to|must) (?:mention|say|tell you|add"
    r"|let you know|note)|let me (?:introduce myself|tell you)|about me"
    r"|one more thing|another thing|update|background|context|reminder|edit|thanks|thank you|great|nice|cool"
    r"|good (?:morning|evening|afternoon)|dear assistant"
    r"|did i mention|i told you(?: before| already)?|i already said|as i said|like i said|technically|usually"
    r"|normally|most days|on the side|at work|at home|outside work|please|pls"
    r"|in my free time|in my spare time|for work|for fun)\b[\s,:;!.*_-]*(?:that\s+)?"
    r"|(?:for|at|in|on|during|after|before|besides)\s+(?!(?:mon|tue|wed|thu|fri|sat|sun|week|the week"
    r"|most))(?:[\w-]+\s+){1,4}?(?=(?:i|i'm|im|i've|we)[ '])"
    r"|[-*•\s,:;!~\"'(_]+|\d[.)]\s+)",
    re.IGNORECASE,
)
_USER = re.compile(
    r"(?:i|we)(?=[\s']|$)|(?:im|ive)(?=\s)|(?:me and )?my\s+[\w-]+(?:\s+(?-i:[A-Z])\w+)?\s+and\s+(?:i|me)(?=\s)"
    r"|me\s+and\s+my\s+[\w-]+(?:\s+(?-i:[A-Z])\w+)?(?=\s)",
    re.IGNORECASE,
)
_RELATED = re.compile(
    rf"(?:my|our)\s+{RELATION_EN}(?:\s*,?\s*(?:named|called"
    rf"|whose name is)?\s*[,(]?\s*(?P<name>{NAME_EN})[,)]?)?(?P<poss>'s?\s+)?",
    re.IGNORECASE,
)
_MY = re.compile(r"(?:my|our)\s+(?:own\s+|new\s+|current\s+){0,7}", re.IGNORECASE)
_PRONOUN = re.compile(r"(?P<word>he|she|it)(?=[\s'])|(?P<poss>his|her|its)\s+", re.IGNORECASE)
_NAMED = re.compile(rf"(?P<name>{NAME_EN}?)(?P<poss>'s\s+)?(?=[\s'\w])")

_SOFT = (
    r"(?:\s+(?:now|currently|also|actually|really|just|still|already|always|usually|mostly|often|generally"
    r"|absolutely|totally|kinda|kind of|sort of|honestly"
    r"|recently|basically|mainly|primarily|truly|definitely|personally|both|only|finally|officially|originally"
    r"|sometimes|too|do(?=\s+(?:like|love|enjoy|use|work|live|speak|have))|myself|quite|very|pretty"
    r"|happily|newly|super|so|even|all|simply|tend to|genuinely|normally|regularly|typically|more|here|there"
    r"|proudly|gonna)\b){0,7}"
)
_BE = r"(?P<be>(?:'?ve|'s|\s+have|\s+has)\s+(?:\w+ly\s+|always\s+)?been\b|'m|m\b|'s|'re|\s+am\b|\s+is\b|\s+are\b)"
_WAS = r"(?P<was>\s+(?:was|were)\b)"
_DENIED = r"(?P<denied>\s+(?:do|does)(?:n'?t|\s+not)\b|\s+never\b)"
_MODAL = (
    r"(?P<modal>'d|'ll|\s+(?:would|will|could|should|shall|might|may|must|wish|hope|want|wanna|need|plan|dream"
    r"|pretend|used to|did|didn'?t|won'?t|wouldn'?t"
    r"|shouldn'?t|couldn'?t|almost|nearly|wanted|hoped|planned|thought|tried|try|had|hadn'?t)\b)"
)
_PREDICATE = re.compile(
    rf"{_SOFT}(?:{_MODAL}|{_BE}|{_WAS}|{_DENIED})?(?P<not>n't\b|\s+not\b)?{_SOFT}(?P<not2>\s+(?:not"
    rf"|never)\b)?(?P<ended>\s+no longer\b)?{_SOFT}"
    r"(?P<maybe>\s+(?:probably|maybe|possibly|perhaps|likely)\b)?\s*",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(r"\bany\s?more\b|\bno longer\b|\bany longer\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Opening:
    """Whom a clause is about and where it goes on; ``possessive`` when it is about something of theirs."""

    who: Who
    end: int
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Predicate:
    """Where the predicate begins, and whether it says what somebody is or what somebody does."""

    end: int
    kind: str


def strip_leads(reading: Reading, at: int = 0) -> int:
    """Give the place after all that leads in, and note what it tells."""
    text = reading.clause.text
    for _ in range(12):
        if found := _ORDER.match(text, at):
            reading.ordered = True
        elif found := _HEDGE.match(text, at):
            reading.hedged = True
        elif found := _CORRECTION.match(text, at):
            reading.correction = True
        elif not (found := _NOISE.match(text, at)):
            break
        at = found.end()
    return at


def find_subject(text: str, at: int, people: People) -> Opening | None:
    """Tell whom a clause is about; none if it has no subject that can be told."""
    if found := _USER.match(text, at):
        joined = found[0].lower() in ("im", "ive")
        return Opening(USER, found.end() - (1 if joined and found[0].lower() == "im" else 2 if joined else 0))
    if found := _RELATED.match(text, at):
        who = people.related(Who(found["name"] or "", relation_named(found["relation"])))
        return Opening(who, found.end(), bool(found["poss"]))
    if found := _MY.match(text, at):
        return Opening(USER, found.end(), True)
    if found := _PRONOUN.match(text, at):
        meant = people.meant(found["word"] or found["poss"])
        return Opening(meant, found.end(), bool(found["poss"])) if meant else None
    if (found := _NAMED.match(text, at)) and (someone := people.named(found["name"])):
        return Opening(someone, found.end(), bool(found["poss"]))
    return None


def is_over(text: str) -> bool:
    """Tell whether a clause says that something holds no more."""
    return _ANY_MORE.search(text) is not None


def find_predicate(reading: Reading, at: int) -> Predicate | None:
    """Tell where the predicate begins and whether it is denied; none if it is a wish or lies in the past."""
    text = reading.clause.text
    found = _PREDICATE.match(text, at)
    if not found or found["modal"]:
        return None
    reading.negated = bool(found["denied"] or found["not"] or found["not2"])
    lower = _ANY_MORE.search(text, at)
    if found["ended"] or (lower and (reading.negated or lower[0].lower() == "no longer")):
        reading.ended = True
    reading.hedged = reading.hedged or bool(found["maybe"])
    return Predicate(found.end(), "be" if found["be"] else "was" if found["was"] else "do")
