"""Running a server."""

from __future__ import annotations

import uvicorn
from fastapi import FastAPI

from memory_middleware import Memory
from memory_middleware_rest.app import create_app
from memory_middleware_rest.config import ServerConfig

__all__ = ["app_of", "serve", "server_of"]


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


def serve(memory: Memory, config: ServerConfig) -> None:
    """Serve a memory until the process is told to stop.

    Raises:
        ConfigError: Something does not fit, such as an open address without authentication.
    """
    server_of(app_of(memory, config), config).run()
