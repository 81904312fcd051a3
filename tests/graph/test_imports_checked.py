"""A file that somebody made up is refused before any of it is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import EpisodeTrace, InvalidInputError, Memory, MemoryConfig, Scope
from memory_middleware.storage.database import Statement
from memory_middleware.storage.owners import digest
from tests.graph.conftest import MANUAL

ANA = Scope("ana", "t1", "worker")
CONFIG = MemoryConfig.from_dict(MANUAL)
LATE = 253_402_300_799_999_999
_ID = Statement("SELECT id FROM memories WHERE owner = :owner AND memory_type = 'user'")
Spoil = dict[str, Any] | Callable[[dict[str, Any]], Any]


@pytest.fixture
def lines(memory: Memory) -> list[str]:
    """An export with something of everything."""
    record = memory.remember("ana", "The user lives in Lisbon.", subject="user", attribute="city")
    memory.edit_record("ana", record.id, content="The user lives in Porto.")
    memory.update_profile("ana", "user", {"occupation": "nurse"})
    memory.observe(ANA, [HumanMessage("I have a dog.", id="h1"), AIMessage("I see.", id="a1")])
    memory.flush("ana")
    hits = [hit.record for hit in memory.recall("ana", "where do I live?", limit=1)]
    memory.observe(ANA, [HumanMessage("Where do I live?", id="h2"), AIMessage("In Porto.", id="a2")], hits, tokens=9)
    memory.store.memories.experience.put(ANA, [EpisodeTrace.create("task", "worker", goal="deploy", phase="ACT")])
    memory.forget("ana", query="dog")
    return list(memory.export("ana"))


def weighs(**told: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["weight_state"].update(told)


@pytest.mark.parametrize(
    ("kind", "spoil", "why"),
    [
        ("tombstone", {"mark": "a:b"}, "mark"),
        ("tombstone", {"made_at": 2**62}, "made_at"),
        ("turn", {"happened_at": LATE}, "happened_at"),
        ("usage", {"used_at": 2**62}, "used_at"),
        ("usage", {"was_referenced": True}, "was_referenced"),
        ("run", {"started_at": 2**62}, "started_at"),
        ("edit", {"changed_at": 2**62}, "changed_at"),
        ("edit", {"version": 2**31}, "version"),
        ("profile_version", {"changed_at": 2**62}, "changed_at"),
        ("profile_version", {"version": 2**40}, "version"),
        ("profile", {"updated_at": LATE}, "updated_at"),
        ("profile", {"created_at": 2**62}, "created_at"),
        ("profile", {"version": 2**31 - 1}, "version"),
        ("profile", {"id": "i" * 37}, "id"),
        ("dialogue", {"parked": "x" * 41}, "parked"),
        ("record", weighs(weight=-1.0), "a weight is a number from 0"),
        ("record", weighs(weight="nan"), "a weight is a number from 0"),
        ("record", weighs(base="inf"), "a weight is a number from 0"),
        ("record", weighs(access_count=-5), "a count or turn"),
        ("record", weighs(access_count=str(2**63)), "a count or turn"),
        ("record", weighs(access_count="inf"), ""),
        ("record", weighs(changed_at="9999-12-31T23:59:59.999999"), "changed_at.*is too late"),
        ("record", weighs(based_at="9999-12-30T23:59:59-14:00"), "based_at.*is too late"),
        ("record", {"updated_at": "9999-12-31T23:59:59-14:00"}, ""),
        ("record", {"access_count": str(2**63)}, "a count or turn"),
        ("record", {"provenance": {"turn": str(2**63)}}, "a count or turn"),
        ("episode", {"timestamp": "0001-01-01T00:00:00+14:00"}, ""),
    ],
)
def test_what_no_table_holds_is_refused_before_anything_is_written(
    lines: list[str], tmp_path: Path, kind: str, spoil: Spoil, why: str
) -> None:
    at = next(at for at, line in enumerate(lines) if f'"type":"{kind}"' in line)
    entry = json.loads(lines[at])
    if callable(spoil):
        spoil(entry["data"])
    else:
        entry["data"] |= spoil
    with Memory.open(tmp_path / "other", config=CONFIG) as other:
        with pytest.raises(InvalidInputError, match=f"line {at + 1}: .*{why}"):
            other.import_lines([*lines[:at], json.dumps(entry), *lines[at + 1 :]])
        assert [json.loads(line) for line in other.export()][1:] == [{"type": "end", "count": 0}]


def test_the_profile_of_a_copied_file_is_a_row_of_its_own(memory: Memory) -> None:
    memory.update_profile("ana", "user", {"occupation": "nurse"})
    told = [json.loads(line) for line in memory.export("ana")]
    for entry in told[1:-1]:
        entry["owner_id"] = "eve"
    profiles = [entry for entry in told[1:-1] if entry["type"] == "profile"]
    end = {"type": "end", "count": len(profiles)}
    report = memory.import_lines([json.dumps(line) for line in (told[0], *profiles, end)], owner="eve")
    assert report.added == {"profile": 2}
    assert (memory.profile("eve").occupation, memory.profile("ana").occupation) == ("nurse", "nurse")  # type: ignore[union-attr]
    again = memory.import_lines([json.dumps(line) for line in (told[0], *profiles, end)], owner="eve")
    assert again.added == {"profile": 0}


def test_a_profile_whose_id_is_somebody_elses_is_taken_in_all_the_same(memory: Memory) -> None:
    memory.update_profile("ana", "user", {"occupation": "nurse"})
    with memory.store.database.reading() as session:
        there = session.one(_ID, owner=digest("ana"))
    told = [json.loads(line) for line in memory.export("ana")]
    profile = next(entry for entry in told if entry.get("data", {}).get("memory_type") == "user")
    stolen = {**profile, "owner_id": "eve", "data": {**profile["data"], "id": there[0]}}
    memory.import_lines([json.dumps(line) for line in (told[0], stolen, {"type": "end", "count": 1})], owner="eve")
    assert memory.profile("eve").occupation == "nurse"  # type: ignore[union-attr]
