"""What all formats share: a time, and a message in one of the shapes that chat systems write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from memory_middleware import InvalidInputError

__all__ = ["read_message", "read_time", "text_of"]

_ROLES = {
    "user": "user",
    "human": "user",
    "humanmessage": "user",
    "humanmessagechunk": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "tool": "tool",
    "toolmessage": "tool",
    "function": "tool",
    "system": "system",
    "systemmessage": "system",
    "developer": "system",
}


def read_time(value: Any, place: str) -> datetime | None:
    """Read a time: text in ISO form, or seconds since 1970; without an offset it is UTC.

    Raises:
        InvalidInputError: It is neither.
    """
    if value is None or value == "":
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise InvalidInputError(f"{place}: {value!r} is no time; write it as 2026-03-02T09:15:00+00:00") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def read_message(data: Any, place: str) -> BaseMessage:
    """Read one message: by role as OpenAI writes it, or by type as LangChain does, whole or in an envelope.

    Raises:
        InvalidInputError: It is none, or of an unknown role.
    """
    fields = _fields(data, place)
    told = fields.get("role") or fields.get("type")
    role = _ROLES.get(str(told).casefold())
    if role is None:
        raise InvalidInputError(f"{place}: there is no role {told!r}; there are user, assistant, tool and system")
    content = _content(fields, place)
    if role == "user":
        return HumanMessage(content)
    if role == "system":
        return SystemMessage(content)
    if role == "tool":
        named = str(fields.get("name") or "tool")
        return ToolMessage(text_of(content), tool_call_id=str(fields.get("tool_call_id") or ""), name=named)
    return AIMessage(content, tool_calls=[_call(call, at) for at, call in enumerate(fields.get("tool_calls") or ())])


def text_of(content: Any) -> str:
    """Give the text of a content, whole or in parts."""
    if isinstance(content, str):
        return content
    parts = (part if isinstance(part, str) else str(part.get("text") or "") for part in content)
    return "\n".join(filter(None, parts))


def _fields(data: Any, place: str) -> dict[str, Any]:
    """Take a message out of its envelope: ``{"kwargs": …, "id": […]}`` or ``{"type": …, "data": …}``."""
    if not isinstance(data, Mapping):
        raise InvalidInputError(f"{place}: a message is an object with a role and content, not {data!r}")
    if isinstance(data.get("kwargs"), Mapping) and isinstance(data.get("id"), list) and data["id"]:
        return {**data["kwargs"], "type": data["id"][-1], "role": None}
    if isinstance(data.get("data"), Mapping):
        return {**data["data"], "type": data.get("type"), "role": None}
    return dict(data)


def _content(fields: Mapping[str, Any], place: str) -> Any:
    content = fields.get("content")
    if content is None:
        return ""
    if not isinstance(content, str | list):
        raise InvalidInputError(f"{place}: content is text or a list of parts, not {content!r}")
    return content


def _call(call: Any, at: int) -> Any:
    """Read a call of a tool, whose arguments OpenAI writes as text."""
    function = call.get("function") or call
    args = function.get("arguments", function.get("args")) or {}
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except ValueError:
            args = {"input": args}
    return {"name": str(function.get("name") or "tool"), "args": args, "id": str(call.get("id") or f"call-{at}")}
