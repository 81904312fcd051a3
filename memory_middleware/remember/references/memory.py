"""A memory, read for comparison: whom it is about, and what a question leaves of it."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from memory_middleware.remember.references.lexicon import lexicon
from memory_middleware.remember.references.reading import Reading, normal, plain, read, read_text
from memory_middleware.remember.references.speech import is_averse

__all__ = ["Memory", "read_memory"]

_USER = re.compile(r"\b(?:user|I|my|me)\b|用户|^我", re.IGNORECASE | re.ASCII)
_LEADING = re.compile(r"\s*([A-Z]\w+)(?:,|['’]s| (?:[a-z]+(?:s|ed)|will|can|has|had)\b)", re.ASCII)
_LEADING_CHINESE = re.compile(r"\s*(?!用户|我)([\u4e00-\u9fff]{2,4}?)(?=[是在的有要想会]|负责|喜欢|住|答应|每|不)")


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory and what is known about it.

    Attributes:
        text: As it is.
        plain: It without case, blanks and signs.
        reading: Its terms.
        people: The words for the people it is about, the user left out.
        about_user: It names the user.
        averse: It says what is not, or what to avoid.
        avoids: What follows from it to be left out.
    """

    text: str
    plain: str
    reading: Reading
    people: frozenset[str]
    about_user: bool
    averse: bool
    avoids: frozenset[str]


@functools.lru_cache(8192)
def read_memory(text: str) -> Memory:
    """Read a memory; what was read is remembered."""
    usual = normal(text)
    reading = read_text(text)
    return Memory(
        usual,
        plain(usual),
        reading,
        _people(usual, reading),
        _USER.search(usual) is not None,
        is_averse(usual.lower()),
        frozenset().union(*(lexicon().avoided.get(word, ()) for word in reading.words)) - reading.words,
    )


def _people(text: str, reading: Reading) -> frozenset[str]:
    found = set(filter(lexicon().is_person, reading.words))
    if (leading := _LEADING.match(text)) is not None:
        found |= read(leading[1]).words & reading.names
    elif (leading := _LEADING_CHINESE.match(text)) is not None:
        found |= read(leading[1]).pairs
    return frozenset(found)
