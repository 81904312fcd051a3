"""A memory that extracts only when told to and knows Ana's dog, and savers of all kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver

from memory_middleware import Memory, MemoryConfig
from tests.langchain.support import RULES


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory", config=MemoryConfig.from_dict(RULES)) as opened:
        opened.remember("ana", "The user's dog is called Bruno.", subject="dog", attribute="name")
        opened.update_profile("ana", "user", {"occupation": "nurse"})
        opened.update_profile("ana", "work", {"team_context": "Emergency ward"})
        yield opened


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def saver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BaseCheckpointSaver[Any]]:
    if request.param == "memory":
        yield InMemorySaver()
    elif request.param == "sqlite":
        with SqliteSaver.from_conn_string(str(tmp_path / "checkpoints.db")) as opened:
            yield opened
    else:
        with PostgresSaver.from_conn_string(request.getfixturevalue("postgres_url")) as opened_server:
            opened_server.setup()
            yield opened_server
