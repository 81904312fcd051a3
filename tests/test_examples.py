"""Every example and every Python block of the documents runs, offline."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(found[1], id=f"{path.name}:{path.read_text(encoding='utf-8')[: found.start()].count(chr(10)) + 1}")
    for path in DOCUMENTS
    for found in re.finditer(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
]


def run_python(code: Path | str, folder: Path) -> str:
    source = [str(code)] if isinstance(code, Path) else ["-c", code]
    done = subprocess.run(
        [sys.executable, "-W", "error", *source], capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(path: Path, tmp_path: Path) -> None:
    assert run_python(path, tmp_path)


@pytest.mark.parametrize("code", BLOCKS)
def test_a_documented_block_runs(code: str, tmp_path: Path) -> None:
    run_python(code, tmp_path)


def test_there_is_something_to_run() -> None:
    assert EXAMPLES
    assert BLOCKS


def test_the_readme_shows_code_before_line_30() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert "```python" in lines[:30]
    assert "```" in lines[:30]
