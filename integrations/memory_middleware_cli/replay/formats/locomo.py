"""LoCoMo: long conversations of two people over months; one of them is taken as the user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import InvalidInputError
from memory_middleware_cli.replay.trace import Heard, Trace, as_turns

__all__ = ["is_locomo", "read_locomo"]

_SESSION = re.compile(r"session_(\d+)$")
_WHEN = "%I:%M %p on %d %B, %Y"


def is_locomo(data: Any) -> bool:
    """Tell whether this is LoCoMo."""
    return (
        isinstance(data, list)
        and bool(data)
        and all(isinstance(one, Mapping) and "conversation" in one for one in data)
    )


def read_locomo(data: Any, name: str, pick: int = 1) -> Trace:
    """Read one of the conversations; its first speaker is the user, and each session is a thread.

    Args:
        data: The file.
        name: What the trace is called.
        pick: Which conversation, counted from 1.

    Raises:
        InvalidInputError: There is no such conversation, or a session tells no time.
    """
    if not 1 <= pick <= len(data):
        raise InvalidInputError(f"{name} has {len(data)} conversations; there is none of number {pick}")
    sample = data[pick - 1]
    talk = sample["conversation"]
    numbers = sorted(int(found[1]) for key in talk if (found := _SESSION.match(key)))
    heard = [one for number in numbers for one in _session(talk, number, name)]
    return Trace(str(sample.get("sample_id") or name), as_turns(heard), owner=str(talk["speaker_a"]))


def _session(talk: Mapping[str, Any], number: int, name: str) -> Iterator[Heard]:
    moment = _time(talk.get(f"session_{number}_date_time"), f"{name}, session {number}")
    for at, said in enumerate(talk[f"session_{number}"]):
        mine = said["speaker"] == talk["speaker_a"]
        text = _text(said)
        message = HumanMessage(text) if mine else AIMessage(text)
        yield Heard(message, f"session-{number}", moment + at * timedelta(seconds=30))


def _text(said: Mapping[str, Any]) -> str:
    shown = said.get("blip_caption")
    return f"{said['text']} [{shown}]" if shown else str(said["text"])


def _time(told: Any, place: str) -> datetime:
    try:
        return datetime.strptime(str(told), _WHEN).replace(tzinfo=UTC)
    except ValueError as error:
        raise InvalidInputError(f"{place}: {told!r} is no time such as '1:56 pm on 8 May, 2023'") from error
