"""Prompts with memory in them: the block where its placeholder stands, once, however often composed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import TypedDict, Unpack

from memory_middleware.errors import InvalidInputError
from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.recall.budget import FittedBlock, fit_sections
from memory_middleware.recall.labels import words
from memory_middleware.recall.profile_block import profile_sections
from memory_middleware.recall.sections import MemoryClass, Section
from memory_middleware.schemas.profile import MemoryType, UserMemoryContent, WorkProfileContent, content_class
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

_NO_LIMIT = 10**9


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
    block: FittedBlock
    _counter: TokenCounter = field(repr=False, compare=False)

    @cached_property
    def tokens(self) -> int:
        """What the prompt costs, counted when it is asked for."""
        return self._counter.count(self.text)


def insert_block(prompt: str, block: str, memory_type: MemoryType) -> str:
    """Put a block into a prompt, replacing one that is already there; the rest of the prompt stays.

    It goes, in this order of preference, where the placeholder ``<!-- USER_MEMORY -->`` has a line of
    its own, where a block stands already, where the placeholder stands inside a line, or to the end.
    Further placeholders and blocks on lines of their own are taken out; markers that the prompt merely
    talks about, within a line, are left alone. An empty block takes the placeholder or the old block out.
    """
    name = f"{memory_type.upper()}_MEMORY"
    start, end, placeholder = f"<!-- {name}_START -->", f"<!-- {name}_END -->", f"<!-- {name} -->"
    marked = f"{start}\n{block}\n{end}" if block else ""
    alone = rf"^[ \t]*{placeholder}[ \t]*$"
    whole_block = rf"^{start}$(?:(?!^{start}$).)*?^{end}$"
    others = re.compile(rf"(?:{alone}|{whole_block})\n?", re.MULTILINE | re.DOTALL)
    for place in (alone, whole_block, rf"[ \t]*{placeholder}[ \t]*"):
        found = re.search(place, prompt, re.MULTILINE | re.DOTALL)
        if found:
            before, after = prompt[: found.start()], prompt[found.end() :]
            return _join(others.sub("", before), marked, others.sub("", after))
    return _join(prompt, marked, "") if marked else prompt


def _join(before: str, marked: str, after: str) -> str:
    """Set the block on lines of its own, one blank line after text that does not end a line."""
    if before and not before.endswith("\n"):
        before += "\n" if after.strip() else "\n\n"
    if after and not after.startswith("\n"):
        after = "\n" + after
    if not marked:
        after = after.lstrip("\n") if before.endswith("\n\n") else after.removeprefix("\n")
    return f"{before}{marked}{after}".rstrip("\n") + "\n"


def build_user_memory_prompt(
    content: UserMemoryContent | None, *, language: str = "en", now: datetime | None = None
) -> str:
    """Tell a user profile as the text of its block, whole; nothing when it is empty."""
    return _whole(content, MemoryType.USER, language, now)


def build_work_memory_prompt(
    content: WorkProfileContent | None, *, language: str = "en", now: datetime | None = None
) -> str:
    """Tell a work profile as the text of its block, whole; nothing when it is empty."""
    return _whole(content, MemoryType.WORK, language, now)


def compose_prompt(
    agent_type: AgentType | str,
    *,
    user_memory: UserMemoryContent | None = None,
    work_memory: WorkProfileContent | None = None,
    prompt: str | None = None,
    prompts: PromptLibrary | None = None,
    language: str | None = None,
    budget: int | None = None,
    counter: TokenCounter | None = None,
    recalled: Sequence[Section] = (),
    shares: Mapping[MemoryClass, float] | None = None,
    caps: Mapping[str, float] | None = None,
    profile_source: str | None = None,
    now: datetime | None = None,
) -> ComposedPrompt:
    """Compose the system prompt of an agent and tell what it costs.

    Args:
        agent_type: The router is given ``user_memory``, a worker ``work_memory``.
        user_memory: The user profile.
        work_memory: The work profile.
        prompt: The text to compose into, instead of the library's prompt for this agent.
        prompts: Where that prompt comes from, instead of the shipped ones.
        language: Of the prompt and of the words around values; by default that of ``prompts``, else English.
        budget: The most tokens of the block; none means no limit.
        counter: Counts them; by default as GPT-4o and later do.
        recalled: What else is told in the block, after the profile, such as records and the last rounds.
        shares: Parts of the budget reserved for classes of memory.
        caps: Most parts of the budget that lines of a source may take.
        profile_source: The source that the profile counts to, if that has a cap.
        now: The present moment, by which entries of the profile are out of date; none means this one.

    Raises:
        InvalidInputError: The agent type is unknown, or a profile is of the wrong kind.
    """
    agent = _agent(agent_type)
    library = prompts or PromptLibrary(language=language or "en")
    counting = counter or TokenCounter()
    content = user_memory if agent is AgentType.ROUTER else work_memory
    tongue = language or library.language
    sections = [*_profile(content, agent.memory_type, tongue, now, profile_source), *recalled]
    heading = words(f"{agent.memory_type}_block", tongue)
    limit = _NO_LIMIT if budget is None else budget
    block = fit_sections(heading, sections, limit, counting, shares=shares, caps=caps)
    base = prompt if prompt is not None else library.render(agent)
    text = insert_block(base, block.text, agent.memory_type)
    return ComposedPrompt(text, block, counting)


class ComposeOptions(TypedDict, total=False):
    """The options of ``compose_prompt``."""

    user_memory: UserMemoryContent | None
    work_memory: WorkProfileContent | None
    prompt: str | None
    prompts: PromptLibrary | None
    language: str | None
    budget: int | None
    counter: TokenCounter | None
    recalled: Sequence[Section]
    shares: Mapping[MemoryClass, float] | None
    caps: Mapping[str, float] | None
    profile_source: str | None
    now: datetime | None


def build_system_prompt(agent_type: AgentType | str, **options: Unpack[ComposeOptions]) -> str:
    """Compose the system prompt of an agent; the options are those of ``compose_prompt``."""
    return compose_prompt(agent_type, **options).text


def _agent(agent_type: AgentType | str) -> AgentType:
    try:
        return AgentType(agent_type)
    except ValueError as error:
        raise InvalidInputError(f"agent_type must be 'router' or 'worker', not {agent_type!r}") from error


def _profile(
    content: UserMemoryContent | WorkProfileContent | None,
    memory_type: MemoryType,
    language: str,
    now: datetime | None,
    source: str | None = None,
) -> list[Section]:
    if content is None:
        return []
    wanted = content_class(memory_type)
    if not isinstance(content, wanted):
        kind = type(content).__name__
        raise InvalidInputError(f"{memory_type}_memory must be a {wanted.__name__}, not a {kind}; build it first")
    return profile_sections(content, language, now=now, source=source)


def _whole(
    content: UserMemoryContent | WorkProfileContent | None,
    memory_type: MemoryType,
    language: str,
    now: datetime | None,
) -> str:
    sections = _profile(content, memory_type, language, now)
    return fit_sections(words(f"{memory_type}_block", language), sections, _NO_LIMIT, TokenCounter("bytes")).text
