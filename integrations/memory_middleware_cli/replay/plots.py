"""Plots of a replay as SVG: weights over time, what memory cost of its budget, and how much is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from memory_middleware_cli.replay.result import Replay
from memory_middleware_cli.replay.words import words

__all__ = ["budget_plot", "knowledge_plot", "weights_plot"]

_WIDTH, _HEIGHT = 720.0, 240.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 12.0, 12.0, 30.0
_MOST_LINES = 8


class _Frame(NamedTuple):
    """Where turns and values stand in a plot."""

    turns: int
    top: float

    def x(self, number: float) -> float:
        inner = _WIDTH - _LEFT - _RIGHT
        return _LEFT + inner * (number - 0.5) / max(self.turns, 1)

    def y(self, value: float) -> float:
        inner = _HEIGHT - _TOP - _BOTTOM
        return _HEIGHT - _BOTTOM - inner * min(value / self.top, 1.0)

    def points(self, values: Sequence[tuple[int, float]]) -> str:
        return " ".join(f"{self.x(at):.1f},{self.y(value):.1f}" for at, value in values)


def weights_plot(replay: Replay) -> str:
    """Plot how weights follow use: a line for each of the records that moved most."""
    lines = _weights(replay)
    if not lines:
        return _empty(words("No record was learned.", replay.language))
    top = max(value for _, values in lines for _, value in values) * 1.1
    frame = _Frame(len(replay.turns), max(top, 1.1))
    drawn = [
        f'<polyline class="line s{at}" points="{frame.points(values)}"><title>{escape(text)}</title></polyline>'
        for at, (text, values) in enumerate(lines)
    ]
    legend = "".join(
        f'<li><span class="dot s{at}"></span>{escape(text)} <b>{values[-1][1]:.2f}</b></li>'
        for at, (text, values) in enumerate(lines)
    )
    svg = _svg(words("Weights over time", replay.language), [*_axes(frame, "{:.1f}"), *drawn])
    return f'{svg}<ul class="legend">{legend}</ul>'


def budget_plot(replay: Replay) -> str:
    """Plot what memory cost in each turn, router below and worker above, beside the budget of one agent."""
    totals = replay.totals
    tallest = max((turn.tokens for turn in replay.turns), default=0)
    within = totals.budget <= 2 * max(tallest, 1)
    frame = _Frame(len(replay.turns), max(float(totals.budget) if within else 0.0, tallest) * 1.1 or 1.0)
    bars = "".join(_bars(replay, frame))
    line = ""
    if within:
        at = f'y1="{frame.y(totals.budget):.1f}" y2="{frame.y(totals.budget):.1f}"'
        line = (
            f'<line class="limit" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" {at}><title>budget {totals.budget}</title></line>'
        )
    svg = _svg(words("Budget use", replay.language), [*_axes(frame, "{:.0f}"), bars, line])
    form = words("budget of one agent: {} tokens; fullest prompt: {}", replay.language)
    note = form.format(totals.budget, totals.most_tokens)
    agents = '<li><span class="dot s0"></span>router</li><li><span class="dot s1"></span>worker</li>'
    return f'{svg}<ul class="legend">{agents}<li>{note}</li></ul>'


def knowledge_plot(replay: Replay) -> str:
    """Plot how many records hold after each turn."""
    count, values = 0, []
    for turn in replay.turns:
        learned = turn.learned
        gone = len(learned.superseded) + len(learned.archived) + len(learned.ended)
        count = max(0, count + len(learned.added) - gone)
        values.append((turn.number, float(count)))
    frame = _Frame(len(values), max((value for _, value in values), default=0.0) * 1.1 or 1.0)
    line = f'<polyline class="line s2" points="{frame.points(values)}"/>'
    return _svg(words("Records that hold", replay.language), [*_axes(frame, "{:.0f}"), line])


def _weights(replay: Replay) -> list[tuple[str, list[tuple[int, float]]]]:
    lines: dict[str, list[tuple[int, float]]] = {}
    for turn in replay.turns:
        for name, weight in turn.weights.items():
            lines.setdefault(name, []).append((turn.number, weight))
    moved = sorted(lines, key=lambda name: (-_moved([value for _, value in lines[name]]), name))
    return [(replay.contents.get(name, name), lines[name]) for name in moved[:_MOST_LINES]]


def _moved(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _bars(replay: Replay, frame: _Frame) -> Iterator[str]:
    width = max(1.5, 0.7 * (frame.x(2) - frame.x(1)))
    for turn in replay.turns:
        below = 0
        for one in turn.injections:
            style = "s0" if one.agent == "router" else "s1"
            upper, lower = frame.y(below + one.tokens), frame.y(below)
            below += one.tokens
            told = f"turn {turn.number}: {one.agent} {one.tokens} of {one.budget}"
            place = f'x="{frame.x(turn.number) - width / 2:.1f}" y="{upper:.1f}" width="{width:.1f}"'
            yield f'<rect class="{style}" {place} height="{lower - upper:.1f}"><title>{told}</title></rect>'


def _axes(frame: _Frame, form: str) -> Iterator[str]:
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        height = frame.y(frame.top * part)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{height:.1f}" y2="{height:.1f}"/>'
        told = form.format(frame.top * part)
        yield f'<text x="{_LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{told}</text>'
    step = max(1, -(-frame.turns // 10))
    for number in range(1, frame.turns + 1, step):
        yield f'<text x="{frame.x(number):.1f}" y="{_HEIGHT - 10}" text-anchor="middle">{number}</text>'


def _svg(label: str, parts: Sequence[str]) -> str:
    box = f'viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}"'
    return f'<div class="plot"><svg {box} role="img" aria-label="{escape(label)}">{"".join(parts)}</svg></div>'


def _empty(text: str) -> str:
    return f'<p class="quiet">{escape(text)}</p>'
