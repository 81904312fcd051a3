"""Real stores of LangGraph, each empty."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres import PostgresStore
from langgraph.store.sqlite import SqliteStore

from memory_middleware import Memory
from tests.mirror.support import Moody, over


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BaseStore]:
    if request.param == "memory":
        yield InMemoryStore()
    elif request.param == "sqlite":
        with SqliteStore.from_conn_string(str(tmp_path / "store.db")) as made:
            made.setup()
            yield made
    else:
        with PostgresStore.from_conn_string(request.getfixturevalue("postgres_url")) as made:
            made.setup()
            yield made


@pytest.fixture
def moody() -> Moody:
    return Moody()


@pytest.fixture
def memory(moody: Moody) -> Iterator[Memory]:
    with over(moody) as made:
        yield made
