"""Reading the bearer token of a request."""

from __future__ import annotations

from abc import ABC, abstractmethod

from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.requests import Request

from memory_middleware_rest.problems import ProblemError

__all__ = ["Bearer", "EitherBearer", "refused"]


def refused(why: str, *, code: str = "unknown-caller") -> ProblemError:
    """Make the answer to who is not known."""
    challenge = "Bearer" if code == "unknown-caller" else 'Bearer error="invalid_token"'
    return ProblemError(401, why, code=code, headers={"WWW-Authenticate": challenge})


class Bearer(SecurityBase, ABC):
    """A FastAPI dependency that tells the owner from the token in ``Authorization: Bearer …``."""

    def __init__(self, description: str) -> None:
        self.model = HTTPBearer(description=description)
        self.scheme_name = "bearer"

    async def __call__(self, request: Request) -> str:
        """Tell the owner.

        Raises:
            ProblemError: There is no token, or it is nobody's.
        """
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        token = token.strip()
        if kind.lower() != "bearer" or not token:
            raise refused("send a bearer token")
        return await self.owner_of(token)

    @abstractmethod
    async def owner_of(self, token: str) -> str:
        """Tell whose token it is.

        Raises:
            ProblemError: It is nobody's.
        """


class EitherBearer(Bearer):
    """Takes a token that one of two kinds knows.

    Args:
        first: Asked first.
        second: Asked if the first does not know the token.
    """

    def __init__(self, first: Bearer, second: Bearer) -> None:
        super().__init__("A token that was handed out, or a JSON web token")
        self._first = first
        self._second = second

    async def owner_of(self, token: str) -> str:
        """Tell whose token it is."""
        try:
            return await self._first.owner_of(token)
        except ProblemError:
            return await self._second.owner_of(token)
