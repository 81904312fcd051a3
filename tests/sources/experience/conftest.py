"""Stores and memories for the experience tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_middleware.storage import LanceStore
from memory_middleware.testing import HashEmbeddings


@pytest.fixture(params=["words", "meaning"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LanceStore]:
    """An empty store that searches by words, or by words and hashed vectors."""
    embedding = HashEmbeddings() if request.param == "meaning" else None
    with LanceStore.open(tmp_path / "memory", embedding=embedding) as opened:
        yield opened
