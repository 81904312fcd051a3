"""Capitals for names in messages typed without any, where what stands before tells that it is a name."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.proper_names import (
    COMPANIES,
    GIVEN,
    PETS,
    PLACES,
    PLAIN_GIVEN,
    WORD_NAMES,
    WORD_PLACES,
)
from memory_middleware.remember.extraction.rules.relations import ANIMALS, RELATION_EN, relation_named

__all__ = ["is_casual", "recased"]

_W = r"[a-z\u00df-\u00ff][a-z\u00df-\u00ff'-]{1,15}"
_CASUAL = re.compile(r"^\W*[a-z]|(?<![\w'.])i(?=[\s']|$)")
_NO_NAMES = (
    "a an the this that it me him her us them you my your his their our not by after before on in at to for off "
    "out up back when if later again sick crazy whatever something anything nothing someone maybe daddy tomorrow "
    "today tonight now asap please pls lol or and but so because it's is was are actually really like just also "
    "either with from about as of old new one some any what who how why where which he she they we i sir boss "
    "dude bro mate names baby babe honey dear tonight's anytime whenever ok okay mud legion home work school stuff "
    "things trash"
)
# What people call each other that is no name, beside words that end like an adjective.
_CALLED_THINGS = (
    "bad bored boss bossy brave broke cheap chill clumsy cold cool corny crazy crybaby cute cynical dad dense dork "
    "dumb emo evil extra fat freak fun funny gay geek genius goofy gross grumpy hot hyper idiot jaded king lame "
    "late lazy loser loud lucky mad mean mom mommy moody mum naive nerd nice noob normal nuts odd old-fashioned "
    "paranoid petty picky princess prude psycho queen quiet rude sad salty savage sane shy sick skeptic skinny slow "
    "smart snob soft sorry spoiled strict stupid sweet tall tough toxic ugly uncle unlucky vain vegan weird whiny "
    "wild wimp witch wrong"
)
_CALLED_SO = frozenset(_CALLED_THINGS.split())
_CALLED_LIKE = re.compile(r".{2,}(?:ing|ed|ish|ful|ous|al|ic|less|able|ible|ive|est|ant|ent|ary|oid|head|hole)$")
_NO_NAME = frozenset(_NO_NAMES.split())
_END = (
    r"(?=\s*(?:$|[,.!?()]|(?:and|or|but|so|btw|lol|haha|pls|please|everyone|instead|though|tho|nobody|it's"
    r"|its|he's|she's|i'm)\b))"
)
_CALLED = re.compile(
    rf"\b(?:name(?:'s|\s+is)(?:\s+actually)?|(?:called|named|call)\s+(?:him|her|it)|called|named|go(?:es)?\s+by)\s+(?P<v>{_W})(?=\W|$)",
    re.IGNORECASE,
)
_CALL_ME = re.compile(rf"\bcalls?\s+me\s+(?P<v>{_W}){_END}", re.IGNORECASE)
_I_AM = re.compile(
    rf"\b(?:i'm|i\s+am|this\s+is|it's)\s+(?P<v>{_W})(?=\s*(?:$|[,!?(]|\.(?!\s*\d)|(?:btw|here|from|lol|by|again)\b"
    r"|and\b(?!\s+(?!(?:it|that|this|there|here|what|he|she)')\w+'s\b)))",
    re.IGNORECASE,
)
_RELATED = re.compile(
    rf"\b(?:my|our)\s+{RELATION_EN}\s*(?P<link>,\s*|(?:is|was)\s+(?:called\s+|named\s+)?|called\s+|named\s+)?\s*"
    rf"(?P<v>{_W})(?=\W|$)",
    re.IGNORECASE,
)
_IS = re.compile(r"(?:is|was)\s+", re.IGNORECASE)
# Names that say how somebody is: ``my boss is frank``, ``my cat is ginger``.
_DESCRIBING = (
    "amber angel bear cinnamon cocoa fluffy frank ginger grace honey joy max midnight princess rich rusty sandy "
    "shadow smokey spot sunny will"
)
_DESCRIBES = frozenset(_DESCRIBING.split())
# After these a word that can be a name is one: ``my brother mark lives``, but not ``my friend mark my words``.
_ACTS = re.compile(
    r"(?:\s*(?:$|[,.!?()]|'s\b)|\s+(?:is|isn't|was|wasn't|has|hasn't|had|lives?|lived|works?|worked|wants?|wanted|moved"
    r"|said|says|told|thinks?|thought|loves?|likes?|hates?|got|gets|went|goes|came|comes|died|passed|turns?|turned"
    r"|started|studies|speaks|plays|eats|can|can't|cannot|does|doesn't|did|didn't|will|won't|would|who|and|or|but"
    r"|just|also|always|never|really|still|keeps?|needs?|knows?|knew|made|makes|gave|gives|called|calls|asked|asks"
    r"|visited|visits|joined|joins|left|quit|bought|sleeps?|barks?)\b)",
    re.IGNORECASE,
)
_PLACE_ENDS = re.compile(
    r"\s*(?:$|[.!?;)(]|,\s*(?P<next>[a-z]+(?:\s+[a-z]+)?)|,?\s+(?:now|currently|these\s+days|rn|right\s+now|last|next"
    r"|this|in\s+(?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|for|since|with|but|so|because|until|till|on|from|btw|lol|tomorrow|today|when|where|as|to|i|i'm|my"
    r"|and\s+(?:i|i'm|my|we|am|work|love|have|got|was|it's))\b)",
    re.IGNORECASE,
)
_PETS = re.compile(
    rf"\b(?:dogs|cats|puppies|kittens|rabbits|bunnies|hamsters|parrots)\s*(?:[,:(]|are\s+(?:named|called)|named"
    rf"|called)\s*(?P<v>{_W})"
    rf"(?:(?:\s*,\s*|\s*,?\s+(?:and|&)\s+)(?P<v2>{_W}))?(?:(?:\s*,\s*|\s*,?\s+(?:and|&)\s+)(?P<v3>{_W}))?",
    re.IGNORECASE,
)
_HERE = re.compile(rf"^\W*(?:(?:hi|hey|hello|yo)\W+)?(?P<v>{_W})\s+here\b")
_PLACE = re.compile(
    rf"\b(?:in|from|to|near|around|outside|of|at|visiting|leaving"
    rf"|downtown)\s+(?P<v>{_W}(?:\s+{_W}(?:\s+{_W})?)?)(?=\W|$)",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    rf"\b(?:at|for|from|joined|join|joining|left|leaving|quit|by|@)\s+(?P<v>{_W})(?=\W|$)", re.IGNORECASE
)
_PROJECT = re.compile(
    rf"\bproject\s+(?P<v>{_W})(?=\s*$|\s*[,.!]|\s+(?:is|was|got|has|will|launches|ships|deadline|due|needs"
    rf"|on\s+hold)\b)",
    re.IGNORECASE,
)
_GOING_ON = "and but so i i'm i've im my we we're it's its originally now currently married from"
_GOES_ON = frozenset(_GOING_ON.split())


def is_casual(message: str) -> bool:
    """Tell whether a message is typed without capitals, so that a small letter says nothing."""
    return _CASUAL.search(message) is not None


def recased(message: str) -> str:
    """Give a casual message with capitals where a name stands."""
    signs = list(message)
    for start, end in _names(message):
        _raise(signs, message, start, end)
    return "".join(signs)


def _names(message: str) -> list[tuple[int, int]]:
    spans = [found.span("v") for found in _CALLED.finditer(message) if found["v"].lower() not in _NO_NAME]
    spans += [found.span("v") for found in _CALL_ME.finditer(message) if _is_nickname(found["v"].lower())]
    spans += [found.span("v") for found in _PROJECT.finditer(message) if found["v"].lower() not in _NO_NAME]
    spans += [
        found.span("v") for p in (_I_AM, _HERE) for found in p.finditer(message) if found["v"].lower() in PLAIN_GIVEN
    ]
    spans += [found.span("v") for found in _RELATED.finditer(message) if _is_theirs(found)]
    spans += [found.span("v") for found in _COMPANY.finditer(message) if found["v"].lower() in COMPANIES]
    for found in _PETS.finditer(message):
        spans += [found.span(group) for group in ("v", "v2", "v3") if (found[group] or "").lower() in PETS | GIVEN]
    return [*spans, *_places(message)]


def _is_nickname(word: str) -> bool:
    if word in PLAIN_GIVEN:
        return True
    return word not in _NO_NAME and word not in _CALLED_SO and not _CALLED_LIKE.match(word)


def _is_theirs(found: re.Match[str]) -> bool:
    name = found["v"].lower()
    if name not in GIVEN and not (name in PETS and relation_named(found["relation"]) in ANIMALS):
        return False
    if name in _DESCRIBES and _IS.fullmatch(found["link"] or ""):
        return False
    if name not in WORD_NAMES or found["link"]:
        return True
    return name != "rose" and _ACTS.match(found.string, found.end("v")) is not None


def _places(message: str) -> list[tuple[int, int]]:
    spans = []
    for found in _PLACE.finditer(message):
        words = found["v"].split()
        for count in range(len(words), 0, -1):
            place = " ".join(words[:count])
            if place.lower() in PLACES and _ends_well(message, place, found.start("v") + len(place)):
                spans.append((found.start("v"), found.start("v") + len(place)))
                break
    return spans


def _ends_well(message: str, place: str, at: int) -> bool:
    """Tell whether a word that can be a town is one: ``in nice, france`` but not ``in nice, quiet area``."""
    if place.lower() not in WORD_PLACES:
        return True
    found = _PLACE_ENDS.match(message, at)
    if not found or not found["next"]:
        return found is not None
    following = found["next"].lower()
    return following in PLACES or following.split()[0] in PLACES | _GOES_ON


def _raise(signs: list[str], message: str, start: int, end: int) -> None:
    """Raise the first letter of each word of a span, and all of a short form such as ``nyc``."""
    if message[start:end] in ("nyc",):
        signs[start:end] = message[start:end].upper()
        return
    for at in range(start, end):
        if at == start or message[at - 1] == " ":
            signs[at] = message[at].upper() if len(message[at].upper()) == 1 else message[at]
