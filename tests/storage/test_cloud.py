"""LanceDB Cloud: its address, key and region are passed on."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from memory_middleware.storage import LanceStore


class Cloud(BaseHTTPRequestHandler):
    """Notes what is asked, and has no tables."""

    seen: list[tuple[str, str | None]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.seen.append((self.path, self.headers.get("x-api-key")))
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def test_a_cloud_index_is_asked_with_its_key_and_its_loss_is_borne(tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Cloud)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = {"api_key": "sk_test", "region": "eu", "host_override": f"http://127.0.0.1:{server.server_port}"}
    with LanceStore.open(
        tmp_path, embedding=None, lance_uri="db://memories", storage_options=options, view_rows=1
    ) as store:
        for at in range(4):
            store.put(("a",), f"k{at}", {"text": f"tea {at}"})
        assert not store._index.at(0).exists()
        assert [item.key for item in store.search(("a",), query="tea 3", limit=1)] == ["k3"]
    server.shutdown()
    server.server_close()
    assert Cloud.seen
    assert {key for _path, key in Cloud.seen} == {"sk_test"}
    assert all("items_" in path for path, _key in Cloud.seen)
