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
