"""``memory replay`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import memory_middleware_cli.app as cli
from tests.replay.support import said, write_lines

run = CliRunner().invoke
ROWS = [
    said("user", "My dog is called Bruno.", thread="a", time="2026-03-02T09:00:00+00:00"),
    said("assistant", "Hello Bruno.", thread="a", agent="router"),
    said("user", "Good morning.", thread="b", time="2026-03-05T09:00:00+00:00"),
    said("assistant", "Good morning.", thread="b", agent="router"),
    said("user", "What is my dog called?", thread="b", time="2026-03-05T09:01:00+00:00"),
    said("assistant", "Bruno.", thread="b", agent="router"),
]


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "dog.jsonl", *ROWS)


def test_a_trace_is_shown_saved_checked_and_written_as_a_page(trace: Path, tmp_path: Path) -> None:
    page, golden = tmp_path / "dog.html", tmp_path / "dog.json"
    shown = run(cli.app, ["replay", str(trace), "--html", str(page), "--save", str(golden)], env={"COLUMNS": "120"})
    assert shown.exit_code == 0, shown.output
    assert "The user has a dog named Bruno." in shown.output
    assert "<svg" in page.read_text(encoding="utf-8")
    same = run(cli.app, ["replay", str(trace), "--check", str(golden), "--json", "--owner", "owner"])
    assert same.exit_code == 0
    assert json.loads(same.stdout)["totals"]["turns"] == 3
    other = run(cli.app, ["replay", str(trace), "--check", str(golden), "--json", "--turns", "1"])
    assert other.exit_code == 1
    assert "+++ this replay" in other.stderr


def test_two_configurations_are_compared(trace: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.yaml"
    small.write_text("inject: {budget: {total_tokens: 40}}\n", encoding="utf-8")
    page = tmp_path / "dog.html"
    told = run(cli.app, ["replay", str(trace), "--compare", str(small), "--json", "--html", str(page)])
    numbers = json.loads(told.stdout)["comparison"]["numbers"]
    assert numbers["budget"] == {"one": 1024, "other": 40}
    assert numbers["most in one prompt"]["other"] <= 40
    assert "Two configurations" in page.read_text(encoding="utf-8")
    shown = run(cli.app, ["replay", str(trace), "--config", str(small), "--compare", str(small)])
    assert "small and small" in shown.output


def test_a_page_that_cannot_be_written_is_an_error_of_ours(trace: Path, tmp_path: Path) -> None:
    done = run(cli.app, ["replay", str(trace), "--html", str(tmp_path / "no" / "where.html")])
    assert done.exit_code == 2
    assert done.stderr.startswith("memory: the page ")
    assert done.stdout == ""
