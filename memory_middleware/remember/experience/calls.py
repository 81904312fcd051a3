"""The tool calls of a run, each with its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from memory_middleware.remember.experience.moments import moment_of
from memory_middleware.remember.turns import message_text

__all__ = ["Call", "find_calls"]

_UNNAMED = "tool"


@dataclass(slots=True)
class Call:
    """One call of a tool.

    Attributes:
        name: The tool.
        args: What the worker gave it.
        asked_at: When, if known.
        answer: What the tool told; none while there is no answer.
        is_error: Whether the call itself, or the answer's status, is an error.
        artifact: What the tool made beside its answer.
    """

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    asked_at: datetime | None = None
    answer: str | None = None
    is_error: bool = False
    artifact: Any = None


def find_calls(messages: Sequence[BaseMessage]) -> list[Call]:
    """List the calls in the order they were made, whatever the order of their answers.

    An answer without a call is a call of its own. Some models use an id again in every message; an answer then
    belongs to the newest call that has none yet.
    """
    made: list[Call] = []
    waiting: dict[str, list[Call]] = {}
    answered: dict[str, Call] = {}
    for message in messages:
        if isinstance(message, AIMessage):
            for name, call in _asked(message):
                made.append(call)
                if call.answer is None:
                    waiting.setdefault(name, []).append(call)
        elif isinstance(message, ToolMessage):
            name = message.tool_call_id
            # A second answer to one call, after a retry, takes the place of the first.
            found = waiting[name].pop() if waiting.get(name) else answered.get(name)
            if found is None:
                found = Call(message.name or _UNNAMED)
                made.append(found)
            answered[name] = found
            _answer(found, message)
    return made


def _asked(message: AIMessage) -> Iterator[tuple[str, Call]]:
    moment = moment_of(message)
    for valid in message.tool_calls:
        yield valid["id"] or "", Call(valid["name"] or _UNNAMED, valid["args"], moment)
    for invalid in message.invalid_tool_calls:
        told = invalid.get("error") or "the arguments are no JSON object"
        yield invalid["id"] or "", Call(invalid["name"] or _UNNAMED, {}, moment, f"InvalidToolCall: {told}", True)


def _answer(call: Call, message: ToolMessage) -> None:
    call.answer = message_text(message)
    call.is_error = message.status == "error"
    call.artifact = message.artifact
