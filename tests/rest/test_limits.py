"""Limits, and errors as problems."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import DeterministicFakeEmbedding

from memory_middleware import ConflictError, EmbeddingError, Memory, StoreError
from memory_middleware_rest import Limits, create_app
from memory_middleware_rest.etags import is_current
from memory_middleware_rest.faults import answer_to
from memory_middleware_rest.limits import RateLimiter
from memory_middleware_rest.problems import ProblemError, problem_response
from tests.rest.live import Live, listening, live, token_of, tokens

JSON = {"Content-Type": "application/json"}


def test_a_body_that_says_it_is_too_large_is_not_read(tmp_path: Path) -> None:
    with live(tmp_path, limits=Limits(body_bytes=1024, rate=None)) as served:
        answer = served.ana.post("/records", json={"content": "x" * 2000})
        assert answer.status_code == 413
        assert answer.headers["content-type"] == "application/problem+json"
        assert served.ana.post("/records", json={"content": "x" * 900}).status_code == 201


def test_a_body_that_does_not_say_its_size_is_read_up_to_the_limit(tmp_path: Path) -> None:
    with live(tmp_path, limits=Limits(body_bytes=1024, rate=None)) as served:
        endless = (b'{"content": "' if at == 0 else b"x" * 500 for at in range(100))
        assert served.ana.post("/records", content=endless, headers=JSON).status_code == 413
        assert served.ana.get("/records").json()["records"] == []


def test_an_import_has_a_limit_of_its_own(tmp_path: Path) -> None:
    with live(tmp_path, limits=Limits(body_bytes=1024, import_bytes=4096, rate=None)) as served:
        assert served.ana.post("/import", content=b"\n" * 3000).status_code == 422
        assert served.ana.post("/import", content=b"\n" * 5000).status_code == 413
        assert served.ana.post("/import", content=(b"\n" * 1000 for _ in range(5))).status_code == 413


def test_a_page_has_at_most_so_many_rows(tmp_path: Path) -> None:
    with live(tmp_path, limits=Limits(page_size=2, rate=None)) as served:
        for at in range(3):
            served.ana.post("/records", json={"content": f"note {at} about thing {at * 13}"})
        page = served.ana.get("/records", params={"limit": 1000}).json()
        assert len(page["records"]) == 2
        assert page["next"]
        too_much = served.ana.get("/records", params={"limit": 1001})
        assert too_much.json()["errors"][0]["field"] == "query.limit"


def test_each_owner_has_a_bucket(tmp_path: Path) -> None:
    with live(tmp_path, limits=Limits(rate=0.001, burst=3)) as served:
        told = [served.ana.get("/memories/user").status_code for _ in range(5)]
        assert told == [200, 200, 200, 429, 429]
        refused = served.ana.get("/memories/user")
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.headers["content-type"] == "application/problem+json"
        assert served.bob.get("/memories/user").status_code == 200


def test_a_bucket_fills_up_again() -> None:
    now = [0.0]
    limiter = RateLimiter(Limits(rate=2.0, burst=2), clock=lambda: now[0])
    assert [limiter.take("ana") for _ in range(3)] == [0.0, 0.0, 0.5]
    now[0] = 0.5
    assert limiter.take("ana") == 0.0
    with pytest.raises(ProblemError):
        limiter.check("ana")
    now[0] = 100.0
    assert [limiter.take("ana") for _ in range(3)][:2] == [0.0, 0.0]


@given(
    st.floats(0.1, 100),
    st.integers(1, 20),
    st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 5)), max_size=60),
)
def test_nobody_gets_more_than_the_burst_and_the_rate(rate: float, burst: int, asked: list[tuple[str, float]]) -> None:
    now = [0.0]
    limiter = RateLimiter(Limits(rate=rate, burst=burst), clock=lambda: now[0])
    allowed = {"a": 0, "b": 0}
    for owner, pause in asked:
        now[0] += pause
        allowed[owner] += limiter.take(owner) == 0.0
        assert allowed[owner] <= burst + rate * now[0] + 1e-6


def test_many_owners_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_middleware_rest.limits._MOST_OWNERS", 10)
    limiter = RateLimiter(Limits(rate=1, burst=1))
    for at in range(100):
        limiter.take(str(at))
    assert len(limiter._buckets) == 10


@pytest.mark.parametrize(
    ("method", "path", "content", "status", "field"),
    [
        ("GET", "/nowhere", None, 404, None),
        ("DELETE", "/memories/user", None, 405, None),
        ("PUT", "/records", None, 405, None),
        ("GET", "/records?limit=none", None, 422, "query.limit"),
        ("GET", "/records?kind=none", None, 422, "query.kind[0]"),
        ("GET", "/records?colour=red", None, 422, "query.colour"),
        ("GET", "/search", None, 422, "query.q"),
        ("GET", "/memories/nobody/history", None, 422, "path.kind"),
        ("POST", "/records", b"{", 422, "body[1]"),
        ("POST", "/records", b"[]", 422, "body"),
        ("POST", "/records", b'"text"', 422, "body"),
        ("POST", "/records", b"", 422, "body"),
        ("POST", "/records", b'{"content": "a", "colour": 1}', 422, "body.colour"),
        ("POST", "/records", b'{"content": "a", "tags": ["\\ud800"]}', 422, "body.tags[0]"),
        ("POST", "/records", b'{"content": "   "}', 422, "body"),
        ("POST", "/records", b'"\xff"', 400, None),
        ("POST", "/records", b"[" * 100_000, 400, None),
        ("PATCH", "/memories/user", b'{"content": []}', 422, "body.content"),
        ("PUT", "/memories/user", b'{"content": {"occupation": "\\ud800"}}', 422, "body.content.occupation"),
        ("PUT", "/memories/user/status", b'{"status": "asleep"}', 422, "body.status"),
    ],
    ids=str,
)
def test_every_error_is_a_problem_that_names_the_field(
    method: str, path: str, content: bytes | None, status: int, field: str | None, shared: Live
) -> None:
    answer = shared.ana.request(method, path, content=content, headers=JSON if content is not None else {})
    told = answer.json()
    assert answer.status_code == told["status"] == status, told
    assert answer.headers["content-type"] == "application/problem+json"
    assert told["type"].startswith("urn:memory-middleware:problem:")
    assert told["title"]
    assert [one["field"] for one in told["errors"]][:1] == ([field] if field else [])
    assert "Traceback" not in answer.text


def test_a_wrong_method_is_told_the_right_ones(shared: Live) -> None:
    assert shared.ana.request("OPTIONS", "/memories/user").headers["allow"] == "GET, PATCH, PUT"
    assert shared.ana.delete("/records").headers["allow"] == "GET, POST"


def test_a_long_value_is_not_told_back_whole(shared: Live) -> None:
    for answer in (
        shared.ana.get("/records", params={"sort": "x" * 5000}),
        shared.ana.get(f"/records/{'x' * 5000}"),
        shared.ana.get("/records", params={"x" * 5000: "1"}),
        shared.ana.patch("/memories/user", json={"content": {"timezone": "x" * 5000}}),
        shared.ana.patch("/memories/user", json={"content": {"x" * 5000: 1}}),
    ):
        assert answer.status_code in (404, 422)
        assert len(answer.content) < 4000


def test_a_failing_memory_is_told_without_its_inside(tmp_path: Path) -> None:
    with (
        Memory.open(tmp_path) as memory,
        listening(create_app(memory, auth=tokens())) as url,
        Live(url, memory) as served,
    ):
        assert served.ana.get("/ready").json() == {"status": "ready"}
        memory.store.close()
        for path in ("/ready", "/memories/user"):
            answer = served.ana.get(path)
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == "1"
            assert str(tmp_path) not in answer.text
        assert served.ana.get("/health").json() == {"status": "ok"}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StoreError("the disk is at /secret/path"), 503),
        (EmbeddingError("the key is sk-1234"), 503),
        (ConflictError("changed by others"), 409),
        (RuntimeError("at /secret/path"), 500),
        (ProblemError(418, "a teapot"), 418),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_have_their_status_and_keep_secrets(error: Exception, status: int) -> None:
    answer = answer_to(error)
    assert answer.status_code == status
    assert b"secret" not in answer.body
    assert b"sk-1234" not in answer.body


def test_an_error_that_nobody_expected_is_told_as_a_problem(tmp_path: Path) -> None:
    def broken() -> str:
        raise RuntimeError("at /secret/path")

    with live(tmp_path, auth=broken) as served:
        answer = served.ana.get("/memories")
        assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
        assert "secret" not in answer.text


def test_the_sentence_stays_where_no_field_is_to_blame() -> None:
    assert json.loads(bytes(problem_response(422, "no", as_list=True).body))["detail"] == "no"


def test_a_request_that_breaks_off_leaves_the_server_alive(shared: Live) -> None:
    host, port = shared.url.removeprefix("http://").split(":")
    head = (
        f"POST /api/v1/records HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token_of('ana')}\r\n"
        'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"content": "half'
    )
    for _ in range(3):
        with socket.create_connection((host, int(port))) as line:
            line.sendall(head.encode())
    assert shared.ana.get("/records").json()["records"] == []


@given(st.lists(st.text(st.characters(codec="ascii", categories=["L", "N"])), min_size=1, max_size=4), st.booleans())
def test_a_tag_is_found_in_a_list_of_tags(names: list[str], weak: bool) -> None:
    header = ", ".join(f'"{name}"' for name in names)
    for name in names:
        assert is_current(header, f'"{name}"', weak=weak)
    assert not is_current(header, '"-"', weak=weak)
    assert is_current("*", '"-"')
    assert not is_current('W/"a"', '"a"')
    assert is_current('W/"a"', '"a"', weak=True)


def test_slow_work_of_one_does_not_hold_up_another(tmp_path: Path) -> None:
    """A search waits for a slow embedder, in a thread, while others are served."""
    release, waiting = threading.Event(), threading.Event()

    class Slow(DeterministicFakeEmbedding):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            if "slowly" in texts:
                waiting.set()
                release.wait(30)
            return super().embed_documents(texts)

    with (
        Memory.open(tmp_path, embedding=Slow(size=8)) as memory,
        listening(create_app(memory, auth=tokens())) as url,
        Live(url, memory) as served,
    ):
        served.ana.post("/records", json={"content": "Ana likes tea"})
        done: list[httpx.Response] = []
        thread = threading.Thread(target=lambda: done.append(served.ana.get("/search", params={"q": "slowly"})))
        thread.start()
        assert waiting.wait(30)
        assert served.bob.get("/memories/user").status_code == 200
        assert not done
        release.set()
        thread.join()
        assert done[0].status_code == 200
