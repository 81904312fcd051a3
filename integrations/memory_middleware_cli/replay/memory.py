"""A memory that lives in the time of a trace, and notes what it does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from memory_middleware import (
    ComposedTurn,
    ExtractionPipeline,
    Extractor,
    ExtractorGraph,
    Memory,
    MemoryConfig,
    MemoryRecord,
    ModelExtractor,
    Observed,
    PromptLibrary,
    RuleExtractor,
    Scope,
    compose_turn,
    fold_thread,
)

__all__ = ["TracedMemory", "config_in"]


class TracedMemory(Memory):
    """A memory for which it is always the time of the turn that is replayed.

    Attributes:
        moment: What time it is.
        composed: What was recalled since somebody asked last, by scope.
        observed: What was observed since then.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.moment = datetime.now(UTC)
        self.composed: list[tuple[Scope, ComposedTurn]] = []
        self.observed: list[Observed] = []
        pipeline = ExtractionPipeline(
            self.store.memories, _extractor(self.config), self.config, clock=lambda: self.moment, after=self._summarise
        )
        self.extractor = ExtractorGraph(pipeline)

    def compose(
        self,
        owner: Scope | str,
        said: Any,
        *,
        role: Any = None,
        prompt: str | None = None,
        message_count: int | None = None,
    ) -> ComposedTurn:
        """Recall at the time of the turn, and note what was recalled."""
        scope = owner if isinstance(owner, Scope) else Scope(owner)
        turn = compose_turn(
            self.store,
            scope,
            said,
            role=role,
            config=self.config,
            manager=self.manager,
            prompt=prompt,
            message_count=message_count,
            now=self.moment,
        )
        self.composed.append((scope, turn))
        return turn

    def observe(
        self,
        owner: Scope | str,
        messages: Sequence[BaseMessage],
        injected: Sequence[MemoryRecord | str] = (),
        *,
        tokens: int = 0,
        now: datetime | None = None,
    ) -> Observed:
        """Write a turn down at its time, and note what was found."""
        seen = super().observe(owner, messages, injected, tokens=tokens, now=now or self.moment)
        self.observed.append(seen)
        return seen

    def _summarise(self, scope: Scope) -> None:
        fold_thread(self.store.memories, scope, self.config)


def config_in(config: MemoryConfig, folder: Path) -> MemoryConfig:
    """Give a configuration whose memory is kept in a folder of its own, and extracts when it is told to."""
    here: dict[str, Any] = {"path": str(folder), "sql_url": None, "lance_uri": None, "storage_options": {}}
    return config.model_copy(
        update={
            "storage": config.storage.model_copy(update=here),
            "extract": config.extract.model_copy(update={"mode": "manual"}),
        }
    )


def _extractor(config: MemoryConfig) -> Extractor:
    if not config.memory_agent.enabled:
        return RuleExtractor()
    prompts = PromptLibrary(config.prompts_dir, language=config.language)
    return ModelExtractor(config.memory_agent, prompts=prompts, timeout=4 * config.memory_agent.timeout)
