"""Making every method of a memory that names an owner a visit to that owner."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from memory_middleware.memory.by_hand import scope_of

__all__ = ["visiting"]

Kind = TypeVar("Kind", bound=type)


def visiting(kind: Kind) -> Kind:
    """Let each public method whose first argument is an owner visit that owner in the store, or everybody if none.

    Async twins run these in a thread, and so need nothing of their own.
    """
    for name in dir(kind):
        method = inspect.getattr_static(kind, name)
        if not name.startswith("_") and inspect.isfunction(method) and _names_owner(method):
            setattr(kind, name, _visited(method))
    return kind


def _names_owner(method: Callable[..., Any]) -> bool:
    if inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
        return False
    return list(inspect.signature(method).parameters)[1:2] == ["owner"]


def _visited(method: Callable[..., Any]) -> Callable[..., Any]:
    is_generator = inspect.isgeneratorfunction(method)

    @functools.wraps(method)
    def visited(self: Any, *given: Any, **more: Any) -> Any:
        owner = given[0] if given else more.get("owner")
        visit = self.store.visit(None if owner is None else scope_of(owner).owner_id)
        if is_generator:  # which runs when nobody knows, so only what comes before can be done
            with visit:
                pass
            return method(self, *given, **more)
        with visit:
            return method(self, *given, **more)

    return visited
