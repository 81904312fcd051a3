"""An answer as sentences: what they say to be so, and what not; what refuses to answer says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_middleware.remember.references.numbers import Number
from memory_middleware.remember.references.reading import Reading, normal, plain, read
from memory_middleware.remember.references.speech import (
    denies,
    leaves_out,
    refuses,
    refuses_the_rest,
    speaks_to_user,
    split_clauses,
    split_sentences,
)

__all__ = ["Answer", "Sentence", "Told", "Whole", "read_answer"]


@dataclass(frozen=True, slots=True)
class Told:
    """What a stretch of an answer says.

    Attributes:
        terms: Its words and pairs.
        numbers: All ways to understand its numbers.
        chains: Its names of several words.
        text: The stretch as it was written.
    """

    terms: frozenset[str]
    numbers: Number
    chains: tuple[frozenset[str], ...]
    text: str

    @classmethod
    def of(cls, parts: Sequence[tuple[str, Reading]]) -> Told:
        """Put clauses together."""
        readings = [reading for _, reading in parts]
        return cls(
            frozenset().union(*(reading.terms for reading in readings)),
            frozenset().union(*(number for reading in readings for number in reading.numbers)),
            tuple(chain for reading in readings for chain in reading.chains),
            ", ".join(text for text, _ in parts),
        )


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer without the clauses that refuse.

    Attributes:
        asserted: What it says to be so.
        everything: That, and what it says not to be so.
        left_out: The words of what it leaves out or replaces.
        to_user: Whether it speaks to the user.
    """

    asserted: Told
    everything: Told
    left_out: frozenset[str]
    to_user: bool


@dataclass(frozen=True, slots=True)
class Whole:
    """What the sentences of an answer say together.

    Attributes:
        parts: What each says.
        terms: All words and pairs.
        numbers: All ways to understand all numbers.
        plain: The text without case, blanks and signs.
    """

    parts: tuple[Told, ...]
    terms: frozenset[str]
    numbers: Number
    plain: str

    @classmethod
    def of(cls, parts: Sequence[Told]) -> Whole:
        """Put sentences together."""
        return cls(
            tuple(parts),
            frozenset().union(*(part.terms for part in parts)),
            frozenset().union(*(part.numbers for part in parts)),
            plain(" ".join(part.text for part in parts)),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, read for comparison.

    Attributes:
        text: As it is, but for its middle if it is very long.
        sentences: Those that say something.
        asserted: What all of them say to be so.
        everything: That, and what they say not to be so.
    """

    text: str
    sentences: tuple[Sentence, ...]
    asserted: Whole
    everything: Whole

    def told(self, averse: bool) -> Whole:
        """Give what counts for a memory; a denial only if the memory says itself what is not."""
        return self.everything if averse else self.asserted


def read_answer(text: str, limit: int) -> Answer:
    """Read an answer.

    Args:
        text: The answer.
        limit: Most characters to read; of a longer answer three quarters from its beginning, the rest from its end.
    """
    if len(text) > limit:
        head = limit - limit // 4
        text = f"{text[:head]}\n{text[len(text) - limit // 4 :]}"
    usual = normal(text)
    sentences = tuple(made for sentence in split_sentences(usual) if (made := _sentence(sentence)) is not None)
    asserted = Whole.of([sentence.asserted for sentence in sentences])
    denials = any(sentence.asserted is not sentence.everything for sentence in sentences)
    everything = Whole.of([sentence.everything for sentence in sentences]) if denials else asserted
    return Answer(usual, sentences, asserted, everything)


def _answering(sentence: str) -> list[str]:
    """Give the clauses that do not refuse."""
    kept: list[str] = []
    for clause in split_clauses(sentence):
        lowered = clause.lower()
        if not refuses(lowered):
            kept.append(clause)
        elif refuses_the_rest(lowered):
            kept.clear()
    return kept


def _sentence(text: str) -> Sentence | None:
    lowered = text.lower()
    parts = [(part, read(part)) for part in _answering(text)]
    if not parts:
        return None
    everything = Told.of(parts)
    sound = [part for part in parts if not denies(part[0].lower())] if denies(lowered) else parts
    asserted = everything if len(sound) == len(parts) else Told.of(sound)
    left_out = (reading.terms for part, reading in parts if leaves_out(part.lower())) if leaves_out(lowered) else ()
    return Sentence(asserted, everything, frozenset().union(*left_out), speaks_to_user(lowered))
