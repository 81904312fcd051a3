"""How much one may ask for: bytes in a body, rows on a page, requests in a second."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.types import Message, Receive

from memory_middleware_rest.problems import ProblemError

__all__ = ["Limits", "RateLimiter", "limited"]

_MOST_OWNERS = 10_000


class Limits(BaseModel):
    """The limits of a server.

    Attributes:
        body_bytes: The largest body of a request.
        import_bytes: The largest export that may be imported.
        page_size: The most rows on a page; who asks for more gets so many and a cursor.
        rate: Requests a second for each owner, over time; none switches the limit off.
        burst: Requests at once for each owner.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    body_bytes: Annotated[int, Field(ge=1024)] = 1_048_576
    import_bytes: Annotated[int, Field(ge=1024)] = 268_435_456
    page_size: Annotated[int, Field(ge=1, le=1000)] = 200
    rate: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = 50.0
    burst: Annotated[int, Field(ge=1)] = 100


class RateLimiter:
    """A bucket of tokens for each owner: a request takes one, and they grow back over time.

    Args:
        limits: How many, and how fast.
        clock: Tells the time in seconds.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = limits.rate
        self._burst = float(limits.burst)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, owner: str) -> float:
        """Take a token, and tell how many seconds to wait if there is none; zero means go on."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        with self._lock:
            tokens, before = self._buckets.pop(owner, (self._burst, now))
            tokens = min(self._burst, tokens + (now - before) * self._rate)
            allowed = tokens >= 1.0
            self._buckets[owner] = (tokens - 1.0 if allowed else tokens, now)
            if len(self._buckets) > _MOST_OWNERS:
                self._buckets.popitem(last=False)  # who was quiet longest has a full bucket again
        return 0.0 if allowed else (1.0 - tokens) / self._rate

    def check(self, owner: str) -> None:
        """Take a token.

        Raises:
            ProblemError: There is none; the answer tells when to come again.
        """
        if wait := self.take(owner):
            seconds = str(math.ceil(wait))
            raise ProblemError(429, f"try again in {seconds} s", headers={"Retry-After": seconds})


def limited(request: Request, most: int) -> Receive:
    """Give what reads the body of a request, and stops as soon as it is too large.

    Raises:
        ProblemError: The body says itself that it is too large.
    """
    told = request.headers.get("content-length", "")
    if told.isascii() and told.isdigit() and int(told) > most:
        raise _too_large(most)
    read = 0

    async def receive() -> Message:
        nonlocal read
        message = await request.receive()
        read += len(message.get("body", b""))
        if read > most:
            raise _too_large(most)
        return message

    return receive


def _too_large(most: int) -> ProblemError:
    return ProblemError(413, f"a body may have {most:,} bytes here; send less", headers={"Connection": "close"})
