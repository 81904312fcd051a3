"""Whether English clauses about being at, joining or leaving a company speak of a job, or of a shop or a program."""

from __future__ import annotations

import re

from memory_middleware.remember.extraction.rules.proper_names import COMPANIES, VISITED

__all__ = ["LEFT", "is_at_work", "is_hired", "left_for_good"]

_NAME = re.compile(r"(?:[A-Z][\w&.'-]*|&)(?:\s+(?:[A-Z][\w&.'-]*|&)){0,4}")
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_ROLE = r",?\s+(?:as\s+(?:an?|the|their)|working\s+(?:as|on)|leading|managing)\b"
_HIRED = re.compile(_ROLE, re.IGNORECASE)
_AT_WORK = re.compile(
    rf"(?:{_ROLE}|,?\s+(?:these\s+days|nowadays|currently|full[- ]time|part[- ]time)\b|,?\s+now\s*(?:$|[.,]))",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*(?:$|[.,)]|btw\b)", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|currently)\s+at\s+$", re.IGNORECASE)
# Where one can be without working there, and somebody's home, as in ``at Grandma's``.
_SPOT = re.compile(
    r"\b(?:airport|station|terminal|park|mall|beach|hospital|hotel|school|university|college|gym|church|museum|stadium"
    r"|arena|plaza|street|avenue|road|cafe|caf\u00e9|bar|pub|restaurant|store|shop|market|center|centre|hall|library"
    r"|cinema|theater|theatre|zoo|house|hq|headquarters|con|festival|conference|summit|heathrow|gatwick|jfk|lax|disneyland"
    r"|gate|pier|lake|mount|castle|home)\b|'s?$",
    re.IGNORECASE,
)
# ``left Google`` alone may be said of a building or a tab; with the job in it, it is said of the job.
LEFT = (
    r"(?:(?P<job>quit\s+(?:my\s+job|working)\s+(?:at\s+|for\s+)?|lost\s+my\s+job\s+at\s+|left\s+my\s+job\s+at\s+"
    r"|resigned\s+from\s+|(?:got|been)\s+(?:laid\s+off|fired)\s+(?:from|by|at)\s+|stopped\s+working\s+(?:at|for)\s+)"
    r"|quit\s+|left\s+)(?P<v>(?-i:[A-Z])[^;:!?]*)"
)
_LONG = r"(?:years?|months?|weeks?|decades?)"
_GONE = re.compile(
    rf"\s*(?:[.!]*\s*$|,?\s+(?:(?:last|this)\s+(?:week|month|year|spring|summer|autumn|fall|winter|{_MONTHS})\b"
    rf"|in\s+(?:\d{{4}}|{_MONTHS})\b|(?:[\w+]+\s+){{1,3}}?{_LONG}\s+ago\b|yesterday\s*$|recently\b|because\b"
    rf"|after\s+(?:[\w+]+\s+){{0,3}}?{_LONG}\b|to\s+(?:join|start|work|become|found|freelance|go\s+freelance)\b"
    r"|for\s+(?:good\b|my\s+own\b|an?\s+(?:\w+\s+)?(?:start-?up|company|job|role|competitor|firm|agency|position)\b"
    r"|(?-i:[A-Z])\w)|and\s+(?:(?:i|i'm|am|now)\s+){0,3}(?:joined|started|work|moved|went|at)\b)"
    r"|,\s*(?:now|i'm|im|i|so|because|started|joined|starting|joining)\b)",
    re.IGNORECASE,
)


def is_at_work(text: str, at: int) -> bool:
    """Tell whether ``I'm at X`` names an employer: it says a role or that it lasts, or X is known as a company."""
    named = _NAME.match(text, at)
    if not named or _is_visited(named[0]) or _SPOT.search(named[0]):
        return False
    if _AT_WORK.match(text, named.end()):
        return True
    ends = _ENDS.match(text, named.end()) is not None
    return ends and (_NOW.search(text, 0, at) is not None or named[0].rstrip(".").lower() in COMPANIES)


def is_hired(text: str, at: int) -> bool:
    """Tell whether ``I joined X`` speaks of a job: X is nothing that one joins on a screen, or a role follows."""
    named = _NAME.match(text, at)
    return not named or not _is_visited(named[0]) or _HIRED.match(text, named.end()) is not None


def left_for_good(text: str, at: int) -> str | None:
    """Give the company of ``I left X`` if the clause ends after its name or goes on as one about a job does."""
    named = _NAME.match(text, at)
    return named[0].rstrip(".") if named and _GONE.match(text, named.end()) else None


def _is_visited(name: str) -> bool:
    return name.split()[0].rstrip(".").lower() in VISITED
