"""What a LangGraph store should do, check by check, beyond what LangGraph's own tests ask.

The three stores that come with LangGraph differ in many small things; each check here asks for the
best of them. A store's author runs ``run_store_checks`` with a function that gives a new, empty store.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.store.base import BaseStore, GetOp, IndexConfig, PutOp, SearchOp

from memory_middleware.testing.embeddings import HashEmbeddings

__all__ = ["STORE_CHECKS", "StoreFactory", "run_store_checks"]

StoreFactory = Callable[[IndexConfig | None], AbstractContextManager[BaseStore]]
Check = Callable[[StoreFactory], None]

STORE_CHECKS: dict[str, Check] = {}


def run_store_checks(make_store: StoreFactory) -> dict[str, str | None]:
    """Run every check on new stores.

    Args:
        make_store: Gives a context manager that yields an empty store; its argument is LangGraph's
            index configuration, or none.

    Returns:
        For each check none if it passed, else what went wrong.
    """
    results: dict[str, str | None] = {}
    for name, check in STORE_CHECKS.items():
        try:
            check(make_store)
        except Exception as error:  # noqa: BLE001 - whatever a store raises is its result
            results[name] = f"{type(error).__name__}: {error}"
        else:
            results[name] = None
    return results


def _check(function: Check) -> Check:
    STORE_CHECKS[function.__name__.removeprefix("_")] = function
    return function


def _index(fields: list[str] | None = None) -> IndexConfig:
    settings: IndexConfig = {"dims": 64, "embed": HashEmbeddings()}
    if fields:
        settings["fields"] = fields
    return settings


def _keys(found: list[Any]) -> list[str]:
    return [item.key for item in found]


def _equal(found: object, wanted: object) -> None:
    if found != wanted:
        raise AssertionError(f"expected {wanted!r}, found {found!r}")


@_check
def _what_is_put_can_be_got(make: StoreFactory) -> None:
    value = {"text": "a", "n": 1, "f": 1.5, "b": True, "none": None, "list": [1, {"x": "y"}], "文": "字 🚀"}
    with make(None) as store:
        store.put(("a", "b"), "k", value)
        item = store.get(("a", "b"), "k")
        assert item is not None
        _equal((item.value, item.key, item.namespace), (value, "k", ("a", "b")))
        _equal(store.get(("a",), "k"), None)
        _equal(store.get(("a", "b"), "other"), None)


@_check
def _what_is_deleted_is_gone(make: StoreFactory) -> None:
    with make(None) as store:
        store.put(("a",), "k", {"x": 1})
        store.delete(("a",), "k")
        store.delete(("a",), "never there")
        _equal((store.get(("a",), "k"), store.search(("a",))), (None, []))


@_check
def _writing_again_keeps_the_time_of_creation(make: StoreFactory) -> None:
    with make(None) as store:
        store.put(("a",), "k", {"x": 1})
        first = store.get(("a",), "k")
        time.sleep(0.02)
        store.put(("a",), "k", {"x": 2})
        second = store.get(("a",), "k")
        assert first is not None
        assert second is not None
        _equal(second.created_at, first.created_at)
        assert second.updated_at > first.updated_at, "updated_at did not move"


@_check
def _times_are_aware_and_in_utc(make: StoreFactory) -> None:
    with make(None) as store:
        store.put(("a",), "k", {"x": 1})
        item = store.get(("a",), "k")
        assert item is not None
        for moment in (item.created_at, item.updated_at):
            _equal(moment.utcoffset(), timedelta(0))
            assert abs(datetime.now(UTC) - moment) < timedelta(minutes=5), f"{moment} is not now"


@_check
def _results_are_copies(make: StoreFactory) -> None:
    with make(None) as store:
        given: dict[str, Any] = {"list": [1]}
        store.put(("a",), "k", given)
        given["list"].append(2)
        item = store.get(("a",), "k")
        assert item is not None
        item.value["list"].append(3)
        again = store.get(("a",), "k")
        assert again is not None
        _equal(again.value, {"list": [1]})


@_check
def _reads_in_a_batch_see_the_state_before_it(make: StoreFactory) -> None:
    with make(None) as store:
        store.put(("a",), "k", {"x": 1})
        results = store.batch(
            [PutOp(("a",), "k", {"x": 2}), GetOp(("a",), "k"), SearchOp(("a",)), PutOp(("a",), "k", {"x": 3})]
        )
        _equal((results[0], results[1].value, results[2][0].value), (None, {"x": 1}, {"x": 1}))  # type: ignore[union-attr,index]
        last = store.get(("a",), "k")
        assert last is not None
        _equal(last.value, {"x": 3})


@_check
def _a_prefix_ends_between_labels(make: StoreFactory) -> None:
    with make(None) as store:
        for space in (("user", "1"), ("user", "10"), ("user1",), ("use",)):
            store.put(space, "k", {"x": 1})
        _equal(sorted(item.namespace for item in store.search(("user",))), [("user", "1"), ("user", "10")])
        _equal([item.namespace for item in store.search(("user", "1"))], [("user", "1")])


@_check
def _hostile_labels_and_keys_reach_their_own_rows_only(make: StoreFactory) -> None:
    odd = [
        "%",
        "_",
        "a%",
        "'; DROP TABLE x; --",
        '"',
        "\\",
        "*",
        "A",
        "a",
        "ａ",
        "é",
        "e\u0301",
        "🚀",
        " ",
        "a/b",
        "x" * 10_000,
    ]
    with make(None) as store:
        for at, text in enumerate(odd):
            store.put(("owner", text), text, {"n": at})
        for at, text in enumerate(odd):
            found = store.search(("owner", text))
            _equal([item.value for item in found], [{"n": at}])
            item = store.get(("owner", text), text)
            assert item is not None
            _equal(item.value, {"n": at})
        store.delete(("owner", "%"), "%")
        _equal(len(store.search(("owner",), limit=100)), len(odd) - 1)


@_check
def _a_value_may_hold_any_text(make: StoreFactory) -> None:
    value = {"text": "nul \x00, bell \x07, line\u2028, emoji 🏳️‍🌈"}
    with make(None) as store:
        store.put(("a",), "k", value)
        item = store.get(("a",), "k")
        assert item is not None
        _equal(item.value, value)


@_check
def _listing_gives_the_newest_first(make: StoreFactory) -> None:
    with make(None) as store:
        for key in ("one", "two", "three"):
            store.put(("a",), key, {"x": 1})
            time.sleep(0.005)
        store.put(("a",), "one", {"x": 2})
        _equal(_keys(store.search(("a",))), ["one", "three", "two"])
        _equal(_keys(store.search(("a",), limit=1, offset=1)), ["three"])


FILTERS: tuple[tuple[dict[str, Any], list[str]], ...] = (
    ({"n": 10}, ["ten"]),
    ({"n": 10.0}, ["ten"]),
    ({"n": {"$gt": 9}}, ["hundred", "ten"]),
    ({"n": {"$gte": 10, "$lt": 100}}, ["ten"]),
    ({"n": {"$lte": 9}}, ["nine"]),
    ({"name": {"$gt": "b"}}, ["nine"]),
    ({"n": {"$ne": 10}}, ["hundred", "nine", "other"]),
    ({"n": {"$in": [9, 10]}}, ["nine", "ten"]),
    ({"n": {"$nin": [9, 10]}}, ["hundred", "other"]),
    ({"n": {"$exists": False}}, ["other"]),
    ({"tags": {"$contains": "x"}}, ["ten"]),
    ({"d": {"x": 1}}, ["nine"]),
    ({"on": True}, ["ten"]),
    ({"$and": [{"n": {"$gt": 8}}, {"n": {"$lt": 50}}]}, ["nine", "ten"]),
    ({"$or": [{"n": 9}, {"n": 100}]}, ["hundred", "nine"]),
    ({"$not": {"n": 9}}, ["hundred", "other", "ten"]),
    ({"absent": {"$gt": 1}}, []),
    ({"absent": None}, ["hundred", "nine", "other", "ten"]),
)


@_check
def _filters_compare_numbers_as_numbers_and_never_raise(make: StoreFactory) -> None:
    with make(None) as store:
        store.put(("a",), "nine", {"n": 9, "name": "c", "d": {"x": 1, "y": 2}})
        store.put(("a",), "ten", {"n": 10, "name": "a", "tags": ["x", "y"], "on": True})
        store.put(("a",), "hundred", {"n": 100, "on": 1})
        store.put(("a",), "other", {"m": 1})
        for condition, wanted in FILTERS:
            found = sorted(_keys(store.search(("a",), filter=condition)))
            if found != wanted:
                raise AssertionError(f"{condition}: expected {wanted}, found {found}")


@_check
def _search_ranks_by_likeness_and_gives_scores(make: StoreFactory) -> None:
    with make(_index(["text"])) as store:
        store.put(("a",), "tea", {"text": "green tea with honey"})
        store.put(("a",), "car", {"text": "a fast red car"})
        found = store.search(("a",), query="tea with honey")
        _equal(found[0].key, "tea")
        assert found[0].score is not None
        assert len(found) < 2 or found[1].score is None or found[0].score > found[1].score, "scores do not fall"


@_check
def _search_is_filtered_before_the_limit(make: StoreFactory) -> None:
    with make(_index(["text"])) as store:
        for at in range(30):
            store.put(("a",), f"k{at}", {"text": "the same words", "n": at})
            store.put(("b",), f"k{at}", {"text": "the same words", "n": at})
        found = store.search(("a",), query="same words", filter={"n": {"$gte": 28}}, limit=5)
        _equal(sorted((item.namespace, item.key) for item in found), [(("a",), "k28"), (("a",), "k29")])


@_check
def _pages_of_a_search_cover_everything_once(make: StoreFactory) -> None:
    with make(_index(["text"])) as store:
        for at in range(12):
            store.put(("a",), f"k{at}", {"text": f"word{at} shared text"})
        pages = [_keys(store.search(("a",), query="shared text", limit=5, offset=at)) for at in (0, 5, 10, 15)]
        _equal([len(page) for page in pages], [5, 5, 2, 0])
        _equal(len({key for page in pages for key in page}), 12)


@_check
def _no_stale_vector_is_found(make: StoreFactory) -> None:
    with make(_index(["text"])) as store:
        store.put(("a",), "k", {"text": "green tea"})
        store.put(("a",), "k", {"text": "green tea"}, index=False)
        store.put(("a",), "other", {"text": "red car"})
        _equal([key for key in _keys(store.search(("a",), query="green tea")) if key == "k"], [])
        store.put(("a",), "other", {"text": "blue boat"})
        best = store.search(("a",), query="blue boat")[0]
        assert best.score is not None
        _equal(best.value, {"text": "blue boat"})


@_check
def _two_items_may_share_a_text(make: StoreFactory) -> None:
    with make(_index(["text"])) as store:
        store.batch([PutOp(("a",), "x", {"text": "same"}), PutOp(("a",), "y", {"text": "same"})])
        _equal(sorted(_keys(store.search(("a",), query="same"))), ["x", "y"])


@_check
def _chosen_fields_are_searched_and_the_whole_value_can_be(make: StoreFactory) -> None:
    with make(_index(["text"])) as store:
        store.put(("a",), "k", {"text": "green tea", "secret": "zebra"})
        store.put(("a",), "whole", {"secret": "giraffe"}, index=["$"])
        found = store.search(("a",), query="giraffe")
        assert found, "index=['$'] was not searched"
        _equal(found[0].key, "whole")


@_check
def _namespaces_are_those_that_hold_something(make: StoreFactory) -> None:
    with make(None) as store:
        store.get(("ghost",), "k")
        for space in (("a", "b", "c"), ("a", "b", "d"), ("a", "x"), ("z",)):
            store.put(space, "k", {"x": 1})
        store.delete(("z",), "k")
        _equal(store.list_namespaces(), [("a", "b", "c"), ("a", "b", "d"), ("a", "x")])
        _equal(store.list_namespaces(prefix=("a", "*", "c")), [("a", "b", "c")])
        _equal(store.list_namespaces(suffix=("d",)), [("a", "b", "d")])
        _equal(store.list_namespaces(max_depth=2), [("a", "b"), ("a", "x")])
        _equal(store.list_namespaces(max_depth=2, limit=1, offset=1), [("a", "x")])


@_check
def _illegal_namespaces_are_refused_in_batches_too(make: StoreFactory) -> None:
    with make(None) as store:
        for space in (("a.b",), ("",), ("a", "\0")):
            try:
                store.batch([PutOp(space, "k", {"x": 1})])
            except ValueError:
                continue
            raise AssertionError(f"{space!r} was accepted")
