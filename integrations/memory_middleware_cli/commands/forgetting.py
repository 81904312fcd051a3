"""The commands ``forget`` and ``delete``: told beforehand, asked for, and with a receipt."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from memory_middleware import Scope
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.finding import find_records
from memory_middleware_cli.commands.printing import error_console
from memory_middleware_cli.commands.receipts import read_words, show_receipt

__all__ = ["add_to"]

_Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
_Dry = Annotated[bool, typer.Option("--dry-run", help="Tell what would be forgotten, and forget nothing.")]
_Sources = Annotated[bool, typer.Option("--with-sources", help="Also the dialogue in which it was said.")]
_Profile = Annotated[bool, typer.Option("--with-profile", help="Also what was set in the profiles by hand.")]


def forget(
    desk: Desk,
    ids: Annotated[list[str] | None, typer.Option("--id", help="A record, episode, pattern or skill.")] = None,
    query: Annotated[str | None, typer.Option(help="What a query means.")] = None,
    source: Annotated[str | None, typer.Option(help="What came from a source.")] = None,
    thread: Annotated[str | None, typer.Option(help="All that came from a thread.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All of the owner's memory.")] = False,
    with_sources: _Sources = False,
    with_profile: _Profile = False,
    dry_run: _Dry = False,
    yes: _Yes = False,
) -> None:
    """Forget by exactly one of the ways, with all that hangs on it, and print a receipt.

    For example: memory forget --query "my old address" --with-sources --dry-run
    """
    way = {
        "ids": ids or None,
        "query": query,
        "source": source,
        "thread": thread is not None,
        "everything": everything,
        "with_sources": with_sources,
        "with_profile": with_profile,
    }
    _forget(desk, Scope(desk.owner, thread), way, dry_run, yes)


def delete(
    desk: Desk,
    ids: Annotated[list[str], typer.Argument(help="Ids of records, or beginnings of them.")],
    with_sources: _Sources = False,
    dry_run: _Dry = False,
    yes: _Yes = False,
) -> None:
    """Delete records, with what was derived from them; the same as 'forget --id'.

    For example: memory delete mem_e566ec74 --yes
    """
    way = {"ids": [record.id for record in find_records(desk, ids)], "with_sources": with_sources}
    _forget(desk, desk.scope, way, dry_run, yes)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    command(app, "forget")(forget)
    command(app, "delete")(delete)


def _forget(desk: Desk, scope: Scope, way: dict[str, Any], dry_run: bool, yes: bool) -> None:
    receipt = desk.memory.forget(scope, **way, dry_run=True)
    words = read_words(desk, receipt)
    if not dry_run:
        if not yes:
            show_receipt(receipt, words, error_console())
            typer.confirm("forget this?", abort=True, err=True)
        receipt = desk.memory.forget(scope, **way)
        desk.memory.store.flush()
    desk.tell(receipt, lambda console: show_receipt(receipt, words, console))
