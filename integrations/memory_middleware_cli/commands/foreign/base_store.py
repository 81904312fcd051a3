"""Items of a LangGraph ``BaseStore``, as LangMem keeps its memories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory_middleware import InvalidInputError
from memory_middleware_cli.commands.foreign.reading import read_objects, when
from memory_middleware_cli.commands.foreign.taking import ForeignMemory

__all__ = ["read_base_store"]

_TEXTS = ("content", "memory", "text", "data")


def read_base_store(file: Path | None) -> Iterator[ForeignMemory]:
    """Read items ``{namespace, key, value}``; the last part of the namespace is the owner.

    Raises:
        InvalidInputError: The file holds no such items.
    """
    for number, one in enumerate(read_objects(file, ("items", "results"), "BaseStore items"), start=1):
        namespace, key, value = one.get("namespace"), one.get("key"), one.get("value")
        parts = namespace.split(".") if isinstance(namespace, str) else namespace
        if not isinstance(parts, list) or not parts or not isinstance(key, str) or not isinstance(value, dict):
            raise InvalidInputError(f"item {number} of the file has no namespace, key and value; is it of a BaseStore?")
        content = _text(value)
        if not content:
            raise InvalidInputError(f"item {number} of the file, {key!r}, holds no text")
        names = [str(part) for part in parts]
        yield ForeignMemory(
            content=content,
            source=f"langmem:{'/'.join((*names, key))}",
            owner=names[-1] or None,
            at=when(one.get("created_at")),
        )


def _text(value: Any) -> str:
    """Give the text of a value: what LangMem calls content, else all of it as words."""
    if isinstance(value, dict):
        inner = next((value[name] for name in _TEXTS if value.get(name)), None)
        if inner is not None:
            return _text(inner)
        told = ((name, _text(one)) for name, one in value.items() if name != "kind")
        return "; ".join(f"{name.replace('_', ' ')}: {text}" for name, text in told if text)
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    return "" if value is None else str(value).strip()
