"""Mending records by hand, looking at what happened page by page, and the async twins of both."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from memory_middleware import (
    ConflictError,
    InvalidInputError,
    Memory,
    MemoryConfig,
    MemoryRecord,
    RecordState,
    Scope,
    Turn,
)
from memory_middleware.schemas import times
from memory_middleware.schemas.record import Provenance
from memory_middleware.storage.repositories.edits import KEPT

CONFIG = MemoryConfig.from_dict({"extract": {"mode": "manual"}})
PORTO = "The user lives in Porto."
RIVER = "The user lives in Porto, by the river."


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path, config=CONFIG) as opened:
        yield opened


def test_an_edit_means_the_version_it_names(memory: Memory) -> None:
    record = memory.remember("ana", PORTO)
    edited = memory.edit_record("ana", record.id, version=record.version, content=RIVER)
    with pytest.raises(ConflictError, match="another version by now"):
        memory.edit_record("ana", record.id, version=record.version, content="The user lives in Faro.")
    with pytest.raises(ConflictError, match="another version by now"):
        memory.undo_edit("ana", record.id, version=record.version)
    assert memory.undo_edit("ana", record.id, version=edited.version).content == PORTO


def test_the_version_of_a_record_does_not_follow_its_use(memory: Memory) -> None:
    record = memory.remember("ana", PORTO)
    memory.journal.record_memory_usage(Scope("ana", "t"), record.id, "where?", True)
    used = memory.view_record("ana", record.id)
    assert used is not None
    assert (used.record.access_count, used.record.version) == (1, record.version)


def test_an_edit_of_anybody_else_is_none(memory: Memory) -> None:
    record = memory.remember("ana", PORTO)
    memory.edit_record("ana", record.id, content=RIVER)
    assert memory.edits("bob", record.id) == []
    for change in (memory.edit_record, memory.undo_edit):
        with pytest.raises(InvalidInputError, match="there is no record"):
            change("bob", record.id)


def test_only_the_last_edits_are_kept(memory: Memory) -> None:
    record = memory.remember("ana", PORTO)
    for at in range(KEPT + 3):
        memory.edit_record("ana", record.id, tags=[f"tag {at}"])
    edits = memory.edits("ana", record.id)
    assert [edits[0].version, edits[-1].version, len(edits)] == [KEPT + 3, 4, KEPT]
    with pytest.raises(InvalidInputError, match="has no edit 3; it has 4 and later"):
        memory.undo_edit("ana", record.id, edit=3)
    assert memory.undo_edit("ana", record.id, edit=4).tags == ("tag 2",)


def test_secrets_do_not_come_in_by_a_note(memory: Memory) -> None:
    record = memory.remember("ana", PORTO)
    assert memory.edit_record("ana", record.id, note="my password is hunter2x").note == "my password is [secret]"
    assert "hunter2x" not in str(memory.edits("ana", record.id))


KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"


@pytest.mark.parametrize(
    "fields",
    [{"tags": ["tea", KEY]}, {"tags": (KEY,)}, {"subject": KEY}, {"attribute": f"token {KEY}"}, {"source": KEY}],
    ids=["tags", "a tuple of tags", "subject", "attribute", "source"],
)
def test_secrets_do_not_come_in_by_any_text(fields: dict[str, Any], memory: Memory) -> None:
    record = memory.remember("ana", PORTO)
    edited = memory.edit_record("ana", record.id, **fields)
    assert "[secret]" in str(edited.to_dict())
    assert KEY not in f"{edited.to_dict()} {memory.edits('ana', record.id)}"
    if "tea" in fields.get("tags", ()):
        assert edited.tags == ("tea", "[secret]")


def test_an_edit_with_what_is_no_text_is_refused(memory: Memory) -> None:
    record = memory.remember("ana", PORTO)
    for wrong in ({"tags": [1]}, {"tags": "home"}, {"content": 5}, {"subject": 5}):
        with pytest.raises(InvalidInputError):
            memory.edit_record("ana", record.id, **wrong)


def test_what_is_forgotten_leaves_no_edit(memory: Memory, tmp_path: Path) -> None:
    record = memory.remember("ana", PORTO)
    memory.edit_record("ana", record.id, content="The user lives in Atlantis.")
    memory.edit_record("ana", record.id, content=RIVER)
    memory.forget("ana", ids=[record.id])
    assert memory.edits("ana", record.id) == []
    with closing(sqlite3.connect(tmp_path / "memory.db")) as database:
        assert database.execute("SELECT count(*) FROM record_edits").fetchone() == (0,)


def test_what_is_forgotten_goes_from_the_edits_of_others(memory: Memory) -> None:
    forgotten = memory.remember("ana", "The user keeps bees in Atlantis.")
    record = memory.remember("ana", PORTO)
    for content in ("The user lives in Porto. The user keeps bees in Atlantis.", RIVER, f"{RIVER} Since May."):
        memory.edit_record("ana", record.id, content=content)
    assert memory.forget("ana", ids=[forgotten.id], dry_run=True).cut["edits"] == 2
    assert memory.forget("ana", ids=[forgotten.id]).cut["edits"] == 2
    [left] = memory.edits("ana", record.id)
    assert left.before["content"] == RIVER
    assert memory.undo_edit("ana", record.id).content == RIVER


def test_edits_move_with_the_memory(memory: Memory, tmp_path: Path) -> None:
    record = memory.remember("ana", PORTO)
    memory.edit_record("ana", record.id, content=RIVER)
    with Memory.open(tmp_path / "other", config=CONFIG) as other:
        assert other.import_lines(memory.export("ana")).added["edit"] == 1
        assert other.edits("ana", record.id) == memory.edits("ana", record.id)
        assert other.undo_edit("ana", record.id).content == PORTO


def test_a_database_without_edits_comes_forward(tmp_path: Path) -> None:
    with Memory.open(tmp_path, config=CONFIG) as old:
        record = old.remember("ana", PORTO)
    with closing(sqlite3.connect(tmp_path / "memory.db")) as database:
        database.executescript("DROP TABLE record_edits; UPDATE store_meta SET value = 2 WHERE name = 'schema_version'")
    with Memory.open(tmp_path, config=CONFIG) as new:
        new.edit_record("ana", record.id, content=RIVER)
        assert new.undo_edit("ana", record.id).content == PORTO


def test_what_contradicts_is_accepted_once(memory: Memory) -> None:
    old = memory.remember("ana", PORTO, subject="user", attribute="home")
    new = memory.remember("ana", "The user lives in Oslo.", subject="user", attribute="home", trust="document")
    assert memory.accept_record("ana", new.id).state is RecordState.ACTIVE
    ended = memory.view_record("ana", old.id)
    assert ended is not None
    assert ended.record.state is RecordState.SUPERSEDED
    for wrong in (new.id, "mem_none"):
        with pytest.raises(InvalidInputError, match="does not wait for review"):
            memory.accept_record("ana", wrong)


def happen(memory: Memory, count: int) -> None:
    record = memory.remember("ana", PORTO)
    for at in range(count):
        said = [HumanMessage(f"Question {at}?", id=f"q{at}"), AIMessage("In Porto.", id=f"a{at}")]
        memory.observe(Scope("ana", f"thread {at % 2}", "router"), said, [record.id], tokens=at)
        memory.store.memories.runs.begin(Scope("ana"), "thread", [f"round {at}"])


@pytest.mark.parametrize("name", ["list_turns", "list_usage", "list_runs"])
def test_what_happened_comes_page_by_page(name: str, memory: Memory) -> None:
    happen(memory, 7)
    listing = getattr(memory, name)
    found: list[Any] = []
    cursor = None
    while True:
        rows, cursor = listing("ana", limit=3, cursor=cursor)
        found += rows
        if cursor is None:
            break
    assert found == listing("ana", limit=100)[0]
    assert len(found) == 7
    for wrong in ({"limit": 0}, {"limit": True}, {"limit": 1001}, {"cursor": "x"}, {"cursor": "é"}):
        with pytest.raises(InvalidInputError):
            listing("ana", **wrong)


def test_a_cursor_is_known_to_every_process_on_the_store(memory: Memory, tmp_path: Path) -> None:
    happen(memory, 4)
    _, cursor = memory.list_turns("ana", limit=2)
    with Memory.open(tmp_path, config=CONFIG) as other:
        assert other.list_turns("ana", limit=2, cursor=cursor) == memory.list_turns("ana", limit=2, cursor=cursor)
    with Memory.open(tmp_path / "other", config=CONFIG) as elsewhere, pytest.raises(InvalidInputError):
        elsewhere.list_turns("ana", limit=2, cursor=cursor)


def test_a_page_of_turns_reads_what_came_of_them_alone(memory: Memory) -> None:
    scope, memories, now = Scope("ana", "long"), memory.store.memories, times.utc_now()
    made: list[MemoryRecord] = []
    for at in range(30):
        name, moment = f"round {at}", now + timedelta(seconds=at)
        turn = Turn(id=f"turn {at}", owner_id="ana", session_id="long", round_id=name, happened_at=moment)
        memories.turns.add(scope, turn)
        place = Provenance(thread_id="long", turn=at, round_ids=(name, "round 29"))
        fields: dict[str, Any] = {"subject": "user", "attribute": "mood", "provenance": place, "now": moment}
        made.append(MemoryRecord.create("ana", f"The user is in mood {at}.", **fields))
    ended = [
        old.changed(state="superseded", note=f"superseded by {new.id}, told by a friend")
        for old, new in zip(made[:-1], made[1:], strict=True)
    ]
    memories.records.put(scope, [*ended, made[-1]])
    assert memories.records.from_rounds(scope, "long", ["round 3", "none", "round 29"]) == [ended[3], made[-1]]
    assert memories.records.from_rounds(scope, "long", []) == []
    page = memory.list_turns("ana", limit=3)
    assert [one.extracted for one in page.turns] == [(made[at].id,) for at in (29, 28, 27)]
    assert [one.superseded for one in page.turns] == [(made[at].id,) for at in (28, 27, 26)]


def test_turns_of_one_thread_are_listed(memory: Memory) -> None:
    happen(memory, 6)
    page = memory.list_turns(Scope("ana", "thread 1"))
    assert [one.turn.query for one in page.turns] == ["Question 5?", "Question 3?", "Question 1?"]
    assert {one.budget for one in page.turns} == {CONFIG.inject.budget.total_tokens}


def test_the_async_twins_tell_the_same(memory: Memory) -> None:
    happen(memory, 3)
    record = memory.remember("ana", "The user owns a kayak.")
    memory.remember("bob", "Bob owns a canoe.")

    async def run() -> None:
        assert sorted([owner async for owner in memory.aowners()]) == sorted(memory.owners()) == ["ana", "bob"]
        assert await memory.alist_turns("ana", limit=2) == memory.list_turns("ana", limit=2)
        assert await memory.alist_usage("ana") == memory.list_usage("ana")
        assert await memory.alist_runs("ana") == memory.list_runs("ana")
        assert await memory.aruns("ana") == memory.runs("ana")
        assert await memory.ahistory("ana", record) == memory.history("ana", record)
        assert (await memory.aedit_record("ana", record.id, tags=["boats"])).tags == ("boats",)
        assert await memory.aedits("ana", record.id) == memory.edits("ana", record.id)
        assert (await memory.aundo_edit("ana", record.id)).tags == ()
        with pytest.raises(InvalidInputError):
            await memory.aaccept_record("ana", record.id)

    asyncio.run(run())
