"""A replay in a terminal: a timeline of turns, what is known at the end, and the totals."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from memory_middleware_cli.replay.result import Injection, Known, Learned, Replay, Told, Totals, TurnResult

__all__ = ["known_table", "learned_lines", "show_replay", "totals_table", "turn_view"]

_LONGEST = 220
_MARKS = (
    ("added", "+", "green"),
    ("superseded", "−", "yellow"),
    ("confirmed", "=", "dim"),
    ("quarantined", "!", "red"),
    ("archived", "↓", "magenta"),
    ("ended", "·", "dim"),
)
_WORDS = {
    "added": "learned",
    "superseded": "holds no more",
    "confirmed": "heard again",
    "quarantined": "set aside",
    "archived": "archived",
    "ended": "its time is over",
}


def show_replay(replay: Replay, console: Console) -> None:
    """Show a replay."""
    console.print(Rule(f"[bold]{replay.name}[/] · {replay.config}"))
    if replay.about:
        console.print(Text(replay.about, "italic dim"), justify="center")
    day = thread = None
    for turn in replay.turns:
        if (turn.time.date(), turn.thread) != (day, thread):
            day, thread = turn.time.date(), turn.thread
            console.print(Rule(f"{turn.time:%a %Y-%m-%d} · {thread}", style="dim", align="left"))
        console.print(turn_view(turn))
    console.print(known_table(replay.known))
    console.print(totals_table(replay.totals))


def turn_view(turn: TurnResult) -> RenderableType:
    """Show one turn: what was said, what memory told whom, what was used, and what was learned."""
    lines: list[RenderableType] = [_spoken(f"{turn.number:>3} {turn.time:%H:%M}", "you", turn.said, "bold")]
    lines += [_injected(one) for one in turn.injections if one.tokens]
    lines.append(_spoken("", turn.agent, turn.answer, "cyan"))
    if turn.referenced:
        lines.append(_note("used", "; ".join(_short(told.content) for told in turn.referenced), "blue"))
    lines += learned_lines(turn.learned)
    return Padding(Group(*lines), (0, 0, 1, 0))


def learned_lines(learned: Learned) -> Iterator[Table]:
    """Tell what was learned, a line each."""
    for name, mark, style in _MARKS:
        for told in getattr(learned, name):
            yield _note(_WORDS[name], f"{mark} {_short(told.content)}", style)
    for content, why in learned.refused:
        yield _note("refused", f"{_short(content)} ({why})", "dim red")
    for error in learned.errors:
        yield _note("failed", error, "red")


def known_table(known: tuple[Known, ...], title: str = "What is known, and why") -> Table:
    """Tell what is known, and the words it came from."""
    table = Table(title=title, title_justify="left", expand=True, padding=(0, 1))
    table.add_column("known", ratio=4)
    table.add_column("because it was said", ratio=5)
    table.add_column("when", no_wrap=True)
    table.add_column("weight", justify="right")
    for one in known:
        said = Text(f"“{_short(one.said)}”", "italic")
        table.add_row(Text(one.record.content, "bold"), said, f"{one.time:%Y-%m-%d}", f"{one.weight:.2f}")
    return table


def totals_table(totals: Totals) -> Group:
    """Tell the totals."""
    table = Table.grid(padding=(0, 2))
    table.add_row("turns", f"{totals.turns} in {totals.threads} threads over {totals.days} days")
    told = f"{totals.tokens} tokens, {totals.tokens_a_turn:.0f} a turn, at most {totals.most_tokens} of {totals.budget}"
    table.add_row("memory told", told)
    table.add_row("records told", f"{totals.injected}, of which answers used {totals.referenced_share:.0%}")
    table.add_row("learned", f"{totals.added} facts; {totals.superseded} hold no more; {totals.confirmed} heard again")
    table.add_row("put aside", f"{totals.quarantined} quarantined, {totals.refused} refused")
    table.add_row("upkeep", f"{totals.archived} archived, {totals.ended} ended")
    if totals.failures:
        table.add_row("failures", Text(f"memory failed {totals.failures} times", "red"))
    bar = ProgressBar(total=max(totals.budget, 1), completed=totals.most_tokens, width=40)
    return Group(Text("Totals", "bold"), table, Text("fullest prompt", "dim"), bar)


def _spoken(head: str, who: str, text: str, style: str) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=9, justify="right", style="dim")
    grid.add_column(width=7, style=style)
    grid.add_column()
    grid.add_row(head, who, Text(_short(text, 2 * _LONGEST)))
    return grid


def _injected(one: Injection) -> Table:
    parts = [f"{one.tokens} of {one.budget} tokens"]
    if one.records:
        parts.append("; ".join(_title(told) for told in one.records))
    if one.lines:
        parts.append(f"profile and last rounds: {one.lines}")
    if one.dropped:
        parts.append(f"{one.dropped} lines found no room")
    return _note(f"told {one.agent}", " · ".join(parts), "magenta")


def _title(told: Told) -> str:
    return f"{_short(told.content, 90)} [{told.id[:10]}]"


def _note(label: str, text: str, style: str) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=9)
    grid.add_column(width=15, style="dim")
    grid.add_column()
    grid.add_row("", label, Text(text, style))
    return grid


def _short(text: str, most: int = _LONGEST) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"
