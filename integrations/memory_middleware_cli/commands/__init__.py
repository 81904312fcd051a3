"""The commands that look into a memory, change, move and serve it; one module for each group of them."""

from __future__ import annotations

import typer

from memory_middleware_cli.commands import (
    changing,
    dialogue,
    doctor,
    experience,
    forgetting,
    moving,
    notes,
    profiles,
    records,
    serving,
    statistics,
    upkeep,
)

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add all commands to the ``memory`` command."""
    for group in (
        records,
        changing,
        forgetting,
        statistics,
        profiles,
        notes,
        experience,
        dialogue,
        upkeep,
        moving,
        serving,
        doctor,
    ):
        group.add_to(app)
