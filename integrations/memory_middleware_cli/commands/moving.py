"""The commands ``export`` and ``import``: a memory out as a stream and in again, or in from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from memory_middleware import InvalidInputError
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.foreign import FOREIGN, ForeignName, ForeignReport
from memory_middleware_cli.commands.printing import bars, table

if TYPE_CHECKING:
    from memory_middleware import ImportReport

__all__ = ["add_to"]

_ENTRIES = '"entries":['


def export(
    desk: Desk,
    output: Annotated[Path | None, typer.Option("--output", help="A file, instead of what can be piped on.")] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON value a line instead of one document.")] = False,
) -> None:
    """Write everybody's memory, or one owner's, as JSON; a large memory needs no more room than a small one.

    For example: memory export > backup.json
    """
    lines = desk.memory.export(desk.owner if desk.given is not None else None)
    count = 0
    with _writing(output) as file:
        for part in lines if jsonl else _document(lines):
            file.write(part.encode() + b"\n")
            count += 1
    if output is not None:
        entries = count - 2  # the first line and the last are no entries
        desk.tell({"output": str(output), "entries": entries}, lambda console: console.print(f"{entries} entries"))


def import_memory(
    desk: Desk,
    file: Annotated[Path | None, typer.Argument(help="The file; what is piped in by default.")] = None,
    origin: Annotated[
        ForeignName | None, typer.Option("--from", help="What wrote it, if it is no export of ours.")
    ] = None,
) -> None:
    """Take a memory in: what 'export' wrote, or what others keep; doing it twice changes nothing.

    For example: memory import --from chatgpt conversations.json --owner ana
    """
    if origin is not None:
        taken = FOREIGN[origin](desk, file)
        desk.tell(taken, lambda console: _show_foreign(taken, console))
        return
    if desk.given is not None:
        raise InvalidInputError("an export names its owners itself; leave out --owner")
    with _reading(file) as lines, bars("import") as told:
        report = desk.memory.import_lines(_as_lines(lines), progress=told)
    desk.tell(report, lambda console: _show_report(report, console))


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    command(app, "export")(export)
    command(app, "import", makes=True)(import_memory)


def _document(lines: Iterator[str]) -> Iterator[str]:
    """Write lines as one document, with a line for each entry still."""
    yield f"{next(lines)[:-1]},{_ENTRIES}"
    held = next(lines)
    for line in lines:
        yield f"{held},"
        held = line
    yield f"{held}]}}"


def _as_lines(lines: Iterable[str]) -> Iterator[str]:
    """Read a document that we wrote line by line, so that it never stands in memory as a whole."""
    source = iter(lines)
    first = next(source, "")
    if not first.rstrip().endswith(_ENTRIES):
        yield first
        yield from source
        return
    yield f"{first.rstrip().removesuffix(_ENTRIES).rstrip(',')}}}"
    for line in source:
        yield line.rstrip().removesuffix("]}").removesuffix(",")


@contextmanager
def _writing(output: Path | None) -> Iterator[IO[bytes]]:
    if output is None:
        stream = typer.get_binary_stream("stdout")
        yield stream
        stream.flush()
        return
    try:
        with output.open("wb") as file:
            yield file
    except OSError as error:
        raise InvalidInputError(f"cannot write {str(output)!r}: {error}") from error


@contextmanager
def _reading(file: Path | None) -> Iterator[Iterator[str]]:
    if file is None or str(file) == "-":
        yield _decoded(typer.get_binary_stream("stdin"))
        return
    try:
        with file.open("rb") as stream:
            yield _decoded(stream)
    except OSError as error:
        raise InvalidInputError(f"cannot read {str(file)!r}: {error}") from error


def _decoded(stream: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(stream, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise InvalidInputError(f"line {number} is no UTF-8: {error}") from error


def _show_report(report: ImportReport, console: Console) -> None:
    made = table("kind", "added#", "known#")
    for kind in sorted({*report.added, *report.known}):
        made.add_row(kind, str(report.added.get(kind, 0)), str(report.known.get(kind, 0)))
    console.print(made if made.row_count else "it holds nothing")
    console.print(f"owners: {', '.join(report.owners) or 'none'}", markup=False)


def _show_foreign(report: ForeignReport, console: Console) -> None:
    made = table("", "#")
    for name in ("added", "known", "quarantined", "refused", "rounds", "facts"):
        made.add_row(name, str(getattr(report, name)))
    console.print(made)
    console.print(f"owners: {', '.join(report.owners) or 'none'}", markup=False)
