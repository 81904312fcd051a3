"""What people give to have a memory opened: told apart, and refused with the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langgraph.store.base import BaseStore

from memory_middleware.config import MemoryConfig
from memory_middleware.errors import InvalidInputError
from memory_middleware.storage import LanceStore

__all__ = ["config_of", "lance_store", "storage_at"]

_PLACES = "a folder, a database URL or a MemoryConfig"


def config_of(config: Any) -> MemoryConfig:
    """Give the rules; none are the defaults.

    Raises:
        InvalidInputError: It is something else.
    """
    if config is None:
        return MemoryConfig()
    if isinstance(config, MemoryConfig):
        return config
    remedy = "MemoryConfig.from_dict(…)" if isinstance(config, Mapping) else "MemoryConfig.from_yaml(path)"
    raise InvalidInputError(f"config is a MemoryConfig, not {_kind(config)}; make one with {remedy}")


def storage_at(place: Any) -> dict[str, Any]:
    """Tell a folder from the URL of a database.

    Raises:
        InvalidInputError: It is neither.
    """
    if not isinstance(place, str | Path):
        raise InvalidInputError(f"Memory.open takes {_PLACES}, not {_kind(place)}; {_remedy(place)}")
    told = str(place)
    return {"sql_url": told} if "://" in told else {"path": told, "sql_url": None}


def lance_store(store: Any) -> LanceStore:
    """Give the store that a memory is made with.

    Raises:
        InvalidInputError: It is something else.
    """
    if isinstance(store, LanceStore):
        return store
    remedy = "Memory.open(place)" if isinstance(store, str | Path | MemoryConfig) else _remedy(store)
    raise InvalidInputError(f"Memory is made with a LanceStore, not {_kind(store)}; use {remedy.removeprefix('use ')}")


def _remedy(given: Any) -> str:
    if isinstance(given, BaseStore):
        return "use Memory.over(store)"
    if isinstance(given, Mapping):
        return "use Memory.open(MemoryConfig.from_dict(…))"
    return 'use Memory.open("./memory")'


def _kind(given: Any) -> str:
    """Name what was given; a text as it is, and of other things only the type, as they may be large or secret."""
    return repr(given) if given is None or isinstance(given, str | Path) else type(given).__name__
