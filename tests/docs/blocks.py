"""The code blocks of the documents, and a shell in which they run as a reader would run them."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from memory_middleware import Memory
from tests.support import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_COMMANDS = {
    "memory": 'import sys; sys.argv[0] = "memory"; from memory_middleware_cli.app import main; main()',
    "memory-mcp": "import sys; from memory_middleware_mcp.__main__ import main; sys.exit(main())",
    "pip": "import sys; from tests.docs.blocks import check_requirements; check_requirements(sys.argv[2:])",
}


class Block(NamedTuple):
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str

    @property
    def name(self) -> str:
        """Where it stands."""
        return f"{self.page}:{self.line}"


def blocks(*languages: str) -> list[Block]:
    """List the blocks of all pages that are in these languages, or all that name one."""
    found = [block for page in PAGES for block in _blocks(page)]
    return [block for block in found if block.language and (not languages or block.language in languages)]


def _blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page.relative_to(ROOT).as_posix(), text[: found.start()].count("\n") + 1, found[2], found[3])
        for found in re.finditer(r"^( *)```([\w-]*)\n(.*?)^\1```$", text, re.DOTALL | re.MULTILINE)
    ]


def reader(folder: Path) -> dict[str, str]:
    """Prepare a folder as a reader of the pages has it, and give the environment of the reader's shell."""
    with Memory.open(folder / "memory") as memory:
        memory.remember("ana", "Ana's dog is called Bruno.", subject="user", attribute="dog:bruno")
    (folder / "examples").symlink_to(ROOT / "examples")
    shell = folder / "bin"
    shell.mkdir()
    for name, code in {**_COMMANDS, "python": ""}.items():
        command = shell / name
        given = f"-c '{code}'" if code else ""
        command.write_text(f'#!/bin/sh\nexec {sys.executable} {given} "$@"\n', encoding="utf-8")
        command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return {
        "HOME": str(folder),
        "PATH": f"{shell}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": f"{ROOT}:{ROOT / 'integrations'}",
        "LANG": "C.UTF-8",
    }


def run(text: str, folder: Path, environment: dict[str, str], said: str = "") -> str:
    """Run a text in a shell, expect that all of it succeeds, and give what it prints."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env=environment,
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
    return done.stdout


def check_requirements(given: list[str]) -> None:
    """Stand in for ``pip install``: the package must have the extras that are asked for."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for requirement in given:
        name, _, extras = requirement.removesuffix("]").partition("[")
        if name == "langgraph-memory-middleware":
            missing = [extra for extra in extras.split(",") if extra and f"\n{extra} = [" not in project]
            assert not missing, f"there is no extra {missing}"
