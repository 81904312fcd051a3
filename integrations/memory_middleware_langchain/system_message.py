"""The block in a system message, as a part of its own, so that cache marks on the parts before it stay true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import SystemMessage

from memory_middleware import Injection, with_block

__all__ = ["with_memory"]


def with_memory(
    system: SystemMessage | None, injection: Injection, *, beside: Sequence[Injection] = ()
) -> SystemMessage:
    """Give a system message that holds a block, once; the one given stays as it is.

    The block goes where its placeholder or an older block stands, else it becomes the last part.

    Args:
        system: The message; none makes one of the block alone.
        injection: The block.
        beside: Blocks of other memories, which are not older ones of this.
    """
    if system is None or not system.content:
        return with_block([], injection)[0]  # type: ignore[return-value]
    parts: list[Any] = [system.content] if isinstance(system.content, str) else list(system.content)
    texts = [_text(part) for part in parts]
    marked = _placed("", injection)
    if any(marked.strip() in text for text in texts):
        return system
    at = (
        None
        if _is_taken(injection, beside)
        else next((at for at, text in enumerate(texts) if _holds(text, injection)), None)
    )
    if at is None:
        return _with_content(system, [*map(_as_block, parts), {"type": "text", "text": marked}])
    told = _placed(texts[at], injection)
    if isinstance(system.content, str):
        return _with_content(system, told)
    changed = told if isinstance(parts[at], str) else {**parts[at], "text": told}
    return _with_content(system, [*parts[:at], changed, *parts[at + 1 :]])


def _placed(text: str, injection: Injection) -> str:
    return str(with_block([SystemMessage(text)], injection)[0].content)


def _is_taken(injection: Injection, beside: Sequence[Injection]) -> bool:
    """Tell whether the markers in the message are those of another memory."""
    return any(other.memory_type is injection.memory_type for other in beside)


def _holds(text: str, injection: Injection) -> bool:
    """Tell a placeholder or a block from mere words about them."""
    name = f"{injection.memory_type.upper()}_MEMORY"
    return f"<!-- {name} -->" in text or f"<!-- {name}_START -->" in text


def _text(part: Any) -> str:
    if isinstance(part, str):
        return part
    return str(part.get("text") or "") if part.get("type") == "text" else ""


def _as_block(part: Any) -> Any:
    return {"type": "text", "text": part} if isinstance(part, str) else part


def _with_content(system: SystemMessage, content: str | list[Any]) -> SystemMessage:
    return system.model_copy(update={"content": content})
