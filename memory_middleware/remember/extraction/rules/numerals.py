"""Numbers written in digits, in English words or in Chinese characters."""

from __future__ import annotations

import re

__all__ = ["HAN_NUMBER", "WORD_NUMBER", "read_number"]

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: at for at, word in enumerate(_SMALL.split())}
_TEN_WORDS = {word: 20 + 10 * at for at, word in enumerate(_TENS.split())}
_HAN = {sign: at for at, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}

HAN_NUMBER = r"(?:\d{1,4}|[零〇一二两三四五六七八九十廿]{1,4})"
WORD_NUMBER = (
    rf"(?:\d{{1,4}}|(?:{'|'.join(_TEN_WORDS)})(?:[- ](?:{_SMALL.replace(' ', '|')}))?|{_SMALL.replace(' ', '|')})"
)
_SPLIT = re.compile(r"[\s-]+")


def read_number(text: str) -> int | None:
    """Read a number below ten thousand; none if it is none."""
    text = text.strip().casefold()
    if text.isascii() and text.isdigit():
        return int(text)
    if not text.isascii():
        return _read_han(text)
    return _read_words(_SPLIT.split(text))


def _read_words(words: list[str]) -> int | None:
    if len(words) == 1:
        return _WORDS.get(words[0], _TEN_WORDS.get(words[0]))
    tens, ones = _TEN_WORDS.get(words[0]), _WORDS.get(words[1])
    return tens + ones if tens is not None and ones is not None and len(words) == 2 else None


def _read_han(text: str) -> int | None:
    text = text.replace("廿", "二十")
    if "十" in text:
        tens, _, ones = text.partition("十")
        if any(sign not in _HAN for sign in tens + ones) or len(tens) > 1 or len(ones) > 1:
            return None
        return (_HAN[tens] if tens else 1) * 10 + (_HAN[ones] if ones else 0)
    if not text or any(sign not in _HAN for sign in text):
        return None
    return int("".join(str(_HAN[sign]) for sign in text))
