"""Views: what changes leave behind is what a new view would hold."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory_middleware.storage.rows import ItemRow
from memory_middleware.storage.terms import terms_of
from memory_middleware.storage.view import Query, View
from memory_middleware.testing import HashEmbeddings

DIM = 16
EMBED = HashEmbeddings(DIM)


def row(name: str, texts: list[str], at: int = 1, expires: int | None = None) -> ItemRow:
    vectors = b"".join(np.array(EMBED.embed_query(text), dtype=np.float32).tobytes() for text in texts)
    terms = " ".join(term for text in texts for term in terms_of(text)) or None
    return ItemRow(name, "", "[]", "", json.dumps({"n": at}), at, at, expires, None, terms, vectors or None)


def query(text: str, weight: float) -> Query:
    return Query(text, np.array(EMBED.embed_query(text), dtype=np.float32), terms_of(text), weight)


def found(view: View, text: str, weight: float, limit: int = 100) -> list[tuple[str, float]]:
    return [(hit.row.id, round(hit.score, 3)) for hit in view.search(query(text, weight), limit=limit, now=5)]


TEXTS = st.lists(st.sampled_from(["green tea", "black tea", "red car", "blue boat tea"]), max_size=2)
CHANGES = st.lists(st.tuples(st.sampled_from("abcdef"), st.none() | TEXTS), max_size=12)


@given(CHANGES, st.sampled_from([0.0, 0.6, 1.0]), st.booleans())
def test_a_changed_view_is_as_good_as_a_new_one(
    changes: list[tuple[str, list[str] | None]], weight: float, searched: bool
) -> None:
    view = View([], DIM)
    kept: dict[str, ItemRow] = {}
    for at, (name, texts) in enumerate(changes):
        if texts is None:
            kept.pop(name, None)
            view.apply([name], [])
        else:
            kept[name] = row(name, texts, at)
            view.apply([name], [kept[name]])
        if searched:
            found(view, "tea", weight)
    assert len(view) == len(kept)
    assert {entry.id for entry in view.rows()} == set(kept)
    dense_only = weight == 1.0
    expected = found(View(kept.values(), DIM), "green tea", weight)
    if dense_only:
        assert found(view, "green tea", weight) == expected
    else:  # words of replaced rows still count towards how rare a word is, until the view is rebuilt
        assert {name for name, _ in found(view, "green tea", weight)} == {name for name, _ in expected}


def test_replaced_rows_are_dropped_in_the_end() -> None:
    view = View([row("a", ["green tea"])], DIM)
    for at in range(200):
        view.apply(["a"], [row("a", [f"tea number{at}"], at)])
    assert view.size <= 70
    assert found(view, "number199", 0.6)[0][0] == "a"


def test_without_vectors_words_decide_and_without_words_vectors() -> None:
    rows = [row("tea", ["green tea"]), row("car", ["red car"]), row("none", [])]
    assert [name for name, _ in found(View(rows, None), "tea", 0.6)] == ["tea"]
    words = Query("tea", None, terms_of("tea"), 0.0)
    assert [hit.row.id for hit in View(rows, None).search(words, limit=5, now=5)] == ["tea"]
    assert View(rows, None).search(Query("", None, (), 0.0), limit=5, now=5) == []
    assert View([], DIM).search(query("tea", 0.6), limit=5, now=5) == []
    assert {name for name, _ in found(View(rows, DIM), "tea", 1.0)} == {"tea", "car"}


def test_a_row_without_vectors_is_found_by_its_words() -> None:
    plain = row("plain", [])._replace(terms="zebra")
    view = View([row("tea", ["green tea"]), plain], DIM)
    assert found(view, "zebra", 0.3)[0][0] == "plain"


def test_expired_rows_make_room_for_others() -> None:
    rows = [row(f"old{at}", ["green tea"], at, expires=2) for at in range(5)]
    view = View([*rows, row("new", ["green tea with milk"])], DIM)
    assert [name for name, _ in found(view, "green tea", 1.0, limit=2)] == ["new"]


def test_many_searches_use_postings() -> None:
    rows = [row(f"k{at}", [f"word{at} tea"], at) for at in range(150)]
    view = View(rows, DIM)
    first = found(view, "word7 tea", 0.0, limit=3)
    for _ in range(4):
        assert found(view, "word7 tea", 0.0, limit=3) == first
    view.apply(["k7"], [])
    assert found(view, "word7", 0.0) == []
    view.apply([], [row("new", ["word7"], 9)])
    assert [name for name, _ in found(view, "word7", 0.0)] == ["new"]


def test_a_view_that_was_rebuilt_keeps_its_vectors() -> None:
    texts = ["green tea", "black tea", "red car", "blue boat tea"]
    view = View([row(f"r{at}", [texts[at % 4]] * (at % 3), 1) for at in range(70)], DIM)
    kept: dict[str, ItemRow] = {}
    for at in range(90):
        name = f"r{at % 70}"
        kept[name] = row(name, [texts[at % 3]] * (at % 2 + (at % 5 == 0)), 2)
        view.apply([name], [kept[name]])
    assert view.size < 140, "it was rebuilt"
    assert found(view, "green tea", 1.0) == found(View(kept.values(), DIM), "green tea", 1.0)
