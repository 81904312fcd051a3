"""The user that the surrounding app has authenticated."""

from __future__ import annotations

from starlette.requests import Request

from memory_middleware_rest.auth.bearer import refused

__all__ = ["host_user"]


async def host_user(request: Request) -> str:
    """Give the ``identity`` of the user whom Starlette's ``AuthenticationMiddleware`` has found, else the ``username``.

    Raises:
        ProblemError: There is no such user.
    """
    user = request.scope.get("user")
    if user is None or not user.is_authenticated:
        raise refused("sign in first")
    try:
        return str(user.identity)
    except (NotImplementedError, AttributeError):
        return str(user.username)
