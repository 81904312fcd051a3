"""The command ``memory replay``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from memory_middleware import InvalidInputError, MemoryConfig, Scope
from memory_middleware_cli import replay as replaying
from memory_middleware_cli.commands.desk import guarded
from memory_middleware_cli.commands.printing import error_console
from memory_middleware_cli.replay.comparing import comparison, comparison_table
from memory_middleware_cli.replay.golden import differences, save_golden
from memory_middleware_cli.replay.page import render_page
from memory_middleware_cli.replay.result import Replay, TurnResult
from memory_middleware_cli.replay.telling import plain_replay
from memory_middleware_cli.replay.timeline import show_replay

if TYPE_CHECKING:
    from memory_middleware_cli.replay.trace import Trace

__all__ = ["add_to"]


def replay_command(
    trace: Annotated[Path, typer.Argument(help="JSON or JSONL: ours, OpenAI chat, LangSmith runs or LoCoMo.")],
    config: Annotated[Path | None, typer.Option(help="A configuration; none means the defaults.")] = None,
    owner: Annotated[str | None, typer.Option(help="Whose memory, instead of whom the trace names.")] = None,
    pick: Annotated[int, typer.Option(min=1, help="Which conversation of a LoCoMo file.")] = 1,
    turns: Annotated[int | None, typer.Option(min=1, help="Only so many turns.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write one page that needs nothing else.")] = None,
    compare: Annotated[Path | None, typer.Option(help="Another configuration to run the trace with.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write a golden file.")] = None,
    check: Annotated[Path | None, typer.Option(help="Compare with a golden file; a difference ends with 1.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a timeline.")] = False,
) -> None:
    """Run a recorded conversation through a router/worker graph, and show what memory does turn by turn.

    Memory lives in a folder that is removed afterwards; that of the configuration is not touched.

    For example: memory replay talk.jsonl --config memory.yaml --html talk.html
    """
    console = Console(highlight=False)
    whose = owner if owner is None else Scope(owner).owner_id
    read = replaying.read_trace(trace, pick=pick).first(turns)
    one = _run(read, config, whose)
    other = _run(read, compare, whose) if compare else None
    told = differences(one, check) if check else []
    if html is not None:
        _write(html, render_page(one, other))
    if save is not None:
        save_golden(one, save)
    if as_json:
        typer.echo(json.dumps(_plain(one, other), ensure_ascii=False, indent=2))
    else:
        show_replay(one, console)
        if other is not None:
            console.print(comparison_table(one, other))
    if check is not None:
        _end(told, check)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("replay")(guarded(replay_command))


def _run(trace: Trace, config: Path | None, owner: str | None) -> Replay:
    rules = MemoryConfig.from_yaml(config) if config else None
    name = config.stem if config else "defaults"
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[said]}"))
    console = error_console()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"{trace.name} · {name}", total=len(trace.turns), said="")

        def done(turn: TurnResult) -> None:
            progress.update(task, advance=1, said=f"{turn.time:%Y-%m-%d}")

        return replaying.replay(trace, rules, name=name, owner=owner, done=done)


def _plain(one: Replay, other: Replay | None) -> dict[str, Any]:
    told = plain_replay(one)
    return {**told, "comparison": comparison(one, other)} if other else told


def _end(told: list[str], golden: Path) -> None:
    if told:
        typer.echo("\n".join(told), err=True)
        raise typer.Exit(1)
    typer.echo(f"as in {golden.name}", err=True)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"the page {str(path)!r} cannot be written: {error}") from error
