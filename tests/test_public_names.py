"""The public surface is one list, and importing it does nothing."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import memory_middleware
from tests.support import ROOT

PACKAGES = ["memory_middleware", "memory_middleware.schemas"]
HEAVY = ["langchain_core", "langgraph", "lancedb", "numpy", "pyarrow", "pydantic", "tiktoken", "yaml", "rich", "typer"]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_can_be_had(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__all__ == sorted(package.__all__)
    for public in package.__all__:
        found = getattr(package, public)
        assert getattr(found, "__doc__", None), f"{public} has no docstring"
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("name", PACKAGES)
def test_type_checkers_see_the_names_that_exist(name: str) -> None:
    package = importlib.import_module(name)
    tree = ast.parse(Path(str(package.__file__)).read_text(encoding="utf-8"))
    imported = {
        (node.module, alias.name)
        for guard in tree.body
        if isinstance(guard, ast.If)
        for node in guard.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    loaded = {(f"{name}.{module}", public) for module, names in package._HOMES.items() for public in names}
    assert imported == loaded
    assert {public for _, public in loaded} == set(package.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'memory_middleware' has no attribute 'Memori'"):
        _ = memory_middleware.Memori


def modules_after(code: str) -> set[str]:
    script = f"import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(json.loads(done.stdout))


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not modules_after("import memory_middleware, memory_middleware.schemas") & set(HEAVY)


def test_experience_loads_no_pydantic_and_counting_no_langchain() -> None:
    assert not modules_after("from memory_middleware.schemas import EpisodeTrace, MemoryItem") & {
        "pydantic",
        "langchain_core",
    }
    loaded = modules_after("from memory_middleware import TokenCounter, MemoryConfig; TokenCounter()")
    assert not loaded & {"langchain_core", "langgraph", "lancedb", "tiktoken", "pyarrow"}


def test_no_file_is_too_long_to_hold_one_idea() -> None:
    sources = [path for folder in ("memory_middleware", "integrations") for path in (ROOT / folder).rglob("*.py")]
    assert sources
    assert not [path.name for path in sources if len(path.read_text(encoding="utf-8").splitlines()) > 400]
