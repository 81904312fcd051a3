"""A replay in a terminal: a timeline of turns, what is known at the end, and the totals."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from memory_middleware_cli.replay.result import Injection, Known, Learned, Replay, Told, TurnResult
from memory_middleware_cli.replay.words import CHANGES, words

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


def show_replay(replay: Replay, console: Console) -> None:
    """Show a replay."""
    console.print(Rule(Text.assemble((replay.name, "bold"), f" · {replay.config}")))
    if replay.about:
        console.print(Text(replay.about, "italic dim"), justify="center")
    day = thread = None
    for turn in replay.turns:
        if (turn.time.date(), turn.thread) != (day, thread):
            day, thread = turn.time.date(), turn.thread
            console.print(Rule(Text(f"{turn.time:%a %Y-%m-%d} · {thread}"), style="dim", align="left"))
        console.print(turn_view(turn, replay.language))
    console.print(known_table(replay.known, replay.language))
    console.print(totals_table(replay))


def turn_view(turn: TurnResult, language: str = "en") -> RenderableType:
    """Show one turn: what was said, what memory told whom, what was used, and what was learned."""
    lines: list[RenderableType] = [
        _spoken(f"{turn.number:>3} {turn.time:%H:%M}", words("you", language), turn.said, "bold")
    ]
    lines += [_injected(one, language) for one in turn.injections if one.tokens]
    lines.append(_spoken("", turn.agent, turn.answer, "cyan"))
    if turn.referenced:
        lines.append(
            _note(words("used", language), "; ".join(_short(told.content) for told in turn.referenced), "blue")
        )
    lines += learned_lines(turn.learned, language)
    return Padding(Group(*lines), (0, 0, 1, 0))


def learned_lines(learned: Learned, language: str = "en") -> Iterator[Table]:
    """Tell what was learned, a line each."""
    for name, mark, style in _MARKS:
        for told in getattr(learned, name):
            yield _note(words(CHANGES[name], language), f"{mark} {_short(told.content)}", style)
    for content, why in learned.refused:
        yield _note(words("refused", language), f"{_short(content)} ({why})", "dim red")
    for error in learned.errors:
        yield _note(words("failed", language), error, "red")


def known_table(known: tuple[Known, ...], language: str = "en", title: str = "") -> Table:
    """Tell what is known, and the words it came from."""
    table = Table(title=title or words("What is known, and why", language), title_justify="left", expand=True)
    table.add_column(words("known", language), ratio=4, overflow="fold")
    table.add_column(words("because it was said", language), ratio=5, overflow="fold")
    table.add_column(words("when", language), no_wrap=True)
    table.add_column(words("weight", language), justify="right")
    for one in known:
        said = Text(f"“{_short(one.said)}”", "italic")
        table.add_row(Text(one.record.content, "bold"), said, f"{one.time:%Y-%m-%d}", f"{one.weight:.2f}")
    return table


def totals_table(replay: Replay) -> Group:
    """Tell the totals."""
    totals = replay.totals

    def say(text: str) -> str:
        return words(text, replay.language)

    cost = (totals.tokens, totals.tokens_a_turn, totals.most_tokens, totals.budget)
    rows = (
        ("turns", "{} in {} threads over {} days", (totals.turns, totals.threads, totals.days)),
        ("memory told", "{} tokens, {:.0f} a turn, at most {} of {}", cost),
        ("records told", "{}, of which answers used {:.0%}", (totals.injected, totals.referenced_share)),
        (
            "learned",
            "{} facts; {} hold no more; {} heard again",
            (totals.added, totals.superseded, totals.confirmed),
        ),
        ("put aside", "{} quarantined, {} refused", (totals.quarantined, totals.refused)),
        ("upkeep", "{} archived, {} ended", (totals.archived, totals.ended)),
    )
    table = Table.grid(padding=(0, 2))
    for name, form, values in rows:
        table.add_row(say(name), say(form).format(*values))
    if totals.failures:
        table.add_row(say("failed"), Text(say("memory failed {} times").format(totals.failures), "red"))
    bar = ProgressBar(total=max(totals.budget, 1), completed=totals.most_tokens, width=40)
    return Group(Text(say("Totals"), "bold"), table, Text(say("fullest prompt"), "dim"), bar)


def _spoken(head: str, who: str, text: str, style: str) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=9, justify="right", style="dim")
    grid.add_column(width=7, style=style)
    grid.add_column(overflow="fold")
    grid.add_row(head, who, Text(_short(text, 2 * _LONGEST)))
    return grid


def _injected(one: Injection, language: str) -> Table:
    parts = [f"{one.tokens}/{one.budget} {words('tokens', language)}"]
    if one.records:
        parts.append("; ".join(_title(told) for told in one.records))
    if one.lines:
        parts.append(f"{words('profile and last rounds', language)}: {one.lines}")
    if one.dropped:
        parts.append(f"{one.dropped} {words('lines found no room', language)}")
    return _note(f"{words('told', language)} {one.agent}", " · ".join(parts), "magenta")


def _title(told: Told) -> str:
    return f"{_short(told.content, 90)} [{told.id[:10]}]"


def _note(label: str, text: str, style: str) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=9)
    grid.add_column(width=16, style="dim")
    grid.add_column(overflow="fold")
    grid.add_row("", label, Text(text, style))
    return grid


def _short(text: str, most: int = _LONGEST) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"
