"""The store as an Agent Server opens it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from memory_middleware.storage.platform import create_store


def test_the_server_is_given_the_configured_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "memory.yaml"
    config.write_text(f"storage: {{path: {tmp_path / 'm'}}}\nembedding: null\n", encoding="utf-8")
    monkeypatch.setenv("MEMORY_CONFIG", str(config))

    async def serve() -> object:
        async with create_store() as store:
            await store.aput(("a",), "k", {"owner": "ana", "tags": ["x"]})
            both = {"$and": [{"tags": {"$contains": "x"}}, {"owner": {"$eq": "ana"}}]}
            return [item.key for item in await store.asearch(("a",), filter=both)]

    assert asyncio.run(serve()) == ["k"]
    assert (tmp_path / "m" / "memory.db").is_file()


def test_without_a_configuration_it_is_the_embedded_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMORY_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)

    async def serve() -> bool:
        async with create_store() as store:
            return store.get(("a",), "k") is None

    assert asyncio.run(serve())
    assert (tmp_path / "memory" / "memory.db").is_file()
