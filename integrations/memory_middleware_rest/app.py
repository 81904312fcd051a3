"""A whole server app over a memory."""

from __future__ import annotations

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from memory_middleware import Memory, MemoryDir
from memory_middleware_rest.faults import answer_to
from memory_middleware_rest.limits import Limits
from memory_middleware_rest.page import mount_page
from memory_middleware_rest.router import memory_router
from memory_middleware_rest.visit import Authenticate, NotesOf

__all__ = ["create_app"]

_ABOUT = "What an agent knows about its owners: profiles, records, experience, and what happened."


def create_app(
    memory: Memory,
    *,
    auth: Authenticate,
    limits: Limits | None = None,
    notes: MemoryDir | NotesOf | None = None,
    require_match: bool = False,
    store_stats: bool = False,
) -> FastAPI:
    """Make an app that serves a memory, with its description at ``/api/v1/openapi.json``.

    Args:
        memory: The memory; who opened it closes it.
        auth: A FastAPI dependency that gives the id of the owner.
        limits: How much one may ask for.
        notes: A folder of notes that all owners share, or a function that gives the notes of an owner.
        require_match: Whether a change must name the version it changes with ``If-Match``.
        store_stats: Whether statistics tell about the whole store, which all owners share.
    """
    app = FastAPI(
        title="Memory",
        description=_ABOUT,
        version="1",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # both pages would load their scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(
        memory_router(
            memory, auth=auth, limits=limits, notes=notes, require_match=require_match, store_stats=store_stats
        )
    )
    for kind in (HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, _told)
    mount_page(app)
    return app


async def _told(_request: Request, error: Exception) -> Response:
    return answer_to(error)
