"""The turns that are under way, kept in the process and never in a state."""

from __future__ import annotations

import hashlib
import threading
import uuid
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import BaseMessage, ToolMessage

from memory_middleware import AgentTurn, Scope

__all__ = ["OpenTurn", "OpenTurns", "UnderWay", "broken_off", "owner_mark", "without_summaries"]

_MOST = 1024


@dataclass(slots=True)
class OpenTurn:
    """A turn between its first model call and its end.

    Attributes:
        turn: Whose, what was said, and what was recalled.
        token: Names it within its run.
        attempt: The task in which it began, by its path, and when that was first tried.
    """

    turn: AgentTurn
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    attempt: tuple[str, float | None] = ("", None)
    _asked: str | None = None
    _lent: list[str] = field(default_factory=list)
    _lent_tokens: int = 0

    @property
    def place(self) -> str:
        """Where its agent stands among the graphs around it; a resumed run has the same place."""
        return self.attempt[0].rpartition("|")[0]

    def read(self, messages: Sequence[BaseMessage]) -> bool:
        """Take in the messages of the state, and tell whether there is something new to recall for.

        What was read before and has left the state, as summarised messages do, is still part of the turn. What was
        recalled for an earlier question is let go.
        """
        self.turn.messages = _joined(self.turn.messages, without_summaries(messages))
        asked = _asked_last(self.turn.messages)
        if asked == self._asked:
            return False
        self._asked, self.turn.composed = asked, None
        self._lent, self._lent_tokens = [], 0
        self.turn.note((), 0)
        return True

    def asks(self, turn: AgentTurn) -> bool:
        """Tell whether this is another look at the same question of the same owner."""
        return turn.scope == self.turn.scope and bool(self._asked) and _asked_last(turn.messages) == self._asked

    def lend(self, turn: AgentTurn) -> None:
        """Note what an agent was told that works for this turn as a tool."""
        self._lent.extend(turn.noted)
        self._lent_tokens += turn.tokens

    def ended(self) -> AgentTurn:
        """Give the turn with all that was told in it, by whichever agent."""
        told = dict.fromkeys([*self.turn.noted, *self._lent])
        if self._lent:
            self.turn.composed = None
        self.turn.note(list(told), self.turn.tokens + self._lent_tokens)
        self._lent, self._lent_tokens = [], 0
        return self.turn


class OpenTurns:
    """The turns under way, by token; the oldest is let go when there are too many, and recalled for again.

    Args:
        most: How many are kept.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._turns: OrderedDict[str, OpenTurn] = OrderedDict()
        self._most = most
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._turns)

    def keep(self, turn: OpenTurn) -> None:
        """Keep a turn."""
        with self._lock:
            self._turns[turn.token] = turn
            self._turns.move_to_end(turn.token)
            while len(self._turns) > self._most:
                self._turns.popitem(last=False)

    def find(self, token: str | None) -> OpenTurn | None:
        """Find a turn."""
        with self._lock:
            return self._turns.get(token or "")

    def take(self, token: str | None) -> OpenTurn | None:
        """Find a turn and let it go."""
        with self._lock:
            return self._turns.pop(token or "", None)

    def left_behind(self, turn: AgentTurn, place: str | None = None) -> OpenTurn | None:
        """Find the turn in which a question was asked but never answered, and let it go.

        Args:
            turn: Asks the same.
            place: Where it began; none takes any. Agents that run side by side may ask the same.
        """
        with self._lock:
            alike = (token for token, kept in self._turns.items() if place in (None, kept.place) and kept.asks(turn))
            return self._turns.pop(next(alike, ""), None)


class UnderWay:
    """A memory for threads that are under way, though the messages at hand do not show it.

    An agent that is called as a tool is told its task alone; the conversation is with its caller.
    """

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory, name)

    def compose(self, *given: Any, **more: Any) -> Any:
        """Recall for a turn that is not the first of its thread."""
        return self._memory.compose(*given, message_count=1, **more)

    async def acompose(self, *given: Any, **more: Any) -> Any:
        """Recall for a turn; the async twin."""
        return await self._memory.acompose(*given, message_count=1, **more)


def without_summaries(messages: Iterable[BaseMessage]) -> list[BaseMessage]:
    """Leave out what a summarizer says in the user's name."""
    return [message for message in messages if message.additional_kwargs.get("lc_source") != "summarization"]


def owner_mark(scope: Scope) -> str:
    """Give a mark that tells owners apart without naming them."""
    return hashlib.blake2b(scope.owner_id.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def broken_off(messages: Iterable[BaseMessage]) -> list[BaseMessage]:
    """Give the conversation up to a turn that was never ended, if the one before the last question is such a turn.

    Its agent has called tools that never answered, as one does that waits for an approval. A turn that ends in the
    answer of a tool may well be over.
    """
    said = without_summaries(messages)
    while said and said[-1].type != "human":
        said.pop()
    while said and said[-1].type == "human":
        said.pop()
    return said if _waits(said) else []


def _waits(said: Sequence[BaseMessage]) -> bool:
    """Tell whether the last calls of tools lack an answer."""
    answered: set[str | None] = set()
    for message in reversed(said):
        if not isinstance(message, ToolMessage):
            return any(call["id"] not in answered for call in getattr(message, "tool_calls", ()))
        answered.add(message.tool_call_id)
    return False


def _asked_last(messages: Sequence[BaseMessage]) -> str:
    return next((message.id for message in reversed(messages) if message.type == "human"), None) or ""


def _joined(before: Iterable[BaseMessage], now: Iterable[BaseMessage]) -> list[BaseMessage]:
    """Join messages by their ids: in the order they came, as they are now."""
    joined: dict[object, BaseMessage] = {}
    for message in (*before, *now):
        joined[message.id or id(message)] = message
    return list(joined.values())
