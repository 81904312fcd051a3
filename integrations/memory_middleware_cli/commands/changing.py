"""The commands that change records by hand: ``add``, ``edit``, ``archive``, ``restore`` and ``pin``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from memory_middleware import InvalidInputError, MemoryRecord, RecordKind, RecordState, TrustTier
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.finding import find_record, find_records, moment
from memory_middleware_cli.commands.printing import short, table

__all__ = ["add_to"]

_Ids = Annotated[list[str], typer.Argument(help="Ids, or beginnings of them.")]
_Tags = Annotated[list[str] | None, typer.Option("--tag", help="A word to find it by; may be repeated.")]
_Subject = Annotated[str | None, typer.Option(help="Of its address, 'user' for the owner.")]
_Attribute = Annotated[str | None, typer.Option(help="Of its address, such as 'city'; one value holds at a time.")]
_ValidTo = Annotated[str | None, typer.Option(help="When it ends.")]
_EventTime = Annotated[str | None, typer.Option(help="When the event it tells of happens.")]


def add(
    desk: Desk,
    content: Annotated[str, typer.Argument(help="One sentence that makes sense by itself.")],
    kind: Annotated[RecordKind, typer.Option(help="What it is about.")] = RecordKind.FACT,
    tag: _Tags = None,
    subject: _Subject = None,
    attribute: _Attribute = None,
    replace: Annotated[str | None, typer.Option(help="The text of a record that it makes untrue.")] = None,
    valid_to: _ValidTo = None,
    event_time: _EventTime = None,
    trust: Annotated[TrustTier, typer.Option(help="Who vouches for it.")] = TrustTier.USER,
    pin: Annotated[bool, typer.Option("--pin", help="Never archive it by itself.")] = False,
) -> None:
    """Keep a record; what stands at its address is superseded, what says the same is confirmed.

    For example: memory add "The user lives in Bergen." --owner ana --subject user --attribute city
    """
    kept = desk.memory.remember(
        desk.owner,
        content,
        kind=kind,
        tags=tuple(tag or ()),
        subject=subject,
        attribute=attribute,
        replace=replace,
        valid_to=moment(valid_to),
        event_time=moment(event_time),
        trust=trust,
        pinned=pin,
    )
    desk.tell(kept, lambda console: _show([kept], console))


def edit(
    desk: Desk,
    record_id: Annotated[str, typer.Argument(help="The id, or a beginning of it.")],
    content: Annotated[str | None, typer.Option(help="The new text.")] = None,
    tag: _Tags = None,
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Take all tags off.")] = False,
    importance: Annotated[float | None, typer.Option(min=0, max=1, help="From 0 to 1.")] = None,
    confidence: Annotated[float | None, typer.Option(min=0, max=1, help="From 0 to 1.")] = None,
    subject: _Subject = None,
    attribute: _Attribute = None,
    valid_to: _ValidTo = None,
    event_time: _EventTime = None,
) -> None:
    """Change fields of a record.

    For example: memory edit mem_e566ec74 --content "The user lives in Oslo." --tag home
    """
    given: dict[str, Any] = {
        "content": content,
        "tags": () if no_tags else tag or None,
        "importance": importance,
        "confidence": confidence,
        "subject": subject,
        "attribute": attribute,
        "valid_to": moment(valid_to),
        "event_time": moment(event_time),
    }
    wanted = {name: value for name, value in given.items() if value is not None}
    if not wanted:
        raise InvalidInputError("there is nothing to change; `memory edit --help` tells what can be")
    changed = desk.memory.edit_record(desk.owner, find_record(desk, record_id).id, **wanted)
    desk.tell(changed, lambda console: _show([changed], console))


def archive(desk: Desk, ids: _Ids) -> None:
    """Archive records, so that they are recalled no more unless asked for.

    For example: memory archive mem_e566ec74 mem_60f41167
    """
    _each(desk, ids, lambda name: desk.memory.journal.archive(desk.scope, name))


def restore(desk: Desk, ids: _Ids) -> None:
    """Make archived or quarantined records active again.

    For example: memory restore mem_e566ec74
    """
    _each(desk, ids, lambda name: desk.memory.journal.restore(desk.scope, name))


def pin(
    desk: Desk,
    ids: _Ids,
    off: Annotated[bool, typer.Option("--off", help="Let them go again.")] = False,
) -> None:
    """Pin records, so that they are never archived by themselves.

    For example: memory pin mem_e566ec74
    """
    _each(desk, ids, lambda name: desk.memory.journal.pin(desk.scope, name, pinned=not off))


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    command(app, "add", makes=True, named=True)(add)
    command(app, "edit")(edit)
    command(app, "archive")(archive)
    command(app, "restore")(restore)
    command(app, "pin")(pin)


def _each(desk: Desk, ids: Sequence[str], change: Callable[[str], MemoryRecord]) -> None:
    """Change several records, all or none."""
    with desk.memory.store.database.writing():
        changed = [change(record.id) for record in find_records(desk, ids)]
    desk.tell({"records": changed}, lambda console: _show(changed, console))


def _show(records: Sequence[MemoryRecord], console: Console) -> None:
    made = table("id", "kind", "state", "pinned", "content", wide="content")
    for one in records:
        made.add_row(short(one.id), one.kind.value, one.state.value, "yes" if one.pinned else "no", Text(one.content))
    console.print(made)
    for one in records:
        if one.state is RecordState.QUARANTINED:
            console.print(f"set aside for review: {one.note}", style="yellow", markup=False)
