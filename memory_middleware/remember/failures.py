"""What went wrong in a call of a chat model, told apart without knowing the provider."""

from __future__ import annotations

import re
from enum import StrEnum

from memory_middleware.embedding import pause_before_retry, status_of
from memory_middleware.errors import ExtractionError
from memory_middleware.schemas.scrub import scrub

__all__ = ["CallError", "FailureKind", "kind_of", "tell"]


class FailureKind(StrEnum):
    """What a failed call means for the next one."""

    PASSING = "passing"
    DENIED = "denied"
    REFUSED = "refused"
    TOO_LONG = "too_long"
    CUT = "cut"
    ENDING = "ending"
    UNKNOWN = "unknown"


_ENDING = re.compile(r"(?:at|after) (?:interpreter )?shutdown")
_PERMANENT = frozenset({FailureKind.DENIED, FailureKind.REFUSED, FailureKind.TOO_LONG})
_DENIED = frozenset({401, 402, 403, 407})
_TOO_LONG = re.compile(
    r"context.?(?:length|window|size)|maximum context|too many (?:input )?tokens|reduce the length"
    r"|(?:prompt|request|input) (?:is )?too (?:long|large)|exceeds? the (?:maximum|available|configured)",
    re.IGNORECASE,
)


class CallError(ExtractionError):
    """A call failed for good, or as often as it was to be tried.

    Attributes:
        kind: What the failure means.
    """

    def __init__(self, message: str, kind: FailureKind) -> None:
        self.kind = kind
        super().__init__(message, permanent=kind in _PERMANENT)


def kind_of(error: BaseException) -> FailureKind:
    """Judge an error by its status, its names and, for texts that are too long, its words."""
    if isinstance(error, RuntimeError) and _ENDING.search(str(error)):
        return FailureKind.ENDING  # a process on its way out starts no threads; the model is not to blame
    status = status_of(error)
    names = " ".join(kind.__name__ for kind in type(error).__mro__)
    if "ContextOverflow" in names or status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(_words(error))):
        return FailureKind.TOO_LONG
    if "LengthFinishReason" in names:
        return FailureKind.CUT
    if pause_before_retry(error, 0) is not None:
        return FailureKind.PASSING
    if status is not None:
        return FailureKind.DENIED if status in _DENIED else FailureKind.REFUSED
    return FailureKind.REFUSED if isinstance(error, NotImplementedError) else FailureKind.UNKNOWN


def tell(error: BaseException) -> str:
    """Tell an error in one line, without secrets."""
    status = status_of(error)
    named = f"{type(error).__name__} {status}" if status else type(error).__name__
    words = " ".join(scrub(str(error)[:2000]).split())[:300]
    return f"{named}: {words}" if words else named


def _words(error: BaseException) -> str:
    return f"{getattr(error, 'code', '')} {str(error)[:2000]}"
