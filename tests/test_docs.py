"""Generated pages are up to date, and the documents promise what exists."""

from __future__ import annotations

import importlib.util
import re

from tests.support import ROOT


def test_the_configuration_page_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("make_configuration", ROOT / "docs" / "make_configuration.py")
    assert spec is not None
    assert spec.loader is not None
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    assert page.TARGET.read_text(encoding="utf-8") == page.render(), "run python docs/make_configuration.py"


def test_every_deviation_names_a_test_that_exists() -> None:
    text = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) >= 10
    for path, name in named:
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{name}"


def test_the_files_named_in_the_architecture_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for path in re.findall(r"\| `([\w/]+\.py)`", text):
        assert (ROOT / path).is_file(), path


def test_ci_runs_the_readmes_test_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert sum("-m pytest" in line for line in readme.splitlines()) == 1
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
