"""A state on its way through a function whose model cannot be seen: the block goes in with it, and stays behind."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langgraph.errors import GraphInterrupt, ParentCommand
from langgraph.types import Command, Interrupt, Overwrite, Send

from memory_middleware.graph.injecting import with_block
from memory_middleware.graph.turning import AgentTurn
from memory_middleware.remember.turns import without_blocks

__all__ = ["Outcome", "Passage"]

_MARK = "_MEMORY_START -->"


@dataclass(slots=True)
class Outcome:
    """What comes of an agent.

    Attributes:
        result: What it gives, or the command to the graph around.
        signal: What carries that command there.
    """

    result: Any = None
    signal: ParentCommand | None = None

    def given(self) -> Any:
        """Give the result, or let the signal go on its way."""
        if self.signal is not None:
            raise self.signal
        return self.result


@dataclass(frozen=True, slots=True)
class Passage:
    """What a function is given, and how to take the block out of what it gives back.

    Attributes:
        state: The state for the function.
        sent: The system message with the block, if one was put in.
        original: The message in whose place it stands; none if it is one of its own.
    """

    state: Any
    sent: BaseMessage | None = None
    original: BaseMessage | None = None

    @classmethod
    def of(cls, state: Any, turn: AgentTurn, through_state: bool) -> Passage:
        """Prepare a state; it stays as it is where the block can reach the model by itself, or where there is none."""
        injection = turn.injection
        if not through_state or injection is None or not _holds_messages(state, turn.rules.messages_key):
            return cls(state)
        messages = with_block(turn.messages, injection)
        at = next(
            at for at, message in enumerate(messages) if at >= len(turn.messages) or message is not turn.messages[at]
        )
        original = turn.messages[at] if len(messages) == len(turn.messages) else None
        return cls(_with_messages(state, messages, turn.rules.messages_key), messages[at], original)

    @contextmanager
    def crossed(self) -> Iterator[Outcome]:
        """Give a place for what comes of the function, and take the block out of all that leaves it.

        It may leave by an interrupt, or by a command to the graph around, which is an outcome too.
        """
        outcome = Outcome()
        try:
            yield outcome
            outcome.result = self.back(outcome.result)
        except GraphInterrupt as signal:
            signal.args = tuple(map(self.back, signal.args))
            raise
        except ParentCommand as signal:
            signal.args = tuple(map(self.back, signal.args))
            outcome.signal, outcome.result = signal, signal.args[0]

    def back(self, result: Any) -> Any:
        """Give a result without the block: the message that holds it goes, or is what it was; texts lose it."""
        if self.sent is None:
            return result
        if isinstance(result, str):
            return without_blocks(result) if _MARK in result else result
        if isinstance(result, Command | Send | Overwrite | Interrupt):
            return self._restored_order(result)
        if isinstance(result, Mapping):
            return {key: [] if self._is_added(value) else self.back(value) for key, value in result.items()}
        if isinstance(result, list | tuple):
            kept = [self._restored(part) for part in result if not self._is_added(part)]
            make = getattr(result, "_make", tuple)  # a pair with names stays one
            return kept if isinstance(result, list) else make(kept)
        return self._restored_object(result)

    def _restored_order(self, result: Command[Any] | Send | Overwrite | Interrupt) -> Any:
        """Clean what a function tells the graph to do."""
        if isinstance(result, Command):
            return replace(result, update=self.back(result.update), goto=self.back(result.goto))
        if isinstance(result, Send):
            return _changed(result, arg=self.back(result.arg))
        return _changed(result, value=self.back(result.value))

    def _restored_object(self, result: Any) -> Any:
        """Clean a whole state that a function gives back: a dataclass, or a pydantic model."""
        held = getattr(result, "__dict__", None)
        if isinstance(result, BaseMessage):
            return self._restored(result)
        if isinstance(result, type) or not held:
            return result
        if not (is_dataclass(result) or hasattr(result, "model_fields_set")):
            return result
        parts = {name: value for name, value in held.items() if isinstance(value, str | list | tuple | Mapping)}
        return _changed(result, **{name: self.back(value) for name, value in parts.items()})

    def _is_added(self, part: Any) -> bool:
        """Tell the message that was put in beside those that were there."""
        return self.original is None and isinstance(part, BaseMessage) and (part is self.sent or part == self.sent)

    def _restored(self, part: Any) -> Any:
        if not isinstance(part, BaseMessage):
            return self.back(part)
        if part is self.sent or part == self.sent:
            return self.original
        # What a model says is its own; what a function writes around its prompt is not.
        if isinstance(part, AIMessage) or _MARK not in str(part.content):
            return part
        return part.model_copy(update={"content": self.back(part.content)})


def _holds_messages(state: Any, key: str) -> bool:
    """Tell whether messages can be put into a state at all."""
    return isinstance(state, Mapping | list) or hasattr(state, key)


def _with_messages(state: Any, messages: list[BaseMessage], key: str) -> Any:
    if isinstance(state, Mapping):
        return {**state, key: messages}
    if isinstance(state, list):
        return messages
    return _changed(state, **{key: messages})


def _changed(thing: Any, **fields: Any) -> Any:
    """Give a copy of an object with other fields, frozen or not."""
    changed = copy.copy(thing)
    for name, value in fields.items():
        object.__setattr__(changed, name, value)
    return changed
