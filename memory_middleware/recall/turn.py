"""One turn of one agent, from what was said to the prompt with memory in it."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memory_middleware.config import MemoryConfig, Stage
from memory_middleware.errors import InvalidInputError
from memory_middleware.prompt_loader import PromptLibrary
from memory_middleware.recall.asked import Said, asked_of
from memory_middleware.recall.budget import FittedBlock, ManifestEntry
from memory_middleware.recall.compose import AgentType, ComposedPrompt, compose_prompt
from memory_middleware.recall.context import (
    ContextStats,
    budget_of,
    counter_of,
    injected_records,
    shares_of,
    stats_of,
)
from memory_middleware.recall.recalled import recall_for_agent
from memory_middleware.recall.shelter import Shelter
from memory_middleware.schemas.profile import ProfileContent, UserMemoryContent, WorkProfileContent
from memory_middleware.schemas.scope import Scope
from memory_middleware.sources.long_term.records import RecalledRecord
from memory_middleware.sources.manager import MemoryManager, stage_of
from memory_middleware.tokens import TokenCounter

if TYPE_CHECKING:
    from memory_middleware.storage import LanceStore

__all__ = ["ComposedTurn", "compose_turn"]


@dataclass(frozen=True, slots=True)
class ComposedTurn:
    """The system prompt of an agent for one turn, and what its memory is made of.

    Attributes:
        prompt: The prompt with its block.
        query: What was asked.
        stats: How much of what it holds, what was left out, what failed, why it is silent, what it took.
        hits: The records that were recalled.
    """

    prompt: ComposedPrompt
    query: str
    stats: ContextStats
    hits: tuple[RecalledRecord, ...] = ()

    @property
    def text(self) -> str:
        """The text of the prompt."""
        return self.prompt.text

    @property
    def tokens(self) -> int:
        """What the whole prompt costs."""
        return self.prompt.tokens

    @property
    def block(self) -> FittedBlock:
        """What stands between the markers."""
        return self.prompt.block

    @property
    def manifest(self) -> tuple[ManifestEntry, ...]:
        """What became of every line."""
        return self.block.manifest

    @property
    def injected(self) -> tuple[RecalledRecord, ...]:
        """The records that found room, which is what an answer can have used."""
        return injected_records(self.block, self.hits)


def compose_turn(
    store: LanceStore,
    scope: Scope,
    said: Said,
    *,
    role: AgentType | str | None = None,
    config: MemoryConfig | None = None,
    manager: MemoryManager | None = None,
    message_count: int | None = None,
    stage: Stage | str = Stage.GEN,
    prompt: str | None = None,
    prompts: PromptLibrary | None = None,
    counter: TokenCounter | None = None,
    now: datetime | None = None,
) -> ComposedTurn:
    """Compose the system prompt of an agent for one turn: profile, what is recalled, in the agent's budget.

    Args:
        store: Where memory is kept.
        scope: Whose, in which thread, for which agent.
        said: The query, or the messages of the thread.
        role: ``router`` or ``worker``; none follows the configuration of the agent.
        config: The rules, budgets and attachments; none uses the defaults.
        manager: Holds the sources of agents that have attachments.
        message_count: How many messages the thread had before the query; none counts those given.
        stage: Of the agent's turn.
        prompt: The text to compose into, instead of the library's prompt for this role.
        prompts: Where that prompt comes from, instead of the configured folder.
        counter: Counts tokens; none follows the budget's settings.
        now: The present moment.

    Raises:
        InvalidInputError: An argument does not fit, or nothing says which role the agent has.
        MemoryMiddlewareError: Something failed, and the configuration says ``on_error: raise``.
    """
    started = time.perf_counter()
    chosen = config or MemoryConfig()
    agent = _role(chosen, scope, role)
    asked = asked_of(said, message_count)
    recalled = recall_for_agent(
        store.memories,
        scope,
        asked.query,
        asked.before,
        chosen,
        manager=manager,
        stage=stage,
        now=now,
        visible=asked.visible_rounds(scope),
    )
    shelter = Shelter(chosen)
    told, source = _profile_rule(chosen, scope, stage_of(stage))
    content: ProfileContent | None = None
    if told:
        with shelter.around(f"the {agent.memory_type} profile"):
            content = store.memories.profiles.get(scope, agent.memory_type)
    composed = compose_prompt(
        agent,
        user_memory=content if isinstance(content, UserMemoryContent) else None,
        work_memory=content if isinstance(content, WorkProfileContent) else None,
        prompt=prompt,
        prompts=prompts or _library(chosen),
        language=chosen.language,
        budget=budget_of(chosen, scope.agent),
        counter=counter or counter_of(chosen.inject.budget),
        recalled=recalled.sections,
        shares=shares_of(chosen.inject.budget),
        caps=recalled.caps,
        profile_source=source,
        now=now,
    )
    recalled = replace(recalled, problems=(*recalled.problems, *shelter.problems))
    stats = stats_of(composed.block, recalled, started)
    return ComposedTurn(composed, asked.query.text, stats, recalled.hits)


def _role(config: MemoryConfig, scope: Scope, role: AgentType | str | None) -> AgentType:
    settings = config.agents.get(scope.agent) if scope.agent else None
    chosen = role or (settings.role if settings else None)
    if chosen is None:
        raise InvalidInputError(
            f"nothing says whether the agent {scope.agent!r} is a router or a worker; pass role=, or set "
            "agents.<name>.role"
        )
    try:
        return AgentType(chosen)
    except ValueError as error:
        raise InvalidInputError(f"role must be 'router' or 'worker', not {chosen!r}") from error


def _profile_rule(config: MemoryConfig, scope: Scope, stage: Stage) -> tuple[bool, str | None]:
    """Tell whether the profile is told, and the attachment that bounds it, if one does.

    Every agent is told its profile, unless it is attached to it and does not read it at this stage.
    """
    if not config.enabled:
        return False, None
    kinds = {store.name: store.type for store in config.memory}
    mine = config.attachments(scope.agent) if scope.agent else ()
    attached = [each for each in mine if kinds.get(each.name, each.name) == "profile"]
    reading = [each for each in attached if each.recalls_at(stage)]
    if attached and not reading:
        return False, None
    return True, reading[0].name if reading else None


@functools.lru_cache(2)
def _shipped(language: str) -> PromptLibrary:
    return PromptLibrary(language=language)


def _library(config: MemoryConfig) -> PromptLibrary:
    """Give the prompts of a configuration; those of a folder are read anew, since people edit them."""
    if config.prompts_dir is None:
        return _shipped(config.language)
    return PromptLibrary(config.prompts_dir, language=config.language)
