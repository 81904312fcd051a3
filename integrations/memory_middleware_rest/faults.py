"""From exceptions to answers; nothing of the inside of the server is told."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from memory_middleware import (
    ConflictError,
    EmbeddingError,
    ExtractionError,
    InvalidInputError,
    SchemaError,
    StoreError,
)
from memory_middleware_rest.problems import FieldProblem, field_problem, problem_response

__all__ = ["answer_to", "schema_problems"]

_log = logging.getLogger(__name__)
_LONGEST = 500


def answer_to(error: Exception, *, as_list: bool = False) -> JSONResponse:
    """Tell what went wrong.

    Args:
        error: What was raised.
        as_list: Whether fields that do not fit are told as ``detail`` too.
    """
    if isinstance(error, HTTPException):
        return problem_response(
            error.status_code,
            _short(error.detail),
            code=getattr(error, "code", None),
            errors=getattr(error, "errors", ()),
            headers=error.headers,
            as_list=as_list,
        )
    if isinstance(error, RequestValidationError):
        return _refused(_fields(error.errors()), as_list)
    if isinstance(error, InvalidInputError):
        return _refused(schema_problems(error, ("body",)), as_list)
    if isinstance(error, ConflictError):
        return problem_response(409, _short(error), code="changed-since")
    if isinstance(error, StoreError | EmbeddingError | ExtractionError):
        _log.error("memory failed to answer", exc_info=error)
        return problem_response(503, "the memory failed; try again later", headers={"Retry-After": "1"})
    _log.error("an error nobody expected", exc_info=error)
    return problem_response(500, "the server failed; its log tells why")


def schema_problems(error: InvalidInputError, place: Sequence[str | int]) -> list[FieldProblem]:
    """List the fields that do not fit, as seen from the request.

    Args:
        error: What the library raised.
        place: Where in the request stands what it judged.
    """
    if isinstance(error, SchemaError) and isinstance(error.__cause__, ValidationError):
        return _fields(error.__cause__.errors(include_url=False), place)
    return [field_problem("value_error", place, _short(error))]


def _refused(errors: list[FieldProblem], as_list: bool) -> JSONResponse:
    first = f"{errors[0].field}: {errors[0].msg}"
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    return problem_response(422, _short(first + more), errors=errors, as_list=as_list)


def _fields(details: Sequence[Any], place: Sequence[str | int] = ()) -> list[FieldProblem]:
    return [
        field_problem(detail["type"], [_short(step) for step in (*place, *detail["loc"])], _short(detail["msg"]))
        for detail in details
    ]


def _short(value: Any) -> Any:
    """Cut what a stranger may have made long, and mend what cannot be written; numbers stay."""
    if isinstance(value, int):
        return value
    text = str(value).encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
