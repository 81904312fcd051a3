"""Served memories for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rest.live import Live, live


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Live]:
    """A new memory, served to Ana and Bob."""
    with live(tmp_path / "memory") as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A memory that the tests of a module share, for those that leave it as it was."""
    with live(tmp_path_factory.mktemp("shared")) as found:
        yield found
