"""How commands print: plain data as JSON, and tables for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any, Protocol

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

__all__ = ["bars", "day", "error_console", "plain", "print_error", "print_json", "short", "spark", "table"]

_SHORT = 12
_LEVELS = "▁▂▃▄▅▆▇█"


class _Told(Protocol):
    def __call__(self, done: int, total: int) -> None: ...


def error_console() -> Console:
    """Where errors, questions and bars go, so that what a command prints can be piped."""
    return Console(stderr=True)


def print_error(message: str) -> None:
    """Tell what is wrong, in one line."""
    line = " ".join(message.split())
    error_console().print(f"memory: {line}", style="red", markup=False, highlight=False, soft_wrap=True)


def print_json(data: Any) -> None:
    """Print plain data as one JSON document."""
    typer.echo(json.dumps(plain(data), ensure_ascii=False, indent=2))


def plain(value: Any) -> Any:
    """Turn reports, records and their parts into what JSON can hold."""
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(one) for key, one in value.items()}
    return _plain_simple(value)


def _plain_simple(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, date) else value


def table(*columns: str, title: str | None = None, wide: str | None = None) -> Table:
    """Make a table of one line a row; the wide column takes the room that is left and is cut to it.

    Args:
        columns: The headings; one that ends with ``#`` holds numbers.
        title: What stands above.
        wide: The heading of the column that is cut first.
    """
    made = Table(
        title=title,
        show_header=any(columns),
        title_justify="left",
        header_style="bold",
        box=None,
        pad_edge=False,
        expand=wide is not None,
    )
    for name in columns:
        heading = name.removesuffix("#")
        made.add_column(
            heading,
            justify="right" if name.endswith("#") else "left",
            no_wrap=True,
            overflow="ellipsis",
            ratio=1 if name == wide else None,
        )
    return made


def short(record_id: str) -> str:
    """Give the beginning of an id, by which commands find it too."""
    return record_id[:_SHORT]


def day(moment: datetime | None) -> str:
    """Tell the day of a moment."""
    return f"{moment:%Y-%m-%d}" if moment else ""


def spark(numbers: Sequence[float]) -> str:
    """Draw numbers as a line of bars; nought is the lowest."""
    most = max(numbers, default=0)
    if most <= 0:
        return _LEVELS[0] * len(numbers)
    return "".join(_LEVELS[round(number / most * (len(_LEVELS) - 1))] for number in numbers)


@contextmanager
def bars(title: str) -> Iterator[_Told]:
    """Show a bar while long work goes on, on the terminal only; give what is told the number done and of all."""
    console = error_console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=None)

        def told(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield told
