"""The commands ``profile show``, ``set``, ``patch`` and ``history``."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from memory_middleware import MemoryType, UserMemoryContent, WorkProfileContent
from memory_middleware.schemas import Profile, validate_content
from memory_middleware_cli.commands.arguments import read_object
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.printing import plain, table

__all__ = ["add_to"]

_Which = Annotated[MemoryType, typer.Argument(help="The person, or the person's work.")]
_Given = Annotated[str, typer.Argument(help="A JSON object, a file that holds one, or - for what is piped in.")]


def show(
    desk: Desk, which: Annotated[MemoryType | None, typer.Argument(help="Which one; both by default.")] = None
) -> None:
    """Show the profiles.

    For example: memory profile show work
    """
    profiles = desk.memory.store.memories.profiles
    found = [profiles.load(desk.scope, one) for one in ([which] if which else MemoryType)]
    desk.tell({one.memory_type.value: one for one in found}, lambda console: _show_all(found, console))


def set_profile(desk: Desk, which: _Which, content: _Given) -> None:
    """Replace a profile.

    For example: memory profile set user profile.json
    """
    made: UserMemoryContent | WorkProfileContent
    if which is MemoryType.USER:
        made = validate_content(UserMemoryContent, read_object(content))
    else:
        made = validate_content(WorkProfileContent, read_object(content))
    changed = desk.memory.set_profile(desk.owner, made)
    desk.tell(changed, lambda console: _show(changed, console))


def patch(desk: Desk, which: _Which, changes: _Given) -> None:
    """Change parts of a profile: objects merge, lists are replaced, null clears.

    For example: memory profile patch user '{"interests": ["tea"]}'
    """
    changed = desk.memory.update_profile(desk.owner, which, read_object(changes))
    desk.tell(changed, lambda console: _show(changed, console))


def history(
    desk: Desk,
    which: _Which,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many.")] = 20,
) -> None:
    """List the versions of a profile, the newest first, and what each changed.

    For example: memory profile history user --limit 5
    """
    found = desk.memory.store.memories.profiles.history.newest(desk.scope, which, limit=limit)
    told = [plain(one) for one in found]
    desk.tell({"versions": told}, lambda console: _show_history(told, console))


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    group = typer.Typer(help="What is known about the owner and the owner's work.", no_args_is_help=True)
    command(group, "show")(show)
    command(group, "set", makes=True, named=True)(set_profile)
    command(group, "patch", makes=True, named=True)(patch)
    command(group, "history")(history)
    app.add_typer(group, name="profile")


def _show_all(profiles: list[Profile], console: Console) -> None:
    for one in profiles:
        _show(one, console)


def _show(profile: Profile, console: Console) -> None:
    title = f"{profile.memory_type.value} · {profile.status.value} · version {profile.version}"
    made = table("field", "value", title=title, wide="value")
    for place, value in _places(plain(profile.content)).items():
        made.add_row(place, Text(value))
    if not made.row_count:
        made.add_row("", "nothing yet")
    console.print(made)


def _show_history(versions: list[dict[str, Any]], console: Console) -> None:
    made = table("version#", "changed at", "by", "changes", wide="changes")
    for one, before in zip(versions, [*versions[1:], None], strict=False):
        new, old = _places(one["content"]), _places(before["content"]) if before else {}
        changes = [f"{place}: {value}" for place, value in new.items() if old.get(place) != value]
        gone = [f"{place}: gone" for place in old if place not in new]
        made.add_row(str(one["version"]), one["changed_at"][:16], one["source"], Text("; ".join(changes + gone)))
    console.print(made if versions else "no versions yet")


def _places(content: dict[str, Any], before: str = "") -> dict[str, str]:
    """List what is set, by its place such as ``preferences.units``."""
    found: dict[str, str] = {}
    for name, value in content.items():
        if isinstance(value, dict):
            found |= _places(value, f"{before}{name}.")
        elif value not in (None, "", []):
            found[f"{before}{name}"] = _told(value)
    return found


def _told(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_told, value))
    if isinstance(value, dict):
        return " ".join(_told(one) for key, one in value.items() if one not in (None, "", [], {}) and key != "meta")
    return str(value)
