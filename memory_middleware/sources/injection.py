"""Recalled text in a conversation: before the last message's text, or as a message of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.messages import BaseMessage, HumanMessage

from memory_middleware.errors import InvalidInputError

__all__ = ["InjectionMode", "inject_text"]

InjectionMode = Literal["prompt", "messages"]


def inject_text(messages: Sequence[BaseMessage], text: str, mode: InjectionMode = "messages") -> list[BaseMessage]:
    """Give a conversation with recalled text in it; the given one stays as it is.

    Args:
        messages: The conversation; an empty one stays empty.
        text: What was recalled; nothing changes nothing.
        mode: ``prompt`` puts it before the last message's own text, ``messages`` inserts a user message
            before the last user message, or at the end if there is none.

    Raises:
        InvalidInputError: The mode is not known.
    """
    if mode not in ("prompt", "messages"):
        raise InvalidInputError(f"unknown injection mode {mode!r}; use 'prompt' or 'messages'")
    given = list(messages)
    if not text or not given:
        return given
    if mode == "prompt":
        last = given[-1]
        return [*given[:-1], last.model_copy(update={"content": _prefixed(last.content, text)})]
    at = max((at for at, message in enumerate(given) if message.type == "human"), default=len(given))
    return [*given[:at], HumanMessage(text), *given[at:]]


def _prefixed(content: str | list[str | dict[str, Any]], text: str) -> str | list[str | dict[str, Any]]:
    if isinstance(content, str):
        return f"{text}\n\n{content}"
    return [{"type": "text", "text": f"{text}\n\n"}, *content]
