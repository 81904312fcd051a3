"""One request: whose memory it is about, and what may be done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import Request

from memory_middleware import Memory, MemoryDir, Scope
from memory_middleware_rest.limits import Limits, RateLimiter
from memory_middleware_rest.problems import ProblemError

__all__ = ["Authenticate", "Here", "NotesOf", "Service", "Visit", "guard_of"]

Authenticate = Callable[..., Any]
"""A FastAPI dependency that gives the id of the owner, or raises."""

NotesOf = Callable[[str], MemoryDir | None]
"""Gives the notes of an owner, or none."""

_KEY = "memory_middleware_rest"


@dataclass(frozen=True, slots=True)
class Service:
    """What is served.

    Attributes:
        memory: The memory.
        limits: How much one may ask for.
        notes: Gives the notes of an owner.
        require_match: Whether a change must name the version it changes.
        store_stats: Whether statistics tell about the whole store, which all owners share.
    """

    memory: Memory
    limits: Limits
    notes: NotesOf | None = None
    require_match: bool = False
    store_stats: bool = False


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of somebody who is known."""

    service: Service
    scope: Scope

    @property
    def memory(self) -> Memory:
        """The memory."""
        return self.service.memory

    @property
    def owner(self) -> str:
        """Who asks."""
        return self.scope.owner_id

    def rows(self, limit: int) -> int:
        """Tell how many rows are given to who asks for so many."""
        return min(limit, self.service.limits.page_size)


def guard_of(service: Service, auth: Authenticate) -> Callable[..., Any]:
    """Make the dependency that stands before every route: who is it, and may they ask now?"""
    limiter = RateLimiter(service.limits)

    async def guard(request: Request, owner: Any = Depends(auth)) -> None:  # noqa: B008
        scope = Scope(_checked(owner))
        limiter.check(scope.owner_id)
        request.scope[_KEY] = Visit(service, scope)

    return guard


def _checked(owner: Any) -> str:
    """Refuse what cannot be the id of an owner, whatever the authentication gave.

    Raises:
        ProblemError: It is none.
    """
    try:
        if isinstance(owner, str) and owner.encode("utf-8"):
            return owner
    except UnicodeEncodeError:
        pass
    raise ProblemError(401, "the authentication names no owner", headers={"WWW-Authenticate": "Bearer"})


async def _visit(request: Request) -> Visit:
    found: Visit = request.scope[_KEY]
    return found


Here = Annotated[Visit, Depends(_visit)]
