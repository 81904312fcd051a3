"""Values and times of items: JSON inside, Python and LangGraph outside."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from langgraph.store.base import PutOp, SearchItem

from memory_middleware.errors import InvalidInputError
from memory_middleware.storage.namespaces import Namespace, load_key, load_namespace
from memory_middleware.storage.rows import ItemRow

__all__ = ["dump_value", "moment_of", "read_value", "search_item"]

_SHORT = 1000


def moment_of(microseconds: int) -> datetime:
    """Tell a time as Python does."""
    return datetime.fromtimestamp(microseconds / 1e6, UTC)


def search_item(row: ItemRow, score: float | None) -> SearchItem:
    """Tell a row as LangGraph does; the value is a copy."""
    namespace, key, created_at, updated_at = _face(row.ns, row.key, row.created_at, row.updated_at)
    return SearchItem(namespace, key, read_value(row.value), created_at, updated_at, score)


def read_value(text: str) -> dict[str, Any]:
    """Read a value from JSON; a short and flat one only once, after that it is copied."""
    if len(text) <= _SHORT:
        value, flat = _short(text)
        if flat:
            return dict(value)
    found: dict[str, Any] = json.loads(text)
    return found


@functools.lru_cache(8192)
def _short(text: str) -> tuple[dict[str, Any], bool]:
    # A brace inside a text only makes it be read again.
    return json.loads(text), text.find("{", 1) < 0 and "[" not in text


@functools.lru_cache(65536)
def _face(ns: str, key: str, created_at: int, updated_at: int) -> tuple[Namespace, str, datetime, datetime]:
    """Read the parts of a row that nobody can change, once for all searches that find it."""
    updated = moment_of(updated_at)
    created = updated if created_at == updated_at else moment_of(created_at)
    return load_namespace(ns), load_key(key), created, updated


def dump_value(op: PutOp) -> str:
    """Write the value of a put as JSON.

    Raises:
        InvalidInputError: It has no JSON form.
    """
    try:
        return _encoder.encode(op.value)
    except (TypeError, ValueError, RecursionError) as error:
        where = f"{op.key!r} in {op.namespace!r}"
        raise InvalidInputError(f"the value of {where} cannot be kept as JSON: {error}") from error


def _plain(value: Any) -> Any:
    """Write what JSON lacks: times as ISO text, models as objects, sets and tuples as lists."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encoder = json.JSONEncoder(default=_plain, allow_nan=False)
