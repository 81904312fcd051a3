"""The commands for a folder of notes: ``notes list``, ``show``, ``add``, ``delete`` and ``repair``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

import memory_middleware
from memory_middleware import InvalidInputError, NoteType
from memory_middleware.schemas import MemoryEntry, MemoryManifest
from memory_middleware_cli.commands.arguments import read_text
from memory_middleware_cli.commands.desk import guarded
from memory_middleware_cli.commands.opening import config_of, folder_of
from memory_middleware_cli.commands.printing import plain, print_json, table

if TYPE_CHECKING:
    from memory_middleware import MemoryDir

__all__ = ["add_to"]

_Dir = Annotated[Path | None, typer.Option("--dir", help="The folder; else that of the configuration, or notes/.")]
_Place = Annotated[str | None, typer.Option("--path", help="Folder of the memory, ./memory by default.")]
_Config = Annotated[Path | None, typer.Option("--config", help="YAML file that describes the memory.")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_Name = Annotated[str, typer.Argument(help="The name of its file, with or without .md.")]


def list_notes(directory: _Dir = None, path: _Place = None, config: _Config = None, as_json: _Json = False) -> None:
    """List the notes, the newest first, and the files that are none.

    For example: memory notes list --dir ./notes
    """
    manifest = _open(directory, path, config).scan(load_content=False)
    if as_json:
        print_json({"notes": manifest.entries, "problems": manifest.problems})
    else:
        _show(manifest, Console(highlight=False))


def show(
    name: _Name, directory: _Dir = None, path: _Place = None, config: _Config = None, as_json: _Json = False
) -> None:
    """Show a note.

    For example: memory notes show style
    """
    note = _found(_open(directory, path, config), name)
    if as_json:
        print_json(note)
        return
    console = Console(highlight=False)
    console.print(f"{note.name or note.filename} · {note.mem_type.value} · {note.age_text}", style="bold", markup=False)
    console.print(note.description, style="dim", markup=False)
    console.print(note.content, markup=False)


def add(
    name: _Name,
    description: Annotated[str, typer.Option(help="One line that tells what it is about.")],
    kind: Annotated[NoteType, typer.Option("--type", help="What it is.")] = NoteType.PROJECT,
    title: Annotated[str | None, typer.Option(help="A short title; the name by default.")] = None,
    content: Annotated[str | None, typer.Option(help="Its body; what is piped in by default.")] = None,
    directory: _Dir = None,
    path: _Place = None,
    config: _Config = None,
    as_json: _Json = False,
) -> None:
    """Write a note, in place of one of the same name, and list it in MEMORY.md.

    For example: memory notes add style --type feedback --description "How to write" --content "Be brief."
    """
    body = content if content is not None else read_text(None)
    notes = _open(directory, path, config, makes=True)
    written = notes.save_memory(name, kind, title or name.removesuffix(".md"), description, body)
    _tell(as_json, {"written": Path(written).name}, f"written: {Path(written).name}")


def delete(
    name: _Name, directory: _Dir = None, path: _Place = None, config: _Config = None, as_json: _Json = False
) -> None:
    """Delete a note and its line in MEMORY.md.

    For example: memory notes delete style
    """
    notes = _open(directory, path, config)
    if not notes.delete_memory(name):
        raise InvalidInputError(f"there is no note {name!r}; `memory notes list` shows them")
    _tell(as_json, {"deleted": name}, f"deleted: {name}")


def repair(directory: _Dir = None, path: _Place = None, config: _Config = None, as_json: _Json = False) -> None:
    """Make MEMORY.md list all notes and no missing files; ends with 1 if files cannot be read as notes.

    For example: memory notes repair --dir ./notes
    """
    report = _open(directory, path, config).repair()
    lines = [f"listed now: {name}" for name in report.added] + [f"taken off: {name}" for name in report.removed]
    lines += [f"no note: {one.filename}: {one.message}" for one in report.problems]
    _tell(as_json, plain(report), "\n".join(lines) or "nothing to mend")
    if report.problems:
        raise typer.Exit(1)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    group = typer.Typer(help="Notes that people and agents write as files.", no_args_is_help=True)
    group.command("list")(guarded(list_notes))
    group.command("show")(guarded(show))
    group.command("add")(guarded(add))
    group.command("delete")(guarded(delete))
    group.command("repair")(guarded(repair))
    app.add_typer(group, name="notes")


def _open(directory: Path | None, path: str | None, config: Path | None, *, makes: bool = False) -> MemoryDir:
    rules = config_of(path, config)
    beside = folder_of(rules) or Path(rules.storage.path)
    declared = next(
        (store.config.path for store in rules.memory if hasattr(store.config, "path") and store.type == "notes"),
        "notes",
    )
    folder = directory or beside / Path(declared).expanduser()
    if not makes and not folder.is_dir():
        raise InvalidInputError(f"there is no folder of notes {str(folder)!r}; give --dir, or `memory notes add` to it")
    return memory_middleware.MemoryDir(folder, rules.language)


def _found(notes: MemoryDir, name: str) -> MemoryEntry:
    wanted = f"{name.removesuffix('.md')}.md".lower()
    for entry in notes.scan().entries:
        if entry.filename.lower() == wanted:
            return entry
    raise InvalidInputError(f"there is no note {name!r}; `memory notes list` shows them")


def _show(manifest: MemoryManifest, console: Console) -> None:
    made = table("file", "type", "changed", "about", wide="about")
    for note in manifest.entries:
        made.add_row(Text(note.filename), note.mem_type.value, note.age_text, Text(note.description))
    console.print(made if manifest.entries else "no notes")
    for problem in manifest.problems:
        console.print(f"{problem.filename}: {problem.message}", style="yellow", markup=False, soft_wrap=True)


def _tell(as_json: bool, data: object, text: str) -> None:
    if as_json:
        print_json(data)
    else:
        typer.echo(text)
