"""Words, merging and links of patterns."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.remember.experience.drafts import anti_confidence, pattern_confidence, pattern_id
from memory_middleware.remember.experience.linking import KINDS, MOST_LINKS, link_patterns, links_between, links_for
from memory_middleware.remember.experience.merging import KnownPatterns, merge
from memory_middleware.remember.experience.wording import bare, describe_goals, shared_words, text_similarity
from memory_middleware.schemas.experience_parts import Link
from memory_middleware.schemas.pattern import SemanticPattern


def pattern(name: str, says: str, category: str = "design", **fields: object) -> SemanticPattern:
    return SemanticPattern(name, says, category, **fields)  # type: ignore[arg-type]


def anti(name: str, error: str, **fields: object) -> SemanticPattern:
    return pattern(name, f"Avoid: {error}", "anti-pattern", **fields)


@pytest.mark.parametrize(
    ("goals", "described", "named"),
    [
        (["Add login page", "Add logout page"], "Pattern for add login page logout tasks (2 instances)", "add page"),
        (["实现登录接口", "实现注销接口"], "“实现、接口”类任务的模式（2 个实例）", "实现接口"),
        (["42", "7"], "Pattern from: 42", ""),
        (["修复登录", "画一朵花"], "来自任务的模式：修复登录", ""),
        (["Add login page", "Ship it"], "Pattern for add login page ship tasks (2 instances)", ""),
    ],
)
def test_goals_are_described_and_named_in_their_language(goals: list[str], described: str, named: str) -> None:
    assert describe_goals(goals) == described
    assert shared_words(goals) == named


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("校验用户输入", "校验用户输入", 1.0),
        ("校验用户输入", "缓存查询结果", 0.0),
        ("", "", 0.0),
        ("Retry, then wait!", "wait: then retry", 1.0),
    ],
)
def test_texts_compare_in_both_languages(one: str, other: str, alike: float) -> None:
    assert text_similarity(one, other) == alike


@pytest.mark.parametrize(
    "told",
    [
        "Pattern for add page tasks (3 instances)",
        "“add page”类任务的模式（3 个实例）",
        "Pattern from: add page",
        "来自任务的模式：add page",
        "Avoid: add page",
        "避免：add page",
        "add page",
    ],
)
def test_the_frame_of_a_pattern_does_not_count(told: str) -> None:
    assert bare(told) == "add page"


def test_errors_that_merely_share_a_frame_are_not_merged() -> None:
    known = KnownPatterns([anti("a", "connection reset error"), anti("b", "TimeoutError"), pattern("c", "KeyError")])
    assert known.find(anti("x", "connection refused error")) is None
    assert known.find(anti("x", "KeyError")) is None
    found = known.find(anti("x", "the connection reset error"))
    assert found is not None
    assert found.id == "a"


def test_a_pattern_is_known_by_one_of_its_episodes_or_by_its_words() -> None:
    own = pattern(pattern_id("e2"), "Own words of a model", source_episodes=["e2", "e3"])
    worded = pattern("w", "validate user input early", source_episodes=["e9"])
    taken = pattern(pattern_id("e5"), "Not drawn from it", source_episodes=["e7"])
    known = KnownPatterns([own, worded, taken])
    assert known.find(pattern("x", "anything", source_episodes=["e1", "e2"])) == own
    assert known.find(pattern("x", "early validate user input", source_episodes=["e4"])) == worded
    assert known.find(pattern("x", "validate user input late", source_episodes=["e4"])) is None
    assert known.find(pattern("x", "anything", source_episodes=["e5"])) is None
    assert known.find(pattern("x", "anything")) is None
    assert known.free_id("e5") not in known.by_id


def test_an_anti_pattern_is_no_version_of_a_pattern_with_its_id() -> None:
    made = anti("same", "KeyError")
    assert KnownPatterns([pattern("same", "KeyError")]).find(made) is None
    assert KnownPatterns([made]).find(dataclasses.replace(made, confidence=0.1)) == made


def test_merging_keeps_the_words_of_people_and_renews_those_of_rules() -> None:
    new = pattern(
        "n",
        "Pattern for add page tasks (3 instances)",
        correct_approach="Common actions: read → write → test",
        source_episodes=["e1", "e2", "e3"],
        conditions=["c"],
    )
    ruled = pattern(
        "r", "Pattern for add page tasks (2 instances)", correct_approach="Common actions: read → write", confidence=0.7
    )
    merged = merge(ruled, new)
    assert (merged.id, merged.pattern, merged.correct_approach) == ("r", new.pattern, new.correct_approach)
    assert merged.confidence == 0.8
    said = merge(pattern("p", "Build pages from parts", correct_approach="Start with the header"), new)
    assert (said.pattern, said.correct_approach) == ("Build pages from parts", "Start with the header")


@pytest.mark.parametrize(("confidence", "after"), [(0.2, 0.7), (0.94, 0.95), (0.99, 0.99)])
def test_confidence_rises_with_support_and_a_little_with_each_merge(confidence: float, after: float) -> None:
    known = pattern("p", "x", confidence=confidence, source_episodes=["e1"])
    merged = merge(known, pattern("n", "x", source_episodes=["e1", "e2"]))
    assert merged.confidence == pytest.approx(after)
    assert merge(merged, pattern("n", "x", source_episodes=["e2"])) is merged


def test_the_confidence_of_anti_patterns_stays_lower() -> None:
    merged = merge(anti("p", "x", confidence=0.79, source_episodes=["e1"]), anti("n", "x", source_episodes=["e2"]))
    assert merged.confidence == 0.8
    assert (anti_confidence(1), anti_confidence(99)) == (0.5, 0.8)
    assert (pattern_confidence(2), pattern_confidence(99)) == (0.7, 0.95)


def test_conditions_do_not_grow_without_end() -> None:
    many = [f"c{at}" for at in range(30)]
    assert len(merge(pattern("p", "x"), pattern("n", "x", conditions=many, source_episodes=["e"])).conditions) == 10
    mine = pattern("p", "x", conditions=many)
    assert merge(mine, pattern("n", "x", conditions=["d"], source_episodes=["e"])).conditions == many


def test_tools_that_good_and_bad_runs_both_use_do_not_contradict() -> None:
    good = pattern("g", "ship pages", correct_approach="Common actions: edit → run_test")
    bad = anti("b", "KeyError", incorrect_approach="Common actions before failure: edit, run_test")
    assert links_between(good, bad) == []
    said = dataclasses.replace(good, correct_approach="skip the tests before shipping")
    warned = dataclasses.replace(bad, incorrect_approach="skip the tests before shipping")
    assert links_between(warned, said) == [Link("g", "contradicts", 0.8)]
    assert links_between(said, warned) == [Link("b", "contradicts", 0.8)]


def test_the_strongest_links_are_kept_in_order() -> None:
    first = pattern("p", "validate user input early", source_episodes=["e"])
    others = [
        pattern(f"o{at:02}", f"other thing number {at}", f"c{at}", source_episodes=["e"] + ["x"] * (at < 3))
        for at in range(14)
    ]
    made = links_for(first, others)
    assert [link.to_id for link in made] == [f"o{at:02}" for at in range(3, 13)]
    assert links_for(first, others, room=-2) == []


texts = st.lists(st.sampled_from(["validate", "user", "input", "early", "cache", "校验", "输入"]), max_size=4).map(
    " ".join
)
made_patterns = st.lists(
    st.builds(
        SemanticPattern,
        id=st.sampled_from([f"p{at}" for at in range(8)]),
        pattern=texts.map(lambda text: text or "x"),
        category=st.sampled_from(["design", "anti-pattern"]),
        correct_approach=texts,
        incorrect_approach=texts,
        source_episodes=st.lists(st.sampled_from(["e1", "e2", "e3"]), max_size=2, unique=True),
        links=st.just([Link("skill-x", "supports")]) | st.just([]),
    ),
    max_size=8,
    unique_by=lambda one: one.id,
)


@given(made_patterns)
def test_linking_neighbours_is_linking_all_and_twice_is_once(patterns: list[SemanticPattern]) -> None:
    changed = {one.id: one for one in link_patterns(patterns)}
    linked = [changed.get(one.id, one) for one in patterns]
    for before, after in zip(patterns, linked, strict=True):
        assert len(after.links) <= MOST_LINKS
        assert after.links == [*before.links, *links_for(before, patterns, MOST_LINKS - len(before.links))]
        assert {link.relation for link in after.links} <= set(KINDS)
    assert link_patterns(linked) == []
