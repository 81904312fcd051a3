"""Tables of routes, each told completely: its answer, an example, and what can go wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from fastapi import APIRouter, Depends

from memory_middleware_rest.codes import code_of
from memory_middleware_rest.problems import MEDIA_TYPE, MemoryProblem

__all__ = ["RouteTable", "error_answers"]

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

_EXAMPLES = {
    400: "There was an error parsing the body",
    401: "send a bearer token",
    403: "this server answers to this machine alone",
    404: "there is no record 'mem-1'",
    409: "the record 'mem-1' is active, not archived",
    412: "the document has another version by now; read it again",
    413: "a body may have 1,048,576 bytes here; send less",
    422: "query.limit: Input should be greater than or equal to 1",
    428: "send If-Match with the ETag of the version you change",
    429: "try again in 1 s",
    500: "the server failed; its log tells why",
    503: "the memory failed; try again later",
}
# The description holds the model once, since the route that tells readiness names it.
_PROBLEM = {"$ref": f"#/components/schemas/{MemoryProblem.__name__}"}
_ALWAYS = (400, 401, 403, 413, 422, 429, 500, 503)


class _Row(NamedTuple):
    path: str
    endpoint: Callable[..., Any]
    options: dict[str, Any]


class RouteTable:
    """The routes about one subject.

    Args:
        tag: The subject.
    """

    def __init__(self, tag: str) -> None:
        self._tag = tag
        self._rows: list[_Row] = []

    def add(
        self,
        method: str,
        path: str,
        *,
        answer: Any,
        example: Any,
        errors: Sequence[int] = (),
        headers: dict[str, Any] | None = None,
        status: int = 200,
        also: dict[int | str, dict[str, Any]] | None = None,
        media: str = "application/json",
        **more: Any,
    ) -> Callable[[Endpoint], Endpoint]:
        """Add the route that a function answers.

        Args:
            method: Of HTTP.
            path: Below the prefix.
            answer: The model of its answer.
            example: One answer.
            errors: What can go wrong beyond the usual.
            headers: Headers of the answer.
            status: Of the answer.
            also: Further answers.
            media: The media type of the answer.
            more: As for FastAPI's ``add_api_route``.
        """
        told: dict[str, Any] = {} if status == 204 else {"content": {media: {"example": example}}}
        if headers:
            told["headers"] = headers
        answers: dict[int | str, dict[str, Any]] = {status: told, **(also or {}), **error_answers(errors)}
        options = {
            "methods": [method],
            "response_model": answer,
            "status_code": status,
            "responses": answers,
            "tags": [self._tag],
            **more,
        }

        def added(endpoint: Endpoint) -> Endpoint:
            self._rows.append(_Row(path, endpoint, options))
            return endpoint

        return added

    def register(self, router: APIRouter, guard: Callable[..., Any]) -> None:
        """Put the routes into a router, each behind a guard."""
        for row in self._rows:
            options = {"operation_id": row.endpoint.__name__, "dependencies": [Depends(guard)], **row.options}
            router.add_api_route(row.path, row.endpoint, **options)


def error_answers(statuses: Sequence[int] = (), *, usual: Sequence[int] = _ALWAYS) -> dict[int | str, dict[str, Any]]:
    """Describe the errors of a route.

    Args:
        statuses: Of the errors that belong to the route.
        usual: Of those that every route has.
    """
    return {status: _described(status) for status in sorted({*usual, *statuses})}


def _described(status: int) -> dict[str, Any]:
    example = {
        "type": "urn:memory-middleware:problem:example",
        "code": code_of(status),
        "title": "What kind of problem it is",
        "status": status,
        "detail": _EXAMPLES[status],
        "errors": [],
    }
    told: dict[str, Any] = {
        "description": "A problem",
        "content": {MEDIA_TYPE: {"schema": _PROBLEM, "example": example}},
    }
    if status in (429, 503):
        told["headers"] = {"Retry-After": {"description": "Seconds to wait", "schema": {"type": "string"}}}
    return told
