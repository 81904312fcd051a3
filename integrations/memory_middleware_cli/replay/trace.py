"""A recorded conversation: turns of a user and the agents that answered, with their times and threads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

__all__ = ["AGENTS", "Heard", "Trace", "TraceTurn", "as_turns"]

AGENTS = ("router", "worker")
"""Who can answer."""

_BEGIN = datetime(2026, 1, 1, 9, tzinfo=UTC)
_PAUSE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Heard:
    """One message of a recording.

    Attributes:
        message: What was said.
        thread: In which thread.
        time: When; none if the recording does not tell.
        agent: Who of ``AGENTS`` said it, if it was an agent.
    """

    message: BaseMessage
    thread: str = "thread-1"
    time: datetime | None = None
    agent: str = "worker"


@dataclass(frozen=True, slots=True)
class TraceTurn:
    """One turn: what the user said, and what followed until the user spoke again.

    Attributes:
        number: Counted from 1 over the whole trace.
        thread: In which thread.
        time: When the user spoke.
        asked: The user's message.
        answers: The messages of the agent and its tools; none if nothing was recorded.
        agent: Who of ``AGENTS`` answered.
    """

    number: int
    thread: str
    time: datetime
    asked: HumanMessage
    answers: tuple[AIMessage | ToolMessage, ...] = ()
    agent: str = "worker"

    @property
    def said(self) -> str:
        """What the user said."""
        return self.asked.text


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded conversation.

    Attributes:
        name: What it is called.
        turns: In the order of their times.
        owner: Whose memory it is, if the recording tells.
        language: ``en`` or ``zh``.
        about: One line about it.
    """

    name: str
    turns: tuple[TraceTurn, ...]
    owner: str | None = None
    language: str = "en"
    about: str = ""

    def first(self, most: int | None) -> Trace:
        """Give the trace with at most so many turns."""
        return self if most is None else replace(self, turns=self.turns[:most])


def as_turns(heard: Iterable[Heard]) -> tuple[TraceTurn, ...]:
    """Group messages into turns, in the order of their times; those that tell no time follow a minute after.

    Messages of the user in a row are one turn, unless nobody answers in their thread at all. Every message gets an id
    made of its thread and place, so that two replays write the same. Instructions, and what stands before the first
    message of the user, are left out.
    """
    spoken = [one for one in heard if not isinstance(one.message, SystemMessage)]
    answered = {one.thread for one in spoken if isinstance(one.message, AIMessage)}
    grouping = _Grouping(answered)
    for one in spoken:
        grouping.take(one)
    ordered = sorted(grouping.turns, key=lambda turn: (turn.time, turn.number))
    return tuple(replace(turn, number=at) for at, turn in enumerate(ordered, 1))


class _Grouping:
    """Turns as they grow, message by message."""

    def __init__(self, answered: set[str]) -> None:
        self.turns: list[TraceTurn] = []
        self._answered = answered
        self._counts: dict[str, int] = {}
        self._open: dict[str, int] = {}
        self._asking: set[str] = set()
        self._moment = _BEGIN - _PAUSE

    def take(self, one: Heard) -> None:
        """Put a message where it belongs."""
        self._counts[one.thread] = self._counts.get(one.thread, 0) + 1
        message = one.message.model_copy(update={"id": f"{one.thread}-{self._counts[one.thread]}"})
        if isinstance(message, HumanMessage):
            self._asked(one, message)
        elif isinstance(message, AIMessage | ToolMessage) and one.thread in self._open:
            self._asking.discard(one.thread)
            self._told(one, message)

    def _asked(self, one: Heard, message: HumanMessage) -> None:
        if one.thread in self._asking:
            turn = self.turns[self._open[one.thread]]
            joined = turn.asked.model_copy(update={"content": f"{turn.said}\n{message.text}"})
            self.turns[self._open[one.thread]] = replace(turn, asked=joined)
            return
        self._moment = one.time or self._moment + _PAUSE
        self._open[one.thread] = len(self.turns)
        self.turns.append(TraceTurn(len(self.turns) + 1, one.thread, self._moment, message))
        if one.thread in self._answered:
            self._asking.add(one.thread)

    def _told(self, one: Heard, message: AIMessage | ToolMessage) -> None:
        at = self._open[one.thread]
        turn = self.turns[at]
        if isinstance(message, AIMessage) and not message.text and not message.tool_calls:
            self.turns[at] = replace(turn, agent=one.agent)  # somebody answered, but it was not recorded what
            return
        # A turn that used a tool is the worker's, whoever spoke last.
        agent = turn.agent if turn.answers else one.agent
        self.turns[at] = replace(turn, answers=(*turn.answers, message), agent=agent)
