"""The commands that look at records: ``list``, ``show`` and ``search``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.text import Text

from memory_middleware import InvalidInputError, MemoryRecord, RecordKind, RecordState
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.finding import find_record, moment
from memory_middleware_cli.commands.printing import day, plain, short, table

if TYPE_CHECKING:
    from memory_middleware import RecalledRecord, RecordView

__all__ = ["add_to"]

_Kinds = Annotated[list[RecordKind] | None, typer.Option("--kind", help="Only of this kind; may be repeated.")]
_States = Annotated[list[RecordState] | None, typer.Option("--state", help="Only in this state; may be repeated.")]
_Everything = Annotated[bool, typer.Option("--all", help="In every state.")]
_TALKLESS = tuple(kind for kind in RecordKind if kind is not RecordKind.DIALOGUE)


def list_records(
    desk: Desk,
    kind: _Kinds = None,
    state: _States = None,
    everything: Annotated[bool, typer.Option("--all", help="In every state, and dialogue too.")] = False,
    tag: Annotated[list[str] | None, typer.Option(help="Only with this tag; may be repeated.")] = None,
    sort: Annotated[Literal["updated", "created", "weight", "used"], typer.Option(help="The order.")] = "updated",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Records of a page.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Where the page before ended, as it told.")] = None,
) -> None:
    """List records, page by page; by default those that are active, and no dialogue.

    For example: memory list --kind preference --sort weight
    """
    found: list[MemoryRecord] = []
    states = _chosen(state, everything)
    talkless = not kind and not everything
    while True:
        page = desk.memory.list_records(
            desk.owner,
            states=states,
            kinds=_TALKLESS if talkless else kind or None,
            sort=sort,
            limit=limit - len(found),
            cursor=cursor,
        )
        found += [record for record in page.records if set(tag or ()) <= set(record.tags)]
        cursor = page.cursor
        if cursor is None or len(found) == limit:
            break

    def show_all(console: Console) -> None:
        _show_list(console, found, cursor)
        if talkless and not tag:
            _show_hidden(console, _dialogues(desk, states))

    desk.tell({"records": found, "cursor": cursor}, show_all)


def show(desk: Desk, record_id: Annotated[str, typer.Argument(help="The id, or a beginning of it.")]) -> None:
    """Show a record with its links, history, use, and what was said in its source turns.

    For example: memory show mem_e566ec74
    """
    view = desk.memory.view_record(desk.owner, find_record(desk, record_id).id)
    if view is None:
        raise InvalidInputError(f"the record {record_id!r} was deleted meanwhile")
    desk.tell(view, lambda console: _show_view(console, view))


def search(
    desk: Desk,
    query: Annotated[str, typer.Argument(help="What is asked.")],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many.")] = 10,
    kind: _Kinds = None,
    state: _States = None,
    everything: _Everything = False,
    as_of: Annotated[str | None, typer.Option(help="As it was true on this day or at this moment.")] = None,
    explain: Annotated[bool, typer.Option(help="Tell what speaks for each.")] = False,
) -> None:
    """Find the records that fit a query best.

    For example: memory search "Where does she live?" --explain --as-of 2024-06-01
    """
    states = _chosen(state, everything)
    found = desk.memory.recall(desk.owner, query, limit=limit, kinds=kind or None, include=states, as_of=moment(as_of))
    told = [plain(one) if explain else {"record": plain(one.record), "score": one.score} for one in found]
    desk.tell({"query": query, "results": told}, lambda console: _show_found(console, found, explain))


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    command(app, "list")(list_records)
    command(app, "show")(show)
    command(app, "search")(search)


def _chosen(states: list[RecordState] | None, everything: bool) -> tuple[RecordState, ...]:
    if states and everything:
        raise InvalidInputError("--all means every state; leave out --state")
    return tuple(RecordState) if everything else tuple(states or (RecordState.ACTIVE,))


def _show_list(console: Console, records: list[MemoryRecord], cursor: str | None) -> None:
    made = table("id", "kind", "state", "weight#", "updated", "content", wide="content")
    for one in records:
        pinned = "● " if one.pinned else ""
        made.add_row(
            short(one.id),
            one.kind.value,
            one.state.value,
            f"{one.weight:.2f}",
            day(one.updated_at),
            Text(pinned + " ".join(one.content.split())),
        )
    console.print(made if records else "no records")
    if cursor:
        console.print(f"more: --cursor {cursor}", style="dim", markup=False, soft_wrap=True)


def _dialogues(desk: Desk, states: tuple[RecordState, ...]) -> int:
    counted = desk.memory.stats(desk.owner).records.get(RecordKind.DIALOGUE.value, {})
    return sum(counted.get(state.value, 0) for state in states)


def _show_hidden(console: Console, count: int) -> None:
    one = count == 1
    if count:
        told = f"{count} dialogue record{' is' if one else 's are'} not shown"
        console.print(f"{told}; --kind dialogue or --all shows {'it' if one else 'them'}", style="dim")


def _show_found(console: Console, found: list[RecalledRecord], explain: bool) -> None:
    made = table("id", "kind", "score#", "content", wide="content")
    if explain:
        made.columns[-1].no_wrap, made.columns[-1].overflow = False, "fold"  # Chinese has no blanks to break at
    for one in found:
        made.add_row(short(one.record.id), one.record.kind.value, f"{one.score:.2f}", Text(one.record.content))
        if explain:
            made.add_row("", "", "", Text(_reasons(one), style="dim"))
    console.print(made if found else "nothing fits")
    if found and not any(one.is_near for one in found):
        console.print("nothing is near this; these are the nearest", style="yellow")


def _reasons(one: RecalledRecord) -> str:
    cosine = [] if one.cosine is None else [f"cosine {one.cosine:.2f}"]
    told = [f"{name} {value:.2f}" for name, value in one.signals.items() if value]
    return " · ".join([*cosine, f"covered {one.coverage:.2f}", *told])


def _show_view(console: Console, view: RecordView) -> None:
    record = view.record
    console.print(record.content, style="bold", markup=False)
    facts = table("", "", wide=None)
    for name, value in plain(record).items():
        if value not in (None, [], "") and name not in ("content", "links", "provenance"):
            facts.add_row(name, Text(_value(value)))
    console.print(facts)
    parts = {
        "links": [(relation, other) for relation, other in view.links],
        "linked from": [("", other) for other in view.linked_from],
        "history": [(other.state.value, other) for other in view.history],
        "said in": [(day(other.created_at), other) for other in view.said_in],
    }
    for title, rows in parts.items():
        _show_part(console, title, rows)
    if view.usage:
        used = table("used at", "referenced", "query", title="usage", wide="query")
        for entry in view.usage:
            used.add_row(f"{entry.used_at:%Y-%m-%d %H:%M}", "yes" if entry.was_referenced else "no", Text(entry.query))
        console.print(used)


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return ", ".join(value) if isinstance(value, list) else str(value)


def _show_part(console: Console, title: str, rows: list[tuple[str, MemoryRecord]]) -> None:
    if not rows:
        return
    made = table("id", "how", "since", "content", title=title, wide="content")
    for how, other in rows:
        made.add_row(
            short(other.id), how, day(other.valid_from or other.created_at), Text(" ".join(other.content.split()))
        )
    console.print(made)
