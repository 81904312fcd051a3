"""Runs exported from LangSmith: each run of a graph or a model is a turn of its thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from memory_middleware import InvalidInputError
from memory_middleware_cli.replay.formats.parts import read_message, read_time
from memory_middleware_cli.replay.trace import Heard, Trace, as_turns

__all__ = ["is_langsmith", "read_langsmith"]

_THREADS = ("thread_id", "session_id", "conversation_id")


def is_langsmith(data: Any) -> bool:
    """Tell whether these are runs."""
    runs = _runs(data)
    return bool(runs) and all(isinstance(run, Mapping) and "inputs" in run for run in runs)


def read_langsmith(data: Any, name: str) -> Trace:
    """Read runs in the order they began; of runs inside each other only the outermost count.

    Raises:
        InvalidInputError: A message does not fit, or no run holds one of a user.
    """
    runs = _runs(data)
    outermost = [run for run in runs if not run.get("parent_run_id")] or runs
    timed = [(read_time(run.get("start_time"), f"{name}, run {at}"), at, run) for at, run in enumerate(outermost, 1)]
    timed.sort(key=lambda one: (one[0] is None, str(one[0]), one[1]))
    heard = [one for moment, at, run in timed for one in _turn(run, moment, f"{name}, run {at}")]
    turns = as_turns(heard)
    if not turns:
        raise InvalidInputError(f"{name}: no run holds a message of a user in inputs.messages")
    return Trace(name, turns)


def _turn(run: Mapping[str, Any], moment: datetime | None, place: str) -> Iterator[Heard]:
    """Give the last message of the user in a run, and all that the run added."""
    given = _messages((run.get("inputs") or {}).get("messages") or (), place)
    asked = [message for message in given if isinstance(message, HumanMessage)]
    if not asked:
        return
    thread = _thread(run)
    yield Heard(asked[-1], thread, moment)
    for message in _answers(run.get("outputs") or {}, asked[-1], place):
        yield Heard(message, thread, moment)


def _answers(outputs: Mapping[str, Any], asked: HumanMessage, place: str) -> list[BaseMessage]:
    found = _messages(_told(outputs), place)
    users = [at for at, message in enumerate(found) if isinstance(message, HumanMessage)]
    last = users[-1] + 1 if users and found[users[-1]].content == asked.content else 0
    return [message for message in found[last:] if isinstance(message, AIMessage | ToolMessage)]


def _told(outputs: Mapping[str, Any]) -> Any:
    """Find the messages of an output: of a graph, of a model, of a chain, or of OpenAI's client."""
    if isinstance(outputs.get("messages"), list):
        return outputs["messages"]
    if generations := outputs.get("generations"):
        first = generations[0][0] if isinstance(generations[0], list) else generations[0]
        return [first.get("message") or {"role": "assistant", "content": first.get("text")}]
    if choices := outputs.get("choices"):
        return [choices[0].get("message")]
    output = outputs.get("output", outputs)
    if isinstance(output, str):
        return [{"role": "assistant", "content": output}]
    return [output] if isinstance(output, Mapping) and "content" in output else []


def _messages(found: Any, place: str) -> list[BaseMessage]:
    """Read messages; a model's run has them in a list of their own."""
    if isinstance(found, Sequence) and found and isinstance(found[0], list):
        found = found[0]
    return [read_message(data, place) for data in found]


def _thread(run: Mapping[str, Any]) -> str:
    extra = run.get("extra") or {}
    metadata = {**(run.get("metadata") or {}), **(extra.get("metadata") or {})}
    return next((str(metadata[key]) for key in _THREADS if metadata.get(key)), "thread-1")


def _runs(data: Any) -> list[Any]:
    if isinstance(data, Mapping):
        data = data.get("runs") or [data]
    return data if isinstance(data, list) else []
