"""Looking into memory, and moving it from one store to another."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import EpisodeTrace, InvalidInputError, LanceStore, Memory, MemoryConfig, Scope
from memory_middleware.schemas.record import RecordState
from tests.graph.conftest import MANUAL

ANA = Scope("ana", "t1", "worker")
CONFIG = MemoryConfig.from_dict(MANUAL)
FORGED = base64.urlsafe_b64encode(json.dumps(["updated", 10**30, "x"]).encode()).decode()


@pytest.fixture
def full(memory: Memory) -> Memory:
    """A memory in which a lot has happened."""
    said = ["I live in Lisbon.", "We moved to Porto.", "My dog is called Bruno.", "I speak French and German."]
    for at, text in enumerate(said):
        memory.observe(ANA, [HumanMessage(text, id=f"h{at}"), AIMessage("I see, thank you.", id=f"a{at}")])
    memory.flush("ana")
    hits = [hit.record for hit in memory.recall("ana", "where do I live?", limit=3)]
    memory.observe(
        ANA, [HumanMessage("Where do I live?", id="h9"), AIMessage("You live in Porto.", id="a9")], hits, tokens=20
    )
    memory.store.memories.experience.put(ANA, [EpisodeTrace.create("task", "worker", goal="deploy", phase="ACT")])
    memory.remember("bob", "The user likes tea.")
    memory.update_profile("bob", "user", {"interests": ["tea"]})
    memory.forget("ana", ids=memory.recall("ana", "what is my dog called?")[0].record.id)
    return memory


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    if request.param == "sqlite":
        with Memory.open(tmp_path / "other", config=CONFIG) as opened:
            yield opened
    else:
        url = request.getfixturevalue("postgres_url")
        with LanceStore.open(url, lance_uri=str(tmp_path / "index")) as store, Memory(store, CONFIG) as opened:
            yield opened


def entries(memory: Memory) -> list[dict[str, Any]]:
    return [json.loads(line) for line in memory.export()][1:]


def test_what_is_moved_is_the_same_and_moving_twice_changes_nothing(full: Memory, empty: Memory) -> None:
    lines = list(full.export())
    told: list[tuple[int, int]] = []
    report = empty.import_lines(lines, progress=lambda done, total: told.append((done, total)))
    assert report.owners == ("ana", "bob")
    assert report.known.get("record", 0) == 0
    assert told[-1] == (len(lines) - 2, len(lines) - 2)

    def sort(found: list[dict[str, Any]]) -> list[str]:
        return sorted(json.dumps(entry, sort_keys=True) for entry in found)

    assert sort(entries(empty)) == sort(entries(full))
    again = empty.import_lines(lines)
    assert set(again.added.values()) == {0}
    assert sort(entries(empty)) == sort(entries(full))
    hit = empty.recall("ana", "where do I live?", limit=1)[0]
    assert "Porto" in hit.record.content
    view = empty.view_record("ana", hit.record.id)
    assert view is not None
    assert empty.store.fsck().clean


def test_one_owners_memory_alone(full: Memory, empty: Memory) -> None:
    report = empty.import_lines(full.export("bob"))
    assert report.owners == ("bob",)
    assert empty.recall("ana", "Porto") == []
    document = json.loads(next(iter(full.export("bob"))))
    assert document["embedder"]
    whole = json.dumps({**document, "entries": entries(full)}, indent=1)
    assert empty.import_lines(whole.splitlines(keepends=True)).added["record"] > 0
    without_end = json.dumps({**document, "entries": entries(full)[:-1]})
    assert set(empty.import_lines([without_end]).added.values()) == {0}


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda lines: lines[1:], "no export of memory_middleware"),
        (lambda lines: [], "neither JSON nor lines"),
        (lambda lines: ["what?"], "neither JSON nor lines"),
        (lambda lines: ["[1]"], "no export"),
        (lambda lines: lines[:-1], "cut off"),
        (lambda lines: [*lines[:-3], lines[-1]], "cut off"),
        (lambda lines: [*lines, lines[1]], "goes on after its end"),
        (lambda lines: [lines[0].replace('"version":1', '"version":9'), *lines[1:]], "has version 9"),
        (lambda lines: [*lines[:3], lines[3][:-20], *lines[4:]], "line 4 is no JSON"),
        (lambda lines: [*lines[:3], '{"type":"odd","owner_id":"a","data":{}}', *lines[4:]], "unknown type 'odd'"),
        (lambda lines: [*lines[:3], '{"type":"record"}', *lines[4:]], "an entry has a type"),
        (lambda lines: [*lines[:3], '{"type":"record","owner_id":"a","data":{}}', *lines[4:]], "line 4"),
        (lambda lines: [*lines[:3], '{"type":"episode","owner_id":"a","data":{}}', *lines[4:]], "line 4"),
    ],
)
def test_a_broken_file_changes_nothing(full: Memory, tmp_path: Path, spoil: Any, why: str) -> None:
    with Memory.open(tmp_path / "other", config=CONFIG) as empty:
        with pytest.raises(InvalidInputError, match=why):
            empty.import_lines(spoil(list(full.export())))
        assert entries(empty) == [{"type": "end", "count": 0}]


def test_a_profile_that_is_there_stays(full: Memory, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "other", config=CONFIG) as other:
        other.update_profile("bob", "user", {"occupation": "pilot"})
        report = other.import_lines(full.export("bob"))
        assert report.known["profile"] == 1
        assert getattr(other.profile("bob"), "occupation", None) == "pilot"


@pytest.mark.parametrize(
    ("kind", "change", "why"),
    [
        ("turn", {"more": 1}, "more: Extra inputs"),
        ("turn", {"document": []}, "document: JSON input should be"),
        ("profile", {"more": 1}, "more: Extra inputs"),
        ("profile", {"content": {"occupation": 3}}, "occupation"),
    ],
)
def test_a_row_that_cannot_be_written_is_found_before_anything_is(
    full: Memory, tmp_path: Path, kind: str, change: dict[str, Any], why: str
) -> None:
    lines = list(full.export())
    at = next(at for at, line in enumerate(lines) if f'"type":"{kind}"' in line)
    spoilt = json.loads(lines[at])
    spoilt["data"] |= change
    with Memory.open(tmp_path / "other", config=CONFIG) as other:
        with pytest.raises(InvalidInputError, match=why):
            other.import_lines([*lines[:at], json.dumps(spoilt), *lines[at + 1 :]])
        assert entries(other) == [{"type": "end", "count": 0}]


def test_a_file_of_somebody_else_is_refused_where_an_owner_is_named(full: Memory, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "other", config=CONFIG) as other:
        with pytest.raises(InvalidInputError, match="1 other owners"):
            other.import_lines(full.export(), owner="bob")
        assert other.import_lines(full.export("bob"), owner="bob").owners == ("bob",)


def test_a_forged_use_of_anothers_record_is_refused(full: Memory) -> None:
    lines = list(full.export())
    use = next(json.loads(line) for line in lines if '"type":"usage"' in line)
    forged = {**use, "owner_id": "bob", "data": {**use["data"], "turn": "0" * 64}}
    head, end = lines[0], json.dumps({"type": "end", "count": 1})
    with pytest.raises(InvalidInputError, match="the columns do not tell what the document tells"):
        full.import_lines([head, json.dumps(forged), end], owner="bob")


def test_secrets_do_not_come_in_by_editing(full: Memory) -> None:
    record = full.remember("ana", "The user likes coffee.")
    changed = full.edit_record("ana", record.id, content="My password is hunter2x")
    assert changed.content == "My password is [secret]"


def test_owners_are_known_from_their_first_turn(tmp_path: Path) -> None:
    with Memory.open(tmp_path, config=CONFIG) as memory:
        memory.observe(ANA, [HumanMessage("hello there, you"), AIMessage("hi")])
        assert list(memory.owners()) == ["ana"]


def test_records_are_listed_page_by_page(full: Memory) -> None:
    for at in range(25):
        full.remember("ana", f"Fact number {at} about something.")
    for sort in ("updated", "created", "weight", "used"):
        seen: list[str] = []
        cursor = None
        while True:
            page = full.list_records("ana", states=list(RecordState), sort=sort, limit=7, cursor=cursor)
            seen += [record.id for record in page.records]
            if (cursor := page.cursor) is None:
                break
        assert len(seen) == len(set(seen)) == sum(full.store.memories.records.count(ANA).values())
    assert {record.kind.value for record in full.list_records("ana", kinds=["dialogue"]).records} == {"dialogue"}
    heaviest = full.list_records("ana", sort="weight").records
    assert heaviest == sorted(heaviest, key=lambda record: -record.weight)
    page = full.list_records("ana", limit=1)
    for wrong in (
        {"sort": "name"},
        {"limit": 0},
        {"cursor": "x"},
        {"cursor": FORGED},
        {"cursor": page.cursor, "sort": "weight"},
    ):
        with pytest.raises(InvalidInputError):
            full.list_records("ana", **wrong)


def test_a_record_with_all_around_it(full: Memory) -> None:
    [record] = [one for one in full.list_records("ana").records if "Porto" in one.content and one.kind == "fact"]
    view = full.view_record("ana", record.id)
    assert view is not None
    assert [relation for relation, _ in view.links] == ["supersedes"]
    assert [one.content for one in view.history] == ["The user lives in Porto.", "The user lives in Lisbon."]
    assert [one.content for one in view.said_in][:1] == ["We moved to Porto."]
    old = view.links[0][1]
    around = full.view_record("ana", old.id)
    assert around is not None
    assert [one.id for one in around.linked_from] == [record.id]
    assert full.view_record("bob", record.id) is None
    changed = full.edit_record("ana", record.id, content="The user lives in Porto, by the river.", tags=["home"])
    assert changed.tags == ("home",)
    with pytest.raises(InvalidInputError, match="kind, owner_id of a record cannot be edited"):
        full.edit_record("ana", record.id, owner_id="bob", kind="project")


def test_statistics(full: Memory) -> None:
    stats = full.stats("ana")
    assert stats.records["fact"]["active"] >= 2
    assert stats.records["fact"]["superseded"] == 1
    assert sum(stats.weights) == sum(sum(states.values()) for states in stats.records.values())
    assert sum(stats.growth.values()) == sum(stats.weights)
    assert stats.experience["episode"] == 1
    assert (stats.turns, stats.rounds, stats.parked) == (5, 1, 0)
    assert stats.injected >= stats.referenced >= 1
    assert (stats.disk_bytes or 0) > 10_000
    assert full.stats("nobody").records == {}
    assert len(full.runs("ana")) == 1
