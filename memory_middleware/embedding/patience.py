"""Which failures of a provider pass by themselves, and how long to wait for that."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from memory_middleware.schemas import times

__all__ = ["pause_before_retry", "status_of"]

_PASSING = frozenset({408, 409, 425, 429})
_SIGNS = (
    *("Timeout", "Connection", "TransportError", "Unavailable", "RateLimit"),
    *("Throttl", "Overloaded", "IncompleteRead", "JSONDecodeError"),
)
_LONGEST = 30.0


def pause_before_retry(
    error: BaseException, attempt: int, *, first: float = 0.2, longest: float = _LONGEST
) -> float | None:
    """Tell how many seconds to wait before trying again, or none if that would not help.

    Providers raise errors of their own kinds, so what counts is an HTTP status where there is one,
    else the name of the error. A provider's own wish (``Retry-After``) is followed.

    Args:
        error: What the provider's client raised.
        attempt: How often it was tried before, from 0.
        first: How long to wait before the second attempt; the pause doubles with each.
        longest: The longest pause.
    """
    status = status_of(error)
    if status is not None:
        passing = status in _PASSING or status >= 500
    else:
        names = [kind.__name__ for kind in type(error).__mro__]
        passing = any(sign in name for sign in _SIGNS for name in names)
    if not passing:
        return None
    return min(longest, _wish(getattr(error, "response", None)) or first * 2**attempt)


def status_of(error: BaseException) -> int | None:
    """Tell the HTTP status of failure that an error carries, wherever its kind keeps it."""
    response = getattr(error, "response", None)
    told = [getattr(error, "status_code", None), getattr(response, "status_code", None), getattr(error, "code", None)]
    if isinstance(response, Mapping):
        told.append(response.get("ResponseMetadata", {}).get("HTTPStatusCode"))
    return next((int(status) for status in told if isinstance(status, int) and 400 <= status < 600), None)


def _wish(response: object) -> float | None:
    headers = getattr(response, "headers", None) or {}
    wish = str(headers.get("retry-after") or "")
    try:
        return max(0.0, float(wish))
    except ValueError:
        return _seconds_until(wish)


def _seconds_until(date: str) -> float | None:
    try:
        return max(0.0, (parsedate_to_datetime(date) - times.utc_now()).total_seconds())
    except (ValueError, TypeError):
        return None
