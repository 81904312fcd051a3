"""The page about the command line names every command and every option."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from memory_middleware_cli.app import app
from tests.support import ROOT

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
SHARED = ("--help", "--version", "--install-completion", "--show-completion")
ELSEWHERE = ("demo", "replay")


def commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, f"{before}{name} ")
        else:
            yield f"{before}{name}", one


ALL = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", ALL)
def test_every_command_is_on_the_page(name: str) -> None:
    first, _, second = name.partition(" ")
    assert f"memory {first}" in PAGE
    assert second in PAGE


@pytest.mark.parametrize("name", [name for name in ALL if name not in ELSEWHERE])
def test_every_option_is_on_the_page(name: str) -> None:
    options = {option for one in ALL[name].params for option in one.opts if option.startswith("--")}
    missing = {option for option in options - set(SHARED) if option not in PAGE}
    assert not missing


@pytest.mark.parametrize("name", [name for name in ALL if name not in ELSEWHERE])
def test_every_command_can_print_json_and_be_told_where(name: str) -> None:
    options = {option for one in ALL[name].params for option in one.opts}
    wanted = {"--path", "--config"} | (set() if name == "mcp" else {"--json"})
    assert wanted <= options
    assert "--owner" in options or name.startswith("notes ")
