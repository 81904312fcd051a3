"""Two configurations on one trace, side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.table import Table
from rich.text import Text

from memory_middleware_cli.replay.result import Replay, Totals

__all__ = ["comparison", "comparison_table"]

_ROWS: tuple[tuple[str, Callable[[Totals], float], str, bool | None], ...] = (
    ("tokens in all", lambda totals: totals.tokens, "{:.0f}", False),
    ("tokens a turn", lambda totals: totals.tokens_a_turn, "{:.1f}", False),
    ("most in one prompt", lambda totals: totals.most_tokens, "{:.0f}", False),
    ("budget", lambda totals: totals.budget, "{:.0f}", None),
    ("records told", lambda totals: totals.injected, "{:.0f}", None),
    ("records used", lambda totals: totals.referenced, "{:.0f}", True),
    ("used share", lambda totals: 100 * totals.referenced_share, "{:.0f} %", True),
    ("facts learned", lambda totals: totals.added, "{:.0f}", None),
    ("superseded", lambda totals: totals.superseded, "{:.0f}", None),
    ("quarantined", lambda totals: totals.quarantined, "{:.0f}", None),
    ("archived", lambda totals: totals.archived, "{:.0f}", None),
    ("known at the end", lambda totals: totals.known, "{:.0f}", None),
)


def comparison(one: Replay, other: Replay) -> dict[str, dict[str, Any]]:
    """Tell both in numbers, and which records only one of them knows at the end."""
    known = [{known.record.content for known in replay.known} for replay in (one, other)]
    return {
        "numbers": {
            name: {"one": round(read(one.totals), 3), "other": round(read(other.totals), 3)}
            for name, read, _, _ in _ROWS
        },
        "known_only_by": {"one": sorted(known[0] - known[1]), "other": sorted(known[1] - known[0])},
        "configs": {"one": one.config, "other": other.config},
    }


def comparison_table(one: Replay, other: Replay) -> Table:
    """Show both side by side; what is better is green, where less or more is better."""
    table = Table(title=Text(f"{one.name}: {one.config} and {other.config}"), title_justify="left")
    for heading in ("", one.config, other.config, "difference"):
        table.add_column(Text(heading), justify="left" if not heading else "right")
    for name, read, form, more_is_better in _ROWS:
        first, second = read(one.totals), read(other.totals)
        change = second - first
        better = more_is_better is not None and change != 0 and (change > 0) == more_is_better
        style = "green" if better else "" if more_is_better is None or not change else "yellow"
        told = f"{'+' if change > 0 else ''}{form.format(change)}" if change else "same"
        table.add_row(name, form.format(first), form.format(second), Text(told, style))
    return table
