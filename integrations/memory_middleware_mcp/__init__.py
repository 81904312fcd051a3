"""Memory over the Model Context Protocol."""

from memory_middleware_mcp.server import create_server
from memory_middleware_mcp.tokens import HashedTokens, hash_token

__all__ = ["HashedTokens", "create_server", "hash_token"]
