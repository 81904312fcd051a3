"""Serve a memory: ``python -m memory_middleware_mcp --owner ana`` over stdio, or over HTTP with tokens."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from memory_middleware import InvalidInputError, Memory, MemoryDir, MemoryMiddlewareError, Scope
from memory_middleware_mcp.server import create_server
from memory_middleware_mcp.tokens import HashedTokens

__all__ = ["main", "serve"]

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client or the user ends it; 2 tells that something given is wrong, 1 that something failed."""
    try:
        serve(arguments)
    except MemoryMiddlewareError as error:
        sys.stderr.write(f"memory-mcp: {' '.join(str(error).split())}\n")
        return 2 if isinstance(error, InvalidInputError) else 1
    return 0


def serve(arguments: Sequence[str] | None = None) -> None:
    """Serve until the client or the user ends it.

    Raises:
        InvalidInputError: Something given is wrong; nothing was made.
        StoreError: The memory cannot be opened.
    """
    given = _parser().parse_args(arguments)
    tokens = _tokens(Path(given.tokens)) if given.tokens else None
    _check(given)
    with Memory.from_yaml(given.config) if given.config else Memory.open(given.path) as memory:
        url = f"http://{given.host}:{given.port}" if tokens else None
        notes = MemoryDir(given.notes) if given.notes else None
        server = create_server(memory, owner=given.owner, tokens=tokens, url=url, notes=notes)
        if given.http:
            server.run("streamable-http", host=given.host, port=given.port)
        else:
            server.run("stdio")


def _tokens(file: Path) -> HashedTokens:
    """Read the hashes of tokens.

    Raises:
        InvalidInputError: The file cannot be read, or holds something else.
    """
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"cannot read the tokens {str(file)!r}: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInputError(f"{str(file)!r} must hold an object of token hashes and owners, as docs/mcp.md tells")
    return HashedTokens(found)


def _check(given: argparse.Namespace) -> None:
    """Refuse what cannot be served before a memory is made, and anybody's memory to a network without asking who it is.

    Raises:
        InvalidInputError: It cannot, or would.
    """
    if given.tokens and not given.http:
        raise InvalidInputError("tokens come with requests over HTTP; give --http, or --owner instead of --tokens")
    if (given.owner is None) == (given.tokens is None):
        raise InvalidInputError("say whose memory: --owner for one person, or --http with --tokens for several")
    if given.owner is not None:
        Scope(given.owner)
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
