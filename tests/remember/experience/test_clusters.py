"""Episodes about the same thing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from memory_middleware.embedding import LocalEmbeddings
from memory_middleware.errors import EmbeddingError, StoreError
from memory_middleware.remember.experience.clusters import SIMILAR, SIMILAR_WORDS, cluster_traces
from memory_middleware.remember.experience.overlap import jaccard, telling_words
from memory_middleware.remember.experience.traces import Trace
from memory_middleware.remember.experience.wording import goal_words
from memory_middleware.testing import HashEmbeddings

GOALS = [
    "Implement login endpoint",
    "实现登录接口",
    "Fix the login bug",
    "Implement the logout endpoint",
    "实现注销接口",
    "Deploy service",
    "Implement login endpoint 2",
]
TOGETHER = [["Implement login endpoint", "Implement the logout endpoint", "Implement login endpoint 2"], GOALS[1:5:3]]


def traces(goals: list[str]) -> list[Trace]:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    return [Trace(f"e{at}", goal, "success", start + timedelta(hours=at)) for at, goal in enumerate(goals)]


@pytest.mark.parametrize("embed", [None, LocalEmbeddings()], ids=["words", "meaning"])
def test_goals_about_the_same_thing_come_together(embed: Embeddings | None) -> None:
    found = cluster_traces(traces(GOALS), embed)
    assert [cluster.goals for cluster in found if len(cluster.members) > 1] == TOGETHER
    assert sum(len(cluster.members) for cluster in found) == len(GOALS)
    assert found[0].task_type == "implementation"


def test_tasks_of_another_type_stay_apart_although_they_share_words() -> None:
    found = cluster_traces(traces(["Fix login page tests", "Review login page tests", "Fix login page test"]))
    assert [len(cluster.members) for cluster in found] == [2, 1]


def test_goals_without_telling_words_are_the_same_if_they_are_equal() -> None:
    assert [len(cluster.members) for cluster in cluster_traces(traces(["42", "do it", "42", "7"]))] == [2, 1, 1]


@pytest.mark.parametrize("embed", [None, HashEmbeddings()], ids=["words", "meaning"])
def test_nothing_gives_nothing(embed: Embeddings | None) -> None:
    assert cluster_traces([], embed) == []


words = st.lists(st.sampled_from(["login", "logout", "page", "test", "cache", "登录", "页面"]), min_size=1, max_size=5)
goals_strategy = st.lists(words.map(" ".join), max_size=25)


@pytest.mark.parametrize("embed", [None, HashEmbeddings()], ids=["words", "meaning"])
@given(goals=goals_strategy)
def test_later_episodes_never_move_earlier_ones(embed: Embeddings | None, goals: list[str]) -> None:
    whole = [[trace.id for trace in cluster.members] for cluster in cluster_traces(traces(goals), embed)]
    half = len(goals) // 2
    early = {f"e{at}" for at in range(half)}
    first = [[trace.id for trace in cluster.members] for cluster in cluster_traces(traces(goals[:half]), embed)]
    assert first == [kept for ids in whole if (kept := [one for one in ids if one in early])]


@given(goals=goals_strategy)
def test_words_find_the_nearest_cluster_as_a_look_at_all_would(goals: list[str]) -> None:
    leaders: list[str] = []
    for cluster in cluster_traces(traces(goals)):
        first = goal_words(cluster.goals[0])
        assert all(jaccard(first, goal_words(goal)) >= SIMILAR_WORDS for goal in cluster.goals)
        assert all(jaccard(first, goal_words(goal)) < SIMILAR_WORDS for goal in leaders)
        leaders.append(cluster.goals[0])


def test_blocks_of_vectors_are_compared_as_one_by_one() -> None:
    class Drawn(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            drawn: list[list[float]] = np.random.default_rng(7).normal(size=(len(texts), 3)).tolist()
            return drawn

        def embed_query(self, text: str) -> list[float]:
            raise NotImplementedError

    goals = [f"goal {at}" for at in range(600)]
    vectors = np.asarray(Drawn().embed_documents(goals), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    leaders: list[int] = []
    expected: dict[int, list[str]] = {}
    for at in range(len(goals)):
        scores = [float(vectors[leader] @ vectors[at]) for leader in leaders]
        best = max(range(len(scores)), key=lambda place: scores[place], default=-1)
        if best >= 0 and scores[best] >= SIMILAR:
            expected[leaders[best]].append(f"e{at}")
        else:
            leaders.append(at)
            expected[at] = [f"e{at}"]
    found = [[trace.id for trace in cluster.members] for cluster in cluster_traces(traces(goals), Drawn())]
    assert found == list(expected.values())
    assert len(leaders) > 3


class Broken(Embeddings):
    """Gives what it was told to give, or raises it."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]

    def embed_query(self, text: str) -> list[float]:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (OSError("offline"), "the embedder failed on the goals of 2 episodes: offline"),
        ([[1.0]], r"the embedder gave vectors of \(1, 1\) for 2 goals"),
        ([[1.0], [float("nan")]], "the embedder gave vectors"),
    ],
    ids=["offline", "too few", "not finite"],
)
def test_a_failing_embedder_is_told(answer: object, message: str) -> None:
    with pytest.raises(EmbeddingError, match=message):
        cluster_traces(traces(["a b", "c d"]), Broken(answer))


def test_an_error_of_the_library_passes_as_it_is() -> None:
    with pytest.raises(StoreError, match="closed"):
        cluster_traces(traces(["a b"]), Broken(StoreError("closed")))


def test_a_vector_of_zeros_is_like_no_other() -> None:
    found = cluster_traces(traces(["a b", "c d"]), Broken([[0.0, 0.0], [1.0, 0.0]]))
    assert [len(cluster.members) for cluster in found] == [1, 1]


sets = st.frozensets(st.sampled_from("abcdefgh"), min_size=1)


@given(sets, sets, st.sampled_from([0.3, 0.5, 0.6, 0.8, 1.0]))
def test_sets_that_are_alike_share_a_telling_word(one: frozenset[str], other: frozenset[str], least: float) -> None:
    if jaccard(one, other) >= least:
        assert set(telling_words(one, least)) & set(telling_words(other, least))
    assert jaccard(one, other) == len(one & other) / len(one | other)
