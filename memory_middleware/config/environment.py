"""``${NAME}`` and ``${NAME:-default}`` in configuration files. Nothing else reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from memory_middleware.config.types import FromEnv
from memory_middleware.errors import ConfigError
from memory_middleware.schemas.problems import join_path

__all__ = ["environment", "expand", "read_variables"]

_REFERENCE = re.compile(r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}$]*))?\}|\$\{")


def environment() -> Mapping[str, str]:
    """Give the process environment."""
    return os.environ  # noqa: TID251 - the one place


def read_variables(given: Any, outside: Mapping[str, str]) -> dict[str, str]:
    """Read the ``vars`` of a file, whose values may refer to the environment.

    Raises:
        ConfigError: They are no mapping of names to plain values.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ConfigError("expected mapping", "vars")
    for name, value in given.items():
        if not isinstance(value, str | int | float):
            raise ConfigError(f"a variable takes text or a number, not {value!r}", f"vars.{name}")
    return {str(name): str(expand(_written(value), outside, f"vars.{name}")) for name, value in given.items()}


def expand(data: Any, variables: Mapping[str, str], path: str = "") -> Any:
    """Replace references in every text of a document; ``$$`` stands for one ``$``.

    Raises:
        ConfigError: A variable is not set and the reference has no default, or a reference is malformed.
    """
    if isinstance(data, str):
        return _expand_text(data, variables, path)
    if isinstance(data, Mapping):
        return {key: expand(value, variables, join_path(path, (str(key),))) for key, value in data.items()}
    if isinstance(data, list):
        return [expand(value, variables, join_path(path, (at,))) for at, value in enumerate(data)]
    return data


def _written(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _expand_text(text: str, variables: Mapping[str, str], path: str) -> str:
    def value(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        if found[1] is None:
            raise ConfigError(f"cannot read the reference in {text!r}; write ${{NAME}} or ${{NAME:-default}}", path)
        known = variables.get(found[1])
        if known:
            return known
        if found[2] is not None:
            return found[2]
        if known is not None:
            return ""
        remedy = f"set it or write ${{{found[1]}:-default}}"
        raise ConfigError(f"environment variable {found[1]!r} is not set; {remedy}", path)

    replaced = _REFERENCE.sub(value, text)
    return replaced if replaced == text else FromEnv(replaced)
