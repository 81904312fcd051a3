"""Another owner's memory is out of reach, and answers exactly like nothing at all."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from memory_middleware import Memory
from memory_middleware_rest import create_app
from memory_middleware_rest.examples import EPISODE, PATTERN, RECORD, SKILL
from tests.rest.live import QUICK, Live, listening, live, tokens
from tests.rest.seeded import fill

RUN = "run-of-ana"
ONE = [
    ("GET", f"/records/{RECORD['id']}", None),
    ("PATCH", f"/records/{RECORD['id']}", {"importance": 0.1}),
    ("DELETE", f"/records/{RECORD['id']}", None),
    ("POST", f"/records/{RECORD['id']}/archive", None),
    ("POST", f"/records/{RECORD['id']}/restore", None),
    ("POST", f"/records/{RECORD['id']}/pin", None),
    ("POST", f"/records/{RECORD['id']}/unpin", None),
    ("GET", f"/records/{RECORD['id']}/history", None),
    ("GET", f"/records/{RECORD['id']}/usage", None),
    ("GET", f"/records/{RECORD['id']}/edits", None),
    ("POST", f"/records/{RECORD['id']}/undo", None),
    ("POST", f"/records/{RECORD['id']}/undo?edit=1", None),
    ("POST", f"/review/{RECORD['id']}/accept", None),
    ("POST", f"/review/{RECORD['id']}/reject", None),
    ("POST", "/forget", {"ids": [RECORD["id"]]}),
    ("GET", f"/episodes/{EPISODE['id']}", None),
    ("GET", f"/patterns/{PATTERN['id']}", None),
    ("GET", f"/skills/{SKILL['id']}", None),
    ("DELETE", f"/episodes/{EPISODE['id']}", None),
    ("DELETE", f"/patterns/{PATTERN['id']}", None),
    ("DELETE", f"/skills/{SKILL['id']}", None),
    ("POST", f"/runs/{RUN}/retry", None),
]
ALL = [
    "/memories",
    "/memories/user",
    "/memories/work",
    "/memories/user/history",
    "/memories/user/status",
    "/records?state=active&state=superseded&state=quarantined&state=archived",
    "/search?q=nuts",
    "/review",
    "/episodes",
    "/patterns",
    "/skills",
    "/experience/search?q=deploy",
    "/turns",
    "/turns?thread_id=monday",
    "/usage",
    "/buffer",
    "/buffer/rounds?thread_id=friday",
    "/buffer/rounds?thread_id=monday",
    "/runs",
    "/stats",
    "/export",
]


class Traced:
    """Notes the statements that requests have SQLite run; the index is brought up to date at times of its own."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._lock = threading.Lock()

    def note(self, statement: str) -> None:
        if not threading.current_thread().name.startswith("AnyIO"):
            return
        told = re.sub(r"'[^']*'", "?", statement)
        with self._lock:
            self.seen.append(re.sub(r"\b\d+\b", "?", told))


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Traced]]:
    with Memory.open(tmp_path_factory.mktemp("memory")) as memory:
        trace = Traced()
        event.listen(memory.store.database.engine, "connect", lambda found, _: found.set_trace_callback(trace.note))
        app = create_app(memory, auth=tokens(), limits=QUICK)
        with listening(app) as url, Live(url, memory) as served:
            fill(memory, "ana")
            yield served, trace


def asked(served: Live, method: str, path: str, body: Any, name: str, other: str) -> tuple[Any, ...]:
    told = None if body is None else {key: [other] if key == "ids" else value for key, value in body.items()}
    answer = served.bob.request(method, path.replace(name, other), json=told)
    text = answer.text.replace(other, "ID")
    headers = {key: value for key, value in answer.headers.items() if key not in ("date", "content-length")}
    return answer.status_code, text, headers


@pytest.mark.parametrize(("method", "path", "body"), ONE, ids=[f"{one[0]} {one[1]}" for one in ONE])
def test_what_is_anothers_answers_like_what_is_not_there(
    method: str, path: str, body: Any, traced: tuple[Live, Traced]
) -> None:
    served, trace = traced
    name = body["ids"][0] if body and "ids" in body else path.split("/")[2]
    if name == RUN:
        name = served.memory.runs("ana")[0].id
        path = path.replace(RUN, name)
    stranger = name[:-3] + "zzz"
    asked(served, method, path, body, name, stranger)  # Bob's first contact, and whatever is read once
    trace.seen.clear()
    missing = asked(served, method, path, body, name, stranger)
    of_missing = list(trace.seen)
    trace.seen.clear()
    anothers = asked(served, method, path, body, name, name)
    assert anothers == missing
    assert missing[0] == 404
    assert trace.seen == of_missing
    assert of_missing


@pytest.mark.parametrize("path", ALL)
def test_a_list_shows_only_ones_own(path: str, traced: tuple[Live, Traced]) -> None:
    served, _ = traced
    mine, theirs = served.ana.get(path), served.bob.get(path)
    assert mine.status_code == theirs.status_code == 200
    assert "ana" not in theirs.text.replace("memory_management", "")
    assert RECORD["id"] not in theirs.text
    assert EPISODE["id"] not in theirs.text


def test_nothing_of_the_above_has_changed_anything(traced: tuple[Live, Traced]) -> None:
    served, _ = traced
    record = served.ana.get(f"/records/{RECORD['id']}").json()["record"]
    assert (record["state"], record["importance"], record["pinned"]) == ("active", 0.5, False)
    assert served.ana.get(f"/skills/{SKILL['id']}").status_code == 200
    assert served.ana.get("/runs").json()["runs"][0]["state"] == "parked"


@pytest.mark.parametrize("name", ["owner", "owner_id", "user_id", "sub"])
def test_an_owner_cannot_be_named_in_a_request(name: str, shared: Live) -> None:
    answer = shared.bob.get("/records", params={name: "ana"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == f"query.{name}"
    body = {"content": "Bob likes tea", name: "ana"}
    assert shared.bob.post("/records", json=body).json()["errors"][0]["field"] == f"body.{name}"


def test_acting_on_ones_own_memory_leaves_anothers_alone(tmp_path: Path) -> None:
    with live(tmp_path) as served:
        for owner in ("ana", "bob"):
            fill(served.memory, owner)
        before = [line for line in served.memory.export("ana") if '"exported_at"' not in line]
        for path in ("/maintenance", "/maintenance/consolidate", "/runs/retry", "/buffer/extract"):
            assert served.bob.post(path).status_code == 200
        assert served.bob.post("/forget", json={"everything": True}).status_code == 200
        assert [line for line in served.memory.export("ana") if '"exported_at"' not in line] == before
