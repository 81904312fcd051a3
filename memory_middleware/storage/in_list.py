"""Statements over a list of values: one text for each length, so that drivers know them again."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from memory_middleware.storage.database import Session, Statement

__all__ = ["InList"]

_AT_ONCE = 200


class InList:
    """A statement that looks for any of some values.

    Args:
        source: The text, with ``(:listed)`` where the values belong.
    """

    def __init__(self, source: str) -> None:
        self._of = functools.lru_cache(_AT_ONCE)(lambda count: Statement(source.replace(":listed", _names(count))))

    def rows(self, session: Session, listed: Sequence[str], **values: Any) -> Iterator[Any]:
        """Give the rows, for a long list by several statements."""
        for at in range(0, len(listed), _AT_ONCE):
            part = listed[at : at + _AT_ONCE]
            places = {f"listed{place}": value for place, value in enumerate(part)}
            yield from session.all(self._of(len(part)), **places, **values)


def _names(count: int) -> str:
    return ", ".join(f":listed{place}" for place in range(count))
