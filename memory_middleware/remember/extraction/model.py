"""The extractor that asks a chat model: one call a batch, whatever the model can and however it answers."""

from __future__ import annotations

import logging
from collections.abc import Generator
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware.config import ModelConfig
from memory_middleware.errors import ExtractionError
from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.remember.driving import Step, adrive, drive
from memory_middleware.remember.extraction.answer_schema import answer_schema
from memory_middleware.remember.extraction.asking import Ladder, Way, was_cut
from memory_middleware.remember.extraction.base import Extraction, ExtractionBatch
from memory_middleware.remember.extraction.patching import repair_patch
from memory_middleware.remember.extraction.question import halved, question_text
from memory_middleware.remember.extraction.reading import Reading, read_message
from memory_middleware.remember.extraction.repairing import KnownTexts, TurnIds, repair_fact, repair_retraction
from memory_middleware.remember.failures import CallError, FailureKind
from memory_middleware.remember.polite_model import Effort, PoliteModel
from memory_middleware.remember.prompts_in import PromptsIn

__all__ = ["ModelExtractor"]

_log = logging.getLogger(__name__)
_UNABLE = (FailureKind.REFUSED, FailureKind.UNKNOWN)


class ModelExtractor:
    """Draws facts from rounds with a chat model.

    A batch costs one call. A model that takes no JSON schema is asked by a tool call, and one that takes neither in
    plain words; which way works is remembered. Secrets do not leave: they are taken out of the rounds first.

    Args:
        model: A chat model, its configuration, or a name such as ``openai:gpt-4o-mini``.
        prompts: Where the prompt ``extractor`` comes from; none takes the one that ships, in the language of the batch.
        timeout: Seconds for one batch with all its attempts; none waits as long as the model does.
        max_attempts: How many failures of the model end a batch.
    """

    def __init__(
        self,
        model: BaseChatModel | str | ModelConfig,
        *,
        prompts: PromptLibrary | None = None,
        timeout: float | None = 120.0,
        max_attempts: int = 3,
    ) -> None:
        self._model = PoliteModel(model, timeout=timeout, max_attempts=max_attempts, run_name="memory.extract")
        self._ladder = Ladder(self._model.model, answer_schema())
        self._prompts = PromptsIn(prompts)
        self.dropped = 0
        """How many entries of answers did not say anything that could be used."""

    def extract(self, batch: ExtractionBatch) -> Extraction:
        """Read a batch.

        Raises:
            ExtractionError: The model did not answer, or not in a way that can be read.
        """
        return drive(self._flow(batch))

    async def aextract(self, batch: ExtractionBatch) -> Extraction:
        """Read a batch; the async twin.

        Raises:
            ExtractionError: As for ``extract``.
        """
        return await adrive(self._flow(batch))

    def _flow(self, batch: ExtractionBatch) -> Generator[Step, Any, Extraction]:
        if not batch.rounds:
            return Extraction()
        effort, ways = self._model.effort(), self._ladder.ways()
        try:
            reading = yield from self._ask(batch, ways, effort)
        except CallError as error:
            if error.kind is not FailureKind.TOO_LONG:
                raise
            reading = yield from self._ask(halved(batch), ways, effort)
        return self._extraction(reading, batch)

    def _ask(self, batch: ExtractionBatch, ways: list[Way], effort: Effort) -> Generator[Step, Any, Reading]:
        """Go down the ways until one brings a readable answer; those that do not are taken out of the list."""
        while True:
            way, is_last = ways[0], len(ways) == 1
            try:
                reading = yield from self._ask_once(batch, way, effort, is_last=is_last)
            except CallError as error:
                if error.kind is FailureKind.CUT and not effort.spent:
                    batch = replace(batch, max_facts=max(1, batch.max_facts // 2))
                    continue
                if is_last or error.kind not in _UNABLE or not effort.left:
                    raise
                self._ladder.refused(way)
            except ExtractionError:
                if is_last or not effort.left:
                    raise
            else:
                self._ladder.proved(way)
                return reading
            ways.pop(0)

    def _ask_once(
        self, batch: ExtractionBatch, way: Way, effort: Effort, *, is_last: bool
    ) -> Generator[Step, Any, Reading]:
        question = [HumanMessage(question_text(batch, self._prompts.language(batch.language)))]
        tentative = not is_last and not self._ladder.knows(way)
        message = yield from self._model.flow(question, effort, through=way.runnable, tentative=tentative)
        try:
            reading = read_message(message)
        except ExtractionError:
            if was_cut(message):
                raise self._cut(message, effort) from None
            raise
        if not reading.complete and was_cut(message):
            raise self._cut(message, effort)
        return reading

    def _cut(self, message: AIMessage, effort: Effort) -> CallError:
        effort.failures += 1
        told = f"the model {self._model.name!r} was cut off after {len(message.text)} characters of its answer"
        return CallError(told, FailureKind.CUT)

    def _extraction(self, reading: Reading, batch: ExtractionBatch) -> Extraction:
        turns = TurnIds(said.id for said in batch.rounds)
        known = KnownTexts(record.content for record in batch.known)
        found = [repair_fact(raw, turns, known, auto_tag=batch.auto_tag) for raw in reading.facts]
        facts = {fact.content.casefold(): fact for fact in reversed(found) if fact is not None}
        gone = [repair_retraction(raw, turns, known) for raw in reading.retractions]
        made = Extraction(
            facts=tuple(reversed(facts.values()))[: batch.max_facts],
            retractions=tuple(retraction for retraction in gone if retraction is not None),
            profile_patch=repair_patch(reading.profile_patch),
        )
        self._count(reading.dropped + found.count(None) + gone.count(None), made)
        return made

    def _count(self, dropped: int, made: Extraction) -> None:
        if not dropped:
            return
        self.dropped += dropped
        _log.warning("%d entries of an answer of the model %r said nothing usable", dropped, self._model.name)
        if not (made.facts or made.retractions or made.profile_patch):
            raise ExtractionError(f"none of the {dropped} entries that the model answered says anything usable")
