"""Statements over lists of values, and the short-term items that still have to be shortened."""

from __future__ import annotations

from memory_middleware import LanceStore, MemoryRecord, Scope, ShortTermItem

ANA = Scope("ana", "thread-1")


def test_a_long_list_is_read_in_parts(store: LanceStore) -> None:
    records = [MemoryRecord.create("ana", f"fact number {at}") for at in range(450)]
    store.memories.records.put(ANA, records)
    names = [record.id for record in records]
    assert set(store.memories.weights.states(ANA, [*names, "nobody"])) == set(names)
    assert store.memories.weights.states(ANA, []) == {}
    assert store.memories.weights.states(Scope("bob"), names) == {}


def test_marks_are_found_among_many(store: LanceStore) -> None:
    marks = [f"mark 'n' {at}" for at in range(401)]
    store.memories.tombstones.add(ANA, marks[::2])
    assert store.memories.tombstones.among(ANA, marks) == set(marks[::2])
    assert store.memories.tombstones.among(ANA, []) == set()


def test_only_items_that_are_old_and_whole_are_left_to_shorten(store: LanceStore) -> None:
    items = store.memories.short_term
    quoting = 'it says {"compressed": true} \\"compressed": true'
    for at, (content, short) in enumerate([("a", True), (quoting, False), ("c", False), ("d", False)]):
        items.append(ANA, ShortTermItem(id=str(at), content=content, compressed=short))
    assert [item.id for item in items.uncompressed(ANA, 1, 10)] == ["1", "2"]
    assert [item.id for item in items.uncompressed(ANA, 1, 1)] == ["2"]
    assert items.uncompressed(ANA, 4, 10) == []


def test_trimming_keeps_exactly_the_newest(store: LanceStore) -> None:
    items = store.memories.short_term
    for at in range(5):
        items.append(ANA, ShortTermItem(id=str(at), content="x"))
        items.append(Scope("ana", "other"), ShortTermItem(id=str(at), content="x"))
    assert items.trim(ANA, 5) == 0
    assert items.trim(ANA, 2) == 3
    assert [item.id for item in items.recent(ANA, 10)] == ["3", "4"]
    assert items.trim(ANA, 0) == 2
    assert items.count(Scope("ana", "other")) == 5
