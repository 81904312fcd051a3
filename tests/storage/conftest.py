"""Databases and stores for the storage tests."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_middleware.storage import LanceStore


@pytest.fixture(scope="session")
def processes() -> Any:
    """A server that has loaded everything once, and forks fast."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.storage.workers"])
    return context


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
