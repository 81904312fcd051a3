"""Experience, turns, the buffer, runs, upkeep and numbers over HTTP."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import EpisodeTrace, MemoryConfig, Scope
from memory_middleware_rest import insecure_single_user
from memory_middleware_rest.examples import EPISODE, PATTERN, SKILL
from tests.rest.live import Live, live
from tests.rest.seeded import fill


@pytest.mark.parametrize(
    ("path", "kind", "example"),
    [("episodes", "episode", EPISODE), ("patterns", "pattern", PATTERN), ("skills", "skill", SKILL)],
)
def test_experience_is_listed_given_found_and_forgotten(
    path: str, kind: str, example: dict[str, object], served: Live
) -> None:
    fill(served.memory, "ana")
    [listed] = served.ana.get(f"/{path}").json()[path]
    assert {key: listed[key] for key in example} == example
    assert served.ana.get(f"/{path}/{example['id']}").json() == listed
    found = served.ana.get("/experience/search", params={"q": "deploy", "kind": kind}).json()["found"]
    assert [(one["kind"], one["memory"]["id"]) for one in found] == [(kind, example["id"])]
    assert example["id"] in served.ana.delete(f"/{path}/{example['id']}").json()["experience"]
    assert served.ana.get(f"/{path}/{example['id']}").status_code == 404
    assert served.ana.get("/experience/search", params={"q": "deploy", "kind": kind}).json()["found"] == []


def test_experience_comes_page_by_page(served: Live) -> None:
    made = [EpisodeTrace.from_dict({**EPISODE, "id": f"ep-{at}"}) for at in range(5)]
    served.memory.store.memories.experience.put(Scope("ana"), made)
    first = served.ana.get("/episodes", params={"limit": 3}).json()
    assert first["next"] == 3
    rest = served.ana.get("/episodes", params={"limit": 3, "offset": 3}).json()
    assert rest["next"] is None
    assert {one["id"] for one in (*first["episodes"], *rest["episodes"])} == {one.id for one in made}


def test_the_timeline_tells_what_came_of_each_turn(served: Live) -> None:
    for at, text in enumerate(("I live in Lisbon.", "I moved to Porto, I live in Porto now.")):
        said = [HumanMessage(text, id=f"u{at}"), AIMessage("I will remember that.", id=f"a{at}")]
        served.memory.observe(Scope("ana", f"thread {at}", "router"), said, tokens=7 + at)
        served.memory.flush("ana")
    moved, lived = served.ana.get("/turns").json()["turns"]
    assert (lived["session_id"], lived["tokens"], lived["agent"]) == ("thread 0", 7, "router")
    assert lived["extracted"]
    assert lived["superseded"] == []
    assert moved["superseded"] == lived["extracted"]
    only = served.ana.get("/turns", params={"thread_id": "thread 0"}).json()["turns"]
    assert [one["id"] for one in only] == [lived["id"]]


def test_turns_and_uses_are_told(served: Live) -> None:
    fill(served.memory, "ana")
    [turn] = served.ana.get("/turns").json()["turns"]
    assert (turn["injected"], turn["tokens"]) == (["mem-5f1c"], 42)
    [use] = served.ana.get("/usage").json()["usage"]
    assert use["memory_id"] == "mem-5f1c"


def test_the_buffer_is_told_and_extracted(served: Live) -> None:
    fill(served.memory, "ana")
    assert served.ana.get("/buffer").json() == {"threads": {"monday": 1}}
    [waiting] = served.ana.get("/buffer/rounds", params={"thread_id": "monday"}).json()["rounds"]
    assert waiting["user_query"].startswith("What can I cook")
    [report] = served.ana.post("/buffer/extract").json()
    assert report["rounds"] == 1
    assert served.ana.get("/buffer").json() == {"threads": {}}


def test_a_parked_run_is_tried_again_when_asked(served: Live) -> None:
    fill(served.memory, "ana")
    [run] = [one for one in served.ana.get("/runs").json()["runs"] if one["state"] == "parked"]
    assert [one["id"] for one in served.ana.post(f"/runs/{run['id']}/retry").json()["runs"]] == [run["id"]]
    assert served.ana.post(f"/runs/{run['id']}/retry").status_code == 404
    assert served.ana.post("/runs/retry").json() == {"runs": [], "next": None}
    assert "friday" in served.ana.get("/buffer").json()["threads"]
    served.ana.post("/buffer/extract")
    assert {one["state"] for one in served.ana.get("/runs").json()["runs"]} == {"done"}


def test_upkeep_can_be_asked_for(served: Live) -> None:
    fill(served.memory, "ana")
    [report] = served.ana.post("/maintenance").json()
    assert (report["owner_id"], report["records"]["quarantined"]) == ("ana", 1)
    assert served.ana.post("/maintenance/consolidate").json()["episodes_processed"] == 1


def test_numbers_are_of_one_owner_alone(served: Live) -> None:
    fill(served.memory, "ana")
    stats = served.ana.get("/stats").json()
    assert stats["records"]["fact"]["active"] == 2
    assert stats["experience"] == {"episode": 1, "pattern": 1, "skill": 1}
    assert stats["store"] is None
    assert served.bob.get("/stats").json()["records"] == {}


def test_one_user_may_see_the_whole_store(tmp_path: Path) -> None:
    with live(tmp_path, auth=insecure_single_user("ana"), store_stats=True) as served:
        assert served.ana.get("/stats").json()["store"]["disk_bytes"] > 0


def walked(served: Live, path: str, name: str, **asked: Any) -> list[Any]:
    """Go through a list a page at a time, while new rows come in."""
    found: list[Any] = []
    cursor: dict[str, str] = {}
    for at in range(100):
        page = served.ana.get(path, params={"limit": 3, **asked, **cursor}).json()
        found += page[name]
        happen(served, f"meanwhile {at}", at)
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}
    raise AssertionError("the list does not end")


def happen(served: Live, query: str, at: int) -> None:
    """Let a turn happen that uses a record, and a run of the extractor."""
    scope = Scope("ana", "monday", "router")
    said = [HumanMessage(query, id=f"{query} q"), AIMessage("Soup, no nuts.", id=f"{query} a")]
    served.memory.observe(scope, said, ["mem-5f1c"], tokens=at)
    served.memory.store.memories.runs.begin(scope, "monday", [query])


LISTS = [
    ("/turns", "turns", {}, "id"),
    ("/turns", "turns", {"thread_id": "monday"}, "id"),
    ("/usage", "usage", {}, "query"),
    ("/records/mem-5f1c/usage", "usage", {}, "query"),
    ("/runs", "runs", {}, "id"),
]


@pytest.mark.parametrize(("path", "name", "asked", "key"), LISTS, ids=[f"{one[0]} {one[2]}" for one in LISTS])
def test_what_happened_comes_page_by_page_whatever_comes_meanwhile(
    path: str, name: str, asked: dict[str, str], key: str, served: Live
) -> None:
    fill(served.memory, "ana")
    for at in range(8):
        happen(served, f"question {at}", at)
    before = served.ana.get(path, params={"limit": 100, **asked}).json()
    assert before["next"] is None
    found = walked(served, path, name, **asked)
    assert [one[key] for one in found] == [one[key] for one in before[name]]
    assert len(found) >= 8


@pytest.mark.parametrize(("path", "name", "asked", "key"), LISTS, ids=[f"{one[0]} {one[2]}" for one in LISTS])
def test_a_cursor_that_was_not_written_here_for_this_list_is_refused(
    path: str, name: str, asked: dict[str, str], key: str, served: Live
) -> None:
    for owner in ("ana", "bob"):
        fill(served.memory, owner)
    for at in range(3):
        happen(served, f"question {at}", at)
        said = [HumanMessage(f"{at}?", id=f"q{at}"), AIMessage("Soup.", id=f"a{at}")]
        served.memory.observe(Scope("bob", "monday"), said, ["mem-5f1c"])
        served.memory.store.memories.runs.begin(Scope("bob"), "monday", [str(at)])
    mine = served.ana.get(path, params={"limit": 1, **asked}).json()["next"]
    of_bob = served.bob.get(path, params={"limit": 1, **asked}).json()["next"]
    of_records = served.ana.get("/records", params={"limit": 1}).json()["next"]
    others = [served.ana.get(one, params={"limit": 1, **more}).json()["next"] for one, _, more, _ in LISTS]
    changed = mine[:-4] + ("AAAA" if mine[-4:] != "AAAA" else "BBBB")
    forged = {of_bob, of_records, *others, changed, mine + "A", "nonsense", "é", base64.b64encode(b"[1,2]").decode()}
    for cursor in forged - {mine}:
        answer = served.ana.get(path, params={**asked, "cursor": cursor})
        assert (answer.status_code, answer.json()["code"]) == (422, "unfit-cursor"), cursor
        assert answer.json()["errors"][0]["field"] == "query.cursor"
    assert served.ana.get(path, params={**asked, "cursor": mine}).status_code == 200


def test_the_timeline_tells_the_budget_of_each_agent(tmp_path: Path) -> None:
    config = MemoryConfig.from_dict(
        {
            "extract": {"mode": "manual"},
            "inject": {"budget": {"total_tokens": 1500}},
            "agents": {"writer": {"budget_tokens": 300}},
        }
    )
    with live(tmp_path, config=config) as served:
        for at, agent in enumerate(("writer", "router")):
            said = [HumanMessage("Hello there", id=f"q{at}"), AIMessage("Hello.", id=f"a{at}")]
            served.memory.observe(Scope("ana", "monday", agent), said, tokens=100)
        turns = served.ana.get("/turns").json()["turns"]
        assert [(one["agent"], one["tokens"], one["budget"]) for one in turns] == [
            ("router", 100, 1500),
            ("writer", 100, 300),
        ]
