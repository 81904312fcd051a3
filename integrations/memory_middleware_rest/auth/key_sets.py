"""Public keys of those who sign JSON web tokens, from a file or an address."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jwt

from memory_middleware import ConfigError
from memory_middleware_rest.auth.single import is_loopback

__all__ = ["KeySet"]

_TIMEOUT = 5.0
_LARGEST = 1_048_576


class KeySet:
    """A JSON web key set, read when it is first needed and again when it may have changed.

    Args:
        source: A file, or an ``https://`` address (``http://`` on this machine only).
        lifetime: Seconds until it is read again.
        pause: Seconds that must pass before an unknown key makes it be read again.
        clock: Tells the time in seconds.

    Raises:
        ConfigError: The address is not safe.
    """

    def __init__(
        self,
        source: str | Path,
        *,
        lifetime: float = 3600.0,
        pause: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source = str(source)
        self._is_address = self._source.startswith(("http://", "https://"))
        if self._source.startswith("http://") and not is_loopback(urlsplit(self._source).hostname or ""):
            raise ConfigError(f"keys must come by https, not from {self._source!r}", "jwt.jwks")
        self._lifetime = lifetime
        self._pause = pause
        self._clock = clock
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._read_at: float | None = None
        self._lock = threading.Lock()

    def key(self, name: str | None) -> jwt.PyJWK | None:
        """Give a key by its ``kid``; without one, the only key there is; none if there is no such key.

        Raises:
            OSError: The file or address cannot be read.
            ValueError: It holds no key set.
        """
        with self._lock:
            age = None if self._read_at is None else self._clock() - self._read_at
            if age is None or age > self._lifetime or (self._find(name) is None and age >= self._pause):
                self._keys = self._load()
                self._read_at = self._clock()
            return self._find(name)

    def _find(self, name: str | None) -> jwt.PyJWK | None:
        if name is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(name)

    def _load(self) -> dict[str | None, jwt.PyJWK]:
        told = json.loads(self._text())
        listed = told.get("keys") if isinstance(told, dict) else None
        if not isinstance(listed, list):
            raise ValueError(f"{self._source!r} holds no key set")
        found: dict[str | None, jwt.PyJWK] = {}
        for one in listed:
            if made := _read(one):
                found[made.key_id] = made
        return found

    def _text(self) -> bytes:
        if not self._is_address:
            return Path(self._source).read_bytes()
        with urllib.request.urlopen(self._source, timeout=_TIMEOUT) as answer:
            data: bytes = answer.read(_LARGEST)
            return data


def _read(key: Any) -> jwt.PyJWK | None:
    """Read a key that can check signatures; secrets and keys of unknown kinds are left out."""
    if not isinstance(key, dict) or key.get("kty") == "oct" or key.get("use", "sig") != "sig":
        return None
    try:
        return jwt.PyJWK.from_dict(key)
    except jwt.PyJWTError:
        return None
