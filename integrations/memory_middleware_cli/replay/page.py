"""A replay as one page that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from memory_middleware_cli.replay.comparing import comparison
from memory_middleware_cli.replay.plots import budget_plot, knowledge_plot, weights_plot
from memory_middleware_cli.replay.result import Injection, Known, Learned, Replay, TurnResult
from memory_middleware_cli.replay.words import CHANGES, words

__all__ = ["render_page"]

_NUMBER = " class=number"


def render_page(replay: Replay, other: Replay | None = None) -> str:
    """Render a replay, and beside it one with another configuration, as HTML."""
    language = replay.language
    style = (files("memory_middleware_cli.replay") / "page.css").read_text(encoding="utf-8")
    parts = [
        f"<h1>{escape(replay.name)}</h1>",
        _about(replay),
        _numbers(replay),
        *([_comparison(replay, other)] if other else []),
        _heading("Weights over time", language),
        weights_plot(replay),
        _heading("Budget use", language),
        budget_plot(replay),
        _heading("Records that hold", language),
        knowledge_plot(replay),
        _heading("What is known, and why", language),
        _known(replay.known, language),
        _heading("Timeline", language),
        *_timeline(replay),
    ]
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(replay.name)} · memory replay</title><style>\n{style}</style></head>\n"
        f"<body><main>\n{chr(10).join(parts)}\n</main></body></html>\n"
    )


def _about(replay: Replay) -> str:
    about = replay.about or words("A replayed conversation", replay.language)
    return f'<p class="about">{escape(about)} · {escape(replay.config)}</p>'


def _heading(text: str, language: str) -> str:
    return f"<h2>{words(text, language)}</h2>"


def _numbers(replay: Replay) -> str:
    totals = replay.totals

    def say(text: str, *values: int) -> str:
        return words(text, replay.language).format(*values)

    told = (
        (f"{totals.turns}", say("turns in {} threads", totals.threads)),
        (f"{totals.days}", say("days")),
        (f"{totals.tokens_a_turn:.0f}", say("tokens of memory a turn")),
        (f"{totals.most_tokens}", say("most of {} tokens", totals.budget)),
        (f"{totals.referenced_share:.0%}", say("of {} records told were used", totals.injected)),
        (f"{totals.added}", say("facts learned")),
        (f"{totals.superseded}", say("hold no more")),
        (f"{totals.quarantined + totals.refused}", say("set aside or refused")),
    )
    boxes = "".join(f"<div><b>{value}</b><span>{label}</span></div>" for value, label in told)
    return f'<div class="numbers">{boxes}</div>'


def _comparison(one: Replay, other: Replay) -> str:
    found = comparison(one, other)
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td{_NUMBER}>{pair['one']:g}</td><td{_NUMBER}>{pair['other']:g}</td></tr>"
        for name, pair in found["numbers"].items()
    )
    heads = "".join(f'<th class="number">{escape(replay.config)}</th>' for replay in (one, other))
    heading = _heading("Two configurations", one.language)
    return f"{heading}<div class=wide><table><tr><th></th>{heads}</tr>{rows}</table></div>"


def _known(known: tuple[Known, ...], language: str) -> str:
    if not known:
        return f'<p class="quiet">{words("Nothing.", language)}</p>'
    rows = "".join(
        f"<tr><td>{escape(one.record.content)}</td><td><q>{escape(one.said)}</q></td>"
        f'<td class="number">{one.time:%Y-%m-%d}</td><td class="number">{one.weight:.2f}</td></tr>'
        for one in known
    )
    heads = "".join(
        f"<th{kind}>{words(text, language)}</th>"
        for text, kind in (("known", ""), ("because it was said", ""), ("when", _NUMBER), ("weight", _NUMBER))
    )
    return f"<div class=wide><table><tr>{heads}</tr>{rows}</table></div>"


def _timeline(replay: Replay) -> Iterator[str]:
    last = None
    for turn in replay.turns:
        place = (turn.time.date(), turn.thread)
        if place != last:
            last = place
            yield f"<h3>{turn.time:%a %Y-%m-%d} · {escape(turn.thread)}</h3>"
        yield _turn(turn, replay.language)


def _turn(turn: TurnResult, language: str) -> str:
    notes = [*_told(turn, language), *_changes(turn.learned, language)]
    listed = f"<ul>{''.join(notes)}</ul>" if notes else ""
    blocks = "".join(_block(one, language) for one in turn.injections if one.text)
    return (
        f'<article class="turn" id="turn-{turn.number}">'
        f'<p class="said"><span class="who">{turn.number} · {turn.time:%H:%M} · {words("you", language)}</span>'
        f"{escape(turn.said)}</p>"
        f'<p><span class="who">{escape(turn.agent)}</span>{escape(turn.answer)}</p>{listed}{blocks}</article>'
    )


def _told(turn: TurnResult, language: str) -> Iterator[str]:
    for one in turn.injections:
        records = "; ".join(f"{record.content} [{record.id[:10]}]" for record in one.records)
        told = f"{one.tokens}/{one.budget} {words('tokens', language)}" + (f" · {records}" if records else "")
        if one.silence:
            told = words("nothing: {}", language).format(one.silence)
        yield f"<li><b>{words('told', language)} {escape(one.agent)}</b> {escape(told)}</li>"
    for record in turn.referenced:
        yield f'<li class="referenced"><b>{words("used", language)}</b> {escape(record.content)}</li>'


def _changes(learned: Learned, language: str) -> Iterator[str]:
    for name, label in CHANGES.items():
        for record in getattr(learned, name):
            yield f'<li class="{name}"><b>{words(label, language)}</b> {escape(record.content)}</li>'
    for content, why in learned.refused:
        yield f'<li class="refused"><b>{words("refused", language)}</b> {escape(content)} ({escape(why)})</li>'
    for error in learned.errors:
        yield f'<li class="errors"><b>{words("failed", language)}</b> {escape(error)}</li>'


def _block(one: Injection, language: str) -> str:
    title = words("what {} was told", language).format(escape(one.agent))
    return f"<details><summary>{title}</summary><pre>{escape(one.text)}</pre></details>"
