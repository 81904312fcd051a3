"""Small runs of workers, as LangChain messages."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

Asked = tuple[str, dict[str, Any]]


def calls(*asked: Asked, start: int = 0, **fields: Any) -> AIMessage:
    """A message that calls tools; the ids count from ``start``."""
    made = [{"name": name, "args": args, "id": f"c{start + at}"} for at, (name, args) in enumerate(asked)]
    return AIMessage(fields.pop("content", ""), tool_calls=made, **fields)


def told(at: int, content: Any, **fields: Any) -> ToolMessage:
    """The answer to a call."""
    return ToolMessage(content, tool_call_id=f"c{at}", **fields)


def one_call(name: str, args: dict[str, Any], answer: Any, last: str = "Done.", **fields: Any) -> list[BaseMessage]:
    """A run with a single call."""
    return [HumanMessage("Do it"), calls((name, args)), told(0, answer, **fields), AIMessage(last)]
