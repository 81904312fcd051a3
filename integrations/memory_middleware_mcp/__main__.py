"""Serve a memory: ``python -m memory_middleware_mcp --owner ana`` over stdio, or over HTTP with tokens."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from memory_middleware import InvalidInputError, Memory, MemoryDir, MemoryMiddlewareError
from memory_middleware_mcp.server import create_server
from memory_middleware_mcp.tokens import HashedTokens

__all__ = ["main"]

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client or the user ends it."""
    given = _parser().parse_args(arguments)
    try:
        _check_address(given)
        memory = Memory.from_yaml(given.config) if given.config else Memory.open(given.path)
        with memory:
            tokens = HashedTokens(json.loads(Path(given.tokens).read_text("utf-8"))) if given.tokens else None
            url = f"http://{given.host}:{given.port}" if tokens else None
            notes = MemoryDir(given.notes) if given.notes else None
            server = create_server(memory, owner=given.owner, tokens=tokens, url=url, notes=notes)
            if given.http:
                server.run("streamable-http", host=given.host, port=given.port)
            else:
                server.run("stdio")
    except MemoryMiddlewareError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _check_address(given: argparse.Namespace) -> None:
    """Refuse to serve anybody's memory to a network without asking who it is.

    Raises:
        InvalidInputError: It would.
    """
    if given.http and not given.tokens and given.host not in _LOOPBACK:
        raise InvalidInputError(
            f"without --tokens a memory is served only at a loopback address, not at {given.host!r}"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="memory-mcp", description="Serve a memory over the Model Context Protocol.")
    parser.add_argument("--path", default="./memory", help="folder or database URL of the memory")
    parser.add_argument("--config", help="YAML file that describes the memory, instead of --path")
    parser.add_argument("--owner", help="whose memory is served; needed over stdio")
    parser.add_argument("--notes", help="folder of notes to serve")
    parser.add_argument("--http", action="store_true", help="streamable HTTP instead of stdio")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=int, default=8765, help="port to listen at")
    parser.add_argument("--tokens", help="JSON file of token hashes and owners, for several owners over HTTP")
    return parser


if __name__ == "__main__":
    sys.exit(main())
