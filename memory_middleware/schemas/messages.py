"""LangChain messages to stored blocks and back, without loss."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    message_to_dict,
    messages_from_dict,
)

from memory_middleware.errors import SchemaError
from memory_middleware.schemas.blocks import decode_part, describe_block, encode_part, role_of

__all__ = ["message_parts", "restore_messages"]

_BYTES = "__bytes__"

Data = dict[str, Any]


def message_parts(message: Any) -> tuple[str, list[Data], list[Data]]:
    """Split a message into its text, its blocks tagged by role, and its envelope, all plain JSON.

    Bytes are kept as base64 and come back as bytes; other objects that JSON cannot hold, such as a
    tool's artifact, are kept as their text.
    """
    content = message.content
    coded = [encode_part(part) for part in ([content] if isinstance(content, str) else content)]
    data = message_to_dict(message)["data"]
    envelope = {
        "type": message.type,
        "data": {key: value for key, value in data.items() if key not in ("content", "type")},
        "parts": None if isinstance(content, str) else [shell for _, shell in coded],
    }
    blocks = [{"role": role_of(message), "block": block} for block, _ in coded]
    text = (
        content if isinstance(content, str) else "\n".join(filter(None, (describe_block(block) for block, _ in coded)))
    )
    return text, to_plain(blocks), [to_plain(envelope)]


def restore_messages(text: str, blocks: list[Data], envelopes: list[Data]) -> list[BaseMessage]:
    """Build the messages that a snapshot was taken from."""
    if not envelopes:
        return list(_from_blocks(blocks)) or ([HumanMessage(text)] if text else [])
    supply = iter([from_plain(payload["block"]) for payload in blocks])
    try:
        return [_open(from_plain(envelope), supply) for envelope in envelopes]
    except (KeyError, TypeError, AttributeError, StopIteration, ValueError) as error:
        raise SchemaError(f"the blocks and envelopes of this snapshot do not belong together: {error!r}") from error


def _open(envelope: Data, supply: Iterator[Data]) -> BaseMessage:
    shells = envelope["parts"]
    content: Any
    if shells is None:
        content = next(supply)["text"]
    else:
        content = [
            decode_part(block, shell)
            for shell, block in zip(shells, itertools.islice(supply, len(shells)), strict=True)
        ]
    return messages_from_dict([{"type": envelope["type"], "data": {**envelope["data"], "content": content}}])[0]


def _from_blocks(blocks: list[Data]) -> Iterator[BaseMessage]:
    for role, group in itertools.groupby(blocks, key=lambda payload: str(payload.get("role", "user"))):
        parts = [_to_part(payload["block"]) for payload in group]
        only_text = len(parts) == 1 and parts[0]["type"] == "text"
        yield _message(role, parts[0]["text"] if only_text else parts)


def _to_part(block: Data) -> Data:
    attachment = block.get("attachment") or {}
    if uri := attachment.get("data_uri"):
        part = {"type": block["type"], "base64": uri.partition(",")[2], "mime_type": attachment.get("mime_type")}
        return part | {"id": attachment["attachment_id"]} if attachment.get("attachment_id") else part
    return {"type": "text", "text": describe_block(block)}


def _message(role: str, content: Any) -> BaseMessage:
    kinds: dict[str, type[BaseMessage]] = {
        "user": HumanMessage,
        "input": HumanMessage,
        "assistant": AIMessage,
        "output": AIMessage,
        "system": SystemMessage,
    }
    kind = kinds.get(role)
    return kind(content=content) if kind else ChatMessage(role=role, content=content)


def to_plain(value: Any) -> Any:
    """Write a value as plain JSON data."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(part) for part in value]
    if isinstance(value, bytes | bytearray):
        return {_BYTES: base64.b64encode(value).decode("ascii")}
    return str(value)


def from_plain(value: Any) -> Any:
    """Give back what ``to_plain`` was given, as far as it can be."""
    if isinstance(value, dict):
        if set(value) == {_BYTES}:
            return base64.b64decode(value[_BYTES])
        return {key: from_plain(part) for key, part in value.items()}
    return [from_plain(part) for part in value] if isinstance(value, list) else value
