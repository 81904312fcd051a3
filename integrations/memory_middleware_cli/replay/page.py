"""A replay as one page that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from memory_middleware_cli.replay.comparing import comparison
from memory_middleware_cli.replay.plots import budget_plot, knowledge_plot, weights_plot
from memory_middleware_cli.replay.result import Injection, Known, Learned, Replay, TurnResult

__all__ = ["render_page"]

_CHANGES = {
    "added": "learned",
    "superseded": "holds no more",
    "confirmed": "heard again",
    "quarantined": "set aside",
    "archived": "archived",
    "ended": "its time is over",
}


def render_page(replay: Replay, other: Replay | None = None) -> str:
    """Render a replay, and beside it one with another configuration, as HTML."""
    style = (files("memory_middleware_cli.replay") / "page.css").read_text(encoding="utf-8")
    parts = [
        f"<h1>{escape(replay.name)}</h1>",
        f'<p class="about">{escape(replay.about or "A replayed conversation")} · {escape(replay.config)}</p>',
        _numbers(replay),
        *([_comparison(replay, other)] if other else []),
        "<h2>Weights over time</h2>",
        weights_plot(replay),
        "<h2>Budget use</h2>",
        budget_plot(replay),
        "<h2>Records that hold</h2>",
        knowledge_plot(replay),
        "<h2>What is known, and why</h2>",
        _known(replay.known),
        "<h2>Timeline</h2>",
        *_timeline(replay),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(replay.name)} · memory replay</title><style>\n{style}</style></head>\n"
        f"<body><main>\n{chr(10).join(parts)}\n</main></body></html>\n"
    )


def _numbers(replay: Replay) -> str:
    totals = replay.totals
    told = (
        (f"{totals.turns}", f"turns in {totals.threads} threads"),
        (f"{totals.days}", "days"),
        (f"{totals.tokens_a_turn:.0f}", "tokens of memory a turn"),
        (f"{totals.most_tokens}", f"most of {totals.budget} tokens"),
        (f"{totals.referenced_share:.0%}", f"of {totals.injected} records told were used"),
        (f"{totals.added}", "facts learned"),
        (f"{totals.superseded}", "hold no more"),
        (f"{totals.quarantined + totals.refused}", "set aside or refused"),
    )
    return f'<div class="numbers">{"".join(f"<div><b>{value}</b><span>{label}</span></div>" for value, label in told)}</div>'


def _comparison(one: Replay, other: Replay) -> str:
    found = comparison(one, other)
    rows = "".join(
        f'<tr><td>{escape(name)}</td><td class="number">{pair["one"]:g}</td><td class="number">{pair["other"]:g}</td></tr>'
        for name, pair in found["numbers"].items()
    )
    heads = "".join(f'<th class="number">{escape(replay.config)}</th>' for replay in (one, other))
    return f"<h2>Two configurations</h2><div class=wide><table><tr><th></th>{heads}</tr>{rows}</table></div>"


def _known(known: tuple[Known, ...]) -> str:
    if not known:
        return '<p class="quiet">Nothing.</p>'
    rows = "".join(
        f"<tr><td>{escape(one.record.content)}</td><td><q>{escape(one.said)}</q></td>"
        f'<td class="number">{one.time:%Y-%m-%d}</td><td class="number">{one.weight:.2f}</td></tr>'
        for one in known
    )
    heads = "<th>known</th><th>because it was said</th><th class=number>when</th><th class=number>weight</th>"
    return f"<div class=wide><table><tr>{heads}</tr>{rows}</table></div>"


def _timeline(replay: Replay) -> Iterator[str]:
    last = None
    for turn in replay.turns:
        place = (turn.time.date(), turn.thread)
        if place != last:
            last = place
            yield f"<h3>{turn.time:%a %Y-%m-%d} · {escape(turn.thread)}</h3>"
        yield _turn(turn)


def _turn(turn: TurnResult) -> str:
    notes = [*_told(turn), *_changes(turn.learned)]
    listed = f"<ul>{''.join(notes)}</ul>" if notes else ""
    blocks = "".join(_block(one) for one in turn.injections if one.text)
    return (
        f'<article class="turn" id="turn-{turn.number}">'
        f'<p class="said"><span class="who">{turn.number} · {turn.time:%H:%M} · you</span>{escape(turn.said)}</p>'
        f'<p><span class="who">{escape(turn.agent)}</span>{escape(turn.answer)}</p>{listed}{blocks}</article>'
    )


def _told(turn: TurnResult) -> Iterator[str]:
    for one in turn.injections:
        records = "; ".join(f"{record.content} [{record.id[:10]}]" for record in one.records)
        told = f"{one.tokens} of {one.budget} tokens" + (f" · {records}" if records else "")
        silent = f"nothing: {one.silence}" if one.silence else told
        yield f"<li><b>told {escape(one.agent)}</b> {escape(silent)}</li>"
    for record in turn.referenced:
        yield f'<li class="referenced"><b>used</b> {escape(record.content)}</li>'


def _changes(learned: Learned) -> Iterator[str]:
    for name, label in _CHANGES.items():
        for record in getattr(learned, name):
            yield f'<li class="{name}"><b>{label}</b> {escape(record.content)}</li>'
    for content, why in learned.refused:
        yield f'<li class="refused"><b>refused</b> {escape(content)} ({escape(why)})</li>'
    for error in learned.errors:
        yield f'<li class="errors"><b>failed</b> {escape(error)}</li>'


def _block(one: Injection) -> str:
    return f"<details><summary>what {escape(one.agent)} was told</summary><pre>{escape(one.text)}</pre></details>"
