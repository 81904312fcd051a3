"""The pure parts of storage: namespaces, filters, terms, fusion, postings."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from memory_middleware.errors import InvalidInputError
from memory_middleware.storage import terms as term_rules
from memory_middleware.storage.filters import compile_filter
from memory_middleware.storage.fusion import fuse, scale
from memory_middleware.storage.growing import Growing
from memory_middleware.storage.namespaces import (
    decode_label,
    depth_of,
    dump_key,
    dump_namespace,
    encode_label,
    item_id,
    load_key,
    load_namespace,
    path_of,
    path_range,
    prefixes_of,
)
from memory_middleware.storage.postings import Postings, Scan
from memory_middleware.storage.terms import has_cjk, terms_of
from memory_middleware.storage.vectors import Vectors

LABEL = st.text(min_size=1, max_size=6)
SPACE = st.lists(LABEL, max_size=4).map(tuple)


@given(st.text(st.characters(exclude_categories=()), max_size=12))
def test_any_key_is_kept_as_ascii_and_given_back(key: str) -> None:
    assert dump_key(key).isascii()
    assert load_key(dump_key(key)) == key


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_plain_english_gives_the_terms_that_any_text_gives(text: str) -> None:
    assert [*terms_of(text), "茶"] == terms_of(f"{text} 茶")


@given(SPACE, SPACE)
def test_a_path_is_a_prefix_exactly_when_the_namespace_is(left: tuple[str, ...], right: tuple[str, ...]) -> None:
    low, high = path_range(path_of(left))
    assert (low <= path_of(right) < high) is (right[: len(left)] == left)


@given(SPACE, st.text(max_size=8))
def test_namespaces_survive_and_their_parts_are_known(space: tuple[str, ...], key: str) -> None:
    path = path_of(space)
    assert load_namespace(dump_namespace(space)) == space
    assert depth_of(path) == len(space)
    assert prefixes_of(path) == [path_of(space[:end]) for end in range(len(space) + 1)]
    assert item_id(path, key) != item_id(path, key + "x")


@given(st.text())
def test_any_text_becomes_a_legal_label_and_comes_back(text: str) -> None:
    label = encode_label(text)
    assert label
    assert "." not in label
    assert "\0" not in label
    assert decode_label(label) == text


@given(st.text(), st.text())
def test_two_texts_never_share_a_label(left: str, right: str) -> None:
    assert (encode_label(left) == encode_label(right)) is (left == right)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=4,
)
VALUES = st.dictionaries(st.sampled_from("abc"), JSON, max_size=3)
OPERATORS = st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$contains", "$exists"])
CONDITIONS = st.one_of(
    JSON.filter(lambda part: not isinstance(part, dict)), st.dictionaries(OPERATORS, JSON, max_size=2)
)


@given(VALUES, st.dictionaries(st.sampled_from(["a", "b", "a.b"]), CONDITIONS, max_size=2))
def test_no_filter_ever_raises_on_a_value(value: dict[str, Any], condition: dict[str, Any]) -> None:
    keep = compile_filter(condition)
    if keep is not None:
        assert keep(value) in (True, False)
        turned = compile_filter({"$not": condition})
        assert turned is not None
        assert turned(value) is not keep(value)


@given(VALUES)
def test_a_value_passes_a_filter_on_its_own_fields(value: dict[str, Any]) -> None:
    plain = {key: part for key, part in value.items() if not isinstance(part, dict)}
    keep = compile_filter(plain)
    assert keep is None or keep(value)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ({"a": {"$near": 1}}, "unknown filter operator '$near'"),
        ({"$xor": []}, "unknown filter operator '$xor'"),
        ({"$and": {"a": 1}}, "$and takes a list of filters"),
        ({"$or": [1]}, "$or takes a list of filters"),
        ({"$not": 1}, "$not takes a filter"),
        ({"a": {"$in": "abc"}}, "$in takes a list of values"),
    ],
)
def test_a_malformed_filter_is_refused(condition: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        compile_filter(condition)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("condition", "passes"),
    [
        ({"d.x": 1}, True),
        ({"a.b": 2}, True),
        ({"d.x.y": 1}, False),
        ({"d": {"x": {"$gt": 0}}}, True),
        ({"tags": {"$contains": ["x", "y"]}}, True),
        ({"tags": {"$contains": ["x", "z"]}}, False),
        ({"text": {"$contains": "ell"}}, True),
        ({"d": {"$contains": "x"}}, True),
        ({"text": {"$not": {"$contains": "ell"}}}, False),
        ({"on": 1}, False),
        ({"on": {"$ne": 1}}, True),
        ({"tags": ["x", "y"]}, True),
        ({"d": {"$eq": {"x": 1}}}, True),
        ({"$and": []}, True),
        ({"$or": [{}]}, True),
    ],
)
def test_filters_mean_what_they_say(condition: dict[str, Any], passes: bool) -> None:
    value = {"d": {"x": 1}, "a.b": 2, "tags": ["x", "y"], "text": "hello", "on": True}
    keep = compile_filter(condition)
    assert keep is not None
    assert keep(value) is passes


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The cats are running", ["cat", "run"]),
        ("我喜欢绿茶", ["我喜", "喜欢", "欢绿", "绿茶"]),
        ("茶", ["茶"]),
        ("用 Python 3.12 写的 FastAPI", ["用", "python", "3", "12", "写的", "fastapi"]),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
        ("user_name café", ["user", "name", "café"]),
        ("!!! …", []),
        ("y" * 2_000_000, ["y" * 40]),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


@given(st.text())
def test_terms_hold_no_blanks(text: str) -> None:
    assert all(term and " " not in term for term in terms_of(text))
    assert has_cjk(text + "茶")


SCORES = st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=8)


@given(SCORES)
def test_scaled_scores_keep_their_order(values: list[float]) -> None:
    scores = np.array(values, dtype=np.float32)
    scaled = scale(scores)
    assert scaled.min() >= 0
    assert scaled.max() <= 1.0 + 1e-6
    assert all(scaled[i] <= scaled[j] for i in range(len(values)) for j in range(len(values)) if values[i] < values[j])


def test_fusion_lets_a_match_of_words_win_over_a_weak_likeness() -> None:
    dense = np.array([0.50, 0.52, 0.10], dtype=np.float32)
    lexical = np.array([0.0, 0.0, 9.0], dtype=np.float32)
    joined = fuse(dense, lexical, 0.3)
    assert joined is not None
    assert int(joined.argmax()) == 2
    assert fuse(dense, None, 0.6) is dense
    assert fuse(dense, np.zeros(3, dtype=np.float32), 0.6) is dense
    only = fuse(None, lexical, 0.6)
    assert only is not None
    assert only.tolist() == [0.0, 0.0, 1.0]
    assert fuse(None, None, 0.6) is None
    assert scale(np.zeros(0, dtype=np.float32)).size == 0


DOCUMENTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=6)


@given(DOCUMENTS, st.lists(st.sampled_from("abcde"), min_size=1, max_size=3))
def test_postings_and_a_scan_give_the_same_scores(documents: list[list[str]], query: list[str]) -> None:
    postings, scan = Postings(), Scan()
    for at, terms in enumerate(documents):
        postings.add([" ".join(terms)])
        scan.add([" ".join(terms)])
        if at % 2:
            postings.score(query)
            scan.score(query)
    np.testing.assert_array_equal(postings.score(query), scan.score(query))
    np.testing.assert_allclose(scan.score(query), by_hand(documents, query), rtol=1e-4, atol=1e-6)


def by_hand(documents: list[list[str]], query: list[str]) -> list[float]:
    """BM25 as the books have it."""
    mean = sum(map(len, documents)) / len(documents) or 1.0
    scores = []
    for terms in documents:
        total = 0.0
        for term in query:
            holding = sum(term in other for other in documents)
            rarity = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            count = terms.count(term)
            total += rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(terms) / mean))
        scores.append(total)
    return scores


@pytest.mark.parametrize("kind", [Postings, Scan])
def test_a_word_that_many_hold_is_scored_like_one_that_few_hold(kind: type[Postings | Scan]) -> None:
    documents = [["tea"] * (1 + at % 3) + ["filler"] * (at % 7) for at in range(80)]
    lexicon = kind()
    lexicon.add([" ".join(terms) for terms in documents])
    np.testing.assert_allclose(lexicon.score(["tea"]), by_hand(documents, ["tea"]), rtol=1e-4)


def test_a_rare_word_counts_more() -> None:
    postings = Postings()
    for terms in (["tea", "green"], ["tea", "black"], ["tea", "jasmin"]):
        postings.add([" ".join(terms)])
    assert int(postings.score(["tea", "jasmin"]).argmax()) == 2
    assert not postings.score(["coffee"]).any()


@given(st.lists(st.lists(st.integers(0, 9), max_size=5), max_size=6))
def test_a_growing_array_holds_what_was_appended(parts: list[list[int]]) -> None:
    array = Growing(np.zeros(0, dtype=np.int64))
    for part in parts:
        array.extend(np.array(part, dtype=np.int64))
    assert array.rows.tolist() == [number for part in parts for number in part]


class Given(Embeddings):
    """An embedder that gives the vectors it was given."""

    def __init__(self, made: Any) -> None:
        self._made = made

    def embed_documents(self, texts: list[str]) -> Any:
        return self._made

    def embed_query(self, text: str) -> list[float]:
        raise NotImplementedError


@pytest.mark.parametrize(
    "made",
    [
        [[3.0, 4.0], [0.0, 0.0]],
        [(3.0, 4.0), (0, 0)],
        np.array([[3.0, 4.0], [0.0, 0.0]]),
        [np.array([3, 4]), np.array([0, 0])],
    ],
    ids=["lists", "tuples", "matrix", "arrays"],
)
def test_vectors_become_unit_vectors_of_ours_whatever_holds_them(made: Any) -> None:
    vectors = Vectors(Given(made))
    vectors.ready(["a", "b"])
    assert vectors.of("a").tolist() == pytest.approx([0.6, 0.8])
    assert vectors.of("b").tolist() == [0.0, 0.0]
    assert np.asarray(made).tolist() == [[3, 4], [0, 0]], "what the embedder holds stays as it was"


def test_words_are_stemmed_by_many_threads_at_once() -> None:
    words = [f"running{'abcdefghij'[at % 10]}{'klmnopqrst'[at // 10 % 10]}ations" for at in range(2000)]
    expected = [terms_of(word) for word in words]
    term_rules._stem.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            term_rules._stem.cache_clear()
            assert list(pool.map(terms_of, words)) == expected
