"""Records and experience: one truth with two doors, on SQLite and PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_middleware import (
    EpisodeTrace,
    LanceStore,
    MemoryRecord,
    ProceduralSkill,
    Provenance,
    RecordKind,
    RecordState,
    SchemaError,
    Scope,
    SemanticPattern,
    encode_label,
)
from memory_middleware.errors import ConflictError, InvalidInputError
from memory_middleware.testing import HashEmbeddings

ANA = Scope("ana@example.org")
BOB = Scope("bob")


def fact(content: str, owner: Scope = ANA, **fields: Any) -> MemoryRecord:
    return MemoryRecord.create(owner.owner_id, content, **fields)


def test_a_record_is_read_back_as_it_was_written(store: LanceStore) -> None:
    record = fact(
        "Ana lives in 巴黎",
        kind="preference",
        tags=("home",),
        confidence=0.8,
        weight=1.5,
        subject="Ana",
        attribute="city",
        links=({"to": "mem_other", "relation": "related_to", "strength": 0.5},),
        source="chat",
        provenance={"thread_id": "t1", "turn": 3, "message_ids": ["m1"]},
    )
    records = store.memories.records
    records.put(ANA, [record])
    assert records.get(ANA, record.id) == record
    assert records.get(BOB, record.id) is None
    assert records.get(ANA, "other") is None
    assert records.get_many(ANA, ["x", record.id, record.id]) == [record]


def test_writing_twice_writes_once_and_keeps_the_weight(store: LanceStore) -> None:
    records, weights = store.memories.records, store.memories.weights
    record = fact("Ana drinks tea", weight=1.0)
    records.put(ANA, [record])
    [(item, state)] = weights.states(ANA, [record.id]).values()
    weights.save(ANA, {item: state._replace(weight=1.5, access_count=1, last_accessed=record.created_at)})
    records.put(ANA, [record.changed(tags=("drink",))])
    found = records.get(ANA, record.id)
    assert found is not None
    assert (found.weight, found.access_count, found.last_accessed) == (1.5, 1, record.created_at)
    assert found.tags == ("drink",)
    assert len(records.newest(ANA)) == 1


def test_records_are_items_of_the_store(store: LanceStore) -> None:
    record = fact("Ana drinks green tea", weight=3.0)
    store.memories.records.put(ANA, [record])
    space = ("memories", encode_label(ANA.owner_id), "fact")
    item = store.get(space, record.id)
    assert item is not None
    assert item.value["content"] == "Ana drinks green tea"
    assert "weight" not in item.value, "it changes with every turn, and stands in the journal alone"
    assert [hit.key for hit in store.search(("memories",), query="tea")] == [record.id]


def test_a_record_may_be_written_and_deleted_as_an_item(store: LanceStore) -> None:
    records = store.memories.records
    record = fact("Ana drinks green tea", subject="Ana", attribute="drink")
    space = ("memories", encode_label(ANA.owner_id), "fact")
    store.put(space, record.id, record.to_dict())
    assert records.at_address(ANA, " ana", "DRINK") == [record]
    store.put(space, record.id, record.changed(state="archived").to_dict())
    assert records.newest(ANA) == []
    assert [found.id for found in records.newest(ANA, states=[RecordState.ARCHIVED])] == [record.id]
    store.delete(space, record.id)
    assert records.get(ANA, record.id) is None
    assert sum(records.count(ANA).values()) == 0


def test_plain_items_may_stand_among_records_but_not_on_them(store: LanceStore) -> None:
    records = store.memories.records
    space = ("memories", encode_label(ANA.owner_id), "fact")
    store.put(space, "plain", {"content": "a plain tea item"})
    record = fact("Ana drinks green tea")
    records.put(ANA, [record])
    assert [found.record.id for found in records.search(ANA, "tea")] == [record.id]
    with pytest.raises(InvalidInputError, match="is a typed memory"):
        store.put(space, record.id, {"content": "no record"})
    assert records.get(ANA, record.id) == record
    store.delete(space, "plain")
    store.put(space, "plain", {"content": "again"})


def test_a_record_keeps_its_kind_and_owner(store: LanceStore) -> None:
    records = store.memories.records
    records.put(ANA, [fact("Ana drinks tea", id="r1")])
    with pytest.raises(InvalidInputError, match="exists with kind 'fact'"):
        records.put(ANA, [fact("Ana drinks tea", kind="project", id="r1")])
    with pytest.raises(InvalidInputError, match="belongs to"):
        records.put(BOB, [fact("Ana drinks tea")])
    with pytest.raises(InvalidInputError, match="cannot change"):
        records.patch(ANA, "r1", kind="project")
    with pytest.raises(InvalidInputError, match="no record 'r2'"):
        records.patch(ANA, "r2", tags=())
    records.put(BOB, [fact("Bob drinks tea", BOB, kind="project", id="r1")])
    assert [len(records.newest(scope)) for scope in (ANA, BOB)] == [1, 1]


def test_a_batch_is_written_wholly_or_not_at_all(store: LanceStore) -> None:
    records = store.memories.records
    records.put(ANA, [fact("Ana drinks tea", id="r1")])
    with pytest.raises(InvalidInputError):
        records.put(ANA, [fact("Ana sings"), fact("Ana drinks tea", kind="project", id="r1")])
    assert [record.id for record in records.newest(ANA)] == ["r1"]


def test_listing_by_state_kind_and_page(store: LanceStore) -> None:
    records = store.memories.records
    made = [fact(f"fact {at}", kind=["fact", "project"][at % 2]) for at in range(7)]
    records.put(ANA, made)
    records.patch(ANA, made[0].id, state="superseded")
    first = records.newest(ANA, limit=4)
    rest = records.newest(ANA, limit=4, after=first[-1])
    assert {record.id for record in first + rest} == {record.id for record in made[1:]}
    assert len(first) == 4
    assert {record.kind for record in records.newest(ANA, kinds=[RecordKind.PROJECT])} == {RecordKind.PROJECT}
    assert records.newest(ANA, states=[]) == []
    counts = records.count(ANA)
    assert (counts[RecordState.ACTIVE], counts[RecordState.SUPERSEDED]) == (6, 1)


def test_threads_sources_and_addresses(store: LanceStore) -> None:
    records = store.memories.records
    made = [
        fact(f"turn {turn}", provenance=Provenance(thread_id="t", turn=turn), source="doc.md") for turn in (2, 0, 1)
    ]
    records.put(ANA, [*made, fact("other", provenance=Provenance(thread_id="u"))])
    assert [record.content for record in records.in_thread(ANA, "t")] == ["turn 0", "turn 1", "turn 2"]
    assert len(records.from_source(ANA, "doc.md")) == 3
    assert records.at_address(ANA, "Ana", "") == []


def test_deleting_takes_links_use_and_weight_along(store: LanceStore) -> None:
    memories = store.memories
    target = fact("Ana moved to Lyon")
    origin = fact("Ana lived in Paris", links=({"to": target.id, "relation": "supersedes"},))
    memories.records.put(ANA, [target, origin])
    assert [record.id for record in memories.records.linking_to(ANA, target.id)] == [origin.id]
    assert memories.records.delete(ANA, [target.id, "unknown"]) == 1
    assert memories.records.linking_to(ANA, target.id) == []
    left = memories.records.get(ANA, origin.id)
    assert left is not None and left.links == ()
    item = store.get(("memories", encode_label(ANA.owner_id), "fact"), origin.id)
    assert item is not None and item.value["links"] == []
    assert memories.weights.get(ANA, target.id) is None


def test_searching_by_state_and_kind(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=HashEmbeddings(64)) as store:
        records = store.memories.records
        tea, coffee = fact("Ana drinks green tea"), fact("Ana avoids tea with milk", kind="preference")
        records.put(ANA, [tea, coffee])
        records.put(BOB, [fact("Bob drinks tea", BOB)])
        assert {hit.record.id for hit in records.search(ANA, "tea")} == {tea.id, coffee.id}
        assert [hit.record.id for hit in records.search(ANA, "tea", kinds=[RecordKind.PREFERENCE])] == [coffee.id]
        records.patch(ANA, tea.id, state="archived")
        assert [hit.record.id for hit in records.search(ANA, "tea")] == [coffee.id]
        assert store.reindex(HashEmbeddings(32)) == 3
        assert [hit.record.id for hit in records.search(ANA, "tea", limit=1)] == [coffee.id]
        assert store.fsck().clean


def test_tags_are_found_by_their_words(store: LanceStore) -> None:
    record = fact("She likes it green", tags=("matcha", "抹茶"))
    store.memories.records.put(ANA, [record])
    assert [hit.record.id for hit in store.memories.records.search(ANA, "matcha")] == [record.id]
    assert [hit.record.id for hit in store.memories.records.search(ANA, "抹茶")] == [record.id]


def test_changes_at_once_are_all_there(store: LanceStore) -> None:
    records = store.memories.records
    record = fact("counted", importance=0.0)
    records.put(ANA, [record])

    def count(_at: int) -> None:
        records.update(ANA, record.id, lambda found: found.changed(tags=(*found.tags, str(len(found.tags)))))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(24)))
    found = records.get(ANA, record.id)
    assert found is not None
    assert found.tags == tuple(str(at) for at in range(24))


def test_a_record_that_always_changes_is_a_conflict(store: LanceStore) -> None:
    records = store.memories.records
    record = fact("restless")
    records.put(ANA, [record])

    def change(found: MemoryRecord) -> MemoryRecord:
        records.put(ANA, [found.changed(importance=0.1)])
        return found.changed(importance=0.9)

    with pytest.raises(ConflictError, match="50 times"):
        records.update(ANA, record.id, change)


def test_experience_is_written_found_and_deleted(store: LanceStore) -> None:
    experience = store.memories.experience
    episode = EpisodeTrace.create("task-1", "coder", "migrate the database to PostgreSQL")
    pattern = SemanticPattern.create("retry flaky downloads", "network", conditions=["timeouts"])
    pattern.add_link(episode.id, "derived_from")
    skill = ProceduralSkill.create("Release", "publish a release", ["tag", "build", "upload"])
    experience.put(ANA, [episode, pattern, skill])
    assert experience.get(ANA, "episode", episode.id) == episode
    assert experience.get(BOB, "episode", episode.id) is None
    assert experience.about(ANA, "pattern", "network") == [pattern]
    assert experience.newest(ANA, "skill") == [skill]
    assert experience.count(ANA) == {"episode": 1, "pattern": 1, "skill": 1}
    assert [hit.memory.id for hit in experience.search(ANA, "database")] == [episode.id]
    assert [hit.memory.id for hit in experience.search(ANA, "uploads", kind="skill")] == [skill.id]
    assert experience.delete(ANA, "episode", [episode.id, "other"]) == 1
    left = experience.get(ANA, "pattern", pattern.id)
    assert isinstance(left, SemanticPattern) and left.links == []


def test_experience_is_got_by_ids_and_links_and_changed_together(store: LanceStore) -> None:
    experience = store.memories.experience
    episode = EpisodeTrace.create("task-1", "coder", "migrate the database")
    pattern = SemanticPattern.create("dump before migrating", "database")
    pattern.add_link(episode.id, "derived_from")
    pattern.add_link(episode.id, "supports")
    experience.put(ANA, [episode, pattern])
    assert experience.get_many(ANA, [pattern.id, "other", episode.id]) == [pattern, episode]
    assert experience.get_many(BOB, [pattern.id]) == experience.linking_to(BOB, [episode.id]) == []
    assert experience.linking_to(ANA, [episode.id, "other"]) == [pattern]
    changed = experience.update(ANA, [episode.id, pattern.id], lambda memory: replace(memory, importance=0.9))
    assert {memory.importance for memory in changed} == {0.9}
    assert {memory.importance for memory in experience.get_many(ANA, [episode.id, pattern.id])} == {0.9}


def test_experience_that_is_not_valid_is_refused(store: LanceStore) -> None:
    experience = store.memories.experience
    with pytest.raises(SchemaError, match="is not valid"):
        experience.put(ANA, [ProceduralSkill.create("Empty", "no steps", [])])
    with pytest.raises(SchemaError, match="not MemoryRecord"):
        experience.put(ANA, [fact("no experience")])  # type: ignore[list-item]
    with pytest.raises(InvalidInputError, match="unknown kind"):
        experience.newest(ANA, "dream")
    space = ("experience", encode_label(ANA.owner_id), "episode")
    store.put(space, "odd", {"id": "odd", "timestamp": "not a time"})
    assert experience.count(ANA)["episode"] == 0


OWNERS = st.text(min_size=1, max_size=8) | st.sampled_from(["a", "a.b", "a%2Eb", "%", "_", "'", "\0", "🦊", "é", "é"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mine=OWNERS, other=OWNERS)
def test_no_owner_reaches_another(store: LanceStore, mine: str, other: str) -> None:
    if mine == other or any(0xD800 <= ord(char) < 0xE000 for char in mine + other):
        return
    records = store.memories.records
    first, second = Scope(mine), Scope(other)
    records.put(first, [fact("tea", first, id="same")])
    records.delete(second, ["same"])
    assert records.get(first, "same") is not None
    assert records.get(second, "same") is None
    assert [hit.record.owner_id for hit in records.search(first, "tea")] == [mine]
    assert records.search(second, "tea") == []
    records.delete(first, ["same"])
