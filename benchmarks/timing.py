"""Measuring CPU time, and showing it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

__all__ = ["core_wait", "cpu_seconds", "show"]

_WAITED = Path("/proc/thread-self/schedstat")


def cpu_seconds(work: Callable[[], object], *, repeat: int = 5) -> float:
    """Give the median CPU time of some work, after one run to warm up."""
    work()
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def core_wait() -> float:
    """Give the seconds that this thread was ready and had no core, so far; on a machine in use they are not ours."""
    return int(_WAITED.read_text().split()[1]) / 1e9 if _WAITED.exists() else 0.0


def show(title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a table, the first column to the left and the others to the right."""
    table = Table(title=title, title_justify="left")
    for at, heading in enumerate(headings):
        table.add_column(heading, justify="right" if at else "left")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
