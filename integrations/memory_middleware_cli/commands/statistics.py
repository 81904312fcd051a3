"""The command ``stats``: how much there is, how it grows, and how it is used."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from memory_middleware import RecordState
from memory_middleware_cli.commands.desk import Desk, command
from memory_middleware_cli.commands.printing import spark, table

if TYPE_CHECKING:
    from memory_middleware import MemoryStats

__all__ = ["add_to", "size"]

_DAYS = 30


def stats(desk: Desk) -> None:
    """Count an owner's memory: records by kind and state, weights, growth, use, cache and disk.

    For example: memory stats --owner ana --json
    """
    counted = desk.memory.stats(desk.owner)
    desk.tell(counted, lambda console: _show(counted, console))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    command(app, "stats")(stats)


def size(count: int | None) -> str:
    """Tell a number of bytes for people."""
    if count is None:
        return "on a server"
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def _show(counted: MemoryStats, console: Console) -> None:
    console.print(counted.owner_id, style="bold", markup=False)
    made = table("records", *(f"{state.value}#" for state in RecordState), "all#")
    for kind, states in counted.records.items():
        made.add_row(kind, *(str(states.get(state.value, 0)) for state in RecordState), str(sum(states.values())))
    if counted.records:
        console.print(made)
    rest = table("", "")
    for name, value in _facts(counted).items():
        rest.add_row(name, value)
    console.print(rest, markup=False)


def _facts(counted: MemoryStats) -> dict[str, str]:
    experience = ", ".join(f"{count} {kind}s" for kind, count in counted.experience.items())
    share = f" ({counted.referenced / counted.injected:.0%})" if counted.injected else ""
    return {
        "weights": f"{spark(counted.weights)}  from 0 to 4.5 and above, in steps of 0.5",
        "growth": _growth(counted),
        "used": f"{counted.referenced} of {counted.injected} injected{share}",
        "experience": experience,
        "turns": str(counted.turns),
        "waiting": f"{counted.rounds} rounds, {counted.parked} parked batches",
        "cache": f"{counted.cache_hit_rate:.0%} of vectors were known in this process",
        "disk": size(counted.disk_bytes),
    }


def _growth(counted: MemoryStats) -> str:
    if not counted.growth:
        return "none yet"
    last = max(counted.growth)
    days = [last - timedelta(days=before) for before in range(_DAYS - 1, -1, -1)]
    return f"{spark([counted.growth.get(one, 0) for one in days])}  {_DAYS} days until {last}"
