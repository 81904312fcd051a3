"""Ids as nobody sane would choose them reach exactly their own rows."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from memory_middleware import EpisodeTrace, MemoryRecord, Scope
from memory_middleware_rest.examples import EPISODE, RECORD
from memory_middleware_rest.paths import masked, unmasked
from tests.rest.live import Live

IDS = [
    "a/b",
    "a/b/archive",
    "x/history",
    "..",
    "../..",
    "a\0b",
    "🦜",
    "x" * 10_000,
    "%2F",
    "a%2Fb",
    "a?b#c",
    "'; DROP TABLE memory_records; --",
    "user/1",
    "user/10",
    " ",
    "名前",
    "a\nb",
    "%",
    "\udc2f".encode("utf-8", "replace").decode(),
]


def at(name: str) -> str:
    return quote(name, safe="").replace(".", "%2E")


@pytest.mark.parametrize("name", IDS, ids=[ascii(name[:20]) for name in IDS])
def test_a_hostile_id_reaches_its_own_rows_only(name: str, shared: Live) -> None:
    made = [MemoryRecord.from_dict({**RECORD, "id": one, "owner_id": "ana", "content": f"about {one}"}) for one in IDS]
    shared.memory.store.memories.records.put(Scope("ana"), made)
    shared.memory.store.memories.experience.put(Scope("ana"), [EpisodeTrace.from_dict({**EPISODE, "id": name})])
    path = f"/records/{at(name)}"
    assert shared.ana.get(path).json()["record"]["id"] == name
    assert shared.bob.get(path).status_code == 404
    assert shared.ana.post(f"{path}/archive").json()["id"] == name
    assert shared.ana.get(f"{path}/history").json()["records"][0]["id"] == name
    assert shared.ana.patch(path, json={"importance": 0.9}).json()["id"] == name
    assert shared.ana.get(f"/episodes/{at(name)}").json()["id"] == name
    assert shared.ana.delete(path).json()["records"] == [name]
    assert shared.ana.get(path).status_code == 404
    left = shared.ana.get("/records", params={"limit": 100}).json()["records"]
    assert {one["id"] for one in left} == {*IDS} - {name}


@pytest.mark.parametrize(
    "path", ["/records/", "/records//", "/records/a/b", "/records/%2e%2e/memories/user", "/episodes/"]
)
def test_a_path_that_names_nothing_finds_nothing(path: str, shared: Live) -> None:
    assert shared.ana.get(path).status_code == 404


def test_a_thread_may_have_any_name(served: Live) -> None:
    for name in ("a/b", "🦜", "a\0b"):
        served.memory.journal.buffer_dialogue(Scope("ana", name), "I like tea", "Noted.")
        [found] = served.ana.get("/buffer/rounds", params={"thread_id": name}).json()["rounds"]
        assert found["session_id"] == name


def test_a_path_that_was_changed_on_the_way_is_left_alone() -> None:
    scope = {"path": "/elsewhere", "raw_path": b"/records/a%2Fb"}
    assert masked(scope) is scope
    assert masked({"path": "/records/a"}) == {"path": "/records/a"}
    assert unmasked({"id": 3, "name": "a"}) == {"id": 3, "name": "a"}
