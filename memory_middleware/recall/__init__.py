"""The read path: what is remembered, fitted into a budget and put into a prompt."""

from memory_middleware.recall.budget import FittedBlock, ManifestEntry, SectionCost, fit_sections
from memory_middleware.recall.compose import (
    AgentType,
    ComposedPrompt,
    build_system_prompt,
    build_user_memory_prompt,
    build_work_memory_prompt,
    compose_prompt,
    insert_block,
)
from memory_middleware.recall.sections import Line, MemoryClass, Section

__all__ = [
    "AgentType",
    "ComposedPrompt",
    "FittedBlock",
    "Line",
    "ManifestEntry",
    "MemoryClass",
    "Section",
    "SectionCost",
    "build_system_prompt",
    "build_user_memory_prompt",
    "build_work_memory_prompt",
    "compose_prompt",
    "fit_sections",
    "insert_block",
]
