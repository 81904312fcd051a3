"""The ``memory`` command: what it offers and how it reports errors."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Annotated, Literal

import typer
from rich.console import Console

from memory_middleware import MemoryMiddlewareError
from memory_middleware_cli.commands import register
from memory_middleware_cli.commands.desk import guarded
from memory_middleware_cli.demo_story import load_story
from memory_middleware_cli.demo_view import demo_facts, show_demo
from memory_middleware_cli.replay import command as replay_command
from memory_middleware_cli.usage import OneLineGroup

__all__ = ["app", "main"]

app = typer.Typer(
    cls=OneLineGroup,
    help="Memory for LangGraph agent graphs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
)


def _show_version(asked: bool) -> None:
    if asked:
        Console().print(version("langgraph-memory-middleware"), highlight=False)
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Memory for LangGraph agent graphs."""


def demo(
    budget: Annotated[
        int | None, typer.Option(min=1, help="Tokens each agent's memory may take, instead of the example's.")
    ] = None,
    language: Annotated[Literal["en", "zh"] | None, typer.Option(help="Language, instead of the example's.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a picture.")] = False,
) -> None:
    """Run a router/worker graph over five conversations, and tell what it knows in the end and why.

    For example: memory demo --language zh
    """
    story = load_story(language, budget)
    if as_json:
        typer.echo(json.dumps(demo_facts(story), ensure_ascii=False, indent=2))
    else:
        show_demo(story, Console())


app.command("demo")(guarded(demo))
replay_command.add_to(app)
register(app)


def main() -> None:
    """Run the command; an error of ours ends in one line, not in a traceback."""
    try:
        app()
    except MemoryMiddlewareError as error:
        Console(stderr=True).print(f"memory: {error}", style="red", markup=False, highlight=False)
        raise SystemExit(1) from error
