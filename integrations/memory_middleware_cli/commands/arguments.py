"""Reading what a command is given: JSON on the command line, in a file or from a pipe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from memory_middleware import InvalidInputError

__all__ = ["read_object", "read_text"]


def read_text(given: Path | None) -> str:
    """Read a text file as UTF-8, or what is piped in if there is no file or it is called ``-``.

    Raises:
        InvalidInputError: It cannot be read.
    """
    try:
        if given is None or str(given) == "-":
            return typer.get_binary_stream("stdin").read().decode("utf-8-sig")
        return given.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"cannot read {str(given or '-')!r}: {error}") from error


def read_object(given: str) -> dict[str, Any]:
    """Read a JSON object: the text itself, the name of a file, or ``-`` for what is piped in.

    Raises:
        InvalidInputError: It is none.
    """
    text = given if given.lstrip().startswith("{") else read_text(Path(given))
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InvalidInputError(f"this is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInputError(f"a JSON object is wanted, not {type(found).__name__}")
    return found
