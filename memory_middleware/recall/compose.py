"""Prompts with memory in them: the block where its placeholder stands, once, however often composed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict, Unpack

from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.recall.budget import FittedBlock, fit_sections
from memory_middleware.recall.labels import words
from memory_middleware.recall.profile_block import profile_sections
from memory_middleware.schemas.profile import MemoryType, UserMemoryContent, WorkProfileContent
from memory_middleware.tokens import TokenCounter

__all__ = [
    "AgentType",
    "ComposeOptions",
    "ComposedPrompt",
    "build_system_prompt",
    "build_user_memory_prompt",
    "build_work_memory_prompt",
    "compose_prompt",
    "insert_block",
]


class AgentType(StrEnum):
    """Who a prompt is for: the router gets the user profile, the worker the work profile."""

    ROUTER = "router"
    WORKER = "worker"

    @property
    def memory_type(self) -> MemoryType:
        """The profile this agent is given."""
        return MemoryType.USER if self is AgentType.ROUTER else MemoryType.WORK


@dataclass(frozen=True)
class ComposedPrompt:
    """A finished prompt, its block, and what both cost."""

    text: str
    tokens: int
    block: FittedBlock


def insert_block(prompt: str, block: str, memory_type: MemoryType) -> str:
    """Put a block into a prompt, replacing one that is already there.

    It goes where the markers or the placeholder ``<!-- USER_MEMORY -->`` stand, else to the end. An
    empty block takes them out.
    """
    name = f"{memory_type.upper()}_MEMORY"
    marked = f"<!-- {name}_START -->\n{block}\n<!-- {name}_END -->" if block else ""
    place = re.compile(rf"<!-- {name}_START -->.*?<!-- {name}_END -->|<!-- {name} -->", re.DOTALL)
    found = place.search(prompt)
    if found is None:
        return f"{prompt.rstrip()}\n\n{marked}\n" if marked else prompt
    rest = place.sub("", prompt[found.end() :])
    return f"{prompt[: found.start()]}{marked}{rest}".rstrip() + "\n"


def build_user_memory_prompt(content: UserMemoryContent | None, *, language: str = "en") -> str:
    """Tell a user profile as the text of its block, whole; nothing when it is empty."""
    return _fit(content, language, None, TokenCounter("bytes")).text


def build_work_memory_prompt(content: WorkProfileContent | None, *, language: str = "en") -> str:
    """Tell a work profile as the text of its block, whole; nothing when it is empty."""
    return _fit(content, language, None, TokenCounter("bytes")).text


class ComposeOptions(TypedDict, total=False):
    """What a prompt is composed from.

    Attributes:
        user_memory: The user profile, given to the router.
        work_memory: The work profile, given to a worker.
        prompt: The text to compose into, instead of the library's prompt for this agent.
        prompts: Where that prompt comes from, instead of the shipped ones.
        language: Of the prompt and of the words around values; English by default.
        budget: The most tokens of the block; none means no limit.
        counter: Counts them; by default as GPT-4o and later do.
    """

    user_memory: UserMemoryContent | None
    work_memory: WorkProfileContent | None
    prompt: str | None
    prompts: PromptLibrary | None
    language: str
    budget: int | None
    counter: TokenCounter | None


def compose_prompt(agent_type: AgentType, **options: Unpack[ComposeOptions]) -> ComposedPrompt:
    """Compose the system prompt of an agent and tell what it costs.

    Args:
        agent_type: The router is given ``user_memory``, a worker ``work_memory``.
        options: See ``ComposeOptions``.
    """
    language = options.get("language", "en")
    counter = options.get("counter") or TokenCounter()
    base = options.get("prompt")
    if base is None:
        base = (options.get("prompts") or PromptLibrary(language=language)).render(agent_type)
    content = options.get("user_memory") if agent_type is AgentType.ROUTER else options.get("work_memory")
    block = _fit(content, language, options.get("budget"), counter)
    text = insert_block(base, block.text, agent_type.memory_type)
    return ComposedPrompt(text, counter.count(text), block)


def build_system_prompt(agent_type: AgentType, **options: Unpack[ComposeOptions]) -> str:
    """Compose the system prompt of an agent; see ``compose_prompt``."""
    return compose_prompt(agent_type, **options).text


def _fit(
    content: UserMemoryContent | WorkProfileContent | None, language: str, budget: int | None, counter: TokenCounter
) -> FittedBlock:
    if content is None:
        return FittedBlock("", 0, ())
    heading = words("user_block" if isinstance(content, UserMemoryContent) else "work_block", language)
    return fit_sections(heading, profile_sections(content, language), _NO_LIMIT if budget is None else budget, counter)


_NO_LIMIT = 10**9
