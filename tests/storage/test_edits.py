"""Edits, signed cursors and pages of the journal, on SQLite and PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memory_middleware import LanceStore, MemoryRecord, Scope, Turn
from memory_middleware.errors import InvalidInputError
from memory_middleware.storage.cursors import Cursors

ANA = Scope("ana", "t1")


def record_of(store: LanceStore, scope: Scope = ANA) -> MemoryRecord:
    made = MemoryRecord.create(scope.owner_id, "Ana drinks tea")
    store.memories.records.put(scope, [made])
    return made


def test_edits_are_numbered_listed_and_go_with_their_record(store: LanceStore) -> None:
    record, edits = record_of(store), store.memories.edits
    for at in range(3):
        edits.add(ANA, record.id, {"tags": [str(at)]}, {"tags": [str(at + 1)]})
    assert [(one.version, one.before) for one in edits.newest(ANA, record.id, limit=2)] == [
        (3, {"tags": ["2"]}),
        (2, {"tags": ["1"]}),
    ]
    assert edits.newest(Scope("bob"), record.id) == []
    store.memories.records.delete(ANA, [record.id])
    assert edits.newest(ANA, record.id) == []
    edits.add(ANA, record.id, {}, {})
    assert edits.newest(ANA, record.id) == []


def test_edits_at_once_have_numbers_of_their_own(store: LanceStore) -> None:
    record = record_of(store)
    with ThreadPoolExecutor(4) as pool:
        list(
            pool.map(lambda at: store.memories.edits.add(ANA, record.id, {"note": None}, {"note": str(at)}), range(12))
        )
    assert [one.version for one in store.memories.edits.newest(ANA, record.id)] == list(range(12, 0, -1))


def test_pages_of_turns_hold_every_turn_once(store: LanceStore) -> None:
    pages = store.memories.journal_pages
    for at in range(10):
        store.memories.turns.add(ANA, Turn(id=f"turn {at}", owner_id="ana", session_id=f"t{at % 2}", query=str(at)))
    for scope, count in ((Scope("ana"), 10), (ANA, 5)):
        found, cursor = pages.turns(scope, limit=3)
        while cursor:
            more, cursor = pages.turns(scope, limit=3, cursor=cursor)
            found += more
        assert [one.query for one in found] == sorted((one.query for one in found), reverse=True)
        assert len(found) == count


def test_what_was_drawn_from_rounds_is_found_by_the_first_of_them(store: LanceStore) -> None:
    made = [
        MemoryRecord.create(
            "ana",
            f"Ana drinks tea {at}",
            kind="dialogue" if at == 3 else "fact",
            provenance={"thread_id": "t1", "turn": at, "round_ids": [f"r'{at}", "r'0"]},
        )
        for at in range(4)
    ]
    records = store.memories.records
    records.put(ANA, [*made, MemoryRecord.create("ana", "Ana drinks water", provenance={"thread_id": "t1"})])
    assert records.from_rounds(ANA, "t1", ["r'2", "r'0", "r'3"]) == [made[0], made[2]]
    assert records.from_rounds(ANA, "t2", ["r'2"]) == []


Part = st.integers(-(2**62), 2**62) | st.floats(allow_nan=False, allow_infinity=False) | st.text()


@pytest.fixture(scope="module")
def cursors(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with LanceStore.open(tmp_path_factory.mktemp("cursors"), embedding=None) as opened:
        yield Cursors(opened.database)


@given(st.lists(Part, min_size=1, max_size=3), st.text(), st.text(min_size=1))
def test_a_cursor_tells_what_was_written(cursors: Cursors, place: Any, listing: str, owner: str) -> None:
    assert cursors.read(Scope(owner), listing, cursors.write(Scope(owner), listing, place)) == place


@given(st.integers(0, 200), st.integers(1, 255), st.integers(0, 2))
def test_a_cursor_that_was_changed_anywhere_is_refused(cursors: Cursors, at: int, by: int, size: int) -> None:
    cursor = cursors.write(ANA, "turns", [1_700_000_000_000_000, "x" * size])
    place = at % len(cursor)
    other = chr((ord(cursor[place]) + by) % 128)
    assume(other != cursor[place])
    with pytest.raises(InvalidInputError, match="begin without one"):
        cursors.read(ANA, "turns", cursor[:place] + other + cursor[place + 1 :])


@given(st.integers(0, 200), st.sampled_from(["!!", "!!!!", "=", "==", "\n", " ", "A"]), st.integers(0, 2))
def test_a_cursor_with_something_put_in_is_refused(cursors: Cursors, at: int, more: str, size: int) -> None:
    cursor = cursors.write(ANA, "turns", [1_700_000_000_000_000, "x" * size])
    place = at % (len(cursor) + 1)
    with pytest.raises(InvalidInputError, match="begin without one"):
        cursors.read(ANA, "turns", cursor[:place] + more + cursor[place:])


@given(st.text())
def test_no_made_up_text_is_a_cursor(cursors: Cursors, text: str) -> None:
    with pytest.raises(InvalidInputError):
        cursors.read(ANA, "turns", text)
