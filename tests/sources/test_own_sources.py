"""The sources over the memory's own storage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from memory_middleware import ConfigError, LanceStore, MemoryRecord, MemoryStatus, MemoryType, Scope, ShortTermItem
from memory_middleware.schemas import MemoryContentSnapshot
from memory_middleware.sources import SourceContext, build_source

ANA = Scope("ana", "t1")


@pytest.fixture
def context(tmp_path: Path) -> Iterator[SourceContext]:
    with LanceStore.open(tmp_path, embedding=None) as store:
        yield SourceContext("mine", tmp_path, store)


def texts(kind: str, context: SourceContext, query: str, scope: Scope = ANA, **options: float) -> list[str]:
    source = build_source(kind, None, context)
    assert source.name == "mine"
    limits = {"top_k": 3, **options}
    return [item.content_summary for item in source.retrieve(MemoryContentSnapshot(query), scope, **limits)]  # type: ignore[arg-type]


def test_long_term_records(context: SourceContext) -> None:
    assert context.store is not None
    made = [MemoryRecord.create("ana", text) for text in ("Ana drinks green tea", "Ana rides a bicycle")]
    context.store.memories.records.put(ANA, made)
    assert texts("long_term", context, "what tea?")[0] == "Ana drinks green tea"
    assert texts("long_term", context, "how do I configure nginx?", threshold=0.3) == []
    assert texts("long_term", context, "tea", Scope("bob")) == []
    item = build_source("long_term", None, context).retrieve(MemoryContentSnapshot("tea"), ANA, top_k=1)[0]
    assert item.metadata["signals"]["words"] > 0


def test_the_clock_of_the_context_tells_what_yesterday_is(context: SourceContext) -> None:
    assert context.store is not None
    day = datetime(2024, 5, 2, 9, tzinfo=UTC)
    said = [("We met in Oslo", day), ("We met in Porto", day + timedelta(days=30))]
    made = [MemoryRecord.create("ana", text, event_time=moment) for text, moment in said]
    context.store.memories.records.put(ANA, made)
    for moment, city in ((day, "Oslo"), (day + timedelta(days=30), "Porto")):
        there = replace(context, clock=partial(datetime.__add__, moment, timedelta(days=1)))
        assert texts("long_term", there, "where did we meet yesterday?")[0] == f"We met in {city}"


def test_short_term_items(context: SourceContext) -> None:
    assert context.store is not None
    for at in range(5):
        context.store.memories.short_term.append(ANA, ShortTermItem(id=f"r{at}", content=f"round {at}"))
    assert texts("short_term", context, "anything") == ["round 4", "round 3", "round 2"]
    assert texts("short_term", context, "anything", Scope("ana")) == []


def test_profiles(context: SourceContext) -> None:
    assert context.store is not None
    profiles = context.store.memories.profiles
    assert texts("profile", context, "anything") == []
    patch = {"timezone": "Europe/Lisbon", "people": [{"name": "Marta", "relationship": "wife"}], "interests": ["tea"]}
    profiles.patch(ANA, MemoryType.USER, patch)
    assert texts("profile", context, "anything") == [
        "user profile: timezone: Europe/Lisbon; people.name: Marta; people.relationship: wife; interests: tea"
    ]
    profiles.set_status(ANA, MemoryType.USER, MemoryStatus.DISABLED)
    assert texts("profile", context, "anything") == []


@pytest.mark.parametrize("kind", ["long_term", "short_term", "profile"])
def test_they_need_the_storage(kind: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs the memory's own storage"):
        build_source(kind, None, SourceContext("mine", tmp_path))
    with pytest.raises(ConfigError, match="nothing builds sources of type 'dream'"):
        build_source("dream", None, SourceContext("mine", tmp_path))
