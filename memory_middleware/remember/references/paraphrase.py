"""Likeness of meaning between the sentences of an answer and a memory, the question taken out of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory_middleware.remember.references.answer import Answer
from memory_middleware.remember.references.matching import Match
from memory_middleware.remember.references.memory import Memory
from memory_middleware.remember.references.question import Question
from memory_middleware.storage.terms import has_cjk

__all__ = ["Batch", "may_paraphrase"]

_NOTHING = 1e-9

Vectors = npt.NDArray[np.float64]


def may_paraphrase(memory: Memory, answer: Answer, match: Match, *, multilingual: bool) -> bool:
    """Tell whether a memory that its terms did not decide may be told in other words.

    A question that has to do with the memory is near to it, whatever the answer says, and then the answer must show a
    value of it; a name or a number has no other words in the same language.
    """
    if match.stranger or match.topical or not any(sentence.to_user for sentence in answer.sentences):
        return False
    chinese, told_chinese = has_cjk(memory.text), has_cjk(answer.text)
    if not multilingual and (chinese or told_chinese):
        return False
    return chinese != told_chinese or not match.missing


@dataclass(frozen=True, slots=True)
class Batch:
    """The texts of one call of the embedder.

    Attributes:
        question: What was asked; may be empty.
        sentences: What the answer says.
        denials: For each sentence, whether it also says what is not so.
        memories: The memories to compare with.
        averse: For each memory, whether denials count for it.
    """

    question: str
    sentences: tuple[str, ...]
    denials: tuple[bool, ...]
    memories: tuple[str, ...]
    averse: tuple[bool, ...]

    @classmethod
    def of(cls, question: Question, answer: Answer, memories: Sequence[Memory], limit: int) -> Batch:
        """Gather the texts, of the sentences those that speak to the user and at most so many."""
        sentences = [sentence for sentence in answer.sentences if sentence.to_user]
        told = [(sentence.asserted.text, False) for sentence in sentences]
        told += [(each.everything.text, True) for each in sentences if each.everything is not each.asserted]
        kept = [pair for pair in told if pair[0]][:limit]
        return cls(
            question.text,
            tuple(text for text, _ in kept),
            tuple(denial for _, denial in kept),
            tuple(memory.text for memory in memories),
            tuple(memory.averse for memory in memories),
        )

    @property
    def texts(self) -> list[str]:
        """All texts, in order: question, sentences, memories."""
        return [self.question or " ", *self.sentences, *self.memories]

    def likeness(self, vectors: Sequence[Sequence[float]]) -> list[float]:
        """Give for each memory the cosine of the nearest sentence, what the question shares with both taken out."""
        matrix = _unit(np.asarray(vectors, dtype=np.float64))
        rest = matrix[1:]
        if self.question.strip():
            rest = _unit(rest - np.outer(rest @ matrix[0], matrix[0]))
        count = len(self.sentences)
        cosines = rest[count:] @ rest[:count].T
        cosines[np.outer(~np.array(self.averse), self.denials)] = 0.0
        # The last digits depend on how many texts stand in a batch.
        best: list[float] = cosines.max(axis=1).round(6).tolist()
        return best


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths < _NOTHING] = np.inf
    scaled: Vectors = vectors / lengths
    return scaled
