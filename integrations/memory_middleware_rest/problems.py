"""Errors as ``application/problem+json``: what went wrong, and which field is to blame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import HTTPException
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from memory_middleware_rest.codes import code_of

__all__ = ["MEDIA_TYPE", "FieldProblem", "MemoryProblem", "ProblemError", "field_problem", "problem_response"]

MEDIA_TYPE = "application/problem+json"

_KINDS = {
    400: ("unreadable-body", "The body cannot be read"),
    401: ("unknown-caller", "Who is asking is not known"),
    403: ("not-allowed", "This is not allowed"),
    404: ("not-found", "There is no such thing"),
    405: ("no-such-method", "There is no such method here"),
    409: ("wrong-state", "This does not fit the present state"),
    412: ("changed-meanwhile", "Somebody else was faster"),
    413: ("too-large", "The body is too large"),
    422: ("unfit-request", "The request does not fit"),
    428: ("version-required", "Say which version is meant"),
    429: ("too-many-requests", "Too many requests"),
    500: ("failure", "Something went wrong here"),
    503: ("unavailable", "The memory cannot answer now"),
}
_KINDS_OF_CODES = {"unfit-version": ("unfit-version", "The header names no version")}


class FieldProblem(BaseModel):
    """One field that does not fit; ``loc`` is its path in pieces, ``field`` the same as one text."""

    type: str
    loc: list[str | int]
    msg: str
    field: str


class MemoryProblem(BaseModel):
    """An error as RFC 9457 describes it.

    The profile routes tell the list of ``type``, ``loc`` and ``msg`` as ``detail`` when a field does not fit, as the
    original protocol does; all routes tell it as ``errors``.
    """

    type: str = Field(description="Names the kind of problem")
    code: str = Field(description="Names this very problem; such names stay")
    title: str
    status: int
    detail: str | list[dict[str, Any]]
    errors: list[FieldProblem] = []


class ProblemError(HTTPException):
    """A request that is refused; the answer tells why.

    Attributes:
        code: Names the problem; none follows the status.
        errors: The fields to blame.
    """

    def __init__(
        self,
        status_code: int,
        detail: str,
        *,
        code: str | None = None,
        errors: Sequence[FieldProblem] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status_code, detail, dict(headers or {}))
        self.code = code
        self.errors = list(errors)


def field_problem(kind: str, loc: Sequence[str | int], message: str) -> FieldProblem:
    """Tell what is wrong with a field, such as ``("body", "content", "people", 0)``."""
    field = ""
    for step in loc:
        field += f"[{step}]" if isinstance(step, int) else f".{step}" if field else step
    return FieldProblem(type=kind, loc=list(loc), msg=message, field=field)


def problem_response(
    status: int,
    detail: str,
    *,
    code: str | None = None,
    errors: Sequence[FieldProblem] = (),
    headers: Mapping[str, str] | None = None,
    as_list: bool = False,
) -> JSONResponse:
    """Make the answer that tells a problem.

    Args:
        status: The HTTP status.
        detail: One sentence about this very problem.
        code: Names it; none follows the status.
        errors: The fields to blame.
        headers: Of the answer.
        as_list: Whether ``detail`` is the list of the fields instead of the sentence.
    """
    told: str | list[dict[str, Any]] = detail
    if as_list and errors:
        told = [error.model_dump(include={"type", "loc", "msg"}) for error in errors]
    usual = _KINDS.get(status, (f"status-{status}", "Something does not fit"))
    kind, title = _KINDS_OF_CODES.get(code or "", usual)
    problem = MemoryProblem(
        type=f"urn:memory-middleware:problem:{kind}",
        code=code or code_of(status),
        title=title,
        status=status,
        detail=told,
        errors=list(errors),
    )
    return JSONResponse(problem.model_dump(), status, dict(headers or {}), MEDIA_TYPE)
