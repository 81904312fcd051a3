"""YAML front matter of Markdown notes: found by its fences, read safely, written stably."""

from __future__ import annotations

import re
from typing import Any

import yaml

from memory_middleware.errors import NoteError
from memory_middleware.schemas.yaml_text import YamlProblem, load_texts, load_yaml

__all__ = ["format_frontmatter", "parse_frontmatter", "read_frontmatter", "split_frontmatter"]

# A fence is a line of its own, so that '---' inside a value never ends the front matter.
_FENCED = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)(?:(?<=\n)|\A)---[ \t]*(?:\r?\n|\Z)(?:[ \t]*\r?\n)*", re.DOTALL)


def parse_frontmatter(text: str) -> tuple[dict[str, Any], str]:
    """Split a note into front matter and body; what cannot be read as front matter stays in the body.

    Blank lines between the closing fence and the body are dropped; its indentation is kept.
    """
    try:
        data, body = read_frontmatter(text)
    except NoteError:
        return {}, text
    return data if isinstance(data, dict) else {}, body


def read_frontmatter(text: str) -> tuple[Any, str]:
    """Split a note into front matter and body.

    Returns:
        The front matter, whatever it is, or an empty mapping if there is none; and the body.

    Raises:
        NoteError: The front matter is opened but never closed, or is not valid YAML.
    """
    fenced, body = split_frontmatter(text)
    try:
        found = load_yaml(fenced)
    except YamlProblem as error:
        raise NoteError(f"the front matter is not valid YAML: {error}") from error
    return {} if found is None else found, body


def read_texts(text: str) -> Any:
    """Read front matter that ``read_frontmatter`` could read, with every scalar as it was written."""
    return load_texts(split_frontmatter(text)[0])


def split_frontmatter(text: str) -> tuple[str, str]:
    """Split a note into the text of its front matter, which may be empty, and its body.

    Raises:
        NoteError: The front matter is opened but never closed.
    """
    found = _FENCED.match(text)
    if found:
        return found.group(1), text[found.end() :]
    if re.match(r"\ufeff?---[ \t]*\r?\n", text):
        raise NoteError("the front matter is opened with '---' but never closed; add a line '---' after it")
    return "", text


def format_frontmatter(data: dict[str, Any]) -> str:
    """Write front matter between its fences, keys sorted, Unicode as it is.

    Raises:
        NoteError: A value has no plain YAML form.
    """
    plain = {key: str(value) if isinstance(value, str) else value for key, value in data.items()}
    try:
        body = yaml.safe_dump(plain, allow_unicode=True, default_flow_style=False).strip()
    except yaml.YAMLError as error:
        raise NoteError(f"front matter takes text, numbers, lists and mappings: {error}") from error
    return f"---\n{body}\n---\n"
