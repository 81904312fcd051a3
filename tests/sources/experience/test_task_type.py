"""Which type of task it is: recorded results, both languages, and what words must not match."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.errors import InvalidInputError
from memory_middleware.sources.experience.scoring import STRATEGIES, task_score, weight_of
from memory_middleware.sources.experience.task_signals import SIGNALS
from memory_middleware.sources.experience.task_type import (
    TASK_TYPES,
    Task,
    detect_task_type,
    query_text,
    task_matches,
)
from tests.support import brief, cases, vectors

TEXTS = st.text(max_size=30) | st.sampled_from(["fix", "修复", "planning", "run_test", "refactor the move"])


@pytest.mark.parametrize("case", cases("000_loki/task_type"), ids=brief)
def test_a_recorded_task_is_detected_alike(case: dict[str, Any]) -> None:
    assert detect_task_type(Task.from_dict(case["context"])) == case["expected"]


def test_the_recorded_signals_and_strategies_are_ours() -> None:
    recorded = vectors("000_loki/task_type")
    assert recorded["strategies"] == STRATEGIES
    assert list(recorded["signals"]) == list(TASK_TYPES)
    for kind, signals in recorded["signals"].items():
        for name in ("keywords", "actions", "phases"):
            assert set(signals[name]) <= set(getattr(SIGNALS[kind], name))


@pytest.mark.parametrize("case", cases("000_loki/query"), ids=brief)
def test_a_recorded_task_is_said_alike(case: dict[str, Any]) -> None:
    assert query_text(Task.from_dict(case["context"])) == case["expected"]


@pytest.mark.parametrize("case", cases("000_loki/score"), ids=brief)
def test_a_recorded_score_is_repeated(case: dict[str, Any]) -> None:
    result = case["result"]
    group = {"procedural": "skills"}.get(result["_source"], result["_source"])
    weight = weight_of(group, case["task_type"])
    assert task_score(result["_score"], weight, importance=result.get("importance", 0.5)) == pytest.approx(
        case["expected"]
    )


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("修复登录测试失败的问题", "debugging"),
        ("了解这个仓库的目录", "exploration"),
        ("重构并重命名模块", "refactoring"),
        ("重构项目结构", "refactoring"),
        ("实现一个新功能", "implementation"),
        ("评审这个补丁的质量", "review"),
        ("分析报错原因", "debugging"),
        ("修复login bug", "debugging"),
        ("添加错误处理", "implementation"),
        ("你好", "implementation"),
    ],
)
def test_a_chinese_task_is_detected(goal: str, expected: str) -> None:
    assert detect_task_type(Task(goal)) == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("Restructure the package", "refactoring"),
        ("remove the prefix", "implementation"),
        ("fixing a buggy parser", "debugging"),
        ("debugging a crash, then exploring", "debugging"),
        ("verifying and auditing the release", "review"),
        ("creation of a developers' guide", "implementation"),
        ("look at src/fix_login.py", "debugging"),
    ],
)
def test_a_word_counts_with_its_endings_but_not_inside_another(goal: str, expected: str) -> None:
    assert detect_task_type(Task(goal)) == expected


@given(TEXTS, TEXTS, TEXTS)
def test_every_task_has_a_type(goal: str, phase: str, action: str) -> None:
    assert detect_task_type(Task(goal, phase, action)) in TASK_TYPES


@given(st.sampled_from(TASK_TYPES))
def test_what_is_empty_fits_no_task(kind: str) -> None:
    assert task_matches(kind) == 0
    assert task_matches(kind, phase=" ", category=" ") == 0


def test_phase_and_category_fit_a_task() -> None:
    assert task_matches("implementation", phase="ACT", category="new features") == 2
    assert task_matches("review", phase="verify") == 1
    assert task_matches("refactoring", category="infrastructure") == 0
    assert task_matches("debugging", category="错误处理") == 1
    assert task_matches("debugging", category="terror and errors") == 1


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="unknown type of task 'cooking'; known: exploration"):
        task_matches("cooking")
    with pytest.raises(InvalidInputError, match="unknown type of task"):
        weight_of("skills", "cooking")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"goal": 5}, "the goal of a task must be text, not 5"),
        ({"files": "a.py"}, "the files of a task must be a list of texts, not 'a.py'"),
        ({"files": [1]}, "the files of a task must be a list of texts"),
        ({"files": {"a"}}, "the files of a task must be a list of texts"),
    ],
    ids=str,
)
def test_a_malformed_task_is_refused(data: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        Task.from_dict(data)


FRACTIONS = st.floats(0, 1)


@given(FRACTIONS, FRACTIONS, FRACTIONS, FRACTIONS)
def test_a_score_is_bounded(relevance: float, weight: float, importance: float, confidence: float) -> None:
    assert 0 <= task_score(relevance, weight, importance=importance, confidence=confidence) <= 1.0 + 1e-9


@given(FRACTIONS, st.floats(0, 0.5), st.floats(0, 0.5))
def test_a_score_grows_with_relevance_and_importance(weight: float, low: float, more: float) -> None:
    assert task_score(low, weight) <= task_score(low + more, weight)
    assert task_score(1, weight, importance=low) <= task_score(1, weight, importance=low + more)
