"""``${NAME}`` and ``${NAME:-default}`` in configuration files. Nothing else reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from memory_middleware.config.types import FromEnv
from memory_middleware.errors import ConfigError
from memory_middleware.schemas.problems import join_path

__all__ = ["environment", "expand"]

_REFERENCE = re.compile(r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def environment() -> Mapping[str, str]:
    """Give the process environment."""
    return os.environ  # noqa: TID251 - the one place


def expand(data: Any, variables: Mapping[str, str], path: str = "") -> Any:
    """Replace references in every text of a document; ``$$`` stands for one ``$``.

    Raises:
        ConfigError: A variable is not set and the reference has no default.
    """
    if isinstance(data, str):
        return _expand_text(data, variables, path)
    if isinstance(data, Mapping):
        return {key: expand(value, variables, join_path(path, (str(key),))) for key, value in data.items()}
    if isinstance(data, list):
        return [expand(value, variables, join_path(path, (at,))) for at, value in enumerate(data)]
    return data


def _expand_text(text: str, variables: Mapping[str, str], path: str) -> str:
    def value(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        known = variables.get(found[1])
        if known:
            return known
        if found[2] is not None:
            return found[2]
        if known is not None:
            return ""
        raise ConfigError(
            f"environment variable {found[1]!r} is not set; set it or write ${{{found[1]}:-default}}", path
        )

    replaced = _REFERENCE.sub(value, text)
    return replaced if replaced == text else FromEnv(replaced)
