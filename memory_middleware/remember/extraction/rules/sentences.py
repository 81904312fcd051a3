"""Messages as sentences and clauses, each with what makes it a question or a supposition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_middleware.remember.extraction.rules.chat_capitals import is_casual, recased
from memory_middleware.remember.extraction.rules.chat_spelling import spelled_out
from memory_middleware.remember.extraction.rules.lexicon import JOB_HEADS
from memory_middleware.remember.extraction.rules.script import HAN, has_han
from memory_middleware.remember.extraction.rules.texts import LONGEST, MASK, own_words

__all__ = ["Clause", "Sentence", "read_message", "split_clauses", "spoken_end_cut", "who_cut"]

_BREAK = re.compile(
    r"[!?。\n]+[)\"'」』]*|…+|\.{2,}|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+"
    r"|(?<![ .][A-Za-z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bMrs)\.(?=[\s\"')]|$)"
)
_SPACES = re.compile(r"[^\S\n]{2,}")
_EYES_ROLLED = "\U0001f644"


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a message that says one thing.

    Attributes:
        text: As rules read it.
        raw: The same signs as they were typed.
        position: Where among the clauses of its message it stands.
        first: Whether it opens its sentence.
        asked: Whether it is (part of) a question.
    """

    text: str
    raw: str
    position: int = 0
    first: bool = True
    asked: bool = False

    def said(self, found: re.Match[str], group: str | int = "v") -> str:
        """Give a group of a match as it was typed."""
        return self.raw[found.start(group) : found.end(group)].strip()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, or one line, of a message."""

    text: str
    raw: str
    asked: bool = False

    @property
    def language(self) -> str:
        """Whether its rules are the English or the Chinese ones."""
        return "zh" if has_han(self.text) else "en"


def read_message(message: str) -> Iterator[Sentence]:
    """Give the sentences that the author of a message says in their own name."""
    message = _typed(_SPACES.sub(" ", message[: LONGEST * 2]))
    text = own_words(message)
    start = 0
    for found in _BREAK.finditer(text):
        if _EYES_ROLLED not in found[0]:
            yield from _sentence(text, message, start, found.start(), "?" in found[0])
        start = found.end()
    yield from _sentence(text, message, start, len(text), False)


def _typed(message: str) -> str:
    """Bring chat spelling to that which rules read; a message in Chinese stays as it was typed."""
    if has_han(message):
        return message
    full = spelled_out(message)
    return recased(full) if is_casual(message) else full


def _sentence(text: str, message: str, start: int, end: int, asked: bool) -> Iterator[Sentence]:
    part = text[start:end]
    if part.strip(f" \t{MASK}"):
        yield Sentence(part, message[start:end], asked)


# A new clause begins after a comma when a subject or a verb that can do without one follows.
_CONJ = (
    r"(?:(?:and|but|so|because|cuz|coz|cause|plus|then|yet|though|although|while|whereas|since|also|oh|or"
    r"|as)\s+){0,7}"
)
_SUBJECT = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|i\s|my|mine|we|we're|we've|our|he|he's|she|she's|they|they're|his|her|their|it"
    r"|it's|its|you|you're"
    r"|your|the|new\sdeadline|deadline|that|that's|this|these|there|there's|everyone|everybody|people|please|pls"
    r"|plz|no|not|don't|dont|never|always|if|when|where|what"
    r"|what's|who|how|which|why|can|could|would|should|do|does|is|are|btw|by\sthe\sway|fyi|actually|remember"
    r"|from\snow\son|just|sorry|i\s)\b"
)
_VERB = (
    r"(?:(?:currently|now|originally|mostly|mainly|usually|also|really|recently|just)\s+)?"
    r"(?:lives?|living|works?|working|moved|born|based|speaks?|uses?|using|studies|study|studying|married|single"
    r"|divorced|allergic|fluent"
    r"|from|like|likes|love|loves|hate|hates|prefers?|enjoys?|drives?|plays?|has|have|had|owns?|can't|cannot|can|grew|"
    r"vegetarian|vegan|started|joined|switched|adopted|teach(?:es)?|learning|writes?|runs?|native|code|codes"
    r"|handles?|leads?|manages?|named|called|an?\s|\d{1,3}\b(?!\s*(?:am|pm|:)))"
)
_SPLIT = re.compile(
    rf"\s*[,;]\s*(?={_CONJ}(?:{_SUBJECT}|{_VERB}))|\s+[-\u2013\u2014]+\s+|\s*[\u2014]\s*|\s*;\s*|\s*[()]\s*"
    r"|(?<!\bme)\s*,?\s+(?=(?:and|but|so|because|cuz|coz|cause|plus|while|whereas|since|although|though"
    r"|yet)\s+(?:also\s+"
    rf"|then\s+|now\s+){{0,7}}(?:{_SUBJECT}))"
    rf"|\s+(?=(?:and|but)\s+(?!an?\s|\d){_VERB})"
    r"|\s+(?=(?:btw|by the way|fyi|oh and|also,|ps)\b)"
    r"|\s+(?=(?:what|where|how|which)(?:'s|\s+(?:should|can|could|do|does|would|is|are|kind|type))\b)"
    r"|\s+(?=(?:can|could|would|should|any)\s+(?:you|ideas|tips|suggestions|recommendations)\b)"
    r"|\s*,\s*(?=[\w+#.]{1,15}\s+is\s+my\b)|\s+(?=(?:please|pls|plz)\s+[a-z])|(?<=\s\d\d)\s*,\s*"
    rf"|\s*,\s*(?=(?:an?\s+|the\s+)?(?:[\w-]+\s+){{0,3}}?{JOB_HEADS}\b)",
    re.IGNORECASE,
)
_RUN_ON = re.compile(
    r"(?<=[\w'])\s+(?=(?:i|i'm|im|i've|ive|he's|she's|it's|nobody|everyone)\s|(?:his|her|its)\s+name\b"
    r"|my\s+[\w ]{2,20}?\s(?:is|are)\s)",
    re.IGNORECASE,
)
# It ends what stands before it: ``the friends I have``.
_RELATIVE = re.compile(
    r"i\s+(?:have|know|love|like|need|want|use|saw|made|got|met|had|mean|said|wrote|see|do|did)\W*$", re.IGNORECASE
)
_OPENS = re.compile(
    r"\s*(?:hi|hey|hello|yo|ok|okay|so|well|btw|oh|and|but|also|yes|yeah|no|just|fyi)?\W{0,6}(?:there"
    r"|everyone)?\W{0,6}(?:i|i'm|im|my|we)\b",
    re.IGNORECASE,
)
_BOUND_WORDS = (
    "and or but that if when where what how which who whom why than as because while until till once before after "
    "since though although whether unless like think thought wish hope dream dreamed dreamt said say says pretend "
    "imagine guess feel suppose bet doubt told swear know believe assume mean meant is are was be with in on at of "
    "for to from about all every time way place thing the so not me him her them love hate use call have sell visit "
    "miss need want by into thinks tells knows feels swears glad sure happy afraid sad hear heard see hoping "
    "thinking wishing claims insists bets guessing saying guessed figured forgot realized"
)
_BOUND = frozenset(_BOUND_WORDS.split())
_HAN_SPLIT = re.compile(
    r"\s*[,;()]\s*(?!(?:一直|直|待|呆|住){0,7}到\s*(?:[周星礼下明后这本月\d]|[一二三四五六七八九十]))"
    rf"|(?<=[{HAN}])\s+(?=[{HAN}])|\s*(?:--|\u2014\u2014)\s*|(?<=[{HAN}\w])(?=(?:但是?|不过|而且|所以|因为"
    r"|可是)(?:我|他|她))"
)


def split_clauses(sentence: Sentence) -> list[Clause]:
    """Cut a sentence into clauses; of a question the last one asks."""
    spans = _cut(sentence.text, _HAN_SPLIT if sentence.language == "zh" else _SPLIT)
    if sentence.language == "en":
        spans = [part for start, end in spans for part in _run_on(sentence.text, start, end)]
    last = len(spans) - 1
    return [
        Clause(sentence.text[start:end], sentence.raw[start:end], at, at == 0, sentence.asked and at == last)
        for at, (start, end) in enumerate(spans)
    ]


_SPOKEN_END = re.compile(r"(?<=\S)[啦呢呀哦哈吧啊噢嘛哟呐哒喔嘞咯耶诶欸呗捏鸭~\s]+$")


def spoken_end_cut(clause: Clause) -> Clause:
    """Give a Chinese clause without the particles that only colour it, as in ``在学韩语呢``."""
    if not (found := _SPOKEN_END.search(clause.text)):
        return clause
    end = found.start()
    return Clause(clause.text[:end], clause.raw[:end], clause.position, clause.first, clause.asked)


_WHO = re.compile(
    r"\s*who(?='s\s|\s+(?:also\s+|now\s+|currently\s+|just\s+)?(?:is|has|[a-z]+s|moved|used)\b)", re.IGNORECASE
)


def who_cut(clause: Clause) -> Clause:
    """Give a relative clause without its ``who``, as in ``my brother Paul, who lives in Oslo``."""
    if clause.first or clause.asked or not (found := _WHO.match(clause.text)):
        return clause
    end = found.end()
    return Clause(clause.text[end:], clause.raw[end:], clause.position, clause.first, clause.asked)


def _cut(text: str, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    spans, start = [], 0
    for found in pattern.finditer(text):
        spans.append((start, found.start()))
        start = found.end()
    spans.append((start, len(text)))
    return [(start, end) for start, end in spans if text[start:end].strip()]


def _run_on(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut where somebody goes on about themselves without any sign between."""
    if not _OPENS.match(text, start, end):
        return [(start, end)]
    spans = []
    for found in _RUN_ON.finditer(text, start, end):
        before = text[max(start, found.start() - 40) : found.start()].split()
        if len(before) > 1 and before[-1].lower() not in _BOUND and not _RELATIVE.match(text, found.end(), end):
            spans.append((start, found.start()))
            start = found.end()
    return [*spans, (start, end)]
