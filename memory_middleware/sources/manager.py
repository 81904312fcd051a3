"""The declared sources of a configuration, and the agents attached to them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.embeddings import Embeddings
from langgraph.errors import GraphBubbleUp

from memory_middleware.config import (
    EmbeddingConfig,
    MemoryAttachmentConfig,
    MemoryConfig,
    Stage,
    store_kinds,
)
from memory_middleware.config.stages import STAGE_ALIASES
from memory_middleware.embedding import build_embeddings
from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas import times
from memory_middleware.schemas.items import MemoryContentSnapshot
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.base import Exchange, Source
from memory_middleware.sources.recalled import Recalled, RecalledItem
from memory_middleware.sources.registry import SourceContext, build_source
from memory_middleware.sources.scoring import manager_score

if TYPE_CHECKING:
    from memory_middleware.storage import LanceStore

__all__ = ["MemoryManager", "stage_of"]

_log = logging.getLogger(__name__)


class MemoryManager:
    """Recalls from the sources an agent is attached to, and writes its turns to them.

    Sources are built once and shared by all agents. Where the configuration says ``on_error: skip``, a
    source that fails is logged and left out; the others go on.

    Args:
        config: The declared stores, and the attachments of each agent.
        folder: Where sources keep files whose path is ``auto`` or relative.
        store: The memory's own storage, for the sources over it.
        embed: Builds an embedder from its configuration.
        sources: Sources to use instead of building those of these names.
        clock: Tells the time, for replays and tests.

    Attributes:
        sources: All sources by name.

    Raises:
        ConfigError: A declared store cannot be built as it is configured.
        EmbeddingError: The embedder of a store cannot be built.
    """

    def __init__(
        self,
        config: MemoryConfig,
        folder: str | Path,
        store: LanceStore | None = None,
        *,
        embed: Callable[[EmbeddingConfig], Embeddings] = build_embeddings,
        sources: Mapping[str, Source] | None = None,
        clock: Callable[[], datetime] = times.utc_now,
    ) -> None:
        self.sources: dict[str, Source] = dict(sources or {})
        self._config = config
        self._clock = clock
        for declared in config.memory:
            context = SourceContext(declared.name, Path(folder), store, embed, config.language, clock)
            if declared.name not in self.sources:
                self.sources[declared.name] = build_source(declared.type, declared.config, context)
        for name in self._implicit():
            context = SourceContext(name, Path(folder), store, embed, config.language, clock)
            self.sources[name] = build_source(name, store_kinds()[name].config_cls(), context)

    def retrieve(
        self,
        agent: str,
        query: MemoryContentSnapshot | str,
        scope: Scope,
        stage: Stage | str = Stage.GEN,
        *,
        without: Collection[str] = (),
    ) -> Recalled:
        """Recall for an agent at a stage of its turn.

        Args:
            agent: The name of the agent node; one that is not configured recalls nothing.
            query: What is asked.
            scope: Whose memory.
            stage: Attachments that do not recall at this stage are left out.
            without: Names of sources that are left out too.

        Raises:
            InvalidInputError: The query, the scope or the stage is none.
        """
        asked = MemoryContentSnapshot(query) if isinstance(query, str) else query
        if not isinstance(asked, MemoryContentSnapshot) or not isinstance(scope, Scope):
            raise InvalidInputError(f"recall needs a query and a Scope, not {query!r} and {scope!r}")
        stage = stage_of(stage)
        now = self._clock().timestamp()
        problems: list[tuple[str, str]] = []
        found: dict[tuple[str, str], RecalledItem] = {}
        for attachment in self._config.attachments(agent):
            if attachment.recalls_at(stage) and attachment.name not in without:
                with self._sheltered(attachment.name, "recalled from", problems):
                    for recalled in self._recall(attachment, asked, scope, now):
                        found.setdefault((recalled.source, recalled.item.id), recalled)
        ranked = sorted(found.values(), key=lambda recalled: -recalled.score)
        return Recalled(tuple(ranked), tuple(problems))

    def update(self, agent: str, exchange: Exchange, scope: Scope) -> None:
        """Write a turn to every source that the agent may write to, once each, and keep it."""
        writable = dict.fromkeys(each.name for each in self._config.attachments(agent) if each.write)
        for name in writable:
            with self._sheltered(name, "written to"):
                self.sources[name].update(exchange, scope)
                self.sources[name].save()

    def load(self) -> None:
        """Read what all sources kept."""
        for name, source in self.sources.items():
            with self._sheltered(name, "loaded"):
                source.load()

    def save(self) -> None:
        """Keep what all sources have."""
        for name, source in self.sources.items():
            with self._sheltered(name, "saved"):
                source.save()

    def _implicit(self) -> list[str]:
        kinds = store_kinds()
        named = dict.fromkeys(each.name for agent in self._config.agents.values() for each in agent.memories)
        return [name for name in named if name not in self.sources and name in kinds and kinds[name].implicit]

    def _recall(
        self, attachment: MemoryAttachmentConfig, query: MemoryContentSnapshot, scope: Scope, now: float
    ) -> list[RecalledItem]:
        items = self.sources[attachment.name].retrieve(
            query, scope, top_k=attachment.top_k, threshold=attachment.similarity_threshold
        )
        return [
            RecalledItem(attachment.name, item, manager_score(item, query.text, now), attachment.budget_share, place)
            for place, item in enumerate(items[: attachment.top_k])
        ]

    @contextmanager
    def _sheltered(self, name: str, doing: str, problems: list[tuple[str, str]] | None = None) -> Iterator[None]:
        try:
            yield
        except GraphBubbleUp:
            raise  # how LangGraph interrupts a run
        except Exception as error:
            if self._config.on_error == "raise":
                raise
            # Sources of users may raise anything, and no memory failure may stop the agent.
            _log.warning("memory source %r could not be %s", name, doing, exc_info=error)
            if problems is not None:
                problems.append((name, str(error)))


def stage_of(stage: Stage | str) -> Stage:
    """Read the name of a stage, or another word for it.

    Raises:
        InvalidInputError: There is no such stage.
    """
    try:
        return STAGE_ALIASES.get(stage) or Stage(stage)
    except ValueError as error:
        known = ", ".join(known.value for known in Stage)
        raise InvalidInputError(f"unknown stage {stage!r}; known: {known}") from error
