"""A real HTTP server that speaks OpenAI's embeddings protocol, and can be told to misbehave."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memory_middleware.testing import HashEmbeddings


class Provider(ThreadingHTTPServer):
    """Answers with hashed vectors.

    Attributes:
        failures: Statuses to answer first, with their headers.
        texts: All texts that were embedded.
        batches: How many came at once.
    """

    daemon_threads = True

    def __init__(self) -> None:
        self.failures: list[tuple[int, dict[str, str]]] = []
        self.texts: list[str] = []
        self.batches: list[int] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.failures:
            status, headers = self.server.failures.pop(0)
            self._answer(status, {"error": {"message": f"told to fail with {status}"}}, headers)
            return
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        self.server.texts += texts
        self.server.batches.append(len(texts))
        vectors = HashEmbeddings(32).embed_documents(texts)
        data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        self._answer(200, {"object": "list", "data": data, "model": asked["model"], "usage": {}}, {})

    def _answer(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
        told = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(told)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def provider() -> Iterator[Provider]:
    """Run a server for a while."""
    with Provider() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
