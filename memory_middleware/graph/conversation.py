"""The messages of a state, and what a node adds to them, whatever shape both have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, RemoveMessage, convert_to_messages
from langgraph.types import Command, Overwrite

from memory_middleware.errors import InvalidInputError

__all__ = ["answer_of", "fields_of", "has_messages", "messages_added", "messages_of", "spoken"]


def has_messages(state: Any, key: str = "messages") -> bool:
    """Tell whether a state has a place for messages at all; a text, a message and a list are messages themselves."""
    if isinstance(state, Mapping):
        return key in state
    return isinstance(state, BaseMessage | Sequence) or hasattr(state, key)


def fields_of(state: Any) -> list[str]:
    """Name the fields of a state."""
    if isinstance(state, Mapping):
        return [str(name) for name in state]
    declared = [one.name for one in fields(state)] if is_dataclass(state) else []
    return list(dict.fromkeys([*declared, *getattr(state, "__dict__", ())]))


def messages_of(state: Any, key: str = "messages") -> list[BaseMessage]:
    """Give the messages of a state: a mapping, an object, or the list itself."""
    if isinstance(state, BaseMessage | str):
        found: Any = [state]
    elif isinstance(state, Mapping):
        found = state.get(key)
    elif isinstance(state, Sequence):
        found = state
    else:
        found = getattr(state, key, None)
    return _converted(found)


def messages_added(result: Any, key: str = "messages") -> list[BaseMessage]:
    """Give the messages that a node's result adds, in commands and lists too."""
    if isinstance(result, BaseMessage):
        return [result]
    if isinstance(result, Command):
        return messages_added(result.update, key)
    if isinstance(result, Overwrite):
        return messages_added(result.value, key)
    if isinstance(result, Mapping):
        return messages_added(result.get(key), key)
    if isinstance(result, Sequence) and not isinstance(result, str):
        return [message for part in result for message in _of_part(part, key)]
    found = getattr(result, key, None) if result is not None and not isinstance(result, str) else None
    return _converted(found)


def spoken(before: Iterable[BaseMessage], added: Iterable[BaseMessage]) -> list[BaseMessage]:
    """Join a conversation and what was added; a message that is there already is not repeated."""
    joined = list(before)
    known = {message.id for message in joined if message.id}
    fresh = [message for message in added if message.id not in known and not isinstance(message, RemoveMessage)]
    return joined + [message for message in fresh if not any(message is old for old in joined)]


def _of_part(part: Any, key: str) -> list[BaseMessage]:
    if isinstance(part, BaseMessage | Command | Mapping):
        if isinstance(part, Mapping) and "role" in part:
            return _converted([part])
        # A pair such as ("messages", [...]) is a message of a role, or an update of a key.
        return messages_added(part, key)
    if isinstance(part, tuple) and len(part) == 2 and part[0] == key:
        return messages_added(part[1], key)
    return _converted([part]) if isinstance(part, tuple) else []


def _converted(found: Any) -> list[BaseMessage]:
    if found is None:
        return []
    given: Any = found if isinstance(found, list | tuple) else [found]
    try:
        return list(convert_to_messages(given))
    except (ValueError, NotImplementedError, TypeError) as error:
        raise InvalidInputError(f"these are no messages: {type(found).__name__} ({error})") from error


def answer_of(result: Any, key: str = "messages") -> Any:
    """Make an update of the state of what a model or a chain gave; what is no text and no message is one already."""
    if isinstance(result, str):
        return {key: [AIMessage(result)]}
    return {key: [result]} if isinstance(result, BaseMessage) else result
