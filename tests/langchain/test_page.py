"""The page about ``create_agent`` shows code that runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support import ROOT

PAGE = (ROOT / "docs" / "create_agent.md").read_text(encoding="utf-8")
SHOWN = {0: "Lisbon", 1: "My address is [REDACTED_EMAIL]", 2: "Emergency ward"}


@pytest.mark.parametrize("at", SHOWN)
def test_a_code_block_of_the_page_runs(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == len(SHOWN)
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks[at], f"create_agent.md block {at}", "exec"), {"__name__": "page"})
    assert SHOWN[at] in capsys.readouterr().out
