"""Importance, fading, access and recency: recorded results, and bounds that hold for all values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.schemas import EpisodeTrace, ErrorEntry, ProceduralSkill, SemanticPattern, parse_utc
from memory_middleware.sources.experience.access import touched
from memory_middleware.sources.experience.importance import (
    assess,
    assess_memory,
    boosted,
    days_between,
    decayed,
    happened_at,
    recency_factor,
    seen_at,
)
from memory_middleware.sources.experience.task_type import TASK_TYPES, task_matches
from tests.support import brief, cases, vectors

NOW = parse_utc("2026-03-01T12:00:00Z")
FRACTIONS = st.floats(0, 1)
DAYS = st.floats(0, 40_000)


def first_time(memory: dict[str, Any]) -> datetime | None:
    told = next((memory[name] for name in ("last_accessed", "timestamp", "last_used") if name in memory), None)
    return parse_utc(told) if told else None


@pytest.mark.parametrize("case", cases("000_loki/importance"), ids=brief)
def test_recorded_importance_is_repeated(case: dict[str, Any]) -> None:
    memory = case["memory"]
    phase, category = memory.get("context", {}).get("phase", ""), memory.get("category", "")
    matches = task_matches(case["task_type"], phase=phase, category=category) if case["task_type"] else 0
    found = assess(
        memory.get("importance", 0.5),
        outcome=memory.get("outcome"),
        errors=len(memory.get("errors_encountered", ())),
        uses=memory.get("access_count", 0),
        confidence=memory.get("confidence"),
        matches=matches,
    )
    assert found == pytest.approx(case["expected"])


@pytest.mark.parametrize("case", cases("000_loki/decay"), ids=brief)
def test_recorded_fading_is_repeated(case: dict[str, Any]) -> None:
    memory = case["memory"]
    rate = {"rate": case["kwargs"]["decay_rate"]} if case["kwargs"] else {}
    found = decayed(memory["importance"], days_between(first_time(memory), NOW), **rate)
    assert found == pytest.approx(case["expected_importance"])


@pytest.mark.parametrize("case", cases("000_loki/boost"), ids=brief)
def test_a_recorded_access_is_repeated(case: dict[str, Any]) -> None:
    memory = SemanticPattern.from_dict({"id": "p", **case["memory"]})
    found = touched(memory, now=parse_utc(vectors("000_loki/boost")["now"]), boost=case["boost"])
    assert found.importance == pytest.approx(case["expected"]["importance"])
    assert found.access_count == case["expected"]["access_count"]
    assert found.last_accessed == parse_utc(case["expected"]["last_accessed"])
    assert memory.last_accessed is None


@pytest.mark.parametrize("case", cases("000_loki/recency_boost"), ids=brief)
def test_recorded_favour_of_the_recent_is_repeated(case: dict[str, Any]) -> None:
    found = {
        one["id"]: one["_weighted_score"] * recency_factor(days_between(first_time(one), NOW))
        for one in case["results"]
    }
    expected = dict(case["expected"])
    assert found == pytest.approx(expected)
    assert sorted(found, key=lambda name: -found[name]) == list(expected)


@pytest.mark.parametrize("kind", TASK_TYPES)
def test_an_empty_phase_or_category_is_no_task_match(kind: str) -> None:
    bare = EpisodeTrace.create("t", "a", "g", phase="")
    assert assess_memory(bare, kind) == assess_memory(bare) == 0.6


def test_each_kind_of_memory_is_assessed() -> None:
    episode = EpisodeTrace.create("t", "a", "g")
    episode.errors_encountered = [ErrorEntry("x", "y", "z")] * 2
    pattern = SemanticPattern.create("p", "testing")
    assert assess_memory(episode, "implementation") == pytest.approx(0.8)
    assert assess_memory(pattern) == pytest.approx(0.65)
    assert assess_memory(pattern, "debugging") == pytest.approx(0.75)
    assert assess_memory(ProceduralSkill.create("s", "d", ["one"])) == 0.5


def test_times_of_memories() -> None:
    episode = EpisodeTrace.create("t", "a", "g")
    pattern = SemanticPattern.create("p", "c")
    skill = ProceduralSkill.create("s", "d", ["one"])
    assert (happened_at(episode), happened_at(pattern)) == (episode.timestamp, pattern.last_used)
    assert happened_at(skill) is seen_at(skill) is None
    pattern.last_accessed = NOW
    assert seen_at(pattern) == NOW
    assert days_between(datetime(2026, 2, 28, 12), NOW) == 1.0


@given(
    FRACTIONS,
    st.sampled_from([None, "success", "failure", "partial"]),
    st.integers(0, 100),
    st.integers(0, 10**9),
    st.none() | FRACTIONS,
    st.integers(0, 2),
)
def test_importance_is_a_fraction(
    importance: float, outcome: str | None, errors: int, uses: int, confidence: float | None, matches: int
) -> None:
    found = assess(importance, outcome=outcome, errors=errors, uses=uses, confidence=confidence, matches=matches)
    assert 0 <= found <= 1
    more = assess(importance, outcome=outcome, errors=errors, uses=uses + 1, confidence=confidence, matches=matches)
    assert found <= more


@given(FRACTIONS, DAYS, DAYS)
def test_importance_only_fades(importance: float, days: float, more: float) -> None:
    assert 0 <= decayed(importance, days + more) <= decayed(importance, days) <= importance + 0.0005


@given(FRACTIONS)
def test_the_future_and_the_unknown_do_not_fade(importance: float) -> None:
    assert decayed(importance, None) == importance
    assert decayed(importance, -5) == decayed(importance, 0) == round(importance, 3)


@given(FRACTIONS, st.floats(0, 10))
def test_an_access_only_raises(importance: float, by: float) -> None:
    assert importance - 0.0005 <= boosted(importance, by) <= 1


@given(st.floats(-10_000, 10_000), st.floats(0, 1000))
def test_the_recent_is_favoured_a_little(days: float, more: float) -> None:
    assert 1 <= recency_factor(days + more) <= recency_factor(days) <= 1.1


def test_a_day_is_a_day_in_any_zone() -> None:
    assert days_between(parse_utc("2026-02-28T20:00:00+08:00"), NOW) == 1.0
    assert days_between(NOW + timedelta(days=1), NOW.astimezone(UTC)) == -1.0
