"""Writes ``docs/api.md`` from the public names: ``python docs/make_api.py``."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from memory_middleware import Memory

__all__ = ["TARGET", "render"]

TARGET = Path(__file__).with_name("api.md")
PACKAGES = (
    "memory_middleware",
    "memory_middleware.schemas",
    "memory_middleware.testing",
    "memory_middleware_langchain",
    "memory_middleware_cli.replay",
    "memory_middleware_mcp",
    "memory_middleware_rest",
)

INTRODUCTION = """# Python

Generated from the code by `python docs/make_api.py`; do not edit.

These are the public names; everything else may change without notice. `help(name)` tells the arguments.
"""


def render() -> str:
    """Give the whole page."""
    return "\n".join((INTRODUCTION, *_memory(), *(line for name in PACKAGES for line in _package(name))))


def _memory() -> Iterator[str]:
    yield "## Memory"
    yield ""
    yield "| method | async twin | does |"
    yield "|---|---|---|"
    public = [name for name in dir(Memory) if not name.startswith("_") and callable(getattr(Memory, name))]
    for name in public:
        if name.startswith("a") and name[1:] in public:
            continue
        method, twin = getattr(Memory, name), f"`a{name}`" if f"a{name}" in public else ""
        yield f"| `{name}({_arguments(method)})` | {twin} | {_first_line(method)} |"
    yield ""


def _package(name: str) -> Iterator[str]:
    module = importlib.import_module(name)
    yield f"## {name}"
    yield ""
    yield "| name | is |"
    yield "|---|---|"
    yield from (f"| `{public}` | {_about(module, public)} |" for public in sorted(module.__all__, key=str.casefold))
    yield ""


def _about(module: ModuleType, name: str) -> str:
    found = getattr(module, name)
    return _first_line(found) if inspect.isclass(found) or inspect.isroutine(found) else "A type or a value."


def _arguments(method: Any) -> str:
    told, starred = [], False
    for parameter in inspect.signature(method).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            told.append("*")
            starred = True
        told.append(f"**{parameter.name}" if parameter.kind is parameter.VAR_KEYWORD else parameter.name)
    return ", ".join(told)


def _first_line(described: Any) -> str:
    return (inspect.getdoc(described) or "").partition("\n")[0].replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
