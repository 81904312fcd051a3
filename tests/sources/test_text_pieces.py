"""Similarity, key content, pieces, hashes and scores, as recorded and in general."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware import InvalidInputError, MemoryItem
from memory_middleware.sources.scoring import manager_score
from memory_middleware.sources.similarity import compare, final_score, longest_common_length
from memory_middleware.sources.text_pieces import content_hash, cut_pieces, key_content
from tests.support import brief, cases

NOW = 1767772800.0
WORDS = st.text(st.sampled_from("ab cA。.\n"), max_size=40)


@pytest.mark.parametrize("case", cases("002_devall/semantic_similarity"), ids=brief)
def test_a_recorded_similarity_is_the_same(case: dict[str, Any]) -> None:
    found = compare(case["query"], case["content"])
    assert found._asdict() == pytest.approx({key: case[key] for key in found._asdict()})
    assert found.score == pytest.approx(case["score"])


@given(WORDS, WORDS)
def test_a_similarity_lies_between_0_and_1(query: str, content: str) -> None:
    assert 0.0 <= compare(query, content).score <= 1.0
    assert final_score(1.0, 1.0) == pytest.approx(1.0)


def slow_common_length(one: str, other: str) -> int:
    row = [0] * (len(other) + 1)
    for left in one:
        above = row[:]
        for at, right in enumerate(other, start=1):
            row[at] = above[at - 1] + 1 if left == right else max(above[at], row[at - 1])
    return row[-1]


@given(WORDS, WORDS)
def test_the_fast_common_length_is_that_of_the_table(one: str, other: str) -> None:
    assert longest_common_length(one, other) == slow_common_length(one, other)


def test_comparing_two_long_texts_is_fast() -> None:
    one, other = "the quick brown fox " * 25, "jumps over the lazy dog " * 21
    started = time.perf_counter()
    for _ in range(20):
        compare(one, other)
    assert (time.perf_counter() - started) / 20 < 0.02


@pytest.mark.parametrize("case", cases("002_devall/content_hash"), ids=brief)
def test_a_recorded_hash_is_the_same(case: dict[str, Any]) -> None:
    assert content_hash(case["input"]) == case["expected"]


@given(st.text())
def test_any_text_has_a_hash(text: str) -> None:
    assert len(content_hash(text)) == 8


@pytest.mark.parametrize("case", cases("002_devall/extract_key_content"), ids=brief)
def test_recorded_key_content_is_the_same(case: dict[str, Any]) -> None:
    assert key_content(case["input"]) == case["expected"]


@given(st.text(st.sampled_from("ab 。！\n") | st.characters(), max_size=300), st.integers(1, 200))
def test_key_content_is_short_and_never_blank(text: str, limit: int) -> None:
    found = key_content(text, limit)
    assert len(found) <= limit + 3
    assert bool(found) == bool(text.split())
    assert key_content(found, limit + 3) == found or len(found) > 100


def test_a_long_text_of_short_sentences_is_kept() -> None:
    text = "短句。" * 60
    assert key_content(text, 50) == text[:50] + "..."


def test_a_text_of_boilerplate_alone_is_kept() -> None:
    text = "You need to " + "write " * 30 + "well."
    assert key_content(text) == text


@pytest.mark.parametrize("case", cases("002_devall/file_chunk_text"), ids=lambda case: case["id"])
def test_a_recorded_text_is_cut_alike(case: dict[str, Any]) -> None:
    assert cut_pieces(case["input"]) == case["expected"]


@given(st.lists(st.sampled_from(["", "", "", ".", "。", "\n", "  "]), max_size=300), st.integers(1, 40), st.data())
def test_pieces_hold_the_whole_text_and_share_no_more_than_the_overlap(
    marks: list[str], size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    signs = [chr(0x4E00 + at) for at in range(len(marks))]
    pieces = cut_pieces("".join(sign + mark for sign, mark in zip(signs, marks, strict=True)), size, overlap)
    assert all(0 < len(piece) <= size for piece in pieces)
    held = [[sign for sign in piece if sign >= signs[0]] for piece in pieces]
    assert sorted({sign for piece in held for sign in piece}) == signs
    # A step forward is one character at least, so an overlap close to the size may be passed.
    for one, next_one in itertools.pairwise(held):
        assert len(set(one) & set(next_one)) <= max(overlap, size // 2)


@pytest.mark.parametrize(("size", "overlap"), [(10, 10), (10, 11), (10, -1)])
def test_pieces_that_would_never_end_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(InvalidInputError, match=f"overlap of {overlap} does not fit"):
        cut_pieces("text", size, overlap)


@pytest.mark.parametrize("case", cases("002_devall/manager_score"), ids=brief)
def test_a_recorded_score_is_the_same(case: dict[str, Any]) -> None:
    item = MemoryItem("i", case["content_summary"], {}, timestamp=NOW - 3600 * case["age_hours"])
    assert manager_score(item, case["query"], NOW) == pytest.approx(case["expected"])


def test_an_empty_query_scores_by_age_and_length() -> None:
    assert manager_score(MemoryItem("i", "x" * 201, {}, timestamp=NOW), "", NOW) == pytest.approx(0.56)
