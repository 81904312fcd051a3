"""Stores and rounds for the tests of the write path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_middleware import LanceStore
from memory_middleware.storage.repositories import Repositories


@pytest.fixture
def small(tmp_path: Path) -> Iterator[LanceStore]:
    """An empty embedded store that searches by words."""
    with LanceStore.open(tmp_path / "memory", embedding=None) as opened:
        yield opened


@pytest.fixture
def memories(small: LanceStore) -> Repositories:
    """What that store keeps by owner."""
    return small.memories
