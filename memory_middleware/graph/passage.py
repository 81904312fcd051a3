"""A state on its way through a function whose model cannot be seen: the block goes in with it, and stays behind."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from langchain_core.messages import BaseMessage
from langgraph.types import Command, Overwrite, Send

from memory_middleware.graph.injecting import with_block
from memory_middleware.graph.turning import AgentTurn

__all__ = ["Passage"]


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

    def back(self, result: Any) -> Any:
        """Give a result without the block: the message that holds it goes, or is what it was."""
        if self.sent is None:
            return result
        if isinstance(result, Command):
            return replace(result, update=self.back(result.update), goto=self.back(result.goto))
        if isinstance(result, Send):
            return Send(result.node, self.back(result.arg))
        if isinstance(result, Overwrite):
            return Overwrite(self.back(result.value))
        if isinstance(result, Mapping):
            return {key: self.back(value) for key, value in result.items()}
        if isinstance(result, list | tuple):
            restored = [self._restored(part) for part in result]
            kept = [part for part in restored if part is not None]
            return kept if isinstance(result, list) else tuple(kept)
        return self._restored_object(result)

    def _restored_object(self, result: Any) -> Any:
        """Clean a whole state that a function gives back: a dataclass, or a pydantic model."""
        held = getattr(result, "__dict__", None)
        if isinstance(result, str | BaseMessage | type) or not held:
            return result
        if not (is_dataclass(result) or hasattr(result, "model_fields_set")):
            return result
        changed = copy.copy(result)
        for name, value in held.items():
            if isinstance(value, list | tuple | Mapping):
                object.__setattr__(changed, name, self.back(value))
        return changed

    def _restored(self, part: Any) -> Any:
        if isinstance(part, BaseMessage):
            return self.original if part is self.sent or part == self.sent else part
        return self.back(part)


def _holds_messages(state: Any, key: str) -> bool:
    """Tell whether messages can be put into a state at all."""
    return isinstance(state, Mapping | list) or hasattr(state, key)


def _with_messages(state: Any, messages: list[BaseMessage], key: str) -> Any:
    if isinstance(state, Mapping):
        return {**state, key: messages}
    if isinstance(state, list):
        return messages
    changed = copy.copy(state)
    object.__setattr__(changed, key, messages)
    return changed
