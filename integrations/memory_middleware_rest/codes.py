"""The codes of problems: short names that stay, so that clients can act on them and tell them in any language."""

from __future__ import annotations

__all__ = ["CODES", "code_of"]

CODES = {
    "unreadable-body": 400,
    "unfit-version": 400,
    "unknown-caller": 401,
    "invalid-token": 401,
    "expired-token": 401,
    "not-allowed": 403,
    "not-found": 404,
    "no-memory": 404,
    "no-record": 404,
    "no-experience": 404,
    "no-run": 404,
    "no-note": 404,
    "no-notes": 404,
    "no-such-method": 405,
    "wrong-state": 409,
    "nothing-to-undo": 409,
    "changed-since": 409,
    "unreadable-note": 409,
    "changed-meanwhile": 412,
    "too-large": 413,
    "unfit-request": 422,
    "unknown-parameter": 422,
    "unfit-cursor": 422,
    "unfit-export": 422,
    "unfit-name": 422,
    "version-required": 428,
    "too-many-requests": 429,
    "failure": 500,
    "unavailable": 503,
    "refused": 0,
}
"""All codes, and the HTTP status each comes with; ``refused`` is what a foreign part of the app refuses."""

_USUAL = {
    400: "unreadable-body",
    401: "unknown-caller",
    403: "not-allowed",
    404: "not-found",
    405: "no-such-method",
    409: "wrong-state",
    412: "changed-meanwhile",
    413: "too-large",
    422: "unfit-request",
    428: "version-required",
    429: "too-many-requests",
    500: "failure",
    503: "unavailable",
}


def code_of(status: int) -> str:
    """Give the code of a problem that is told by its status alone."""
    return _USUAL.get(status, "refused")
