"""The routes of a memory, for any FastAPI app."""

from __future__ import annotations

from fastapi import APIRouter

from memory_middleware import Memory, MemoryDir
from memory_middleware_rest.auth import host_user
from memory_middleware_rest.limits import Limits
from memory_middleware_rest.route_class import route_class
from memory_middleware_rest.routes import TABLES
from memory_middleware_rest.routes.health import add_health
from memory_middleware_rest.visit import Authenticate, NotesOf, Service, guard_of

__all__ = ["memory_router"]


def memory_router(
    memory: Memory,
    *,
    auth: Authenticate = host_user,
    limits: Limits | None = None,
    notes: MemoryDir | NotesOf | None = None,
    require_match: bool = False,
    store_stats: bool = False,
    prefix: str = "/api/v1",
) -> APIRouter:
    """Make the routes of a memory: ``app.include_router(memory_router(memory))``.

    Args:
        memory: The memory; who opened it closes it.
        auth: A FastAPI dependency that gives the id of the owner; by default the user whom the app's own
            ``AuthenticationMiddleware`` has found. Nothing else in a request can name an owner.
        limits: How much one may ask for.
        notes: A folder of notes that all owners share, or a function that gives the notes of an owner.
        require_match: Whether a change must name the version it changes with ``If-Match``.
        store_stats: Whether statistics tell about the whole store, which all owners share.
        prefix: Where the routes begin.
    """
    rules = limits or Limits()
    service = Service(memory, rules, _notes_of(notes), require_match, store_stats)
    router = APIRouter(prefix=prefix, route_class=route_class(rules))
    add_health(router, memory)
    guard = guard_of(service, auth)
    for table in TABLES:
        table.register(router, guard)
    return router


def _notes_of(notes: MemoryDir | NotesOf | None) -> NotesOf | None:
    return (lambda _owner: notes) if isinstance(notes, MemoryDir) else notes
