"""A REST API over a memory, as an app of its own or as routes of another."""

try:
    import fastapi  # noqa: F401
    import jwt  # noqa: F401
    import uvicorn  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "the REST API needs FastAPI, uvicorn and PyJWT: pip install 'langgraph-memory-middleware[rest]'"
    ) from error

from memory_middleware_rest.app import create_app
from memory_middleware_rest.auth import (
    BearerTokens,
    JwtBearer,
    hash_token,
    host_user,
    insecure_single_user,
    new_token,
)
from memory_middleware_rest.config import JwtConfig, NotesConfig, ServerConfig, TokenConfig
from memory_middleware_rest.limits import Limits
from memory_middleware_rest.page import mount_page
from memory_middleware_rest.router import memory_router
from memory_middleware_rest.serving import app_of, serve, server_of

__all__ = [
    "BearerTokens",
    "JwtBearer",
    "JwtConfig",
    "Limits",
    "NotesConfig",
    "ServerConfig",
    "TokenConfig",
    "app_of",
    "create_app",
    "hash_token",
    "host_user",
    "insecure_single_user",
    "memory_router",
    "mount_page",
    "new_token",
    "serve",
    "server_of",
]
