"""Records, dialogue, facts and usage."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory_middleware.errors import SchemaError
from memory_middleware.schemas import (
    Dialogue,
    Fact,
    Link,
    MemoryRecord,
    Provenance,
    RecordKind,
    RecordState,
    TrustTier,
    UsageEntry,
    derive_id,
)

PLACE = Provenance(thread_id="t", turn=3, message_ids=("m1", "m2"))


def test_a_new_record_has_the_promised_defaults() -> None:
    record = MemoryRecord.create("ana", "Ana lives in Lisbon.")
    assert record.weight == 1.0
    assert record.state is RecordState.ACTIVE
    assert record.kind is RecordKind.FACT
    assert record.trust is TrustTier.USER
    assert record.created_at == record.updated_at
    assert record.created_at.tzinfo is not None


def test_an_id_follows_from_owner_kind_content_and_provenance() -> None:
    first = MemoryRecord.create("ana", "x", provenance=PLACE)
    assert first.id == MemoryRecord.create("ana", "x", provenance=PLACE, tags=["t"], confidence=0.5).id
    others = [
        MemoryRecord.create("bea", "x", provenance=PLACE),
        MemoryRecord.create("ana", "y", provenance=PLACE),
        MemoryRecord.create("ana", "x", provenance=PLACE, kind="preference"),
        MemoryRecord.create("ana", "x"),
    ]
    assert len({first.id, *(other.id for other in others)}) == 5
    assert MemoryRecord.create("ana", "x", kind="fact").id == MemoryRecord.create("ana", "x", kind=RecordKind.FACT).id


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_different_parts_never_share_an_id(left: list[str], right: list[str]) -> None:
    assert (derive_id("x", *left) == derive_id("x", *right)) is (left == right)


def test_an_id_never_changes_between_releases() -> None:
    assert derive_id("mem", "owner", "事实", None, 3) == "mem_ff06066b74760f7678a880ca2148aae0"


@given(
    content=st.text(min_size=1),
    tags=st.lists(st.text(), max_size=3),
    confidence=st.floats(0, 1),
    weight=st.floats(0, 1e6),
    moment=st.datetimes(timezones=st.just(UTC)),
    kind=st.sampled_from(RecordKind),
)
def test_a_record_survives_json(**fields: Any) -> None:
    moment = fields.pop("moment")
    record = MemoryRecord.create("o", links=[Link("a", "supports", 0.5)], valid_from=moment, **fields)
    assert MemoryRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


@pytest.mark.parametrize(
    "fields",
    [
        {"content": ""},
        {"owner_id": ""},
        {"confidence": 1.1},
        {"confidence": True},
        {"weight": -1},
        {"weight": float("inf")},
        {"kind": "rumour"},
        {"state": "gone"},
        {"links": [{"to": "", "relation": "supports"}]},
        {"links": ["mem_1"]},
        {"access_count": -1},
        {"created_at": 5},
        {"colour": "red"},
        {"weight": True},
        {"tags": "abc"},
        {"content": b"x"},
        {"content": "\ud800"},
        {"created_at": "0001-01-01T00:00:00+08:00"},
        {"valid_from": "2026-02-01T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z"},
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        MemoryRecord.from_dict(MemoryRecord.create("o", "c").to_dict() | fields)


def test_times_are_told_in_utc_and_links_are_frozen() -> None:
    record = MemoryRecord.create("o", "c", valid_from="2026-01-01T08:00:00+08:00", links=[Link("a", "supports")])
    assert record.to_dict()["valid_from"] == "2026-01-01T00:00:00Z"
    assert record.to_dict()["links"] == [{"to": "a", "relation": "supports", "strength": 1.0}]
    with pytest.raises(ValidationError):
        record.links[0].strength = 0.5  # type: ignore[misc]


def test_a_place_can_be_given_as_plain_data() -> None:
    assert MemoryRecord.create("o", "c", provenance={"thread_id": "t"}).provenance == Provenance(thread_id="t")
    with pytest.raises(SchemaError, match="thread_di: unknown key"):
        MemoryRecord.create("o", "c", provenance={"thread_di": "t"})


def test_a_change_is_a_checked_copy() -> None:
    record = MemoryRecord.create("o", "c", now=datetime(2026, 1, 1, tzinfo=UTC))
    archived = record.changed(state="archived")
    assert archived.state is RecordState.ARCHIVED
    assert archived.updated_at > record.updated_at
    assert record.state is RecordState.ACTIVE
    with pytest.raises(SchemaError, match="stat: unknown key 'stat'; did you mean 'state'?"):
        record.changed(stat="archived")
    with pytest.raises(ValidationError):
        record.content = "other"  # type: ignore[misc]


def test_a_record_is_valid_from_its_start_until_before_its_end() -> None:
    start, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
    record = MemoryRecord.create("o", "c", valid_from=start, valid_to=end)
    assert record.valid_at(start)
    assert not record.valid_at(end)
    assert not record.valid_at(datetime(2025, 12, 31, tzinfo=UTC))
    assert MemoryRecord.create("o", "c").valid_at(start)
    assert record.valid_at(datetime(2026, 1, 15))


def test_a_round_said_again_has_the_same_id() -> None:
    first = Dialogue.create("o", "s", "hi", "hello", turn=1, message_ids=("a", "b"))
    assert first.id == Dialogue.create("o", "s", "hi", "hello, again", turn=1, message_ids=("a", "b")).id
    assert Dialogue.create("o", "s", "hi", "hello", turn=1).id != Dialogue.create("o", "s2", "hi", "hello", turn=1).id
    assert Dialogue.create("o", "s", "a", "b").id != Dialogue.create("o", "s", "x", "y", message_ids=("a", "b")).id
    assert Dialogue.create("o", "s", "yes", "ok").id != Dialogue.create("o", "s", "yes", "ok").id
    assert Dialogue.model_validate(first.to_dict()) == first


def test_facts_and_usage_have_the_seeds_fields() -> None:
    fact = Fact(content="Uses Go", tags=("go",), confidence=0.9)
    assert fact.type is RecordKind.FACT
    assert fact.replace is None
    assert Fact.model_validate({"content": "x", "type": "project"}).type is RecordKind.PROJECT
    with pytest.raises(ValidationError):
        Fact.model_validate({"content": "a", "confidence": 1.7})
    usage = UsageEntry(memory_id="m", session_id="s", query="q")
    assert not usage.was_referenced
    assert {"memory_id", "session_id", "query", "was_referenced", "used_at"} <= set(usage.to_dict())
