"""Namespaces as fixed-width digests, so that a prefix is exact and no foreign text reaches a query.

A namespace is stored twice: as JSON, to give it back, and as a *path*, the digests of its labels
joined. Every label takes the same number of hexadecimal characters, so one path is the prefix of
another exactly when the namespace is, and a range over paths finds all below a prefix.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from json.encoder import encode_basestring_ascii

__all__ = [
    "Namespace",
    "decode_label",
    "depth_of",
    "dump_key",
    "dump_namespace",
    "encode_label",
    "item_id",
    "load_key",
    "load_namespace",
    "most_labels",
    "path_of",
    "path_range",
    "prefixes_of",
]

Namespace = tuple[str, ...]

_WIDTH = 24
_ESCAPE = "%"
_RESERVED = {".": "%2E", "\0": "%00", _ESCAPE: "%25"}


@functools.lru_cache(65536)
def _label_digest(label: str) -> str:
    return hashlib.sha256(label.encode("utf-8", "surrogatepass")).hexdigest()[:_WIDTH]


def path_of(namespace: Sequence[str]) -> str:
    """Give the path of a namespace; the empty one has the empty path."""
    return _path(tuple(namespace))


@functools.lru_cache(8192)
def _path(namespace: Namespace) -> str:
    return "".join(map(_label_digest, namespace))


def depth_of(path: str) -> int:
    """Tell how many labels a path has."""
    return len(path) // _WIDTH


def most_labels(length: int | None) -> int | None:
    """Tell how many labels a path of a length has, or none if paths may have any length."""
    return None if length is None else length // _WIDTH


def prefixes_of(path: str) -> list[str]:
    """List the paths of all prefixes of a namespace, from the root to itself."""
    return [path[:end] for end in range(0, len(path) + 1, _WIDTH)]


def path_range(prefix: str) -> tuple[str, str]:
    """Give the half-open range of paths at or below a prefix; ``g`` follows every hexadecimal digit."""
    return prefix, f"{prefix}g"


def item_id(path: str, key: str) -> str:
    """Derive the id of an item from the path of its namespace and its key."""
    return hashlib.sha256(f"{path}/{key}".encode("utf-8", "surrogatepass")).hexdigest()[:40]


def encode_label(text: str) -> str:
    """Turn any text into a legal label: LangGraph refuses dots and NUL, and the empty label.

    >>> encode_label("ana@example.org")
    'ana@example%2Eorg'
    """
    if not text:
        return _ESCAPE
    return "".join(_RESERVED.get(char, char) for char in text)


def decode_label(label: str) -> str:
    """Give back the text that ``encode_label`` was given."""
    if label == _ESCAPE:
        return ""
    for char, code in _RESERVED.items():
        if char != _ESCAPE:
            label = label.replace(code, char)
    return label.replace(_RESERVED[_ESCAPE], _ESCAPE)


def dump_namespace(namespace: Sequence[str]) -> str:
    """Write a namespace as ASCII JSON, which every database can hold."""
    return _dumped(tuple(namespace))


@functools.lru_cache(8192)
def _dumped(namespace: Namespace) -> str:
    return json.dumps(namespace)


def dump_key(key: str) -> str:
    """Write a key as ASCII JSON, which every database can hold."""
    return encode_basestring_ascii(key if isinstance(key, str) else str(key))


def load_key(text: str) -> str:
    """Read a key from JSON."""
    return str(json.loads(text)) if "\\" in text else text[1:-1]


@functools.lru_cache(65536)
def load_namespace(text: str) -> Namespace:
    """Read a namespace from JSON."""
    return tuple(json.loads(text))
