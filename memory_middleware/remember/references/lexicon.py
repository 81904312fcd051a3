"""Words that mean the same in English and Chinese, the class of a word, and which words say little."""

from __future__ import annotations

import functools
import importlib.resources
from dataclasses import dataclass, field

from memory_middleware.storage.terms import terms_of

__all__ = ["Lexicon", "lexicon", "stem"]

_FILE = "lexicon.txt"
_AVOID = "AVOID"
_PROPER = frozenset(("CITY", "COUNTRY", "BRAND"))
_NEVER_NAMES = frozenset(("COMMON", "WEEKDAY", "SPOKEN", "UNIT"))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Meanings by expression, and classes by meaning.

    Attributes:
        meanings: An expression, stemmed if it is English, to the stems of the meaning it stands for.
        classes: A stem to its class.
        avoided: A stem to what somebody leaves out to whom it applies, as meat is to a vegetarian.
        openings: A Chinese character to the known words that begin with it, the longest first.
    """

    meanings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)
    avoided: dict[str, frozenset[str]] = field(default_factory=dict)
    openings: dict[str, list[str]] = field(default_factory=dict)

    def is_common(self, term: str) -> bool:
        """Tell whether a term says little about what a text is about."""
        return self.classes.get(term) == "COMMON"

    def is_proper(self, term: str) -> bool:
        """Tell whether a term is a name that everybody knows."""
        return self.classes.get(term) in _PROPER

    def is_nameless(self, term: str) -> bool:
        """Tell whether a term is no name, though English may write it with a capital."""
        return self.classes.get(term) in _NEVER_NAMES

    def is_person(self, term: str) -> bool:
        """Tell whether a term is a word for somebody near to the user, such as "sister" or "boss"."""
        return self.classes.get(term) == "PERSON"

    def is_unit(self, term: str) -> bool:
        """Tell whether a term is a unit of measure or a currency."""
        return self.classes.get(term) == "UNIT"

    def is_telling(self, term: str) -> bool:
        """Tell whether a term says what a text is about."""
        return len(term) > 1 and self.classes.get(term) not in ("COMMON", "UNIT")

    def canonical(self, term: str) -> tuple[str, ...]:
        """Give the stems that a stem or Chinese word stands for; an unknown one stands for itself."""
        return self.meanings.get(term, (term,))

    def add(self, kind: str, words: list[str]) -> None:
        """Add one entry: a meaning and its expressions, or what somebody avoids."""
        if kind == _AVOID:
            self.avoided[stem(words[0])] = frozenset(each for word in words[1:] for each in self.canonical(stem(word)))
            return
        meaning = tuple(found for word in words[0].split("_") if (found := stem(word)))
        if len(meaning) == 1:
            self.classes.setdefault(meaning[0], kind)
        for word in words:
            if word.isascii() and word.isalpha():
                self.meanings.setdefault(stem(word), meaning)
            elif "_" not in word:
                self.meanings.setdefault(word, meaning)
                self.openings.setdefault(word[0], []).append(word)


@functools.lru_cache(16384)
def stem(word: str) -> str:
    """Stem a word as search does; a word that is not searched gives an empty text."""
    return next(iter(terms_of(word)), "")


@functools.cache
def lexicon() -> Lexicon:
    """Read the lexicon that ships with the package, once."""
    made, kind = Lexicon(), ""
    text = (importlib.resources.files(__package__) / _FILE).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            kind = line[1:-1]
        elif not line.startswith("#"):
            for entry in line.split(";"):
                if words := entry.split():
                    made.add(kind, words)
    for words in made.openings.values():
        words.sort(key=len, reverse=True)
    return made
