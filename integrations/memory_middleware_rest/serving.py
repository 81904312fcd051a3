"""Running a server."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from typing import Any

import uvicorn
from fastapi import FastAPI

from memory_middleware import Memory, MemoryMiddlewareError
from memory_middleware_rest.app import create_app
from memory_middleware_rest.config import ServerConfig

__all__ = ["app_of", "listen", "serve", "server_of", "url_of"]

_WAITING = 2048


def app_of(memory: Memory, config: ServerConfig) -> FastAPI:
    """Make the app that a configuration describes.

    Raises:
        ConfigError: Something does not fit, such as an open address without authentication.
    """
    auth = config.authentication()
    config.check_binding(auth)
    return create_app(
        memory,
        auth=auth,
        limits=config.limits,
        notes=config.notes_of(),
        require_match=config.require_match,
        store_stats=config.insecure_single_user is not None,
    )


def server_of(app: FastAPI, config: ServerConfig) -> uvicorn.Server:
    """Make the server of an app; ``run()`` blocks until it is told to stop."""
    return uvicorn.Server(
        uvicorn.Config(app, host=config.host, port=config.port, log_level="warning", server_header=False, ws="none")
    )


def listen(config: ServerConfig, *, option: str = "{}") -> list[socket.socket]:
    """Take the address of a server, so that whoever runs it knows that it is free before anything is promised.

    Args:
        config: Names the host and the port.
        option: How settings are written where they are given, such as ``--{}``.

    Raises:
        MemoryMiddlewareError: The address is in use, or is none of this machine.
    """
    taken: list[socket.socket] = []
    failed: list[OSError] = []
    for family, address in _places(config, failed):
        try:
            taken.append(socket.create_server(address, family=family, backlog=_WAITING))
        except OSError as error:
            failed.append(error)
    used = any(error.errno == errno.EADDRINUSE for error in failed)
    if taken and not used:
        return taken  # one of the addresses of a name, such as that of IPv6, need not be there
    for one in taken:
        one.close()
    reason = "address in use" if used else str(failed[0].strerror).partition(" (")[0].lower()
    remedy = f"choose another with {option.format('port' if used else 'host')}"
    raise MemoryMiddlewareError(f"cannot listen on {config.host}:{config.port}: {reason}; {remedy}") from failed[0]


def url_of(host: str, sockets: Sequence[socket.socket]) -> str:
    """Tell where a server can be reached; a port that was left open is the one that was taken."""
    port = sockets[0].getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(memory: Memory, config: ServerConfig) -> None:
    """Serve a memory until the process is told to stop.

    Raises:
        ConfigError: Something does not fit, such as an open address without authentication.
        MemoryMiddlewareError: The address is in use, or is none of this machine.
    """
    server = server_of(app_of(memory, config), config)
    server.run(sockets=listen(config))


def _places(config: ServerConfig, failed: list[OSError]) -> list[tuple[int, Any]]:
    """Look up the addresses of a host."""
    try:
        found = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        failed.append(error)
        return []
    return list(dict.fromkeys((family, address) for family, _, _, _, address in found))
