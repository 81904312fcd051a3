"""A question: what it already says, and whether it asks about the user or about the world."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from memory_middleware.remember.references.reading import Reading, normal, plain, read_text

__all__ = ["Question", "read_question"]

_FAVOUR = re.compile(
    r"\b(?:tell|give|show|explain to|teach) (?:me|us)\b|[给跟](?:我|我们)(?:讲|说|解释|介绍)|请问", re.IGNORECASE
)
_PERSONAL = re.compile(
    r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b|\bI['’](?:m|ve|d|ll)\b|[我咱俺]",
    re.IGNORECASE | re.ASCII,
)
_ASKING = re.compile(
    r"\?|^\s*(?:what|who|whom|whose|why|when|where|which|how|is|are|was|were|do|does|did|can|could|explain|define|describe|"
    r"name|tell|summari[sz]e|translate|convert)\b|什么|为什么|怎么|谁|哪|多少|几|吗|讲讲|解释|介绍|是不是",
    re.IGNORECASE | re.ASCII,
)
_OPEN = re.compile(
    r"^\W*(?:what|who|whom|whose|why|when|where|which|how)\b|什么|为何|怎么|谁|哪|多少|几|多大|多久",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked.

    Attributes:
        text: As it is.
        reading: Its terms; what an answer repeats of them is an echo.
        plain: It without case, blanks and signs.
        personal: It speaks of the user.
        about_world: It asks for knowledge, not about the user and not for a piece of work.
        closed: It can be answered by yes or no.
        empty: Nothing is known about it.
    """

    text: str
    reading: Reading
    plain: str
    personal: bool
    about_world: bool
    closed: bool
    empty: bool


@functools.lru_cache(512)
def read_question(text: str) -> Question:
    """Read what was asked; an empty text stands for a question that is not known."""
    usual = normal(text)
    asks = _ASKING.search(usual) is not None
    personal = _PERSONAL.search(_FAVOUR.sub(" ", usual)) is not None
    return Question(
        usual,
        read_text(text),
        plain(usual),
        personal,
        asks and not personal,
        asks and _OPEN.search(usual) is None,
        not usual.strip(),
    )
