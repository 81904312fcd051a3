"""Memories of a Mem0 service, against a real server on this machine that speaks its interface."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import ConfigError, MemoryConfig, MemoryContentSnapshot, MemoryManager, Scope, StoreError
from memory_middleware.sources.mem0 import Mem0Source, search_filters, spoken, written_to
from memory_middleware.sources.mem0_client import Mem0Client
from tests.sources.support import turn
from tests.support import brief, cases

ANN = Scope("ann", agent="role")


class Service(ThreadingHTTPServer):
    """Keeps memories by user and agent, and notes what it is asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.calls: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.kept: list[dict[str, Any]] = []
        self.answer: tuple[int, bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def add(self, body: dict[str, Any]) -> object:
        whose = {name: body[name] for name in ("user_id", "agent_id") if name in body}
        for message in body["messages"]:
            text = message["content"]
            self.kept.append({"id": f"m{len(self.kept)}", "memory": text, "score": 0.5, "whose": whose})
        return {"results": [{"event": "ADD"}]}

    def search(self, body: dict[str, Any]) -> object:
        filters = body["filters"]
        wanted = filters.get("OR", [filters])
        found = [
            entry for entry in self.kept if entry["whose"] in wanted and entry["score"] >= body.get("threshold", 0)
        ]
        told = [{**entry, "updated_at": "2026-05-13T12:00:00+00:00"} for entry in found]
        return {"results": told[: body["top_k"]]}


class Handler(BaseHTTPRequestHandler):
    """Speaks Mem0's interface: that of the platform and that of the open-source server."""

    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.calls.append((self.path, dict(self.headers), body))
        status, data = self.server.answer or self._done(body)
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        self.wfile.write(data)

    def _done(self, body: dict[str, Any]) -> tuple[int, bytes]:
        if "secret-key" not in (self.headers.get("Authorization", "") + self.headers.get("X-API-Key", "")):
            return 401, b'{"detail": "no key"}'
        does = {
            "/v1/memories/": self.server.add,
            "/memories": self.server.add,
            "/v2/memories/search/": self.server.search,
            "/search": self.server.search,
        }.get(self.path)
        return (200, json.dumps(does(body)).encode()) if does else (404, b"{}")

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def source(service: Service, **options: Any) -> Mem0Source:
    return Mem0Source("cloud", Mem0Client("secret-key", service.url), **options)


@pytest.mark.parametrize("case", cases("002_devall/mem0", op="clean"), ids=brief)
def test_the_recorded_text_is_cleaned(case: dict[str, Any]) -> None:
    assert spoken(case["input"]) == case["expected"]


@pytest.mark.parametrize("case", cases("002_devall/mem0", op="scope"), ids=brief)
def test_the_recorded_calls_are_made(case: dict[str, Any], service: Service) -> None:
    assert search_filters(case["user_id"], case["agent_id"], "role") == case["search"]["filters"]
    whose = {name: case["add"][name] for name in ("user_id", "agent_id") if name in case["add"]}
    assert written_to(case["user_id"], case["agent_id"], "role") == whose
    made = source(service, user_id=case["user_id"], agent_id=None if case["user_id"] else "role")
    made.update(turn("I like tea", "Noted.", role="role"), ANN)
    asked = MemoryContentSnapshot("q")
    service.kept[0]["memory"] = "m"
    [item] = made.retrieve(asked, ANN, top_k=3)
    made.retrieve(asked, ANN, top_k=3, threshold=0.4)
    assert [body for _, _, body in service.calls] == [case["add"], case["search"], case["search_with_threshold"]]
    assert item.content_summary == case["item"]["content_summary"]
    assert item.metadata == case["item"]["metadata"]


def test_owners_are_kept_apart_where_nobody_is_configured(service: Service) -> None:
    made = source(service)
    for owner in ("ann", "bob"):
        made.update(turn(f"I am {owner}"), Scope(owner))
    found = made.retrieve(MemoryContentSnapshot("who am I?"), Scope("bob"), top_k=5)
    assert [item.content_summary for item in found] == ["I am bob"]
    assert found[0].timestamp == 1778673600.0


def test_a_user_and_an_agent_are_searched_together(service: Service) -> None:
    source(service, user_id="u").update(turn("by the user"), ANN)
    source(service, agent_id="a").update(turn("by the agent"), ANN)
    both = source(service, user_id="u", agent_id="a")
    assert len(both.retrieve(MemoryContentSnapshot("who?"), ANN, top_k=5)) == 2
    assert len(both.retrieve(MemoryContentSnapshot("who?"), ANN, top_k=1)) == 1


def test_nothing_is_sent_that_says_nothing_or_is_secret(service: Service) -> None:
    made = source(service)
    made.update(turn("=== INPUT FROM A (user) ===\n"), ANN)
    assert made.retrieve(MemoryContentSnapshot("  "), ANN, top_k=3) == []
    assert made.retrieve(MemoryContentSnapshot("x"), ANN, top_k=0) == []
    assert service.calls == []
    made.update(turn("my password: hunter22"), ANN)
    assert "hunter22" not in json.dumps(service.calls[0][2])


@pytest.mark.parametrize(("api", "path"), [("platform", "/v1/memories/"), ("server", "/memories")])
def test_a_declared_store_talks_to_its_service_alone(service: Service, tmp_path: Path, api: str, path: str) -> None:
    settings = {"api_key": "secret-key", "base_url": f"{service.url}/", "api": api, "org_id": "o", "project_id": "p"}
    config = MemoryConfig.from_dict(
        {
            "memory": [{"name": "cloud", "type": "mem0", "config": settings}],
            "agents": {"helper": {"memories": [{"name": "cloud"}]}},
        }
    )
    manager = MemoryManager(config, tmp_path)
    assert service.calls == [], "building sends nothing"
    manager.update("helper", turn("I like tea", role="helper"), ANN)
    assert [each.item.content_summary for each in manager.retrieve("helper", "tea", ANN).items] == ["I like tea"]
    asked, headers, body = service.calls[0]
    assert asked == path
    assert (body["org_id"], body["project_id"]) == ("o", "p")
    assert ("Authorization" in headers) == (api == "platform")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((401, b"{}"), "refused to search: HTTP 401"),
        ((302, b""), "refused to search: HTTP 302"),
        ((200, b"<html>"), "could not search"),
        ((200, b'{"memories": 7}'), "did not answer with a list"),
        ((200, b""), "did not answer with a list"),
    ],
    ids=["refused", "elsewhere", "no JSON", "no list", "nothing"],
)
def test_a_service_that_fails_is_told_without_its_key(
    service: Service, answer: tuple[int, bytes], message: str
) -> None:
    service.answer = answer
    with pytest.raises(StoreError, match=message) as caught:
        source(service).retrieve(MemoryContentSnapshot("q"), ANN, top_k=3)
    assert "secret-key" not in str(caught.value)


def test_odd_entries_are_read_as_far_as_they_go(service: Service) -> None:
    service.answer = (200, json.dumps([{"memory": None}, "no entry", {"memory": "tea", "updated_at": "soon"}]).encode())
    found = source(service).retrieve(MemoryContentSnapshot("q"), ANN, top_k=3)
    assert [item.content_summary for item in found] == ["", "tea"]
    assert len({item.id for item in found}) == 2


def test_what_cannot_be_reached_is_told() -> None:
    with pytest.raises(StoreError, match="could not add"):
        Mem0Client("k", "http://127.0.0.1:9", timeout=0.5).add(messages=[])
    with pytest.raises(ConfigError, match="begins with https://, not 'ftp://x'"):
        Mem0Client("k", "ftp://x")
