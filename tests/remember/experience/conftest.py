"""Stores for the tests of experience."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_middleware.storage import LanceStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LanceStore]:
    """An empty store that searches by words."""
    with LanceStore.open(tmp_path / "memory", embedding=None) as opened:
        yield opened
