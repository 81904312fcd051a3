"""The commands that keep a memory in order: ``clean``, ``maintain``, ``weights``, ``reindex`` and ``fsck``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

import memory_middleware
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.printing import bars, table

if TYPE_CHECKING:
    from memory_middleware import MaintenanceReport

__all__ = ["add_to"]


class _UndoneError(Exception):
    """Ends the transaction of a dry run, so that nothing of it remains."""


def clean(
    desk: Desk,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would change, and change nothing.")] = False,
) -> None:
    """Archive what faded, end what is over, merge what repeats itself, and drop what is too old; of one owner.

    For example: memory clean --owner ana --dry-run
    """
    report = _rehearsed(desk) if dry_run else desk.memory.maintain(desk.owner)[0]
    desk.tell(
        {"dry_run": dry_run, "report": report},
        lambda console: _show([report], console, "would be done" if dry_run else None),
    )


def maintain(desk: Desk) -> None:
    """Do the upkeep of everybody's memory, or of one owner's, and bring the index up to date.

    For example: memory maintain --config memory.yaml
    """
    chosen = [desk.owner] if desk.given is not None else list(desk.memory.owners())
    reports: list[MaintenanceReport] = []
    with bars("upkeep") as told:
        for name in chosen:
            reports += desk.memory.maintain(name)
            told(len(reports), len(chosen))
    desk.tell({"reports": reports}, lambda console: _show(reports, console))


def rebuild(desk: Desk) -> None:
    """Derive all weights of an owner's records anew from the usage log.

    For example: memory weights rebuild --owner ana
    """
    count = desk.memory.journal.rebuild_weights(desk.scope)
    desk.tell({"owner_id": desk.owner, "records": count}, lambda console: console.print(f"{count} weights rebuilt"))


def reindex(
    desk: Desk,
    embedding: Annotated[
        str | None, typer.Option(help="Make new vectors with this embedder first, such as 'local:wordllama'.")
    ] = None,
) -> None:
    """Build the index anew from the items of all owners; agents go on meanwhile.

    For example: memory reindex --embedding openai:text-embedding-3-small
    """
    with bars("reindex") as told:
        count = desk.memory.store.reindex(embedding, progress=told)
    name = desk.memory.store.embedder_name
    desk.tell({"items": count, "embedder": name}, lambda console: console.print(f"{count} items indexed with {name}"))


def fsck(
    desk: Desk,
    repair: Annotated[bool, typer.Option(help="Mend the index if something is wrong.")] = True,
) -> None:
    """Compare the index with the items, and mend it; ends with 1 if something is wrong and was not mended.

    For example: memory fsck --no-repair
    """
    report = desk.memory.store.fsck(repair=repair)
    state = "clean" if report.clean else "mended" if report.repaired else "damaged; run `memory fsck --repair`"
    told = f"{report.items} items, {report.missing} missing, {report.extra} extra: {state}"
    desk.tell({**report._asdict(), "clean": report.clean}, lambda console: console.print(told))
    if not report.clean and not report.repaired:
        raise typer.Exit(1)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    command(app, "clean")(clean)
    command(app, "maintain")(maintain)
    command(app, "reindex")(reindex)
    command(app, "fsck")(fsck)
    weights = typer.Typer(help="Weights of records.", no_args_is_help=True)
    command(weights, "rebuild")(rebuild)
    app.add_typer(weights, name="weights")


def _rehearsed(desk: Desk) -> MaintenanceReport:
    """Do the upkeep inside a transaction that is undone."""
    report = memory_middleware.MaintenanceReport(desk.owner)
    with suppress(_UndoneError), desk.memory.store.database.writing():
        report = replace(
            memory_middleware.run_maintenance(desk.memory.store.memories, desk.scope, desk.memory.config), took_ms=0.0
        )
        raise _UndoneError
    return report


def _show(reports: list[MaintenanceReport], console: Console, title: str | None = None) -> None:
    made = table("owner", "faded#", "archived#", "ended#", "merged#", "links#", "dropped#", "active#", title=title)
    for one in reports:
        numbers = (one.faded, len(one.archived), len(one.ended), len(one.duplicates), one.links)
        dropped, active = sum(one.dropped.values()), one.records.get("active", 0)
        made.add_row(one.owner_id, *map(str, (*numbers, dropped, active)))
    console.print(made)
