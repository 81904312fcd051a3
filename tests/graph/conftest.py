"""A memory that extracts only when told to, and knows that Ana lives in Lisbon."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_middleware import Memory, MemoryConfig

MANUAL = {"extract": {"mode": "manual"}, "inject": {"first_round_empty": False, "long_term_trigger": "always"}}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory", config=MemoryConfig.from_dict(MANUAL)) as opened:
        opened.remember("ana", "The user lives in Lisbon.", subject="user", attribute="city")
        opened.update_profile("ana", "user", {"occupation": "nurse"})
        opened.update_profile("ana", "work", {"team_context": "Emergency ward"})
        yield opened
