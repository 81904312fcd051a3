"""Showing how far long work has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Progress", "shown"]

Progress = Callable[[int, int], object]


@contextmanager
def shown(progress: Progress | bool | None, title: str) -> Iterator[Progress | None]:
    """Give what is to be called with the number done and the total; true draws a bar on the terminal."""
    if not isinstance(progress, bool):
        yield progress
        return
    if not progress:
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only for those who look on
    from rich.progress import Progress as Bars  # noqa: PLC0415

    with Bars(console=Console(stderr=True)) as bars:
        task = bars.add_task(title, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)
