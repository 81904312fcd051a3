"""One person on their own machine, asked for no token."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.requests import Request

from memory_middleware import ConfigError, Scope
from memory_middleware_rest.problems import ProblemError

__all__ = ["SingleUser", "insecure_single_user", "is_loopback"]


def is_loopback(host: str) -> bool:
    """Tell whether a name or address means this machine and nothing else."""
    bare = host.strip("[]").rstrip(".").lower()
    if bare == "localhost":
        return True
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return False


class SingleUser:
    """Takes everybody for one owner, and therefore answers to this machine alone.

    A web page elsewhere could still send requests through the owner's browser, also under a name that it lets point
    here, so ``Host`` and ``Origin`` must name this machine too.

    Attributes:
        owner: Whose memory is served.
    """

    def __init__(self, owner: str) -> None:
        self.owner = Scope(owner).owner_id

    async def __call__(self, request: Request) -> str:
        """Give the owner.

        Raises:
            ProblemError: The request comes from elsewhere.
        """
        origin = request.headers.get("origin")
        named = [
            (request.scope.get("server") or ("",))[0],
            _host(f"//{request.headers.get('host', '')}"),
            *([] if origin is None else [_host(origin)]),
        ]
        if not all(map(is_loopback, named)):
            raise ProblemError(403, "this server answers to this machine alone")
        return self.owner

    def check_binding(self, host: str) -> None:
        """Refuse to listen where others can reach it.

        Raises:
            ConfigError: The address is not that of this machine alone.
        """
        if not is_loopback(host):
            raise ConfigError(f"without authentication only 127.0.0.1 or localhost will do, not {host!r}", "host")


def insecure_single_user(owner: str) -> SingleUser:
    """Serve one owner without authentication, on this machine only.

    Raises:
        SchemaError: The owner has no name.
    """
    return SingleUser(owner)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
