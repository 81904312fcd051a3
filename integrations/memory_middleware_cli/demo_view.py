"""How ``memory demo`` looks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from rich.box import ROUNDED
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TextColumn
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from memory_middleware_cli.commands.printing import error_console
from memory_middleware_cli.demo_story import Demo, run_demo
from memory_middleware_cli.demo_words import Words, words_for
from memory_middleware_cli.replay.result import Replay, TurnResult
from memory_middleware_cli.replay.telling import plain_replay
from memory_middleware_cli.replay.timeline import known_table, learned_lines

__all__ = ["demo_facts", "show_demo"]


def show_demo(demo: Demo, console: Console) -> None:
    """Run the story, and show each conversation, what was learned, and what is known in the end and why."""
    words = words_for(demo.config.language)
    found = _run(demo, words)
    console.rule(f"[bold]{words.title}")
    console.print(Text(words.about, "dim"), justify="center")
    for at, (_, turns) in enumerate(groupby(found.turns, key=lambda turn: turn.thread), 1):
        console.print(_conversation(at, list(turns), words, found.language))
    console.print(_last_block(found, words))
    console.print(known_table(found.known, found.language, words.known))
    console.print(_cost(found, demo, words))
    console.print(Text(words.more, "dim"))


def demo_facts(demo: Demo) -> dict[str, Any]:
    """Run the story, and tell it as plain data."""
    found = run_demo(demo)
    blocks = {one.agent: one.text for turn in found.turns for one in turn.injections if one.text}
    agents = [
        {"name": name, "budget": budget, "most_tokens": _most(found, name), "last_block": blocks.get(name, "")}
        for name, budget in demo.budgets.items()
    ]
    return {"agents": agents, **plain_replay(found)}


def _run(demo: Demo, words: Words) -> Replay:
    columns = (TextColumn("{task.description}"), BarColumn())
    console = error_console()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(words.running, total=len(demo.trace.turns))
        return run_demo(demo, lambda _turn: progress.advance(task))


def _conversation(at: int, turns: list[TurnResult], words: Words, language: str) -> Panel:
    lines: list[RenderableType] = [line for turn in turns for line in _turn(turn, words)]
    learned = [line for turn in turns for line in learned_lines(turn.learned, language)]
    if learned:
        lines += [Text(f"── {words.learned}", "dim"), *learned]
    place = f" · {turns[0].time:%Y-%m-%d} · {turns[0].thread}"
    title = Text.assemble((words.conversation.format(at), "bold"), place)
    return Panel(Group(*lines), title=title, title_align="left", border_style="dim", box=ROUNDED)


def _turn(turn: TurnResult, words: Words) -> Iterator[RenderableType]:
    yield _line(words.you, turn.said, "bold")
    told = [one for one in turn.injections if one.tokens]
    if told:
        costs = ", ".join(f"{one.agent} {one.tokens}/{one.budget}" for one in told)
        used = f" · {words.used.format(len(turn.referenced))}" if turn.referenced else ""
        yield _line("", f"{words.told}: {costs}{used}", "dim magenta")
    yield _line(turn.agent, turn.answer, "cyan")


def _line(who: str, text: str, style: str) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=7, justify="right", style="dim")
    grid.add_column(overflow="fold")
    grid.add_row(who, Text(" ".join(text.split()), style))
    return grid


def _last_block(found: Replay, words: Words) -> RenderableType:
    texts = [one.text for turn in found.turns for one in turn.injections if one.text]
    return Panel(Text(texts[-1], "cyan"), title=words.block, title_align="left", box=ROUNDED) if texts else Text("")


def _cost(found: Replay, demo: Demo, words: Words) -> Table:
    grid = Table.grid(padding=(0, 1))
    for name, budget in demo.budgets.items():
        most = _most(found, name)
        bar = ProgressBar(total=budget, completed=most, width=40)
        grid.add_row(Text(name, "bold"), bar, words.cost.format(most, budget))
    return grid


def _most(found: Replay, agent: str) -> int:
    return max((one.tokens for turn in found.turns for one in turn.injections if one.agent == agent), default=0)
