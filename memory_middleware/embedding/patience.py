"""Which failures of an embedder pass by themselves, and how long to wait for that."""

from __future__ import annotations

__all__ = ["pause_before_retry"]

_PASSING = frozenset({408, 409, 425, 429})
_SIGNS = ("Timeout", "Connection", "TransportError", "Unavailable", "RateLimit")
_LONGEST = 30.0


def pause_before_retry(error: BaseException, attempt: int) -> float | None:
    """Tell how many seconds to wait before trying again, or none if that would not help.

    Providers raise errors of their own kinds, so what counts is an HTTP status where there is one,
    else the name of the error. A provider's own wish (``Retry-After``) is followed.

    Args:
        error: What the embedder raised.
        attempt: How often it was tried before, from 0.
    """
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None) or getattr(response, "status_code", None)
    if isinstance(status, int):
        passing = status in _PASSING or status >= 500
    else:
        names = [kind.__name__ for kind in type(error).__mro__]
        passing = any(sign in name for sign in _SIGNS for name in names)
    if not passing:
        return None
    return min(_LONGEST, _wish(response) or 0.2 * 2**attempt)


def _wish(response: object) -> float | None:
    headers = getattr(response, "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after") or "none"))
    except ValueError:
        return None
