"""The few calls of Mem0's REST interface that memory needs, over the standard library."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from memory_middleware.errors import ConfigError, StoreError

__all__ = ["Mem0Client"]

_PLATFORM = "https://api.mem0.ai"
_PATHS = {
    "platform": {"add": "/v1/memories/", "search": "/v2/memories/search/"},
    "server": {"add": "/memories", "search": "/search"},
}
_LARGEST = 10_000_000


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key must not follow to another host."""

    def redirect_request(self, *_args: Any) -> None:
        """Refuse."""


class Mem0Client:
    """Adds and searches memories. It talks to nobody else, and reads no settings of the system.

    Args:
        api_key: The key of the service.
        base_url: Where it is; none means the Mem0 platform.
        api: What answers there.
        place: Goes along with every call, such as the ids of an organisation and a project.
        timeout: Seconds to wait for an answer.

    Raises:
        ConfigError: The address is none.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str | None = None,
        *,
        api: Literal["platform", "server"] = "platform",
        place: Mapping[str, str] | None = None,
        timeout: float = 10.0,
    ) -> None:
        self._base = (base_url or _PLATFORM).rstrip("/")
        if urlsplit(self._base).scheme not in ("http", "https"):
            raise ConfigError(f"the address of Mem0 begins with https://, not {base_url!r}")
        self._paths = _PATHS[api]
        self._place = dict(place or {})
        self._timeout = timeout
        key = {"Authorization": f"Token {api_key}"} if api == "platform" else {"X-API-Key": api_key}
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **key}
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())

    def add(self, **told: Any) -> None:
        """Add what was said.

        Raises:
            StoreError: The service cannot be reached, or refuses.
        """
        self._post("add", told)

    def search(self, **asked: Any) -> list[dict[str, Any]]:
        """Give what fits a query, the best first.

        Raises:
            StoreError: The service cannot be reached, refuses, or answers with something else.
        """
        answer = self._post("search", asked)
        if isinstance(answer, dict):
            answer = answer.get("memories", answer.get("results"))
        if not isinstance(answer, list):
            raise StoreError(f"Mem0 at {self._base!r} did not answer with a list of memories")
        return [entry for entry in answer if isinstance(entry, dict)]

    def _post(self, call: str, body: dict[str, Any]) -> Any:
        data = json.dumps({**body, **self._place}).encode()
        request = urllib.request.Request(self._base + self._paths[call], data, self._headers)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return json.loads(response.read(_LARGEST) or b"null")
        except urllib.error.HTTPError as error:
            with error:
                raise StoreError(f"Mem0 at {self._base!r} refused to {call}: HTTP {error.code}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise StoreError(f"Mem0 at {self._base!r} could not {call}: {error}") from error
