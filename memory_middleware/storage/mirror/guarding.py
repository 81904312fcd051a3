"""Making every call that names an owner a visit to that owner."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar, cast

from memory_middleware.schemas.scope import Scope

__all__ = ["guarded"]

Part = TypeVar("Part")
Visiting = Callable[[str], AbstractContextManager[None]]


def guarded(part: Part, visit: Visiting) -> Part:
    """Give the same part, whose methods visit the owner of the scope that they are given.

    Args:
        part: Something whose methods take a scope, or what has one, as their first argument or by name, and its parts
            likewise.
        visit: Visits an owner.
    """
    return cast(Part, _Guarded(part, visit))


class _Guarded:
    def __init__(self, part: Any, visit: Visiting) -> None:
        self._part = part
        self._visit = visit

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if inspect.ismethod(found) and not inspect.iscoroutinefunction(found):
            found = self._around(found)
        elif _has_scoped_methods(found):
            found = _Guarded(found, self._visit)
        else:
            return found
        self.__dict__[name] = found
        return found

    def _around(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def call(*given: Any, **more: Any) -> Any:
            scope = next(filter(None, map(_scope_in, (*given[:1], *more.values()))), None)
            if scope is None:
                return method(*given, **more)
            with self._visit(scope.owner_id):
                return method(*given, **more)

        return call


def _scope_in(given: Any) -> Scope | None:
    found = given if isinstance(given, Scope) else getattr(given, "scope", None)
    return found if isinstance(found, Scope) else None


def _has_scoped_methods(part: Any) -> bool:
    methods = inspect.getmembers(type(part), inspect.isfunction)
    return any("scope" in inspect.signature(method).parameters for name, method in methods if not name.startswith("_"))
