"""Paths whose parts may hold slashes: ``records/a%2Fb`` is the record ``a/b``, not two parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from starlette.types import Scope

__all__ = ["masked", "unmasked"]

# Half a surrogate pair cannot come out of a path, since that is decoded as UTF-8.
_SLASH = "\udc2f"


def masked(scope: Scope) -> Scope:
    """Give a request under a path in which a slash inside a part is no slash."""
    raw: bytes = scope.get("raw_path") or b""
    if b"%2f" not in raw.lower():
        return scope
    parts = raw.decode("latin-1").partition("?")[0].split("/")
    path = "/".join(unquote(part).replace("/", _SLASH) for part in parts)
    return {**scope, "path": path} if path.replace(_SLASH, "/") == scope["path"] else scope


def unmasked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Give the parts of a path as they were meant."""
    return {name: value.replace(_SLASH, "/") if isinstance(value, str) else value for name, value in values.items()}
