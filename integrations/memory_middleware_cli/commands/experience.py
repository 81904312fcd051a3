"""The commands ``episodes``, ``patterns`` and ``skills``: what workers did and learned."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from memory_middleware import EpisodeTrace, InvalidInputError, ProceduralSkill, SemanticPattern
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.printing import day, plain, table

__all__ = ["add_to"]

_Id = Annotated[str | None, typer.Argument(help="One of them by its id; all by default.")]
_Limit = Annotated[int, typer.Option(min=1, max=1000, help="At most so many.")]


def episodes(desk: Desk, entry_id: _Id = None, limit: _Limit = 20) -> None:
    """List what workers did, the newest first, or show one episode.

    For example: memory episodes --limit 5
    """
    _tell(desk, "episode", entry_id, limit)


def patterns(desk: Desk, entry_id: _Id = None, limit: _Limit = 20) -> None:
    """List what was learned from episodes, the newest first, or show one pattern.

    For example: memory patterns --json
    """
    _tell(desk, "pattern", entry_id, limit)


def skills(desk: Desk, entry_id: _Id = None, limit: _Limit = 20) -> None:
    """List the ways of doing things that proved themselves, or show one skill.

    For example: memory skills skill-deploy
    """
    _tell(desk, "skill", entry_id, limit)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    command(app, "episodes")(episodes)
    command(app, "patterns")(patterns)
    command(app, "skills")(skills)


def _tell(desk: Desk, kind: str, entry_id: str | None, limit: int) -> None:
    experience = desk.memory.store.memories.experience
    if entry_id is None:
        found = experience.newest(desk.scope, kind, limit=limit)
        desk.tell({f"{kind}s": found}, lambda console: _show_all(found, kind, console))
        return
    one = experience.get(desk.scope, kind, entry_id)
    if one is None:
        raise InvalidInputError(f"there is no {kind} {entry_id!r} of {desk.owner!r}; `memory {kind}s` shows ids")
    desk.tell(one, lambda console: _show_one(plain(one), console))


def _show_all(found: list[Any], kind: str, console: Console) -> None:
    made = table("id", "", "about", wide="about")
    for one in found:
        made.add_row(one.id, *summary(one))
    console.print(made if found else f"no {kind}s")


def summary(one: EpisodeTrace | SemanticPattern | ProceduralSkill) -> tuple[str, Text]:
    """Tell one in a line: what speaks for it, and what it is about."""
    if isinstance(one, EpisodeTrace):
        return f"{day(one.timestamp)} {one.outcome}", Text(one.goal)
    if isinstance(one, SemanticPattern):
        return f"{one.category} {one.confidence:.0%}", Text(one.pattern)
    return f"{len(one.steps)} steps", Text(f"{one.name}: {one.description}")


def _show_one(data: dict[str, Any], console: Console) -> None:
    made = table("", "", wide=None)
    for name, value in data.items():
        if value not in (None, [], {}, ""):
            lines = value if isinstance(value, list) else [value]
            made.add_row(name, Text("\n".join(_line(one) for one in lines)))
    console.print(made)


def _line(value: Any) -> str:
    if isinstance(value, dict):
        return " · ".join(f"{name}: {_line(one)}" for name, one in value.items() if one not in (None, [], {}, ""))
    return ", ".join(map(_line, value)) if isinstance(value, list) else str(value)
