"""A text as the terms by which memories and answers are compared."""

from __future__ import annotations

import dataclasses
import functools
import re
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from memory_middleware.remember.references.lexicon import lexicon, stem
from memory_middleware.remember.references.numbers import Number, read_numbers
from memory_middleware.storage.terms import has_cjk

__all__ = ["Reading", "clip", "normal", "plain", "read", "read_text"]

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+|[€$£¥%]|°[CF]|[.!?。！？\n]")
_LONGEST = 4000
_PLAIN = re.compile(r"[\W_]+")
_QUOTED = re.compile(r"[\"“「『《]([^\"“”「」『』《》\n]{4,80})[\"”」』》]")
# Chinese has no capitals; what follows "is called" is a name.
_CALLED = re.compile(rf"(?:叫做?|名为|外号|姓|代号是?|名字是)([{_CJK}]{{2,4}})")
_ENDS = frozenset(".!?。！？\n")
# Characters that join words and carry no meaning of their own; a pair across them is no word.
_JOINTS = frozenset("的了是在我你您他她它们和与跟也都就还很最不没把被对吗呢吧啊呀个这那一只着过")
# The user is in nearly every memory; the others are what a contraction leaves behind its apostrophe.
_NOBODY = frozenset(("user", "", "s", "t", "d", "m", "ll", "re", "ve"))
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "professor", "aunt", "uncle", "captain"))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text is made of.

    Attributes:
        words: Stems; Chinese words that the lexicon knows are among them as their English.
        pairs: Neighbouring Chinese characters of words that it does not know.
        names: The words and pairs that are names.
        chains: Names that stand beside each other and so name one thing.
        numbers: The numbers, dates and times.
        quotes: What stands in quotation marks, without blanks and signs.
    """

    words: frozenset[str]
    pairs: frozenset[str]
    names: frozenset[str]
    chains: tuple[frozenset[str], ...]
    numbers: tuple[Number, ...]
    quotes: tuple[str, ...] = ()

    @property
    def terms(self) -> frozenset[str]:
        """All words and pairs."""
        return self.words | self.pairs


def clip(text: str) -> str:
    """Cut a memory or a question that is much longer than they ever should be."""
    return text[:_LONGEST]


def normal(text: str) -> str:
    """Give the usual form of characters that have several, such as full-width digits."""
    return unicodedata.normalize("NFKC", text)


def plain(text: str) -> str:
    """Give a text without case, blanks and signs."""
    return _PLAIN.sub("", text.casefold())


@functools.lru_cache(8192)
def read_text(text: str) -> Reading:
    """Read a text such as a memory or a question; what was read is remembered."""
    usual = normal(text)
    reading = read(usual)
    called = (pair for name in _CALLED.findall(usual) for pair in read(name).pairs)
    return dataclasses.replace(
        reading,
        names=reading.names.union(reading.pairs.intersection(called)),
        quotes=tuple(plain(found) for found in _QUOTED.findall(usual)),
    )


def read(text: str) -> Reading:
    """Read a text whose characters have their usual form, its quotations left out."""
    numbers, rest = read_numbers(text)
    words = _Words(chinese=has_cjk(text))
    for token in _TOKEN.findall(rest):
        words.take(token)
    words.close()
    return Reading(
        frozenset(words.words),
        frozenset(words.pairs),
        frozenset(words.names),
        tuple(words.chains),
        tuple(numbers),
    )


class _Token(NamedTuple):
    """What a word stands for, and where it is a name."""

    meant: tuple[str, ...]
    named: bool
    named_first: bool
    named_in_chinese: bool


@functools.lru_cache(16384)
def _token(word: str) -> _Token:
    known = lexicon()
    found = known.canonical(stem(word) if word.isalnum() else word.lower())
    meant = tuple(each for each in found if each not in _NOBODY)
    if not meant or known.is_nameless(meant[0]) or word.lower() in _TITLES:
        return _Token(meant, False, False, False)
    capital = any(char.isupper() for char in word)
    code = any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:])
    proper = known.is_proper(meant[0])
    # The first word of a sentence has a capital of its own.
    first = proper or code or (capital and meant[0] not in known.classes)
    return _Token(meant, proper or code or capital, first, proper or (word.isascii() and len(word) > 1))


class _Words:
    """Gathers the words of a text, token by token."""

    def __init__(self, *, chinese: bool) -> None:
        self.words: set[str] = set()
        self.pairs: set[str] = set()
        self.names: set[str] = set()
        self.chains: list[frozenset[str]] = []
        self._chinese = chinese
        self._opening = True
        self._chain: set[str] = set()

    def take(self, token: str) -> None:
        if self._chinese and has_cjk(token):
            self.close()
            self._characters(token)
        elif token in _ENDS:
            self.close()
            self._opening = True
            return
        else:
            self._word(_token(token))
        self._opening = False

    def close(self) -> None:
        if self._chain:
            if len(self._chain) > 1:
                self.chains.append(frozenset(self._chain))
            self._chain = set()

    def _word(self, token: _Token) -> None:
        self.words.update(token.meant)
        named = token.named_first if self._opening else token.named
        if named or (self._chinese and token.named_in_chinese):
            self.names.update(token.meant)
            self._chain.update(token.meant)
        else:
            self.close()

    def _characters(self, run: str) -> None:
        openings, start, at = lexicon().openings, 0, 0
        while at < len(run):
            char, length = run[at], 0
            if char in openings:
                word = next((each for each in openings[char] if run.startswith(each, at)), "")
                length = len(word)
                self._known_word(word)
            if not length and char not in _JOINTS:
                at += 1
                continue
            self._unknown(run[start:at])
            at += length or 1
            start = at
        self._unknown(run[start:])

    def _known_word(self, word: str) -> None:
        known = lexicon()
        for each in known.canonical(word):
            if each not in _NOBODY:
                self.words.add(each)
                if known.is_proper(each):
                    self.names.add(each)

    def _unknown(self, segment: str) -> None:
        if len(segment) == 1:
            self.pairs.add(segment)
        self.pairs.update(segment[at : at + 2] for at in range(len(segment) - 1))
