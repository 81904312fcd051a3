"""The route class: bodies are limited, unknown parameters refused, and errors told as problems.

All of it hangs on the routes, so that they keep their promises inside a foreign app too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from memory_middleware_rest.faults import answer_to
from memory_middleware_rest.limits import Limits, limited
from memory_middleware_rest.paths import masked, unmasked
from memory_middleware_rest.problems import ProblemError, field_problem

__all__ = ["PROFILES", "UPLOAD", "route_class"]

PROFILES = "profiles"
"""The tag of the routes whose errors look as in the original protocol."""

UPLOAD = "x-upload"
"""Marks a route that takes whole exports."""

_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def route_class(limits: Limits) -> type[APIRoute]:
    """Make the class of the routes of a server with such limits."""
    methods_at: dict[str, set[str]] = defaultdict(set)

    class MemoryRoute(APIRoute):
        def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
            super().__init__(path, endpoint, **more)
            methods_at[self.path] |= self.methods or set()

        def matches(self, scope: Scope) -> tuple[Match, Scope]:
            found, child = super().matches(masked(scope))
            if "path_params" in child:
                child["path_params"] = unmasked(child["path_params"])
            return found, child

        async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
            allowed = methods_at[self.path]
            if scope["method"] in allowed:
                await super().handle(scope, receive, send)
                return
            error = ProblemError(405, "Method Not Allowed", headers={"Allow": ", ".join(sorted(allowed))})
            await answer_to(error)(scope, receive, send)

        def get_route_handler(self) -> _Handler:
            most = limits.import_bytes if UPLOAD in (self.openapi_extra or {}) else limits.body_bytes
            return _guarded(super().get_route_handler(), _query_names(self.dependant), most, PROFILES in self.tags)

    return MemoryRoute


def _guarded(handle: _Handler, known: frozenset[str], most: int, as_list: bool) -> _Handler:
    async def guarded(request: Request) -> Response:
        try:
            _refuse_unknown(request, known)
            return await handle(Request(request.scope, limited(request, most)))
        except Exception as error:  # noqa: BLE001  # whatever it is, the answer is a problem
            return answer_to(error, as_list=as_list)

    return guarded


def _query_names(dependant: Dependant) -> frozenset[str]:
    own = {field.alias for field in dependant.query_params}
    return frozenset(own.union(*map(_query_names, dependant.dependencies)))


def _refuse_unknown(request: Request, known: frozenset[str]) -> None:
    for name in request.query_params:
        if name not in known:
            told = f"unknown parameter; known: {', '.join(sorted(known)) or 'none'}"
            raise ProblemError(
                422,
                f"query.{name[:80]}: {told}",
                code="unknown-parameter",
                errors=[field_problem("extra_forbidden", ("query", name[:80]), told)],
            )
