"""Cutting a text to a number of tokens, at the end of a sentence where there is one."""

from __future__ import annotations

import re

from memory_middleware.tokens import TokenCounter

__all__ = ["shorten"]

_ENDS = re.compile(r"[.!?…](?=\s)|[。！？；…]")
_BREAKS = re.compile(r"[,;:](?=\s)|[，、：]|\s")
_MARK = " …"


def shorten(text: str, tokens: int, counter: TokenCounter, *, least: int = 1) -> str:
    """Give the beginning of a text that fits, or nothing if too little of it would remain.

    It ends with a sentence if one ends in the second half of what fits, else with a word, and then with ``…``.

    Args:
        text: A single line.
        tokens: The most tokens.
        counter: Counts them.
        least: With fewer tokens than this nothing is worth telling.
    """
    if tokens < least:
        return ""
    if counter.count(text) <= tokens:
        return text
    fits = _longest(text, tokens, counter)
    sentence = _last(_ENDS, text, fits, fits // 2)
    if sentence:
        return text[:sentence].rstrip()
    word = _last(_BREAKS, text, fits, fits // 2) or fits
    while word > 0:
        cut = text[:word].rstrip(" ,;:，、：") + _MARK
        if counter.count(cut) <= tokens:
            return cut if counter.count(cut) >= least else ""
        word = _last(_BREAKS, text, word - 1, 0) or word - 1
    return ""


def _longest(text: str, tokens: int, counter: TokenCounter) -> int:
    """Find how many characters fit. Cutting further never costs more, but for a token or two."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if counter.count(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return low


def _last(pattern: re.Pattern[str], text: str, end: int, least: int) -> int:
    """Give where the last match before ``end`` ends, if it lies beyond ``least``; else 0."""
    found = 0
    for match in pattern.finditer(text, 0, end + 1):
        if least < match.end() <= end:
            found = match.end()
    return found
