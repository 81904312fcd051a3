"""A state on its way through a function whose model cannot be seen: the block goes in with it, and stays behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage
from langgraph.errors import GraphInterrupt, ParentCommand

from memory_middleware.graph.injecting import with_block
from memory_middleware.graph.restoring import Restoring, changed
from memory_middleware.graph.turning import AgentTurn

__all__ = ["Outcome", "Passage"]


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

        It may leave by an interrupt, by an error, which checkpoints keep too, or by a command to the graph around,
        which is an outcome.
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
        except Exception as error:
            Restoring(self.sent, self.original).restored(error)
            raise

    def back(self, result: Any) -> Any:
        """Give a result without the block: the message that holds it goes, or is what it was; texts lose it."""
        if self.sent is None:
            return result
        return Restoring(self.sent, self.original).restored(result)


def _holds_messages(state: Any, key: str) -> bool:
    """Tell whether messages can be put into a state at all."""
    return isinstance(state, Mapping | list) or hasattr(state, key)


def _with_messages(state: Any, messages: list[BaseMessage], key: str) -> Any:
    if isinstance(state, Mapping):
        return {**state, key: messages}
    if isinstance(state, list):
        return messages
    return changed(state, **{key: messages})
