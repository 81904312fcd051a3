"""How a replay looks: in a terminal, as a page, as plain data, and beside another."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from memory_middleware import InvalidInputError
from memory_middleware_cli.replay import Replay
from memory_middleware_cli.replay.comparing import comparison, comparison_table
from memory_middleware_cli.replay.golden import differences, save_golden
from memory_middleware_cli.replay.page import render_page
from memory_middleware_cli.replay.result import Injection, Learned, Told, TurnResult
from memory_middleware_cli.replay.telling import plain_replay
from memory_middleware_cli.replay.timeline import show_replay
from memory_middleware_cli.replay.words import words
from tests.replay.support import replayed

_VOID = {"meta", "line", "rect", "polyline", "br"}
HOSTILE = '<script>alert("x")</script> & <!-- -->'


def shown(found: Replay, width: int = 100) -> str:
    console = Console(file=StringIO(), width=width)
    show_replay(found, console)
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def troubled() -> Replay:
    """A replay in which everything happens that can."""
    told = Told("mem_1", "fact", HOSTILE)
    everything = Learned(
        added=(told,),
        superseded=(told,),
        confirmed=(told,),
        quarantined=(told,),
        refused=((HOSTILE, "no round says so"),),
        profiles=("user",),
        archived=(told,),
        ended=(told,),
        errors=("the model is gone",),
    )
    base = replayed("adversarial")
    injection = Injection("router", 90, 100, (told,), lines=2, dropped=1, text=HOSTILE)
    turn = replace(base.turns[0], said=HOSTILE, answer=HOSTILE, injections=(injection,), referenced=(told,))
    turn.learned = everything
    turn.weights = {"mem_1": 1.0}
    return replace(base, name=HOSTILE, about="", turns=(turn,), failures=2)


class Balanced(HTMLParser):
    """Notes what is opened and never closed, and everything that would ask another place for something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in _VOID:
            self.open.append(tag)
        self.outside += [
            f"{tag} {name}={value}" for name, value in attrs if name in ("src", "href", "srcset", "action")
        ]

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open.pop() == tag, tag


def checked(page: str) -> Balanced:
    parser = Balanced()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    assert parser.outside == []
    assert not re.search(r"@import|url\(|https?://(?!\S*example)", re.sub(r"<(p|pre|li|td|q)\b.*?</\1>", "", page))
    return parser


def test_the_timeline_tells_what_was_told_used_and_learned() -> None:
    text = shown(replayed("assistant_weeks"))
    for part in ("told router", "used", "learned", "holds no more", "What is known, and why", "Totals", "tokens"):
        assert part in text
    assert "2026-04-20 · check-in" in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_chinese_replay_is_shown_in_chinese() -> None:
    text = shown(replayed("chinese"))
    for part in ("学到", "知道什么，以及为什么", "合计", "词元"):
        assert part in text
    page = render_page(replayed("chinese"))
    assert '<html lang="zh">' in page
    assert "权重变化" in page


def test_trouble_is_shown_too() -> None:
    text = shown(troubled())
    for part in ("set aside", "archived", "refused", "failed", "its time is over", "memory failed 2 times", "no room"):
        assert part in text


@pytest.mark.parametrize("name", ["assistant_weeks", "adversarial", "chinese"])
def test_the_page_is_whole_and_asks_for_nothing(name: str) -> None:
    page = render_page(replayed(name))
    parser = checked(page)
    assert {"svg", "polyline", "rect", "article", "details"} <= parser.seen
    assert "script" not in parser.seen
    assert page.count('<article class="turn"') == len(replayed(name).turns)
    for part in ("prefers-color-scheme: dark", 'name="viewport"', "max-width: 40rem"):
        assert part in page


def test_hostile_text_stays_text() -> None:
    page = render_page(troubled(), troubled())
    assert "script" not in checked(page).seen
    assert "&lt;script&gt;" in page


def test_plots_stay_inside_their_frames() -> None:
    page = render_page(replayed("assistant_weeks"))
    for points in re.findall(r'points="([^"]+)"', page):
        for pair in points.split():
            across, down = map(float, pair.split(","))
            assert 46 <= across <= 708
            assert 12 <= down <= 210


def test_a_replay_without_turns_or_records_can_be_shown() -> None:
    empty = replace(replayed("adversarial"), turns=(), known=(), contents={})
    assert (empty.totals.days, empty.totals.tokens_a_turn) == (0, 0.0)
    checked(render_page(empty))
    assert "Totals" in shown(empty)


def test_plain_data_is_json_without_times_of_this_machine() -> None:
    plain = plain_replay(replayed("assistant_weeks"))
    text = json.dumps(plain)
    assert "took" not in text
    assert plain["turns"][0]["said"].startswith("Hi!")
    assert "said" not in plain_replay(replayed("assistant_weeks"), spoken=False)["turns"][0]
    trouble = plain_replay(troubled())["turns"][0]
    assert trouble["learned"]["refused"] == [{"content": HOSTILE, "why": "no round says so"}]
    assert trouble["learned"]["errors"] == ["the model is gone"]
    assert trouble["injected"][0]["dropped"] == 1


def test_two_replays_stand_side_by_side() -> None:
    one, other = replayed("assistant_weeks"), replace(troubled(), config="mine")
    told = comparison(one, other)
    assert told["numbers"]["tokens in all"] == {"one": one.totals.tokens, "other": 90}
    assert told["known_only_by"]["one"]
    console = Console(file=StringIO(), width=120)
    console.print(comparison_table(one, other))
    console.print(comparison_table(one, one))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "mine" in text
    assert "used share" in text
    assert "same" in text


def test_a_golden_file_tells_what_changed(tmp_path: Path) -> None:
    place = tmp_path / "golden.json"
    found = replayed("adversarial")
    save_golden(found, place)
    assert differences(found, place) == []
    turn: TurnResult = replace(found.turns[0], agent="worker")
    changed = differences(replace(found, turns=(turn, *found.turns[1:])), place)
    assert any(line.startswith("+") and '"worker"' in line for line in changed)
    assert len(differences(replace(found, turns=()), place)) == 61


def test_a_golden_file_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="cannot be read"):
        differences(replayed("adversarial"), tmp_path / "nowhere.json")
    with pytest.raises(InvalidInputError, match="cannot be written"):
        save_golden(replayed("adversarial"), tmp_path / "no" / "where.json")


def test_words_without_a_translation_stay_english() -> None:
    assert words("something new", "zh") == "something new"
    assert words("learned", "en") == "learned"
