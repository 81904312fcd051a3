"""Configuration files as plain data; what YAML would swallow quietly is an error here."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from memory_middleware.errors import ConfigError
from memory_middleware.schemas.yaml_text import YamlProblem, load_yaml

__all__ = ["read_toml", "read_yaml"]


def read_yaml(source: str | Path) -> dict[str, Any]:
    """Read YAML from a file, or from text if the string holds a line break.

    Raises:
        ConfigError: The file cannot be read, or is no YAML mapping.
    """
    name, text = _text(source)
    try:
        data = load_yaml(text)
    except YamlProblem as error:
        raise ConfigError(f"this is not valid YAML: {error}", name) from error
    if data is not None and not isinstance(data, dict):
        raise ConfigError(f"expected a mapping of settings, not a {type(data).__name__}", name)
    return data or {}


def read_toml(source: str | Path) -> dict[str, Any]:
    """Read TOML from a file, or from text if the string holds a line break.

    Raises:
        ConfigError: The file cannot be read, or is no TOML.
    """
    name, text = _text(source)
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"this is not valid TOML: {error}", name) from error


def _text(source: str | Path) -> tuple[str, str]:
    if isinstance(source, str) and "\n" in source:
        return "(text)", source
    try:
        return str(source), Path(source).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read the configuration file: {error}", str(source)) from error
