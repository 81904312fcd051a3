"""Memories of Mem0, as ``get_all`` gives them and its export writes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory_middleware import InvalidInputError, RecordKind
from memory_middleware.schemas import derive_id
from memory_middleware_cli.commands.foreign.reading import read_objects, when
from memory_middleware_cli.commands.foreign.taking import ForeignMemory

__all__ = ["read_mem0"]


def read_mem0(file: Path | None) -> Iterator[ForeignMemory]:
    """Read memories; the user of each is its owner.

    Raises:
        InvalidInputError: The file is no dump of Mem0.
    """
    for number, one in enumerate(read_objects(file, ("results", "memories"), "Mem0 memories"), start=1):
        content = one.get("memory")
        if not isinstance(content, str) or not content.strip():
            raise InvalidInputError(f"memory {number} of the file has no text in 'memory'; is it a dump of Mem0?")
        user = one.get("user_id")
        yield ForeignMemory(
            content=content,
            source=f"mem0:{one.get('id') or derive_id('text', content)}",
            owner=str(user) if user else None,
            kind=RecordKind.PREFERENCE if "user_preferences" in _categories(one) else RecordKind.FACT,
            tags=tuple(_categories(one)),
            at=when(one.get("created_at")),
        )


def _categories(one: dict[str, Any]) -> list[str]:
    found = one.get("categories")
    return [str(name) for name in found][:8] if isinstance(found, list) else []
