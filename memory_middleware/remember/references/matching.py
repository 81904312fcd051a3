"""How much of a memory an answer shows beyond what the question already held."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory_middleware.remember.references.answer import Answer
from memory_middleware.remember.references.lexicon import lexicon
from memory_middleware.remember.references.memory import Memory
from memory_middleware.remember.references.numbers import Number
from memory_middleware.remember.references.question import Question
from memory_middleware.remember.references.rarity import Rarity
from memory_middleware.remember.references.reading import Reading

__all__ = ["Match", "match_terms", "term_weight"]

_NAME = 1.0
_NUMBER = 1.0
_WORD = 0.6
_UNIT = 0.15
_PAIR = 0.5
_NAMED_PAIR = 0.8
_CHARACTER = 0.15
_UNTIED = 0.35
_UNTIED_BUT_RICH = 0.7
_STRANGER = 0.35
_LONG_NUMBER = 5


@dataclass(frozen=True, slots=True)
class Match:
    """What the terms of an answer say about a memory.

    Attributes:
        score: From 0 to 1.
        signals: The parts of the score.
        matched: What the answer shows of the memory and the question did not hold.
        missing: The names and numbers of the memory that neither question nor answer hold.
        stranger: The memory is about somebody of whom nobody speaks.
        topical: The question has to do with the memory.
    """

    score: float
    signals: dict[str, float] = field(default_factory=dict)
    matched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    stranger: bool = False
    topical: bool = False


def match_terms(memory: Memory, question: Question, answer: Answer, rarity: Rarity) -> Match:
    """Compare the words, names, characters and numbers of a memory with those of an answer."""
    return _Comparison(memory, question, answer).result(rarity)


def term_weight(term: str, reading: Reading, rarity: Rarity) -> float:
    """Tell how much a term of a text says, by its kind and by how rare it is."""
    return _kind_weight(term, reading) * rarity.of(term)


def _kind_weight(term: str, reading: Reading) -> float:
    if term in reading.pairs:
        return _NAMED_PAIR if term in reading.names else _PAIR if len(term) > 1 else _CHARACTER
    if term in reading.names:
        return _NAME
    return _UNIT if lexicon().is_unit(term) else _WORD


class _Comparison:
    """One memory beside one answer."""

    def __init__(self, memory: Memory, question: Question, answer: Answer) -> None:
        self._memory = memory
        self._question = question
        self._answer = answer
        self._told = answer.told(memory.averse)
        self._asked = question.reading.terms
        self._fresh = memory.reading.terms - self._asked
        self._topical = self._concerns(self._asked)
        self._terms = self._shown_terms()
        self._fresh_numbers = self._unasked_numbers()
        self._numbers = {number for number in self._fresh_numbers if self._shows_number(number)}

    def result(self, rarity: Rarity) -> Match:
        stranger = self._is_stranger()
        if not self._terms and not self._numbers:
            return Match(0.0, {}, (), self._missing(), stranger, self._topical)
        weights = {term: term_weight(term, self._memory.reading, rarity) for term in self._fresh}
        signals = self._parts(weights)
        strength = sum(signals.values())
        coverage = strength / (sum(weights.values()) + _NUMBER * len(self._fresh_numbers))
        signals["coverage"] = coverage
        score = min(1.0, strength * (0.35 + 0.65 * coverage))
        for name, factor in (("stranger", _STRANGER if stranger else 1.0), ("untied", self._tie())):
            if factor < 1.0:
                signals[name] = factor
                score *= factor
        return Match(score, signals, self._matched(), self._missing(), stranger, self._topical)

    def _shown_terms(self) -> set[str]:
        shared = self._fresh & self._told.terms
        if not shared:
            return set()
        return {
            term
            for told in self._told.parts
            for term in shared & told.terms
            if not self._is_namesake(term, told.chains)
        }

    def _is_namesake(self, term: str, chains: Sequence[frozenset[str]]) -> bool:
        """Tell whether a name is part of a longer one that the memory does not know."""
        if not chains or term not in self._memory.reading.names:
            return False
        known = self._memory.reading.words | self._asked
        return any(term in chain and not chain <= known for chain in chains)

    def _unasked_numbers(self) -> set[Number]:
        asked = frozenset().union(*self._question.reading.numbers)
        return {number for number in self._memory.reading.numbers if not number & asked}

    def _shows_number(self, number: Number) -> bool:
        """A number alone is met by chance; the question or the sentence must have to do with the memory."""
        if not number & self._told.numbers:
            return False
        holding = (told for told in self._told.parts if number & told.numbers)
        return self._topical or _is_long(number) or any(self._concerns(told.terms) for told in holding)

    def _concerns(self, terms: Iterable[str]) -> bool:
        known = lexicon()
        return any(known.is_telling(term) for term in self._memory.reading.terms.intersection(terms))

    def _is_stranger(self) -> bool:
        people = self._memory.people
        if not people:
            return self._speaks_of_another()
        return not people & self._asked and not people & self._told.terms

    def _speaks_of_another(self) -> bool:
        """Tell whether a memory about the user meets an answer about the person whom the question names."""
        others = frozenset(filter(lexicon().is_person, self._asked))
        if not others:
            return False
        forms = frozenset().union(*self._numbers)
        holding = [told for told in self._told.parts if self._terms & told.terms or forms & told.numbers]
        return bool(holding) and all(others & told.terms for told in holding)

    def _tie(self) -> float:
        """A question about the world is answered from knowledge, unless it has to do with the memory or the user.

        Knowledge meets a memory in one word; several together are hardly a coincidence.
        """
        if not self._question.about_world or self._topical or self._numbers:
            return 1.0
        sentences = zip(self._answer.sentences, self._told.parts, strict=True)
        if any(sentence.to_user for sentence, told in sentences if self._terms & told.terms):
            return 1.0
        known = lexicon()
        return _UNTIED_BUT_RICH if sum(map(known.is_telling, self._terms)) > 1 else _UNTIED

    def _parts(self, weights: dict[str, float]) -> dict[str, float]:
        reading = self._memory.reading
        parts = {
            "names": sum(weights[term] for term in self._terms & reading.names),
            "words": sum(weights[term] for term in (self._terms & reading.words) - reading.names),
            "characters": sum(weights[term] for term in (self._terms & reading.pairs) - reading.names),
            "numbers": _NUMBER * len(self._numbers),
        }
        return {name: value for name, value in parts.items() if value}

    def _matched(self) -> tuple[str, ...]:
        return (*sorted(self._terms), *sorted(map(_written, self._numbers)))

    def _missing(self) -> tuple[str, ...]:
        names = (self._memory.reading.names & self._fresh) - self._terms
        return (*sorted(names), *sorted(map(_written, self._fresh_numbers - self._numbers)))


def _written(number: Number) -> str:
    return "/".join(sorted(number))


def _is_long(number: Number) -> bool:
    return any(len(form) >= _LONG_NUMBER and form.isdecimal() for form in number)
