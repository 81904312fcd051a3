"""English standing instructions: how to answer, what always or never to do, what not to talk about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from memory_middleware.remember.extraction.rules.english.identity import rule
from memory_middleware.remember.extraction.rules.english.spans import read_span_en
from memory_middleware.remember.extraction.rules.english.values import thing_of
from memory_middleware.remember.extraction.rules.english.wording import about_user
from memory_middleware.remember.extraction.rules.findings import ORDERED, Finding
from memory_middleware.remember.extraction.rules.lexicon import LANGUAGE_EN
from memory_middleware.remember.extraction.rules.reading import Reading, Rule
from memory_middleware.remember.extraction.rules.texts import MASK

__all__ = ["ASKED", "RULES", "about_meetings", "follows", "note_of"]

_LASTING = (
    r"(?:from (?:now|here|today|this point|this moment) on(?:wards?)?|going forward|moving forward"
    r"|in (?:the )?future|henceforth|as of (?:now|today)|from today|for all future (?:answers|replies"
    r"|conversations))"
)
_DEED = (
    r"(?:answer|reply|respond|use|write|give|keep|be|speak|talk|explain|include|add|show|format|avoid|call|address"
    r"|ask|remind|check|cite|quote|provide|stick|start|end|send"
    r"|summari[sz]e|sign|put|translate|mention|assume|double[- ]check|make|skip|convert|tell|run|test|comment|name"
    r"|greet|begin|finish|list|say|refer|repeat|suggest|recommend"
    r"|offer|propose|apologi[sz]e|bring up|discuss|describe|think|prefer|leave|let|follow|attach|cc|copy|bcc|push"
    r"|commit|deploy|merge|round|return|output|spell|correct|point out|just|share|reveal|disclose"
    r"|forward|publish|post|store|delete|expose|upload|invent|guess|overwrite|serve)"
)
_SPOKEN = (
    r"(?:use|call|add|mention|give|explain|write|send|apologi[sz]e|ask|talk|bring up|include|start|end|repeat"
    r"|suggest|recommend|say|reply|respond|answer|sign|quote|translate|put|make|refer|be|discuss"
    r"|push|commit|deploy|merge|cc|touch)"
)
_LEAD = r"(?:(?:one|another)\s+(?:more\s+)?(?:thing|rule|request)\b[^:.!?]{0,40}:\s*|(?:a\s+|new\s+|my\s+)?rule:\s*)?"
_PLEASE = _LEAD + r"(?:(?:please|pls|plz|and|so|also|but|ok|okay|btw|hey|just|kindly)\s*,?\s+){0,7}"
_YOU = (
    r"(?:(?:i\s+want\s+you\s+to|i'?d\s+like\s+you\s+to|i\s+need\s+you\s+to|you\s+should|you\s+must"
    r"|make\s+sure\s+(?:to|you|that\s+you)|be\s+sure\s+to|remember\s+to|try\s+to)\s+)"
)
_MORE = re.compile(
    rf"\s*(?:,|,?\s*and|,?\s*but)\s+(?:please\s+)?(?P<v>(?:always\s+|never\s+|don'?t\s+)?{_DEED}\b.{{3,}})",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"\W{0,6}(?:(?:and\s+)?(?:so|therefore|hence|thus|which is why|that'?s why)\s*,?\s+)"
    r"(?P<v>(?:please\s+)?(?:always|never|do not|don'?t"
    r"|from now on)\b)|\W{0,6}(?:and\s+|so\s+)?(?P<v2>please\s+(?:always|never|from now on)\b)",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:today|tonight|tomorrow|(?:right )?now(?! on)|yet|for now|this (?:time|week|one|once|month)|until|till)\b",
    re.IGNORECASE,
)
_END = re.compile(
    r"\s*(?:,?\s*(?:please|pls|plz|ok|okay|thanks|thank you|thx|from now on|going forward|in future|in the future"
    r"|will you|for me)){0,7}[\s.!]*$",
    re.IGNORECASE,
)
_TRIGGER = re.compile(
    rf"^(?:{_LASTING}|{_YOU}|(?:please|always|never|don'?t|do not|stop|just|also|kindly|ever)\b|[\s,:]){{1,60}}",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\b(?:code|commit|pr|prs|pull request|tests?|report|e-?mails?|clients?|meeting|deploy|branch|docs?|document"
    r"|ticket|slides?|invoice|python|typescript|function|comments?|unit|merge|push|production"
    r"|customer|contract|presentation|spreadsheet|sql|api|review|repo)\b",
    re.IGNORECASE,
)
# Said of one place, it is a request and no standing instruction.
_ONCE = re.compile(
    r"\b(?:in|to|for|from|on|of|inside|within)\s+this\s+(?:\w+\s+)?(?:function|file|method|class|module|script|snippet|line"
    r"|block|loop|query|test|paragraph|sentence|section|draft|text|e-?mail|letter|example|case|cell|table|one|page|slide)\b"
    r"|\b(?:in|over)?\s*here$|\bthis\s+time$",
    re.IGNORECASE,
)


def order(reading: Reading, said: str) -> Finding | None:
    """Make a standing instruction of a sentence; instructions that differ in their sign share an address."""
    text = _END.sub("", said).strip(" ,.:;!")
    key = _TRIGGER.sub("", text).strip()
    if (
        MASK in text
        or _ONCE.search(text)
        or len(key) < 4
        or len(text) > 300
        or not re.search(r"[a-z]", key, re.IGNORECASE)
    ):
        return None
    shown = f"{text[0].upper()}{text[1:]}."
    return replace(
        reading.find("rule", shown, key=key[:80], plain=shown, extra={"work": bool(_WORK.search(text))}),
        confidence=ORDERED,
    )


def _order(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    if made := order(reading, reading.clause.raw[found.start("v") :]):
        yield made


def _language(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    said = found["language"]
    yield replace(reading.find("answer_language", said.capitalize() if said.islower() else said), confidence=ORDERED)
    yield from _besides(found, reading)


def _style(found: re.Match[str], reading: Reading, *, attribute: str) -> Iterator[Finding]:
    said = " ".join(found["style"].lower().split())
    yield replace(reading.find(attribute, said, plain=f"{said} answers"), confidence=ORDERED)
    yield from _besides(found, reading)


def _besides(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    """Read the second of two instructions: ``keep your answers short, and use metric units``."""
    if (more := _MORE.match(reading.clause.text, found.end())) and (
        made := order(reading, reading.clause.raw[more.start("v") :])
    ):
        yield made


def _topic(found: re.Match[str], reading: Reading) -> Iterator[Finding]:
    said = reading.clause.said(found)
    if not _ONCE.search(said) and (topic := thing_of(said)):
        yield replace(reading.find("topic", topic), confidence=ORDERED)


_ALWAYS = rf"(?:(?:{_LASTING})\s*,?\s*)?{_PLEASE}(?:{_YOU})?(?:always\s+|only\s+)?"
_LENGTH = (
    r"(?P<style>(?:really\s+|very\s+|more\s+|as\s+)?(?:short(?:er)?|brief|concise|succinct|detailed|long(?:er)?"
    r"|in-depth|thorough|to the point|terse|crisp|compact))"
)
_TONE = (
    r"(?P<style>formal|informal|casual|friendly|professional|direct|blunt|polite|humorous|funny|neutral|warm|playful)"
)
_ANSWERS = (
    r"(?:your\s+|the\s+|all\s+|all your\s+)?(?:answers?|replies|reply|responses?|explanations?|messages|summaries)"
)
RULES: tuple[Rule, ...] = (
    (rule(r"(?:could|can|would|will)\s+you\s+(?:please\s+)?(?P<v>stop\s+\w+ing\b.{4,})"), _order),
    (
        rule(
            rf"{_ALWAYS}(?:answer|reply|respond|speak|talk|write|communicate|chat)(?:\s+(?:to"
            r"|with)?\s*me)?(?:\s+back)?(?:\s+only"
            rf"|\s+always)?\s+in\s+(?P<language>{LANGUAGE_EN})\b(?!\s*[:])\W{{0,6}}(?:please|pls|thanks|from now on"
            r"|going forward|always|only|ok|instead|\W){0,7}$"
        ),
        _language,
    ),
    (
        rule(
            r"(?:i\s+(?:want|prefer|need|like|would like|'d like))\s+(?:all\s+|your\s+|the\s+){0,7}(?:answers|replies"
            rf"|responses)\s+in\s+(?P<language>{LANGUAGE_EN})\b"
        ),
        _language,
    ),
    (
        rule(rf"{_ALWAYS}(?:(?:can|could)\s+you\s+)?(?:keep|make)\s+(?:{_ANSWERS}|it|them|things)\s+{_LENGTH}\b"),
        partial(_style, attribute="answer_length"),
    ),
    (
        rule(
            rf"(?:{_ALWAYS}(?:give|write|send)\s+(?:me\s+)?|i\s+(?:want|prefer|like"
            rf"|need)\s+)(?:your\s+)?{_LENGTH}\s+(?:answers|replies|responses|explanations|messages|summaries)\b"
        ),
        partial(_style, attribute="answer_length"),
    ),
    (
        rule(
            rf"{_PLEASE}be\s+(?:more\s+)?(?P<style>brief|concise|succinct|terse|to the point)\W*"
            r"(?:please|pls|plz|thanks|thx|ok)?\W*$"
        ),
        partial(_style, attribute="answer_length"),
    ),
    (
        rule(rf"(?:{_LASTING}\s*,?\s*{_PLEASE}|{_PLEASE}(?:always\s+))be\s+(?:more\s+)?{_LENGTH}\b"),
        partial(_style, attribute="answer_length"),
    ),
    (
        rule(
            rf"{_ALWAYS}(?:use|adopt|keep|write in|answer in|reply in)\s+(?:an?\s+)?(?:more\s+)?{_TONE}\s+(?:tone"
            r"|style|language)\b"
        ),
        partial(_style, attribute="answer_tone"),
    ),
    (
        rule(rf"(?:{_LASTING}\s*,?\s*{_PLEASE}|{_PLEASE}(?:always\s+))be\s+(?:more\s+)?{_TONE}\b"),
        partial(_style, attribute="answer_tone"),
    ),
    (
        rule(
            rf"{_PLEASE}(?:don'?t|do not|never|stop|avoid)\s+(?:ever\s+)?(?:talk(?:ing)?(?:\s+to\s+me)?\s+about"
            r"|bring(?:ing)?\s+up|mention(?:ing)?|discuss(?:ing)?"
            r"|ask(?:ing)?\s+(?:me\s+)?about)\s+(?P<v>[^,;:!?]+)"
        ),
        _topic,
    ),
    (rule(rf"{_PLEASE}(?P<v>{_LASTING}\s*[,:]?\s*(?!i\b|i'|my\b|we\b|our\b|the\b|it\b|he\b|she\b).{{4,}})"), _order),
    (
        rule(
            r"(?:(?:and|so|also|but|ok|hey|btw)\s*,?\s+){0,7}(?:please|pls"
            r"|plz)\s+(?P<v>(?:only\s+)?use\s+[^,;:!?]{0,40}?\b(?:spelling|units|format|formatting|markdown"
            r"|bullet points|notation|celsius|fahrenheit|metric|pronouns|time|dates|currency"
            r"|tone)\b[^,;:!?]{0,30})$"
        ),
        _order,
    ),
    (rule(rf"{_PLEASE}(?P<v>(?:always|never)\s+(?!say never){_DEED}\b.{{3,}})"), _order),
    (rule(rf"{_PLEASE}(?P<v>{_YOU}(?:always\s+|never\s+|only\s+){_DEED}\b.{{3,}})"), _order),
    (
        rule(
            rf"{_PLEASE}(?P<v>(?:don'?t|do not)\s+(?:ever\s+|always\s+)?(?!be\b|give up\b|make me\b|ask me how\b"
            rf"|say (?:that|it)\b){_SPOKEN}\b.{{3,}})"
        ),
        _order,
    ),
    (
        rule(
            rf"{_PLEASE}(?P<v>stop\s+(?:using|apologi[sz]ing|adding|saying|asking|calling|giving|sending"
            rf"|suggesting|repeating|starting|ending|putting|including|being)\b.{{0,}})"
        ),
        _order,
    ),
    (
        rule(
            rf"{_PLEASE}(?P<v>{_DEED}\b[^,;:!?]{{3,120}}\b(?:{_LASTING}|every time|each time"
            rf"|whenever\b.*))\W{{0,6}}$"
        ),
        _order,
    ),
    (
        rule(
            rf"{_PLEASE}(?P<v>(?:whenever|every time|each time|any time|when)\s+i\s+(?:ask|say|send|write|request"
            rf"|need|paste|share|mention|upload|give)\b[^,]{{2,80}},\s*(?:please\s+|always\s+"
            rf"|just\s+){{0,7}}{_DEED}\b.{{3,}})"
        ),
        _order,
    ),
    (
        rule(
            r"(?P<v>i\s+(?:want|prefer|like|'d like)\s+(?:you\s+to\s+|it when you\s+|my\s+(?:code|answers"
            r"|replies)\s+)(?!know\b|tell\b|help\b|remember\b|meet\b|imagine\b|pretend\b|act\b|play\b)(?:always"
            r"|never|use|answer|reply|be|keep|call|address)\b.{3,})"
        ),
        _order,
    ),
)

_ASKED = re.compile(r"\b(?:please|pls|plz|that|save|record)\b|:", re.IGNORECASE)
_OWN = re.compile(r"\b(?:i|i'm|my|our|we|me)\b", re.IGNORECASE)
ASKED: tuple[Rule, ...] = (
    (
        rule(
            r"(?:could|can|would|will)\s+you\s+(?:please\s+)?(?P<v>(?:stop\s+\w+ing|always|never|from now on"
            r"|not)\b.{4,})"
        ),
        _order,
    ),
)


def follows(text: str) -> int | None:
    """Give where an instruction begins that follows from what was said before it: ``so never suggest prawns``."""
    found = None if _PASSING.search(text) else _FOLLOWS.match(text)
    return max(found.start("v"), found.start("v2")) if found else None


_MEETINGS = re.compile(r"\b(?:meetings?|calls?|appointments?)\b", re.IGNORECASE)


def about_meetings(text: str) -> bool:
    """Tell whether an instruction names a span for meetings; then it is a window and no rule."""
    return _MEETINGS.search(text) is not None and read_span_en(text) is not None


_NOTE = re.compile(
    r"^(?:to|when|how|what|if|why|who|where|me\b|i (?:told|said|asked)|it\b|him|her|them|us\b|this\b\W{0,6}$"
    r"|that\b\W{0,6}$)",
    re.IGNORECASE,
)


def note_of(reading: Reading, at: int) -> Finding | None:
    """Keep what somebody asks to remember in their own words, if no rule reads it."""
    said = reading.clause.raw[at:].strip(" ,.:;!")
    if not (_ASKED.search(reading.clause.text[:at]) or _OWN.search(said)):
        return None
    if _NOTE.match(said) or MASK in reading.clause.text[at:] or not 3 <= len(said.split()) <= 60:
        return None
    if when := reading.day(said):
        said = f"{said[: when.start]}{when.phrase('en').removeprefix('on ')}{said[when.end :]}"
    return reading.find("note", about_user(said), key=said[:80])
