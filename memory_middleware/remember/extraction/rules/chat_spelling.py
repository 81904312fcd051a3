"""Chat spelling as full words: contractions without their sign, clipped words, drawn-out letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from memory_middleware.remember.extraction.rules.proper_names import PLAIN_GIVEN

__all__ = ["spelled_out"]

_NOT = "do does did is are was have has had could would should ai need"
_WITH_SIGN = {
    **{f"{verb}nt": f"{verb}n't" for verb in _NOT.split()},
    "cant": "can't",
    "wont": "won't",
    "im": "I'm",
    "ive": "I've",
    "hes": "he's",
    "shes": "she's",
    "thats": "that's",
    "whats": "what's",
    "wheres": "where's",
    "hows": "how's",
    "whos": "who's",
    "theres": "there's",
    "heres": "here's",
    "youre": "you're",
    "theyre": "they're",
    "theyve": "they've",
    "weve": "we've",
    "youve": "you've",
}
# Clipped words; in capitals they are something else, such as RN and ATM.
_CLIPPED = {
    "u": "you",
    "ur": "your",
    "urs": "yours",
    "ppl": "people",
    "bc": "because",
    "bcs": "because",
    "bcuz": "because",
    "rn": "right now",
    "atm": "at the moment",
    "nvm": "never mind",
    "idk": "I don't know",
    "dunno": "don't know",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "tmrrw": "tomorrow",
    "tmw": "tomorrow",
    "2moro": "tomorrow",
    "tonite": "tonight",
    "b4": "before",
    "abt": "about",
    "lil": "little",
    "probs": "probably",
    "prolly": "probably",
    "prob": "probably",
    "fav": "favorite",
    "fave": "favorite",
    "yrs": "years",
    "wks": "weeks",
    "mins": "minutes",
    "mtg": "meeting",
    "mtgs": "meetings",
    "appt": "appointment",
    "bday": "birthday",
    "gimme": "give me",
    "lemme": "let me",
    "gonna": "going to",
    "deffo": "definitely",
    "obv": "obviously",
    "tues": "tuesday",
    "thurs": "thursday",
    "recs": "recommendations",
}


def _if_name(found: re.Match[str]) -> str:
    """Read ``names olu`` of a name that is known as one; ``names matter`` stays."""
    return f"{found['lead']}my name's" if found["name"].lower() in PLAIN_GIVEN else found[0]


# Words that are others too: only where what follows tells which is meant.
_AS_VERB = (
    r"(?:love|like|rather|be|have|go|say|never|live|do|get|prefer|want|die|change|buy|move|kill|take|try|let|tell"
    r"|see|need|just|probably|make|start|give|use|come|call|stay|always|also|still)\b"
)
_DEPENDS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"(?<![\w'-])id(?=\s+{_AS_VERB})", re.IGNORECASE), "I'd"),
    (re.compile(rf"(?<![\w'-])ill(?=\s+{_AS_VERB})", re.IGNORECASE), "I'll"),
    (
        re.compile(
            r"(?<![\w'-])its(?=\s+(?:an?|the|all|just|so|called|due|like|my|not|been|on|in|at|for|supposed|really"
            r"|pretty|kinda|gonna|going|now|[ecmp]st|utc|gmt|cet|tomorrow|today|(?:mon|tues|wednes|thurs|fri|satur"
            r"|sun)day)\b)",
            re.IGNORECASE,
        ),
        "it's",
    ),
    (
        re.compile(r"(?<![\w'-])lets(?=\s+(?:say|go|pretend|imagine|play|role|do|try|be|see|talk)\b)", re.IGNORECASE),
        "let's",
    ),
    (re.compile(r"(?<![\w'=-])w/?(?=\s+(?!(?:=|is\b))[a-z])"), "with"),
    (
        re.compile(
            r"\b(?P<what>my\s+(?:birthday|interview|exam|appointment|deadline|wedding|shift"
            r"|surgery))s(?=\s+(?:on|at|in|tomorrow"
            r"|today|next|this|the|\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri"
            r"|sat|sun)))",
            re.IGNORECASE,
        ),
        r"\g<what>'s",
    ),
    (re.compile(r"(?<![\w'])my\s+names(?=\s+\w)", re.IGNORECASE), "my name's"),
    (
        re.compile(
            r"^(?P<lead>(?:\W*(?:hi|hey|yo|hello|ok|so|btw)\W+){0,3})names(?=\s+(?P<name>[a-z]{2,15})\b)", re.IGNORECASE
        ),
        _if_name,
    ),
    (
        re.compile(
            r"\b(?P<who>(?:my|our)\s+(?:\w+\s+)?(?:boss|manager|roommate|flatmate|brother|sister|mom|mum|dad"
            r"|wife|husband"
            r"|boyfriend|girlfriend|bf|gf|friend|dog|cat|puppy|kitten|son|daughter|kid|cousin|neighbo[u]?r|coworker"
            r"|teacher|partner|landlord))s(?=\s+(?:name|birthday|bday)\b)",
            re.IGNORECASE,
        ),
        r"\g<who>'s",
    ),
)
_DRAWN_OUT = re.compile(r"\b(?=\w{0,20}?([a-z])\1\1)[a-z]{3,30}\b", re.IGNORECASE)
_DRAWN_WORDS = frozenset(
    [
        "so",
        "love",
        "hate",
        "like",
        "really",
        "very",
        "no",
        "yes",
        "yeah",
        "hi",
        "hey",
        "please",
        "super",
        "loved",
        "much",
    ]
    + [
        "good",
        "cute",
        "wow",
        "yay",
        "ugh",
        "ok",
        "long",
        "never",
        "omg",
        "pretty",
        "bad",
        "fun",
        "lol",
        "oh",
        "my",
        "too",
    ]
)
_SAID_AGAIN = re.compile(r"\b(love|hate|really|so|very|super|please)(?:\s+\1\b){1,6}", re.IGNORECASE)
_LETTERS = re.compile(r"([a-z])\1+", re.IGNORECASE)


def _any_of(words: Iterable[str]) -> str:
    return rf"(?<![\w@./'#&-])(?:{'|'.join(sorted(words, key=len, reverse=True))})(?![\w@/'&-]|\.\w)"


_SIGNLESS = re.compile(_any_of(_WITH_SIGN), re.IGNORECASE)
_SHORT = re.compile(rf"(?<!\ba )(?<!\ban )(?<!\bthe ){_any_of(_CLIPPED)}")


def spelled_out(message: str) -> str:
    """Give an English message with chat spelling as full words."""
    message = _DRAWN_OUT.sub(_shortened, message)
    message = _SAID_AGAIN.sub(r"\1", message)
    message = _SIGNLESS.sub(lambda found: _WITH_SIGN[found[0].lower()], message)
    message = _SHORT.sub(lambda found: _CLIPPED[found[0]], message)
    for pattern, instead in _DEPENDS:
        message = pattern.sub(instead, message)
    return message


def _shortened(found: re.Match[str]) -> str:
    """Give a word whose letters are drawn out as it is written; a word that is not known stays."""
    for instead in (r"\1", r"\1\1"):
        if (word := _LETTERS.sub(instead, found[0].lower())) in _DRAWN_WORDS:
            return word
    return found[0]
