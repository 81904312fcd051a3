"""One turn around an agent: recall before it speaks, observe after, and never cost the user the answer."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphBubbleUp

from memory_middleware.errors import InvalidInputError
from memory_middleware.graph.conversation import fields_of, has_messages, messages_added, messages_of, spoken
from memory_middleware.graph.events import tell_recalled, tell_referenced
from memory_middleware.graph.identity import current_run, find_scope
from memory_middleware.graph.injecting import Injection
from memory_middleware.graph.port import TurnMemory
from memory_middleware.graph.telemetry import Span, span
from memory_middleware.recall.compose import AgentType, insert_block
from memory_middleware.recall.turn import ComposedTurn
from memory_middleware.remember.observe import Observed
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.schemas.scope import Scope

__all__ = ["AgentTurn", "TurnRules"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TurnRules:
    """How turns of an agent are served.

    Attributes:
        memory: Serves them.
        role: Router or worker.
        name: The agent's name; none takes that of its node.
        messages_key: Where a state has its messages.
        observes: Whether turns are written down.
    """

    memory: TurnMemory
    role: AgentType
    name: str | None = None
    messages_key: str = "messages"
    observes: bool = True
    _told: list[str] = field(default_factory=list, init=False, repr=False, compare=False)

    def begin(self, state: Any, config: RunnableConfig | None = None) -> AgentTurn:
        """Begin a turn, given the state of the graph.

        Raises:
            InvalidInputError: Nothing tells whose turn it is, or there are no messages and errors are wanted.
        """
        found, runtime = current_run(config)
        scope = find_scope(found, runtime, agent=self.name, identify=self.memory.identify)
        self._look_for_messages(state, scope)
        return AgentTurn(self, scope, self._messages(state))

    def _look_for_messages(self, state: Any, scope: Scope) -> None:
        """Tell once when a state has no messages; a task that is sent on may have none, a wrong key never has any."""
        if has_messages(state, self.messages_key) or self._told:
            return
        missing = (
            f"the state of the agent {scope.agent!r} has no {self.messages_key!r}, so what is said there is neither "
            f"recalled for nor written down; its fields are {', '.join(fields_of(state)) or 'none'}; if one of them "
            "has the messages, name it by messages_key="
        )
        if self.memory.config.on_error == "raise":
            raise InvalidInputError(missing)
        self._told.append(missing)
        _log.warning(missing)

    def _messages(self, state: Any) -> list[BaseMessage]:
        """Give the messages of a state; one that holds something else has none to recall by."""
        try:
            return messages_of(state, self.messages_key)
        except InvalidInputError as error:
            if self.memory.config.on_error == "raise":
                raise
            self.memory.note_failure("read the messages", error)
            return []


@dataclass(slots=True)
class AgentTurn:
    """One turn: whose, what was said, and what was recalled for it."""

    rules: TurnRules
    scope: Scope
    messages: Sequence[BaseMessage]
    composed: ComposedTurn | None = None
    noted: tuple[str, ...] = ()
    tokens: int = 0

    @property
    def injected(self) -> Sequence[MemoryRecord | str]:
        """The records that stood in the prompt, or their ids."""
        return [hit.record for hit in self.composed.injected] if self.composed else self.noted

    @property
    def injection(self) -> Injection | None:
        """The block for the models of the agent, or none if nothing was recalled."""
        if self.composed is None or not self.composed.block.text:
            return None
        return Injection(self.composed.block.text, self.rules.role.memory_type)

    def channels(self) -> dict[str, Any]:
        """Give what was recalled as plain values for channels of a graph."""
        injection = self.injection
        block = insert_block("", injection.block, injection.memory_type) if injection else ""
        return {"memory_block": block, "memory_ids": list(self.noted), "memory_tokens": self.tokens}

    def note(self, ids: Sequence[str], tokens: int) -> None:
        """Take over from channels what was injected before."""
        self.noted, self.tokens = tuple(ids), tokens

    def recall(self) -> None:
        """Recall for the turn."""
        with self._sheltered("recall") as told:
            composed = self.rules.memory.compose(self.scope, self.messages, role=self.rules.role, prompt="")
            self._recalled(composed, told)

    async def arecall(self) -> None:
        """Recall for the turn; the async twin."""
        with self._sheltered("recall") as told:
            composed = await self.rules.memory.acompose(self.scope, self.messages, role=self.rules.role, prompt="")
            self._recalled(composed, told)

    def observe(self, result: Any) -> None:
        """Write the turn down, given what the agent gave."""
        with self._sheltered("observe") as told:
            if said := self._said(result):
                seen = self.rules.memory.observe(self.scope, said, self.injected, tokens=self.tokens)
                self._observed(seen, told)

    async def aobserve(self, result: Any) -> None:
        """Write the turn down; the async twin."""
        with self._sheltered("observe") as told:
            if said := self._said(result):
                seen = await self.rules.memory.aobserve(self.scope, said, self.injected, tokens=self.tokens)
                self._observed(seen, told)

    @contextmanager
    def _sheltered(self, what: str) -> Iterator[Span]:
        """Go on without memory when it fails, unless the configuration wants the error; all in a span."""
        try:
            with span(what, self.scope) as told:
                yield told
        except GraphBubbleUp:
            raise
        except Exception as error:
            if self.rules.memory.config.on_error == "raise":
                raise
            self.rules.memory.note_failure(what, error)

    def _said(self, result: Any) -> list[BaseMessage]:
        """Give the conversation with what the agent added, or nothing if the agent said nothing."""
        added = messages_added(result, self.rules.messages_key)
        return spoken(self.messages, added) if self.rules.observes and added else []

    def _recalled(self, composed: ComposedTurn, told: Span) -> None:
        self.composed = composed
        self.note([hit.record.id for hit in composed.injected], composed.block.tokens)
        stats = composed.stats
        told.note(tokens=stats.total_tokens, records=stats.long_term_count, dropped=stats.dropped)
        tell_recalled(self.scope, composed)

    def _observed(self, seen: Observed, told: Span) -> None:
        told.note(referenced=len(seen.referenced), injected=len(seen.references), new=seen.is_new)
        tell_referenced(self.scope, seen)
