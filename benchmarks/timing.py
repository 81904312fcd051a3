"""Measuring CPU time, and showing it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

__all__ = ["cpu_seconds", "show"]


def cpu_seconds(work: Callable[[], object], *, repeat: int = 5) -> float:
    """Give the median CPU time of some work, after one run to warm up."""
    work()
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def show(title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a table, the first column to the left and the others to the right."""
    table = Table(title=title, title_justify="left")
    for at, heading in enumerate(headings):
        table.add_column(heading, justify="right" if at else "left")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
