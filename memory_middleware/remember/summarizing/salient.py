"""A summary without a model: the sentences that say most, in the order they were said."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memory_middleware.remember.likeness import normalised
from memory_middleware.storage.terms import terms_of
from memory_middleware.tokens import TokenCounter

__all__ = ["SalientSummarizer", "Summarizer"]

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_TELLING = re.compile(
    r"\b(?:decid\w*|agree\w*|will|must|need\w*|want\w*|deadline|due|because|problem|error|fix\w*|plan\w*|prefer\w*|"
    r"remember|promis\w*|tomorrow|next|instead|actually)\b|决定|同意|必须|需要|想要|截止|因为|问题|错误|修复|计划|记住|"
    r"承诺|明天|下周|改成|其实",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_NAME = re.compile(r"(?<=\s)[A-Z][a-z]+|`[^`]+`|[\w\-]+\.\w{1,5}\b")
_QUESTION = re.compile(r"[?？]\s*$")
_LEAST_TERMS = 3


class Summarizer(Protocol):
    """Folds rounds into a running summary."""

    def summarize(self, previous: str, rounds: Sequence[str], max_tokens: int) -> str:
        """Give the new summary."""
        ...


class _Sentence(NamedTuple):
    at: int
    text: str
    score: float


class SalientSummarizer:
    """Keeps the sentences with names, figures, decisions and rare words, as far as there is room.

    Args:
        counter: Counts tokens.
    """

    def __init__(self, counter: TokenCounter | None = None) -> None:
        self._counter = counter or TokenCounter.for_model("gpt-4o")

    def summarize(self, previous: str, rounds: Sequence[str], max_tokens: int) -> str:
        """Give the new summary: old and new sentences compete for the room, the newer ones with a small advantage."""
        sentences = _sentences([*previous.splitlines(), *(line for one in rounds for line in one.splitlines())])
        kept: list[_Sentence] = []
        left = max_tokens
        for sentence in sorted(sentences, key=lambda one: (-one.score, one.at)):
            cost = self._counter.count(sentence.text) + 1
            if cost <= left:
                kept.append(sentence)
                left -= cost
        return "\n".join(one.text for one in sorted(kept))


def _sentences(lines: Sequence[str]) -> list[_Sentence]:
    found = list(dict.fromkeys(text for line in lines for text in _split(line)))
    seen = {normalised(text): text for text in found}
    told = list(seen.values())
    spread = Counter(term for text in told for term in set(terms_of(text)))
    return [
        _Sentence(at, text, _worth(text, spread, len(told)) * (1.0 + 0.3 * at / max(1, len(told))))
        for at, text in enumerate(told)
        if len(terms_of(text)) >= _LEAST_TERMS
    ]


def _split(line: str) -> list[str]:
    return [text.strip() for text in _SENTENCE.findall(line) if text.strip()]


def _worth(text: str, spread: Counter[str], total: int) -> float:
    terms = terms_of(text)
    rarity = sum(math.log(1.0 + total / spread[term]) for term in set(terms)) / math.sqrt(len(terms))
    signs = (_TELLING, 1.5), (_FIGURE, 1.4), (_NAME, 1.3), (_QUESTION, 0.6)
    return rarity * math.prod(factor for sign, factor in signs if sign.search(text))
