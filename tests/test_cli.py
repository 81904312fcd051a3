"""The ``memory`` command."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

import memory_middleware_cli.app as cli
from memory_middleware import MemoryMiddlewareError, TokenCounter

run = CliRunner().invoke


def test_demo_shows_both_prompts_and_their_costs() -> None:
    result = run(cli.app, ["demo"], env={"COLUMNS": "120"})
    assert result.exit_code == 0
    assert "USER_MEMORY_START" in result.output
    assert "WORK_MEMORY_START" in result.output
    assert "router: tokens by section (o200k_base)" in result.output
    assert "of 260 tokens" in result.output


@pytest.mark.parametrize("language", ["en", "zh"])
def test_demo_tells_real_numbers(language: str) -> None:
    facts = json.loads(run(cli.app, ["demo", "--json", "--language", language]).output)
    assert [agent["name"] for agent in facts["agents"]] == ["router", "worker"]
    assert facts["tokens"] == {"encoding": "o200k_base", "factor": 1.0, "exact": True}
    for agent in facts["agents"]:
        assert TokenCounter().count(agent["prompt"]) == agent["prompt_tokens"]
        assert 0 < agent["memory_tokens"] <= agent["budget"]
        assert agent["memory_tokens"] >= sum(section["tokens"] for section in agent["sections"])


def test_a_budget_of_ones_own_is_kept() -> None:
    facts = json.loads(run(cli.app, ["demo", "--json", "--budget", "50"]).output)
    assert all(agent["memory_tokens"] <= agent["budget"] == 50 for agent in facts["agents"])


def test_a_tiny_budget_leaves_memory_out() -> None:
    result = run(cli.app, ["demo", "--budget", "1"])
    assert result.exit_code == 0
    assert "MEMORY_START" not in result.output


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
