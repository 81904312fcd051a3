"""YAML as people write it: a key written twice is an error, and every way to fail is one error."""

from __future__ import annotations

from typing import Any

import yaml

__all__ = ["YamlProblem", "load_texts", "load_yaml"]

_MERGE = "tag:yaml.org,2002:merge"


class YamlProblem(ValueError):
    """The text is not YAML that can be used; the message says why."""


class _StrictLoader(yaml.SafeLoader):
    """Refuses a key that is written twice; plain YAML keeps the last one and says nothing."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Look at the keys as written, before merge keys bring in others."""
        seen: set[str] = set()
        for key, _value in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE:
                continue
            if key.value in seen:
                line = key.start_mark.line + 1
                raise YamlProblem(f"key {key.value!r} is written twice; the second stands on line {line}")
            seen.add(key.value)
        super().flatten_mapping(node)


class _TextLoader(yaml.BaseLoader):
    """Reads every scalar as the text it was written as."""


def load_yaml(text: str) -> Any:
    """Read YAML.

    Raises:
        YamlProblem: It is not YAML, or a key stands twice, or a value cannot be.
    """
    return _load(text, _StrictLoader)


def load_texts(text: str) -> Any:
    """Read YAML with every scalar as text, so that ``no`` and ``007`` stay what they are.

    Raises:
        YamlProblem: It is not YAML.
    """
    return _load(text, _TextLoader)


def _load(text: str, loader: type[yaml.SafeLoader] | type[yaml.BaseLoader]) -> Any:
    try:
        return yaml.load(text, Loader=loader)
    except YamlProblem:
        raise
    except (yaml.YAMLError, ValueError, TypeError, OverflowError) as error:
        raise YamlProblem(str(error)) from error
    except RecursionError as error:
        raise YamlProblem("it is nested too deeply") from error
