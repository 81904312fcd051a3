"""The commands ``serve`` and ``mcp``: a memory as a server, if the extra is installed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any

import typer

from memory_middleware import InvalidInputError
from memory_middleware_cli.commands.desk import Desk, command, guarded
from memory_middleware_cli.commands.opening import config_of
from memory_middleware_cli.commands.printing import error_console

__all__ = ["add_to"]


def serve(
    desk: Desk,
    server: Annotated[Path | None, typer.Option(help="YAML file with the settings of the server.")] = None,
    insecure_single_user: Annotated[
        bool, typer.Option("--insecure-single-user", help="Ask for no token; on this machine only.")
    ] = False,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="The port to listen at.")] = None,
) -> None:
    """Serve a memory over HTTP until it is stopped.

    For example: memory serve --insecure-single-user --owner ana
    """
    rest = _package("memory_middleware_rest", "rest", "the REST API")
    if (server is None) != insecure_single_user:
        raise InvalidInputError("say who may ask: --server with tokens or jwt, or --insecure-single-user")
    read = rest.ServerConfig.from_yaml(server) if server else rest.ServerConfig(insecure_single_user=desk.owner)
    given = {"host": host, "port": port}
    settings = read.model_copy(update={name: value for name, value in given.items() if value is not None})
    ready = rest.server_of(rest.app_of(desk.memory, settings), settings)
    sockets = rest.serving.listen(settings, option="--{}")
    where = rest.serving.url_of(settings.host, sockets)
    error_console().print(f"serving at {where}", markup=False, highlight=False)
    ready.run(sockets=sockets)


def mcp(
    path: Annotated[str, typer.Option(help="Folder or database URL of the memory.")] = "./memory",
    config: Annotated[str | None, typer.Option(help="YAML file that describes the memory.")] = None,
    owner: Annotated[str | None, typer.Option(help="Whose memory is served; needed over stdio.")] = None,
    notes: Annotated[str | None, typer.Option(help="Folder of notes to serve.")] = None,
    http: Annotated[bool, typer.Option("--http", help="Streamable HTTP instead of stdio.")] = False,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at.")] = 8765,
    tokens: Annotated[str | None, typer.Option(help="JSON file of token hashes and owners.")] = None,
) -> None:
    """Serve a memory over the Model Context Protocol.

    For example: memory mcp --owner ana
    """
    server = _package("memory_middleware_mcp.__main__", "mcp", "the MCP server")
    config_of(None if config else path, Path(config) if config else None)  # tells what is wrong with the place
    given = {"path": path, "config": config, "owner": owner, "notes": notes, "tokens": tokens, "host": host}
    arguments = [f"--{name}={value}" for name, value in given.items() if value is not None]
    server.serve([*arguments, f"--port={port}", *(["--http"] if http else [])])


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    command(app, "serve", makes=True, works=True)(serve)
    app.command("mcp")(guarded(mcp))


def _package(name: str, extra: str, what: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        wanted = f"pip install 'langgraph-memory-middleware[{extra}]'"
        raise InvalidInputError(f"{what} needs the extra {extra!r}: {wanted}") from error
