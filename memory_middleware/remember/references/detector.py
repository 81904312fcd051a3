"""Tells which injected memories an answer visibly used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.embeddings import Embeddings

from memory_middleware.embedding.identity import is_multilingual
from memory_middleware.remember.references.answer import Answer, read_answer
from memory_middleware.remember.references.matching import Match, match_terms
from memory_middleware.remember.references.memory import Memory, read_memory
from memory_middleware.remember.references.paraphrase import Batch, may_paraphrase
from memory_middleware.remember.references.question import Question, read_question
from memory_middleware.remember.references.rarity import Rarity
from memory_middleware.remember.references.reading import clip
from memory_middleware.remember.references.signs import find_signs
from memory_middleware.remember.references.verdict import InjectedLike, Reference, ReferenceSettings

__all__ = ["ReferenceDetector"]

_LIKENESS = 0.85


@dataclass(frozen=True, slots=True)
class _Reading:
    """A memory after its terms and signs were looked at."""

    id: str
    memory: Memory
    match: Match
    reference: Reference


class ReferenceDetector:
    """Tells which memories an answer used, by words first and by meaning where words do not decide.

    Echoes of the question, denials and refusals do not count. It keeps nothing between calls, and any thread may use
    it.

    Args:
        embed: Finds paraphrases; none leaves it to words.
        settings: How strict to be.
    """

    def __init__(self, *, embed: Embeddings | None = None, settings: ReferenceSettings | None = None) -> None:
        self._embed = embed
        self._settings = settings or ReferenceSettings()

    def detect(
        self, answer: str, memories: Sequence[InjectedLike], *, query: str = "", rarity: Rarity | None = None
    ) -> list[Reference]:
        """Judge each memory.

        Args:
            answer: What the agent said.
            memories: What it was shown; each verdict stands at the place of its memory.
            query: What was asked; empty if it is not known.
            rarity: How rare terms are among the owner's memories; none counts them in the given memories.
        """
        readings, batch, asked = self._by_terms(answer, memories, query, rarity)
        if self._embed is None or not asked:
            return [reading.reference for reading in readings]
        return self._with_likeness(readings, asked, batch.likeness(self._embed.embed_documents(batch.texts)))

    async def adetect(
        self, answer: str, memories: Sequence[InjectedLike], *, query: str = "", rarity: Rarity | None = None
    ) -> list[Reference]:
        """Judge each memory; the async twin of ``detect``."""
        readings, batch, asked = self._by_terms(answer, memories, query, rarity)
        if self._embed is None or not asked:
            return [reading.reference for reading in readings]
        return self._with_likeness(readings, asked, batch.likeness(await self._embed.aembed_documents(batch.texts)))

    def _by_terms(
        self, answer: str, memories: Sequence[InjectedLike], query: str, rarity: Rarity | None
    ) -> tuple[list[_Reading], Batch, list[int]]:
        """Judge by terms and signs, and tell which memories are left to the embedder."""
        chosen = rarity or Rarity.of_texts(memory.text for memory in memories)
        told, question = read_answer(answer, self._settings.max_answer_chars), read_question(clip(query))
        readings = [self._judge(each.id, read_memory(clip(each.text)), question, told, chosen) for each in memories]
        asked = [at for at, each in enumerate(readings) if self._is_open(each, told)]
        batch = Batch.of(question, told, [readings[at].memory for at in asked], self._settings.max_sentences)
        return readings, batch, asked

    def _judge(self, name: str, memory: Memory, question: Question, answer: Answer, rarity: Rarity) -> _Reading:
        match = match_terms(memory, question, answer, rarity)
        signs, shown = find_signs(memory, question, answer, rarity)
        score = min(1.0, max(match.score, *signs.values(), 0.0))
        matched = (*match.matched, *shown)
        verdict = Reference(name, score >= self._settings.threshold, score, {**match.signals, **signs}, matched)
        return _Reading(name, memory, match, verdict)

    def _is_open(self, reading: _Reading, answer: Answer) -> bool:
        if self._embed is None or reading.reference.referenced:
            return False
        multilingual = is_multilingual(self._embed)
        return may_paraphrase(reading.memory, answer, reading.match, multilingual=multilingual)

    def _with_likeness(
        self, readings: Sequence[_Reading], asked: Sequence[int], likeness: Sequence[float]
    ) -> list[Reference]:
        verdicts = [reading.reference for reading in readings]
        for at, alike in zip(asked, likeness, strict=True):
            verdicts[at] = self._nearer(verdicts[at], alike)
        return verdicts

    def _nearer(self, verdict: Reference, likeness: float) -> Reference:
        signals = {**verdict.signals, "likeness": likeness}
        if likeness < self._settings.similarity:
            return Reference(verdict.memory_id, False, verdict.score, signals, verdict.matched)
        score = min(1.0, verdict.score + _LIKENESS * likeness)
        return Reference(verdict.memory_id, score >= self._settings.threshold, score, signals, verdict.matched)
