"""The command as the tests run it: on a memory of its own, in a folder of its own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from memory_middleware import Memory
from memory_middleware_cli.app import app


@dataclass(frozen=True)
class Shell:
    """Runs ``memory`` on one memory."""

    folder: Path

    def run(self, *words: str, piped: str | bytes | None = None, width: int = 120) -> Result:
        """Run a command as it is."""
        return CliRunner().invoke(app, list(words), input=piped, env={"COLUMNS": str(width)}, catch_exceptions=False)

    def __call__(self, *words: str, piped: str | bytes | None = None, code: int = 0, width: int = 120) -> str:
        """Run a command on the memory, expect its exit code, and give what it printed."""
        done = self.run(*words, "--path", str(self.folder), piped=piped, width=width)
        assert done.exit_code == code, done.output
        return done.stdout if code == 0 else done.output

    def json(self, *words: str, piped: str | bytes | None = None, code: int = 0) -> Any:
        """Run a command for its JSON."""
        done = self.run(*words, "--path", str(self.folder), "--json", piped=piped)
        assert done.exit_code == code, done.output
        return json.loads(done.stdout)

    def add(self, content: str, *words: str, owner: str = "ana") -> str:
        """Keep a record and give its id."""
        return str(self.json("add", content, "--owner", owner, *words)["id"])

    def open(self) -> Memory:
        """Open the memory beside the command."""
        return Memory.open(self.folder)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """The command, on a memory that is not made yet."""
    return Shell(tmp_path / "memory")
