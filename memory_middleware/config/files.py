"""Configuration files as plain data; what YAML would swallow quietly is an error here."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import yaml

from memory_middleware.errors import ConfigError

__all__ = ["read_toml", "read_yaml"]


class _StrictLoader(yaml.SafeLoader):
    """Refuses a key that is written twice; plain YAML keeps the last one and says nothing."""


def _mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    seen: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            line = key_node.start_mark.line + 1
            raise ConfigError(f"key {key!r} is written twice; the second stands on line {line}")
        seen[key] = loader.construct_object(value_node, deep=True)
    return seen


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def read_yaml(source: str | Path) -> dict[str, Any]:
    """Read YAML from a file, or from text if the string holds a line break.

    Raises:
        ConfigError: The file cannot be read, or is no YAML mapping.
    """
    name, text = _text(source)
    try:
        data = yaml.load(text, Loader=_StrictLoader)
    except yaml.YAMLError as error:
        raise ConfigError(f"{name} is not valid YAML: {error}") from error
    return _mapping_of(name, data)


def read_toml(source: str | Path) -> dict[str, Any]:
    """Read TOML from a file, or from text if the string holds a line break.

    Raises:
        ConfigError: The file cannot be read, or is no TOML.
    """
    name, text = _text(source)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name} is not valid TOML: {error}") from error


def _text(source: str | Path) -> tuple[str, str]:
    if isinstance(source, str) and "\n" in source:
        return "the text", source
    try:
        return str(source), Path(source).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the configuration file {str(source)!r}: {error}") from error


def _mapping_of(name: str, data: object) -> dict[str, Any]:
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigError(f"{name} must hold a mapping of settings, not {type(data).__name__}")
    return data
