"""YAML front matter of Markdown notes: found by its fences, read safely, written stably."""

from __future__ import annotations

import re
from typing import Any

import yaml

from memory_middleware.errors import NoteError

__all__ = ["format_frontmatter", "parse_frontmatter", "read_frontmatter"]

# A fence is a line of its own, so that '---' inside a value never ends the front matter.
_FENCED = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)(?:(?<=\n)|\A)---[ \t]*(?:\r?\n|\Z)(?:[ \t]*\r?\n)*", re.DOTALL)


def parse_frontmatter(text: str) -> tuple[dict[str, Any], str]:
    """Split a note into front matter and body; what cannot be read as front matter stays in the body.

    Blank lines between the closing fence and the body are dropped; its indentation is kept.
    """
    try:
        return read_frontmatter(text)
    except NoteError:
        return {}, text


def read_frontmatter(text: str) -> tuple[dict[str, Any], str]:
    """Split a note into front matter and body.

    Raises:
        NoteError: The front matter is opened but never closed, or is not valid YAML.
    """
    found = _FENCED.match(text)
    if not found:
        if re.match(r"\ufeff?---[ \t]*\r?\n", text):
            raise NoteError("the front matter is opened with '---' but never closed; add a line '---' after it")
        return {}, text
    try:
        data = yaml.safe_load(found.group(1))
    except yaml.YAMLError as error:
        raise NoteError(f"the front matter is not valid YAML: {error}") from error
    return data if isinstance(data, dict) else {}, text[found.end() :]


def format_frontmatter(data: dict[str, Any]) -> str:
    """Write front matter between its fences, keys sorted, Unicode as it is."""
    body = yaml.dump(data, allow_unicode=True, default_flow_style=False).strip()
    return f"---\n{body}\n---\n"
