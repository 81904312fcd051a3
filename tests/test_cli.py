"""The ``memory`` command."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from typing import Any

import pytest
from typer.testing import CliRunner

import memory_middleware_cli.app as cli
from memory_middleware import MemoryMiddlewareError, TokenCounter
from memory_middleware_cli.demo_words import words_for

run = CliRunner().invoke


def facts(*options: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run(cli.app, ["demo", "--json", *options]).stdout)
    return told


def test_demo_shows_five_conversations_and_what_is_known_and_why() -> None:
    result = run(cli.app, ["demo"], env={"COLUMNS": "120"})
    assert result.exit_code == 0, result.output
    assert [number for number in range(1, 7) if f"Conversation {number}" in result.output] == [1, 2, 3, 4, 5]
    assert "What I know about you, and why" in result.output
    assert "The user lives in Oslo." in result.output
    assert "of 320 tokens" in result.output


def test_demo_answers_from_memory_and_tells_why() -> None:
    told = facts()
    last = {turn["said"]: turn["answer"] for turn in told["turns"][-4:]}
    assert "nuts" in last["What am I allergic to?"]
    assert "Oslo" in last["Where do I live now?"]
    known = {one["content"]: one for one in told["known"]}
    assert known["The user lives in Oslo."]["because"].startswith("I live in Oslo now")
    assert known["The user lives in Oslo."]["time"] == "2026-05-04T19:20:00+00:00"
    assert "The user lives in Bergen." not in known
    assert "lighthouse" not in json.dumps(told["known"])
    assert "invoice" not in json.dumps([told["known"], told["profiles"], told["agents"]])


def test_demo_speaks_chinese() -> None:
    result = run(cli.app, ["demo", "--language", "zh"], env={"COLUMNS": "120"})
    assert "我知道的关于你的事，以及为什么" in result.output
    assert "用户对花生过敏。" in result.output
    told = facts("--language", "zh")
    assert "2026-06-26" in next(
        turn["answer"] for turn in told["turns"] if turn["said"].startswith("港湾项目的截止日期是")
    )


@pytest.mark.parametrize(("language", "project"), [("en", "Fjord"), ("zh", "港湾")])
def test_demo_ends_with_one_deadline_of_its_project_and_the_profile_agrees(language: str, project: str) -> None:
    told = facts("--language", language)
    deadlines = [one["content"] for one in told["known"] if "deadline" in one["content"] or "截止" in one["content"]]
    (deadline,) = deadlines
    assert project in deadline
    assert "2026-06-26" in deadline
    (current,) = told["profiles"]["work"]["current_projects"]
    assert (current["name"], current["deadline"]) == (project, "2026-06-26")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_demo_tells_real_numbers(language: str) -> None:
    told = facts("--language", language)
    assert [(agent["name"], agent["budget"]) for agent in told["agents"]] == [("router", 320), ("worker", 240)]
    for agent in told["agents"]:
        assert 0 < TokenCounter().count(agent["last_block"]) <= agent["most_tokens"] <= agent["budget"]


def test_a_budget_of_ones_own_is_kept() -> None:
    told = facts("--budget", "60")
    assert all(0 < agent["most_tokens"] <= agent["budget"] == 60 for agent in told["agents"])


def test_a_tiny_budget_leaves_memory_out() -> None:
    result = run(cli.app, ["demo", "--budget", "1"])
    assert result.exit_code == 0
    assert "What memory told the agent" not in result.output
    assert all(agent["last_block"] == "" for agent in facts("--budget", "1")["agents"])


def test_a_language_without_words_is_told_in_english() -> None:
    assert words_for("pt") == words_for("en")


def test_the_version_is_told() -> None:
    assert run(cli.app, ["--version"]).output.strip() == version("langgraph-memory-middleware")


def test_wrong_options_end_with_a_usage_error() -> None:
    assert run(cli.app, ["demo", "--budget", "0"]).exit_code == 2
    assert run(cli.app, ["demo", "--language", "fr"]).exit_code == 2


def test_an_error_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise MemoryMiddlewareError("the [store] is full")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 1
    assert capsys.readouterr().err == "memory: the [store] is full\n"


def test_the_command_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memory_middleware_cli", "--help"], capture_output=True, text=True, check=True
    )
    assert "demo" in done.stdout
