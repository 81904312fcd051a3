"""Our conformance suite, on our store and on LangGraph's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from langgraph.store.base import BaseStore, IndexConfig
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres import PostgresStore

from memory_middleware.storage import LanceStore
from memory_middleware.testing import STORE_CHECKS, run_store_checks

IN_MEMORY = {
    "chosen_fields_are_searched_and_the_whole_value_can_be",
    "filters_compare_numbers_as_numbers_and_never_raise",
    "illegal_namespaces_are_refused_in_batches_too",
    "listing_gives_the_newest_first",
    "namespaces_are_those_that_hold_something",
    "no_stale_vector_is_found",
    "results_are_copies",
    "two_items_may_share_a_text",
    "writing_again_keeps_the_time_of_creation",
}
POSTGRES = {
    "a_value_may_hold_any_text",
    "chosen_fields_are_searched_and_the_whole_value_can_be",
    "filters_compare_numbers_as_numbers_and_never_raise",
    "no_stale_vector_is_found",
    "pages_of_a_search_cover_everything_once",
    "search_is_filtered_before_the_limit",
}


@pytest.mark.parametrize("name", list(STORE_CHECKS))
def test_lance_store_passes_every_check(name: str, place: dict[str, Any]) -> None:
    @contextmanager
    def make(index: IndexConfig | None) -> Iterator[BaseStore]:
        with LanceStore.open(**place, index=index, embedding=None) as store:
            yield store

    STORE_CHECKS[name](make)


def test_the_store_in_memory_fails_where_we_say_it_does() -> None:
    @contextmanager
    def make(index: IndexConfig | None) -> Iterator[BaseStore]:
        yield InMemoryStore(index=index)

    assert {name for name, problem in run_store_checks(make).items() if problem} == IN_MEMORY


def test_the_postgres_store_fails_where_we_say_it_does(postgres_url: str) -> None:
    @contextmanager
    def make(index: IndexConfig | None) -> Iterator[BaseStore]:
        with PostgresStore.from_conn_string(postgres_url, index=index) as store:  # type: ignore[arg-type]
            store.setup()
            for item in store.search((), limit=1000):
                store.delete(item.namespace, item.key)
            yield store

    failed = {name for name, problem in run_store_checks(make).items() if problem}
    assert failed == POSTGRES
