"""Experience of agents: episodes, patterns and skills, recalled for the task at hand."""

from __future__ import annotations

from memory_middleware.config.base import ConfigModel
from memory_middleware.config.store_kinds import ExperienceMemoryConfig
from memory_middleware.errors import ConfigError
from memory_middleware.sources.base import Source
from memory_middleware.sources.experience.access import accessed
from memory_middleware.sources.experience.source import ExperienceSource
from memory_middleware.sources.experience.task_type import Task, detect_task_type
from memory_middleware.sources.registry import SourceContext

__all__ = ["ExperienceSource", "Task", "accessed", "build", "detect_task_type"]


def build(config: ConfigModel | None, context: SourceContext) -> Source:
    """Build the source from its settings; without any, the defaults hold.

    Raises:
        ConfigError: The context has no store.
    """
    if context.store is None:
        raise ConfigError(
            "experience is kept in the memory's own storage, and there is none; open a LanceStore and pass it as the "
            "context's store",
            f"memory.{context.name}",
        )
    settings = config if isinstance(config, ExperienceMemoryConfig) else ExperienceMemoryConfig()
    return ExperienceSource(
        context.name,
        context.store.memories.experience,
        detail=settings.detail,
        follow_links=settings.follow_links,
        language=context.language,
        clock=context.clock,
    )
