"""Integrations import public names only, so that the inside of the library may change under them."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT

PACKAGES = sorted(path.name for path in (ROOT / "integrations").iterdir() if (path / "__init__.py").exists())
PUBLIC = ["memory_middleware", "memory_middleware.schemas", "memory_middleware.testing", "memory_middleware.resources"]


def imports(package: str) -> Iterator[tuple[Path, str, str]]:
    """Go through what a package takes from the library: the file, the module and the name."""
    for path in (ROOT / "integrations" / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "memory_middleware":
                yield from ((path, str(node.module), alias.name) for alias in node.names)
            if isinstance(node, ast.Import):
                yield from ((path, one.name, "") for one in node.names if one.name.startswith("memory_middleware."))


def test_there_are_integrations() -> None:
    assert {f"memory_middleware_{name}" for name in ("cli", "langchain", "mcp", "rest")} <= set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_an_integration_imports_public_names_only(package: str) -> None:
    inner = [
        f"{path.relative_to(ROOT)}: {module}.{name}"
        for path, module, name in imports(package)
        if module not in PUBLIC or name not in importlib.import_module(module).__all__
    ]
    assert inner == []
    assert any(imports(package))
