"""The commands ``buffer`` and ``extract``: rounds that wait for the extractor, and extracting them now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

import memory_middleware
from memory_middleware import Dialogue, ExtractionRun, RunState, Scope
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.printing import bars, short, table

if TYPE_CHECKING:
    from memory_middleware import ExtractionReport

__all__ = ["add_to"]

_Thread = Annotated[str | None, typer.Option(help="Only in this thread.")]


def buffer(
    desk: Desk,
    thread: _Thread = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most rounds of a thread.")] = 20,
) -> None:
    """Show the rounds that wait for the extractor, by thread, and the batches that failed too often.

    For example: memory buffer --thread monday
    """
    memories = desk.memory.store.memories
    waiting = memories.dialogues.sessions(desk.scope)
    chosen = waiting if thread is None else {thread: waiting.get(thread, 0)}
    rounds = {name: memories.dialogues.batch(desk.scope, name, limit) for name in chosen}
    parked = memories.runs.in_state(desk.scope, RunState.PARKED, limit=1000)
    told = [{"thread": name, "waiting": count, "rounds": rounds[name]} for name, count in chosen.items()]
    desk.tell({"threads": told, "parked": parked}, lambda console: _show_buffer(console, chosen, rounds, parked))


def extract(
    desk: Desk,
    thread: _Thread = None,
    retry: Annotated[bool, typer.Option("--retry", help="Try batches again that failed too often.")] = False,
    everyone: Annotated[bool, typer.Option("--everyone", help="Of all owners.")] = False,
) -> None:
    """Extract what waits now; ends with 1 if a batch fails.

    For example: memory extract --everyone --retry
    """
    names = list(desk.memory.owners()) if everyone else [desk.owner]
    reports: list[ExtractionReport] = []
    with bars("extracting") as told:
        for at, name in enumerate(names, start=1):
            if retry:
                memory_middleware.retry_parked(desk.memory.store.memories, Scope(name))
            reports += desk.memory.flush(Scope(name, thread))
            told(at, len(names))
    desk.tell({"batches": reports}, lambda console: _show_reports(console, reports))
    if any(report.error for report in reports):
        raise typer.Exit(1)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    command(app, "buffer")(buffer)
    command(app, "extract")(extract)


def _show_buffer(
    console: Console, waiting: dict[str, int], rounds: dict[str, list[Dialogue]], parked: list[ExtractionRun]
) -> None:
    made = table("thread", "at", "user", "assistant", wide="assistant")
    for name, listed in rounds.items():
        for one in listed:
            user, answer = (" ".join(text.split()) for text in (one.user_query, one.assistant_response))
            made.add_row(Text(name), f"{one.created_at:%m-%d %H:%M}", Text(user), Text(answer))
    console.print(made if made.row_count else "nothing waits")
    left = sum(waiting.values()) - made.row_count
    if left > 0:
        console.print(f"and {left} more", style="dim")
    for run in parked:
        console.print(f"parked: {run.id} · {run.failures} failures · {run.error}", style="yellow", markup=False)
    if parked:
        console.print("try them again with `memory extract --retry`", style="yellow")


def _show_reports(console: Console, reports: list[ExtractionReport]) -> None:
    made = table("batch", "rounds#", "added#", "confirmed#", "superseded#", "quarantined#", "refused#")
    for one in reports:
        parts = (one.added, one.confirmed, one.superseded, one.quarantined, one.refused)
        made.add_row(short(one.run_id), str(one.rounds), *(str(len(part)) for part in parts))
    console.print(made if reports else "nothing waits")
    for one in reports:
        if one.error:
            console.print(f"failed: {short(one.run_id)} · {one.error}", style="red", markup=False, soft_wrap=True)
