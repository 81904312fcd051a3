"""The route class: bodies are limited, unknown parameters refused, and errors told as problems.

All of it hangs on the routes, so that they keep their promises inside a foreign app too.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from memory_middleware_rest.faults import answer_to
from memory_middleware_rest.limits import Limits, limited
from memory_middleware_rest.problems import ProblemError, field_problem

__all__ = ["PROFILES", "UPLOAD", "route_class"]

PROFILES = "profiles"
"""The tag of the routes whose errors look as in the original protocol."""

UPLOAD = "x-upload"
"""Marks a route that takes whole exports."""

_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def route_class(limits: Limits) -> type[APIRoute]:
    """Make the class of the routes of a server with such limits."""

    class MemoryRoute(APIRoute):
        def get_route_handler(self) -> _Handler:
            handle = super().get_route_handler()
            known = _query_names(self.dependant)
            most = limits.import_bytes if UPLOAD in (self.openapi_extra or {}) else limits.body_bytes
            as_list = PROFILES in self.tags

            async def guarded(request: Request) -> Response:
                try:
                    _refuse_unknown(request, known)
                    return await handle(Request(request.scope, limited(request, most)))
                except Exception as error:  # noqa: BLE001  # whatever it is, the answer is a problem
                    return answer_to(error, as_list=as_list)

            return guarded

    return MemoryRoute


def _query_names(dependant: Dependant) -> frozenset[str]:
    own = {field.alias for field in dependant.query_params}
    return frozenset(own.union(*map(_query_names, dependant.dependencies)))


def _refuse_unknown(request: Request, known: frozenset[str]) -> None:
    for name in request.query_params:
        if name not in known:
            told = f"unknown parameter; known: {', '.join(sorted(known)) or 'none'}"
            raise ProblemError(
                422, f"query.{name}: {told}", errors=[field_problem("extra_forbidden", ("query", name[:80]), told)]
            )
