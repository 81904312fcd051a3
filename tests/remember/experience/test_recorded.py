"""The recorded consolidation, replayed."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_middleware.remember.experience import consolidate
from memory_middleware.remember.experience.drafts import anti_patterns
from memory_middleware.remember.experience.linking import links_for
from memory_middleware.remember.experience.merging import KnownPatterns, merge, pattern_similarity
from memory_middleware.remember.experience.traces import trace_of
from memory_middleware.remember.experience.wording import describe_goals, summarise, text_similarity
from memory_middleware.schemas import EpisodeTrace, Scope, SemanticPattern
from memory_middleware.sources.experience import ExperienceSource, Task
from memory_middleware.storage import LanceStore
from tests.support import cases, vectors

RECORDED = vectors("000_loki/consolidation")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
EPISODES = {data["id"]: EpisodeTrace.from_dict(data) for data in RECORDED["episodes"]}
PATTERNS = {data["id"]: SemanticPattern.from_dict(data) for data in RECORDED["patterns"]}


def recorded(op: str) -> list[dict[str, Any]]:
    return cases("000_loki/consolidation", op=op)


def one(name: str, op: str) -> dict[str, Any]:
    found: dict[str, Any] = cases(name, op=op)[0]["expected"]
    return found


def test_every_recorded_case_is_replayed_here() -> None:
    replayed = {"summaries", "pattern_desc", "extract_anti_patterns", "text_similarity", "pattern_similarity"}
    assert {case["op"] for case in RECORDED["cases"]} == replayed | {"merge_with_existing", "links"}
    assert {case["op"] for case in vectors("000_loki/end_to_end")["cases"]} == {
        "consolidate",
        "retrieve_task_aware",
        "consolidate again",
    }


def test_an_episode_is_summarised_in_one_sentence() -> None:
    [case] = recorded("summaries")
    assert {name: summarise(EPISODES[name]) for name in case["expected"]} == case["expected"]


def test_episodes_are_described_by_the_words_of_their_goals() -> None:
    [case] = recorded("pattern_desc")
    goals = [EPISODES[name].goal for name in case["ids"]]
    assert describe_goals(goals) == case["expected"]
    assert describe_goals(goals[:1]) == case["single"]
    assert describe_goals([]) == case["empty"]


def test_failures_give_anti_patterns() -> None:
    [case] = recorded("extract_anti_patterns")
    made = [pattern.to_dict() for pattern in anti_patterns((trace_of(EPISODES[name]) for name in case["ids"]), NOW)]
    for pattern, expected in zip(made, case["expected"], strict=True):
        assert len(pattern["id"]) == len(expected["id"])
        assert pattern == expected | {"id": pattern["id"]}
    assert len({pattern["id"] for pattern in made}) == 2


@pytest.mark.parametrize("case", recorded("text_similarity"), ids=lambda case: case["a"])
def test_texts_are_compared_by_their_longer_words(case: dict[str, Any]) -> None:
    assert text_similarity(case["a"], case["b"]) == case["expected"]


@pytest.mark.parametrize("case", recorded("pattern_similarity"), ids=lambda case: "-".join(case["ids"]))
def test_patterns_are_compared_by_what_they_say(case: dict[str, Any]) -> None:
    first, second = (PATTERNS[name] for name in case["ids"])
    assert pattern_similarity(first, second) == case["expected"]


def test_a_new_pattern_is_merged_with_the_one_that_says_the_same() -> None:
    [case] = recorded("merge_with_existing")
    new, existing = PATTERNS[case["new"]], [PATTERNS[name] for name in case["existing"]]
    found = KnownPatterns(existing).find(new)
    assert found is not None
    assert merge(found, new).to_dict() == case["expected"]


@pytest.mark.parametrize("case", recorded("links"), ids=lambda case: case["for"])
def test_patterns_are_linked(case: dict[str, Any]) -> None:
    made = links_for(PATTERNS[case["for"]], PATTERNS.values())
    assert [link.to_dict() for link in made] == case["expected"]


def test_a_consolidation_repeats_the_recorded_one_and_the_second_changes_nothing(tmp_path: Path) -> None:
    scope = Scope("ana")
    with LanceStore.open(tmp_path / "memory", embedding=None) as store:
        store.memories.experience.put(scope, list(EPISODES.values()))

        def run() -> dict[str, int]:
            return dataclasses.asdict(consolidate(store.memories, scope, now=NOW))

        assert run() == one("000_loki/end_to_end", "consolidate") | {"skills_created": 0, "skills_updated": 0}
        kept = store.memories.experience.newest(scope, "pattern")
        # The original reports three merges that changed nothing and six links that it never stored.
        assert one("000_loki/end_to_end", "consolidate again")["links_created"] == 6
        assert {name: count for name, count in run().items() if count} == {"episodes_processed": 5}
        assert store.memories.experience.newest(scope, "pattern") == kept


def test_what_was_consolidated_is_recalled_in_the_recorded_order(tmp_path: Path) -> None:
    scope = Scope("ana")
    [case] = cases("000_loki/end_to_end", op="retrieve_task_aware")
    with LanceStore.open(tmp_path / "memory", embedding=None) as store:
        store.memories.experience.put(scope, list(EPISODES.values()))
        consolidate(store.memories, scope, now=NOW)
        source = ExperienceSource("experience", store.memories.experience, clock=lambda: NOW)
        found = source.retrieve_for(Task.from_dict(case["context"]), scope, top_k=3)
    kinds = {"semantic": "pattern", "episodic": "episode"}
    assert [item.metadata["kind"] for item in found] == [kinds[row[0]] for row in case["expected"]]
    assert [item.id for item in found[1:]] == [row[1] for row in case["expected"][1:]]
