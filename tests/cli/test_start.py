"""How the command starts: fast, with examples in its help, and with completion in three shells."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from memory_middleware_cli.app import app
from tests.cli.conftest import Shell
from tests.cli.test_documented import ALL

HEAVY = ("lancedb", "langgraph", "langchain", "sqlalchemy", "numpy", "fastapi", "mcp")


def test_help_and_completion_wait_for_nothing_heavy() -> None:
    code = (
        "import sys, memory_middleware_cli.app as cli, contextlib, io\n"
        "sys.argv = ['memory', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): cli.main()\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ALL)
def test_help_shows_an_example_that_the_command_takes(name: str) -> None:
    _, _, example = (ALL[name].help or "").partition("For example: ")
    words = shlex.split(example.partition(" > ")[0])
    assert words[: 1 + len(name.split())] == ["memory", *name.split()]
    given = words[1 + len(name.split()) :]
    ALL[name].make_context(name, given)  # reads the words as the command would, and does nothing


@pytest.mark.parametrize(
    ("shell", "environment"),
    [
        ("bash", {"COMP_WORDS": "memory {}", "COMP_CWORD": "1"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "memory {}"}),
        ("fish", {"_TYPER_COMPLETE_ARGS": "memory {}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}),
    ],
    ids=["bash", "zsh", "fish"],
)
def test_commands_and_options_are_completed(shell: str, environment: dict[str, str]) -> None:
    def completed(begun: str, at: int) -> str:
        told = {name: value.format(begun) for name, value in environment.items()}
        told |= {"_MEMORY_COMPLETE": f"complete_{shell}"} | ({"COMP_CWORD": str(at)} if shell == "bash" else {})
        done: Any = CliRunner().invoke(app, [], env=told, prog_name="memory")
        return str(done.stdout)

    assert "profile" in completed("pro", 1)
    assert "demo" not in completed("pro", 1)
    assert "--attribute" in completed("add --attr", 2)
    assert "preference" in completed("list --kind pre", 3)


@pytest.mark.parametrize("width", [80, 120])
def test_chinese_reasons_are_folded_and_not_cut(shell: Shell, width: int) -> None:
    said = "用户住在上海市浦东新区，每天早上七点坐地铁去公司上班，晚上八点才回家，周末喜欢和朋友一起爬山。"
    shell.add(said)
    told = shell("search", "上海", "--explain", width=width)
    assert said in "".join(told.split())
    assert "…" not in told
