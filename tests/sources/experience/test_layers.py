"""Layers of detail and what they cost: recorded results, real memories, and budgets that hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.schemas import (
    ActionEntry,
    EpisodeTrace,
    ErrorEntry,
    ProceduralSkill,
    SemanticPattern,
    parse_utc,
)
from memory_middleware.sources.experience.disclosure import (
    disclose,
    find_topics,
    is_sufficient,
    make_index,
    make_timeline,
    recent,
)
from memory_middleware.sources.experience.economics import (
    THRESHOLDS,
    Session,
    estimate_memory_tokens,
    estimate_tokens,
    evaluate_thresholds,
)
from memory_middleware.sources.experience.importance import days_between, recency_factor
from memory_middleware.sources.experience.layers import LAYERS, richest, show
from memory_middleware.sources.experience.packing import PackItem, pack
from memory_middleware.storage.documents import Experience
from tests.support import brief, cases, vectors

NOW = parse_utc("2026-03-01T12:00:00Z")
INDEX: dict[str, Any] = cases("000_loki/layers", op="update")[0]["index"]
TIMELINE: dict[str, Any] = cases("000_loki/layers", op="timeline")[0]["timeline"]


def episode() -> EpisodeTrace:
    made = EpisodeTrace.create("t", "coder", "Fix the\nlogin")
    made.timestamp = NOW
    made.action_log = [ActionEntry("edit", "a.py", "ok", 1)]
    made.errors_encountered = [ErrorEntry("TypeError", "none", ""), ErrorEntry("KeyError", "x", "add x")]
    made.files_modified = ["a.py"]
    made.git_commit = "abc"
    return made


def pattern() -> SemanticPattern:
    return SemanticPattern.create("Check input", "impl", ["an API"], "use a schema", "trust it")


def skill() -> ProceduralSkill:
    made = ProceduralSkill.create("Release", "publish it", ["tag", "build"])
    made.add_error_fix("tag exists", "raise the version")
    return made


@pytest.mark.parametrize("case", cases("000_loki/layers", op="find_relevant_topics"), ids=brief)
def test_recorded_topics_are_found(case: dict[str, Any]) -> None:
    found = find_topics(INDEX, case["query"], case["threshold"])
    assert [topic.id for topic in found] == [name for name, _ in case["expected"]]
    assert [topic.score for topic in found] == pytest.approx([score for _, score in case["expected"]])


def test_topics_are_found_by_stems_and_in_chinese() -> None:
    topics = [{"id": "en", "summary": "Deploying services"}, {"id": "zh", "summary": "部署服务的步骤"}]
    assert [topic.id for topic in find_topics({"topics": topics}, "deploy a service")] == ["en"]
    assert [topic.id for topic in find_topics({"topics": topics}, "如何部署")] == ["zh"]


def test_the_recorded_timeline_of_a_topic_is_read() -> None:
    expected = cases("000_loki/layers", op="timeline")[0]["recent_for_t1"]
    assert recent(TIMELINE, "t1", limit=2) == expected
    assert [event["type"] for event in recent(TIMELINE, "t1")] == ["action", "action", "decision"]


@pytest.mark.parametrize("case", cases("000_loki/layers", op="sufficient_context"), ids=brief)
def test_recorded_context_does_not_suffice(case: dict[str, Any]) -> None:
    assert is_sufficient(case["memories"], case["query"]) is case["expected"]


@pytest.mark.parametrize(("query", "expected"), [("what was it", True), ("请详细说明", False), ("wallet", True)])
def test_only_a_call_for_detail_needs_more(query: str, expected: bool) -> None:
    assert is_sufficient([{}], query) is expected


def test_the_recorded_reading_costs_the_same() -> None:
    case = cases("000_loki/layers", op="load_relevant_context")[0]
    found = disclose(case["query"], INDEX, TIMELINE, lambda _: pytest.fail("the timeline suffices"))
    assert [memory["type"] for memory in found.memories] == case["types"]
    assert found.metrics == case["metrics"]


def test_whole_memories_are_read_only_if_needed() -> None:
    memories: list[Experience] = [episode(), pattern()]
    index, timeline = make_index(memories), make_timeline(memories)
    asked: list[str] = []

    def load(topics: Any) -> list[dict[str, Any]]:
        asked.extend(topics)
        return [memory.to_dict() for memory in memories if memory.id in topics]

    brief_answer = disclose("fix login", index, timeline, load)
    assert [(memory["type"], memory["outcome"]) for memory in brief_answer.memories] == [("timeline", "success")]
    assert not asked
    whole = disclose("fix login, all details", index, timeline, load)
    assert [memory["type"] for memory in whole.memories] == ["timeline", "full"]
    assert whole.metrics["layer3_tokens"] == estimate_memory_tokens(memories[0].to_dict())
    assert disclose("something else", index, timeline, load).memories == []


@pytest.mark.parametrize("case", cases("000_loki/token_economics"), ids=brief)
def test_recorded_economics_are_repeated(case: dict[str, Any]) -> None:
    op = case["op"]
    if op == "estimate_tokens":
        assert estimate_tokens(case["input"]) == case["expected"]
    elif op == "estimate_memory_tokens":
        assert estimate_memory_tokens(case["input"]) == case["expected"]
    elif op == "optimize_context":
        memories = [recorded_item(memory) for memory in vectors("000_loki/token_economics")["memories"]]
        assert sorted(item.id for item in pack(memories, case["budget"])) == case["expected_ids"]
    elif op == "evaluate_thresholds":
        assert [advice._asdict() for advice in evaluate_thresholds(case["metrics"])] == case["expected"]
    else:
        assert session().summary() == case["expected"]


def recorded_item(memory: dict[str, Any]) -> PackItem:
    told = memory.get("last_used") or memory.get("timestamp")
    recency = (recency_factor(days_between(parse_utc(told), NOW)) - 1) * 10 if told else 0.5
    tokens = estimate_memory_tokens(memory)
    return PackItem(memory["id"], tokens, memory.get("confidence", 0.5), recency, memory.get("_score", 0.5))


def session() -> Session:
    made = Session("s1", NOW)
    made.discover(50)
    made.read(100, 1)
    made.read(-5, 3)
    made.read(10, 9)
    made.cached(True)
    made.cached(False)
    return made


def test_the_recorded_thresholds_are_ours() -> None:
    ours = [{name: part for name, part in bound._asdict().items() if name != "advice"} for bound in THRESHOLDS]
    assert ours == vectors("000_loki/token_economics")["thresholds"]


def test_every_threshold_gives_advice() -> None:
    found = evaluate_thresholds({"ratio": 1, "savings_percent": 0, "layer3_loads": 4, "discovery_tokens": 500})
    assert [advice.priority for advice in found] == [1, 2, 3, 4]
    assert "4 times, more than 3" in found[2].description
    assert "500 tokens, more than 200" in found[3].description


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_savings_are_a_percentage(found: int, read: int, available: int) -> None:
    made = Session("s", NOW, available_tokens=available)
    made.discover(found)
    made.read(read, 2)
    assert 0 <= made.summary()["savings_percent"] <= 100
    assert made.ratio >= 0


ITEMS = st.lists(
    st.builds(PackItem, st.text(max_size=3), st.integers(0, 100), st.floats(-1, 2), st.floats(-1, 2), st.floats(-1, 2)),
    max_size=20,
)


@given(ITEMS, st.integers(0, 500))
def test_a_budget_is_never_passed(items: list[PackItem], budget: int) -> None:
    chosen = pack(items, budget)
    spent = sum(item.tokens for item in chosen)
    assert spent <= budget
    assert all(0 <= item.value <= 1 + 1e-9 for item in chosen)
    assert all(item in chosen or item.tokens > budget - spent for item in items)


@pytest.mark.parametrize("make", [episode, pattern, skill])
def test_each_layer_tells_more(make: Any) -> None:
    memory = make()
    lengths = [len(show(memory, layer)) for layer in LAYERS]
    assert lengths == sorted(lengths)
    assert "\n" not in show(memory, "index") + show(memory, "timeline")


def test_what_the_layers_say() -> None:
    assert show(episode(), "index") == "episode 2026-03-01, success: Fix the login"
    assert show(episode(), "timeline") == (
        "2026-03-01 coder: Fix the login; success; actions: 1; errors: 2; files changed: 1"
    )
    assert "TypeError: none -> open; KeyError: x -> add x" in show(episode(), "full")
    assert show(pattern(), "timeline") == "Check input; do: use a schema; avoid: trust it"
    assert "1. tag\n2. build\nErrors: tag exists -> raise the version" in show(skill(), "full")


def test_chinese_owners_are_told_in_chinese() -> None:
    assert show(episode(), "index", "zh") == "过程 2026-03-01，成功：Fix the login"
    assert show(episode(), "timeline", "zh") == "2026-03-01 coder：Fix the login；成功；操作：1；错误：2；改动文件：1"
    assert show(pattern(), "timeline", "zh") == "Check input；应：use a schema；忌：trust it"
    assert show(pattern(), "index", "zh") == "模式，impl：Check input"
    assert show(skill(), "index", "zh") == "技能：Release"
    assert "步骤：\n1. tag\n2. build\n错误：tag exists -> raise the version" in show(skill(), "full", "zh")
    whole = show(episode(), "full", "zh")
    assert "2026-03-01T12:00:00Z 的过程：Fix the" in whole
    assert "TypeError: none -> 未解决；KeyError: x -> add x" in whole


def test_null_where_the_schema_allows_it_is_not_told() -> None:
    made = EpisodeTrace.from_dict({**episode().to_dict(), "files_read": None, "files_modified": None})
    made.action_log[0].output = None  # type: ignore[assignment]
    assert made.validate() == []
    assert "None" not in "".join(show(made, layer) for layer in LAYERS)


def test_a_long_goal_is_cut_in_the_index_only() -> None:
    made = episode()
    made.goal = "word " * 100
    assert len(show(made, "index")) <= 100
    assert show(made, "index").endswith("…")
    assert made.goal.strip() in show(made, "timeline")


def test_as_much_detail_as_fits_is_shown() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text)

    full = show(skill(), "full")
    shown = richest(skill(), len(full), count)
    assert shown is not None
    assert shown == ("full", full)
    line = richest(skill(), len("skill: Release"), count)
    assert line is not None
    assert line.layer == "index"
    assert richest(skill(), 3, count) is None
    assert len(counted) == 7
